/** `turnleaf lab --survey` */
import { isatty } from 'node:tty'
import { stringifyJson } from '../../std/json.ts'
import type { Skipped, SurveyResult } from '../../lab/survey/result.ts'
import { survey } from '../../lab/survey/survey.ts'
import { openConfig } from '../../connections/config-file.ts'
import { readManifestText } from '../files.ts'
import { listenForInterrupt } from '../interrupt.ts'
import { openLiveRows } from '../terminal/live-table.ts'
import { colours, columnFor, fit, isWatched, noColours, oneLine, row, say } from '../terminal/print.ts'
import { count, number } from '../../std/text/format-count.ts'

export type SurveyCommandOptions = {
  readonly config?: string
  readonly stream?: readonly string[]
  readonly fault?: readonly string[]
  readonly json?: boolean
}

/** Exit code 0 when no fault goes unnoticed, 1 when one does or no stream could be surveyed. */
export async function runSurvey(path: string, given: SurveyCommandOptions): Promise<number> {
  const { json = false, stream: streams, fault: faults } = given
  const { text, file, folder } = await readManifestText(path)
  const { config } = await openConfig(given.config)
  const { signal, exitCode } = listenForInterrupt()
  const progress = isWatched && !(json && isatty(1)) ? openLiveRows(process.stderr) : null
  const onResult = (result: SurveyResult) => {
    if (json) process.stdout.write(`${stringifyJson(result)}\n`)
    progress?.draw([fit(oneLine(`${result.stream}: ${result.fault}`), (process.stderr.columns ?? 80) - 1)])
  }
  try {
    const chosen = { ...(streams && { streams }), ...(faults && { faults }) }
    const { results, skipped } = await survey(text, { ...chosen, config, file, folder, signal, onResult })
    progress?.end()
    for (const line of skippedLines(skipped)) say(line)
    if (!json) {
      const isTerminal = isatty(1)
      const width = isTerminal ? process.stdout.columns : 120
      process.stdout.write(`${surveyTables(results, { width, paint: isTerminal ? colours : noColours }).join('\n')}\n`)
    }
    const summary = sumUp(results)
    if (json) say(summary)
    else process.stdout.write(`\n${summary}\n`)
    return results.length === 0 || results.some(({ outcome }) => outcome === 'misses') ? 1 : 0
  } catch (error) {
    const code = exitCode()
    if (code === null) throw error
    return code
  } finally {
    progress?.end()
  }
}

const mostNames = 8

/** Streams that are skipped for the same reason share a line. */
function skippedLines(skipped: readonly Skipped[]): string[] {
  const reasons = new Map<string, string[]>()
  for (const { stream, why } of skipped) reasons.set(why, [...(reasons.get(why) ?? []), stream])
  return [...reasons].map(([why, streams]) => {
    const others = streams.length > mostNames ? ` and ${streams.length - mostNames} more` : ''
    return oneLine(`Skipped, ${why}: ${streams.slice(0, mostNames).join(', ')}${others}`)
  })
}

type Paint = typeof noColours
type Shown = { readonly width: number; readonly paint: Paint }

const longestName = 24

function surveyTables(results: readonly SurveyResult[], { width, paint }: Shown): string[] {
  const streams = [...new Set(results.map(({ stream }) => stream))]
  const [only] = streams
  if (streams.length === 1 && only !== undefined) return sentences(results, paint)
  const faults = [...new Set(results.map(({ fault }) => fault))]
  const tables = chunksOf(streams, faults, width).map((some) => matrix(results, some, faults, paint))
  return [...tables, missedLines(results)]
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

/** The same result for several streams is printed once. */
function missedLines(results: readonly SurveyResult[]): string[] {
  const streams = new Map<string, string[]>()
  for (const { stream, fault, outcome, says } of results) {
    if (outcome === 'misses') streams.set(`${fault}: ${says}`, [...(streams.get(`${fault}: ${says}`) ?? []), stream])
  }
  return [...streams].map(([what, names]) => oneLine(`${names.join(', ')}: ${what}`))
}

/** One stream: each fault with what happened. */
function sentences(results: readonly SurveyResult[], paint: Paint): string[] {
  const columns = [
    columnFor(['fault', ...results.map(({ fault }) => fault)]),
    columnFor(results.map(({ outcome }) => outcome)),
  ]
  const head = paint.dim(row(columns, ['fault', oneLine(results[0]?.stream ?? '')]))
  const lines = results.map(({ fault, outcome, says }) => {
    const padded = outcome.padEnd(columns[1]?.width ?? 0)
    return row(columns, [fault, painted(outcome, padded, paint), oneLine(says)])
  })
  return [head, ...lines]
}

function matrix(
  results: readonly SurveyResult[],
  streams: readonly string[],
  faults: readonly string[],
  paint: Paint,
): string[] {
  const columns = [columnFor(['fault', ...faults]), ...streams.map(columnOf)]
  const head = paint.dim(row(columns, ['fault', ...streams.map(shortName)]))
  const lines = faults.map((fault) => {
    const cells = streams.map((stream, index) => {
      const { outcome } = results.find((one) => one.stream === stream && one.fault === fault) ?? {}
      const text = outcome === undefined || outcome === 'does not apply' ? '–' : outcome
      return painted(outcome, text.padEnd(columns[index + 1]?.width ?? 0), paint)
    })
    return row(columns, [fault, ...cells])
  })
  return [head, ...lines]
}

/** As many streams per table as fit into the window. */
function chunksOf(streams: readonly string[], faults: readonly string[], width: number): string[][] {
  const chunks: string[][] = []
  let room = 0
  for (const stream of streams) {
    const needed = columnOf(stream).width + 3
    const last = chunks.at(-1)
    if (last === undefined || needed > room) {
      chunks.push([stream])
      room = width - columnFor(['fault', ...faults]).width - needed
    } else {
      last.push(stream)
      room -= needed
    }
  }
  return chunks
}

function columnOf(stream: string) {
  return columnFor(['survives', shortName(stream)])
}

function shortName(stream: string): string {
  return fit(oneLine(stream), longestName)
}

function painted(outcome: SurveyResult['outcome'] | undefined, text: string, paint: Paint): string {
  switch (outcome) {
    case 'survives':
      return paint.green(text)
    case 'misses':
      return paint.red(text)
    case 'reports':
      return text
    default:
      return paint.dim(text)
  }
}

/** `Survives 12 of 16 faults, reports 4, misses none.` */
function sumUp(results: readonly SurveyResult[]): string {
  const streams = new Set(results.map(({ stream }) => stream)).size
  const having = (wanted: SurveyResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length
  const applying = results.length - having('does not apply')
  if (applying === 0) return 'Nothing was surveyed.'
  const missed = having('misses')
  const noticed = results.filter(({ ifCounted }) => ifCounted === 'reports').length
  const unless = noticed === 0 ? '' : `; ${number(noticed)} of these would be noticed if the API reported a total`
  const where = streams === 1 ? '' : `, in ${count(streams, 'stream')}`
  const survived = `Survives ${number(having('survives'))} of ${count(applying, 'fault')}${where}`
  return `${survived}, reports ${number(having('reports'))}, misses ${missed === 0 ? 'none' : number(missed)}${unless}.`
}
