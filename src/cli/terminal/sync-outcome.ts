/** How a sync ended → the table of its receipts, what to do next, and the exit code. */
import { ConnectorError, type ErrorCode } from '../../std/errors.ts'
import type { Requirement } from '../../proof/verdict/verdict.ts'
import { isFaultCode } from '../../protocol/failure.ts'
import type { SyncResult } from '../../sync/events.ts'
import type { ShownError, StreamReceipt } from '../../sync/receipt.ts'
import { lookCommand } from '../destination-address.ts'
import { sayHeld } from './held.ts'
import { say } from './print.ts'
import { receiptsTable } from './receipts.ts'
import { sayUnproven } from './unproven.ts'
import { reportError } from '../report.ts'
import { count } from '../../std/text/format-count.ts'

/** 0 when every table has its rows and every verdict reaches `--require`, 2 when no stream could start because of a fault of its author. */
export function syncExitCode({ ending, receipts }: SyncResult): 0 | 1 | 2 {
  if (receipts.length > 0 && receipts.every((one) => one.ending === 'failed' && isRefused(one))) return 2
  return ending === 'complete' ? 0 : 1
}

/** Before its first answer, and for good. */
function isRefused({ pages, error }: StreamReceipt): boolean {
  return pages === 0 && error?.code !== undefined && isFaultCode(error.code)
}

export function sayReceipts(receipts: readonly StreamReceipt[]): void {
  if (receipts.length === 0) return
  say(['', ...receiptsTable(receipts), ''].join('\n'))
}

export function sayOutcome(result: SyncResult, required: Requirement, schema?: string): void {
  const { ending, receipts, to } = result
  sayErrors(receipts)
  sayUnproven(
    // One that was held says why itself.
    receipts
      .filter((receipt) => receipt.ending === 'incomplete')
      .map((receipt) => ({ name: receipt.stream, ending: 'complete', proof: receipt })),
    required,
  )
  sayHeld(result, schema)
  const landed = receipts.filter((receipt) => receipt.ending === 'complete' || receipt.ending === 'incomplete')
  if (landed.length > 0) {
    const records = landed.reduce((sum, receipt) => sum + receipt.records, 0)
    say(`${count(records, 'record')} of ${count(landed.length, 'stream')} landed in ${to}.`)
    const command = lookCommand(
      to,
      landed.map(({ stream }) => stream),
      schema,
    )
    if (command !== null) say(`  look  ${command}`)
  }
  if (ending === 'interrupted') say('Interrupted. What was read is kept; run the same command again to go on.')
  // What its author has to mend first has a hint of its own.
  if (receipts.some((receipt) => receipt.ending === 'failed' && !isRefused(receipt))) {
    say('Run again: streams that failed go on from the last page that was committed.')
  }
}

/** Streams often fail for the same reason: it is said once. */
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

function errorOf({ code, message, hint }: ShownError, streams: readonly string[]): Error {
  const [first = '', ...others] = streams
  const isNamed = others.length === 0 && message.includes(`"${first}"`)
  const named = others.length === 0 ? `Stream "${first}"` : `Stream "${first}" and ${count(others.length, 'other')}`
  const text = isNamed ? message : `${named}: ${message}`
  return code === undefined ? new Error(text) : new ConnectorError(code as ErrorCode, text, { hint })
}
