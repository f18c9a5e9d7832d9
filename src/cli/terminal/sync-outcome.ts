/** The result of a sync → errors, what to do next, and the exit code. */
import { ConnectorError, type ErrorCode } from '../../std/errors.ts'
import type { Requirement } from '../../proof/verdict/verdict-name.ts'
import { isRefusedStream } from '../../sync/exit-code.ts'
import type { SyncResult } from '../../sync/events.ts'
import type { ShownError, StreamReceipt } from '../../sync/receipt.ts'
import {
  connectionArguments,
  destinationArguments,
  quotedTable,
  shellWord,
  showRowsCommand,
  type Synced,
} from '../destination-address.ts'
import { oneLine, say } from './print.ts'
import { sayBelowRequired } from './receipts.ts'
import { reportError } from '../report-error.ts'
import { count, number } from '../../std/text/format-count.ts'
import type { Held } from '../../sync/gate.ts'

export function sayOutcome(result: SyncResult, required: Requirement, synced: Synced = {}): void {
  const { ending, receipts, to } = result
  sayErrors(receipts)
  // A stream that was held has its own message.
  sayBelowRequired(
    receipts.filter((receipt) => receipt.ending === 'incomplete'),
    required,
  )
  sayHeld(result, synced)
  const written = receipts.filter((receipt) => receipt.ending === 'complete' || receipt.ending === 'incomplete')
  if (written.length > 0) {
    const records = written.reduce((sum, receipt) => sum + receipt.records, 0)
    say(`${count(records, 'record')} of ${count(written.length, 'stream')} written to ${to}.`)
    const command = showRowsCommand(
      to,
      written.map(({ stream }) => stream),
      synced,
    )
    if (command !== null) say(`  show  ${command}`)
  }
  if (ending === 'interrupted') say('Interrupted. What was read is kept; run the same command again to resume.')
  // Errors that must be fixed first have a hint of their own.
  if (receipts.some((receipt) => receipt.ending === 'failed' && !isRefusedStream(receipt))) {
    say('Run again: streams that failed resume after the last committed page.')
  }
}

/** An error that several streams share is printed once. */
function sayErrors(receipts: readonly StreamReceipt[]): void {
  const streamsByError = new Map<string, { readonly error: ShownError; readonly streams: string[] }>()
  for (const { stream, ending, error } of receipts) {
    if (ending !== 'failed' || error === undefined) continue
    const known = streamsByError.get(error.message) ?? { error, streams: [] }
    known.streams.push(stream)
    streamsByError.set(error.message, known)
  }
  for (const { error, streams } of streamsByError.values()) reportError(errorOf(error, streams))
}

function errorOf({ code, message, at, hint }: ShownError, streams: readonly string[]): Error {
  const [first = '', ...others] = streams
  const isNamed = others.length === 0 && message.includes(`"${first}"`)
  const named = others.length === 0 ? `Stream "${first}"` : `Stream "${first}" and ${count(others.length, 'other')}`
  const text = isNamed ? message : `${named}: ${message}`
  return code === undefined ? new Error(text) : new ConnectorError(code as ErrorCode, text, { at, hint })
}

function sayHeld(
  { receipts, to, connection: owner }: SyncResult,
  { schema, connection, place = destinationArguments(to) }: Synced,
): void {
  for (const { stream, held } of receipts) {
    if (held === undefined) continue
    say(`Stream "${oneLine(stream)}" was held: ${oneLine(held.reason)}.`)
    say(`  ${sayRows(held)}. The table was not changed.`)
    const tables = connection === undefined ? `${place}${schemaArguments(schema)}` : ''
    const named = connectionArguments(connection ?? owner)
    if (held.stagedAs !== null) {
      const sql = `select * from ${quotedTable(held.stagedAs, schema)} limit 5`
      say(`  show    npx turnleaf query${connection === undefined ? tables : named} ${shellWord(sql)}`)
    }
    say(`  accept  npx turnleaf publish ${shellWord(stream)}${tables}${named}`)
    say('          or sync again with --accept-drop')
  }
}

function schemaArguments(schema: string | undefined): string {
  return schema === undefined ? '' : ` --schema ${shellWord(schema)}`
}

/** `100 rows were read, the table has 250` */
export function sayRows({ staged, existing }: Held): string {
  return `${number(staged)} ${staged === 1 ? 'row was' : 'rows were'} read, the table has ${number(existing)}`
}
