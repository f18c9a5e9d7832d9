/** `turnleaf runs` */
import type { StoredCheckpoint } from '../../destinations/destination.ts'
import { stringifyJson } from '../../std/json.ts'
import { sayWait } from '../../protocol/say.ts'
import { checkpointKeys } from '../../sync/checkpoints.ts'
import { type PastRun, pastRuns } from '../../sync/past-runs.ts'
import { isReadToEnd, type StreamReceipt } from '../../sync/receipt.ts'
import { withoutPasswords } from '../../destinations/without-passwords.ts'
import { connectionNames, homeFolder } from '../../connections/find-connection.ts'
import { givenArguments, shellWord } from '../destination-address.ts'
import { namedTables, type TablesChoice } from '../named-tables.ts'
import { sayRows } from '../terminal/sync-outcome.ts'
import { noColours, oneLine, say } from '../terminal/print.ts'
import { receiptsTable } from '../terminal/receipts.ts'
import { withFailureReport } from '../report-error.ts'
import { count, number } from '../../std/text/format-count.ts'

export type RunsCommandOptions = TablesChoice & {
  readonly limit?: number
  readonly json?: boolean
}

export function runRuns({ limit = 10, json = false, ...given }: RunsCommandOptions): Promise<number> {
  return withFailureReport(async (learn) => {
    learn(withoutPasswords)
    const { destination, connection, hasFile } = await namedTables(given)
    const stored = await destination.inspect?.(checkpointKeys.run(''))
    if (stored === undefined) {
      say(`${destination.address} does not list past syncs.`)
      return 0
    }
    const runs = pastRuns(stored, connection)
    const shown = runs.slice(0, limit)
    process.stdout.write(json ? shown.map((run) => `${stringifyJson(run)}\n`).join('') : shown.map(sayRun).join('\n'))
    if (runs.length === 0) {
      const start =
        hasFile && given.connection !== undefined
          ? shellWord(given.connection)
          : `--manifest-path FILE${givenArguments(given.to, destination.address)}`
      say(sayNothing(destination.address, connection, stored, start))
      if (given.to === undefined && connection === undefined) await sayConnections()
    }
    if (shown.length < runs.length) say(`${number(runs.length - shown.length)} more with --limit ${runs.length}.`)
    return 0
  })
}

/** One line about the run, and its receipts below. */
function sayRun(run: PastRun): string {
  const started = new Date(run.startedAt)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z/, ' UTC')
  const head = [run.run, oneLine(run.connection), started, sayEnding(run)].join('   ')
  const table = run.streams.length === 0 ? [] : receiptsTable(run.streams, noColours)
  const held = run.streams.flatMap(({ stream, held: one }) =>
    one === undefined ? [] : [`  ${oneLine(stream)} was held: ${sayRows(one)}; ${oneLine(one.reason)}`],
  )
  return `${[head, ...table.map((line) => `  ${line}`), ...held].join('\n')}\n`
}

function sayEnding({ startedAt, endedAt, attempts, streams, status }: PastRun): string {
  const tries = attempts > 1 ? `, ${count(attempts, 'attempt')}` : ''
  if (endedAt === null) {
    return `${status === 'interrupted' ? 'interrupted' : 'interrupted, or still running'}${tries}`
  }
  const took = `took ${sayWait(endedAt - startedAt)}${tries}`
  const ofAll = (word: string, some: readonly StreamReceipt[]) =>
    some.length === 0 ? '' : `, ${some.length} of ${count(streams.length, 'stream')} ${word}`
  const held = streams.filter(({ ending }) => ending === 'held')
  return [
    took,
    ofAll(
      'failed',
      streams.filter(({ ending }) => !isReadToEnd(ending)),
    ),
    ofAll(
      'held',
      held.filter((one) => one.held?.publishedAt === undefined),
    ),
    ofAll(
      'held, then published',
      held.filter((one) => one.held?.publishedAt !== undefined),
    ),
  ].join('')
}

/** @param start what `turnleaf sync` takes. */
function sayNothing(
  address: string,
  connection: string | undefined,
  stored: readonly StoredCheckpoint[],
  start: string,
): string {
  const others = [...new Set(stored.map((one) => one.connection))]
  if (connection === undefined || others.length === 0) {
    return `There are no syncs in ${address} yet. Start one with \`npx turnleaf sync ${start}\`.`
  }
  return `There are no syncs of "${connection}" in ${address}, only of ${others.join(', ')}.`
}

/** Connections may write elsewhere. */
async function sayConnections(): Promise<void> {
  const names = await connectionNames(homeFolder())
  if (names.length === 0) return
  const others = names.slice(0, 12).map((name) => `  ${name}  npx turnleaf runs --connection ${shellWord(name)}`)
  say(['The runs of a connection are in its own destination:', ...others].join('\n'))
}
