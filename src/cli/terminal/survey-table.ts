/** What a survey found → a table for people: one row a fault, one column a stream, and a sentence where it is needed. */
import type { SurveyResult } from '../../lab/survey/result.ts'
import { count, number } from '../../std/text/format-count.ts'
import { columnFor, fit, type noColours, oneLine, row } from './print.ts'

type Paint = typeof noColours
type Shown = { readonly width: number; readonly paint: Paint }

const longestName = 24

export function surveyTables(results: readonly SurveyResult[], { width, paint }: Shown): string[] {
  const streams = [...new Set(results.map(({ stream }) => stream))]
  const [only] = streams
  if (streams.length === 1 && only !== undefined) return sentences(results, paint)
  const faults = [...new Set(results.map(({ fault }) => fault))]
  const tables = chunksOf(streams, faults, width).map((some) => matrix(results, some, faults, paint))
  return [...tables, fooledLines(results)]
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

/** What fools several streams in the same way is said once. */
function fooledLines(results: readonly SurveyResult[]): string[] {
  const streams = new Map<string, string[]>()
  for (const { stream, fault, outcome, says } of results) {
    if (outcome === 'is fooled') streams.set(`${fault}: ${says}`, [...(streams.get(`${fault}: ${says}`) ?? []), stream])
  }
  return [...streams].map(([what, names]) => oneLine(`${names.join(', ')}: ${what}`))
}

/** One stream: what happened stands beside each fault. */
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

/** As many streams side by side as the window is wide. */
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
  return columnFor(['is fooled', shortName(stream)])
}

function shortName(stream: string): string {
  return fit(oneLine(stream), longestName)
}

function painted(outcome: SurveyResult['outcome'] | undefined, text: string, paint: Paint): string {
  switch (outcome) {
    case 'survives':
      return paint.green(text)
    case 'is fooled':
      return paint.red(text)
    case 'tells':
      return text
    default:
      return paint.dim(text)
  }
}

/** `Survives 12 of 16 faults, tells of 4, is fooled by none.` */
export function sumUp(results: readonly SurveyResult[]): string {
  const streams = new Set(results.map(({ stream }) => stream)).size
  const having = (wanted: SurveyResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length
  const applying = results.length - having('does not apply')
  if (applying === 0) return 'Nothing was surveyed.'
  const fooled = having('is fooled')
  const told = results.filter(({ ifCounted }) => ifCounted === 'tells').length
  const unless = told === 0 ? '' : `; of these ${number(told)} would be told if the API said how many records there are`
  const where = streams === 1 ? '' : `, in ${count(streams, 'stream')}`
  const survived = `Survives ${number(having('survives'))} of ${count(applying, 'fault')}${where}`
  return `${survived}, tells of ${number(having('tells'))}, is fooled by ${fooled === 0 ? 'none' : number(fooled)}${unless}.`
}
