/** `turnleaf runs` */
import { destinationAt } from '../destinations/at.ts'
import type { StoredNote } from '../destinations/destination.ts'
import { stringifyJson } from '../json.ts'
import { count, number, sayWait } from '../protocol/say.ts'
import { noteKeys, readNote, type RunNote } from '../sync/notes.ts'
import { withoutPasswords } from './arguments.ts'
import { addressFrom } from './destination-address.ts'
import { noColours, oneLine, say } from './print.ts'
import { receiptsTable } from './receipts.ts'
import { reported } from './traced.ts'

export type RunsCommandOptions = {
  readonly to?: string
  readonly connection?: string
  readonly schema?: string
  readonly limit?: number
  readonly json?: boolean
}

type PastRun = RunNote & { readonly connection: string }

export function runRuns({ to, connection, schema, limit = 10, json = false }: RunsCommandOptions): Promise<number> {
  return reported(async (learn) => {
    learn(withoutPasswords)
    const destination = destinationAt(addressFrom(to), { schema })
    const notes = await destination.inspect?.(noteKeys.run(''))
    if (notes === undefined) {
      say(`${destination.address} does not tell of past syncs.`)
      return 0
    }
    const runs = pastRuns(notes, connection)
    const shown = runs.slice(0, limit)
    process.stdout.write(shown.map((run) => (json ? `${stringifyJson(run)}\n` : sayRun(run))).join(json ? '' : '\n'))
    if (runs.length === 0) say(sayNothing(destination.address, connection, notes))
    else if (shown.length < runs.length) say(`${number(runs.length - shown.length)} more with --limit ${runs.length}.`)
    return 0
  })
}

/** Newest first: the names of runs begin with the time. */
function pastRuns(notes: readonly StoredNote[], connection: string | undefined): PastRun[] {
  return notes
    .filter((note) => connection === undefined || note.connection === connection)
    .map((note) => ({ connection: note.connection, ...(readNote(note.text) as RunNote) }))
    .toSorted((one, other) => (one.run < other.run ? 1 : -1))
}

function sayRun(run: PastRun): string {
  const { connection, startedAt, streams } = run
  const started = new Date(startedAt)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z/, ' UTC')
  const table = streams.length === 0 ? [] : receiptsTable(streams, noColours)
  return [
    `${run.run}   ${oneLine(connection)}   ${started}   ${sayEnding(run)}`,
    ...table.map((line) => `  ${line}`),
    '',
  ].join('\n')
}

function sayEnding({ startedAt, endedAt, attempts, streams }: PastRun): string {
  const tries = attempts > 1 ? `, ${count(attempts, 'attempt')}` : ''
  if (endedAt === null) return `interrupted, or still under way${tries}`
  const took = `took ${sayWait(endedAt - startedAt)}${tries}`
  const failed = streams.filter(({ ending }) => ending !== 'complete').length
  return failed === 0 ? took : `${took}, ${count(failed, 'stream')} failed`
}

function sayNothing(address: string, connection: string | undefined, notes: readonly StoredNote[]): string {
  const others = [...new Set(notes.map((note) => note.connection))]
  if (connection === undefined || others.length === 0) {
    return `No sync has landed in ${address} yet. \`turnleaf sync --to ${address}\` makes the first.`
  }
  return `No sync of "${connection}" has landed in ${address}; there are some of ${others.join(', ')}.`
}
