/** `turnleaf lab --survey` */
import { isatty } from 'node:tty'
import { stringifyJson } from '../../std/json.ts'
import type { Skipped, SurveyResult } from '../../lab/survey/result.ts'
import { survey } from '../../lab/survey/survey.ts'
import { openConfig, readManifestText } from '../files.ts'
import { listenForInterrupt } from '../interrupt.ts'
import { openLiveRows } from '../terminal/live-table.ts'
import { colours, fit, isWatched, noColours, oneLine, say } from '../terminal/print.ts'
import { surveyTables, sumUp } from '../terminal/survey-table.ts'

export type SurveyCommandOptions = {
  readonly config?: string
  readonly stream?: readonly string[]
  readonly fault?: readonly string[]
  readonly json?: boolean
}

/** Exit code 0 when nothing fools the manifest, 1 when something does or no stream could be surveyed. */
export async function runSurvey(path: string, given: SurveyCommandOptions): Promise<number> {
  const { json = false, stream: streams, fault: faults } = given
  const { text, file, folder } = await readManifestText(path)
  const config = await openConfig(given.config)
  const { signal, exitCode } = listenForInterrupt()
  const progress = isWatched && !(json && isatty(1)) ? openLiveRows(process.stderr) : null
  const tell = (result: SurveyResult) => {
    if (json) process.stdout.write(`${stringifyJson(result)}\n`)
    progress?.draw([fit(oneLine(`${result.stream}: ${result.fault}`), (process.stderr.columns ?? 80) - 1)])
  }
  try {
    const chosen = { ...(streams && { streams }), ...(faults && { faults }) }
    const { results, skipped } = await survey(text, { ...chosen, config, file, folder, signal, onResult: tell })
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
    return results.length === 0 || results.some(({ outcome }) => outcome === 'is fooled') ? 1 : 0
  } catch (error) {
    const code = exitCode()
    if (code === null) throw error
    return code
  } finally {
    progress?.end()
  }
}

const mostNames = 8

/** Streams that are left out for one reason share a line. */
function skippedLines(skipped: readonly Skipped[]): string[] {
  const reasons = new Map<string, string[]>()
  for (const { stream, why } of skipped) reasons.set(why, [...(reasons.get(why) ?? []), stream])
  return [...reasons].map(([why, streams]) => {
    const others = streams.length > mostNames ? ` and ${streams.length - mostNames} more` : ''
    return oneLine(`Left out, ${why}: ${streams.slice(0, mostNames).join(', ')}${others}`)
  })
}
