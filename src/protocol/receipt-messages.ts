/** Receipts → messages: a line for people, and the same as data for programs. */
import type { Slice } from '../engine/slices/slice.ts'
import { isAlarm } from '../proof/verdict/verdict-name.ts'
import type { SliceReceipt, StreamProof } from '../proof/receipts/receipt.ts'
import { stringifyJson } from '../std/json.ts'
import { logMessage, type LogLevel, type Message, analyticsMessage } from './messages.ts'
import { sayReceipt, saySlice, type ProtocolTotals } from './say.ts'

/** `complete` is STREAM_STATUS COMPLETE; the other endings are INCOMPLETE. */
type Ending = 'complete' | 'incomplete' | 'failed' | 'cancelled'

export type StreamOutcome = ProtocolTotals & {
  readonly name: string
  readonly ending: Ending
  /** Without secrets. Why a read failed or is incomplete; absent where only a page limit cut it. */
  readonly error?: Error
  /** What the read shows about its completeness. */
  readonly proof: StreamProof
  /** A page limit left something unread. */
  readonly isCut: boolean
}

/** The event that platforms find receipts by. */
const event = 'turnleaf-receipt'

/** How many slices of a stream get messages; the receipt of the stream counts all of them. */
const mostSlices = 100

export type ReceiptMessages = {
  /** For a slice that ended, unless it is complete or the only one. */
  readonly slice: (slice: Slice, receipt: SliceReceipt) => Message[]
  readonly stream: (outcome: StreamOutcome) => Message[]
}

export type ReceiptOptions = { readonly stream: string; readonly now: () => number }

export function openReceiptMessages({ stream, now }: ReceiptOptions): ReceiptMessages {
  let ended = 0
  let sent = 0
  return {
    slice({ partition, window }, receipt) {
      ended++
      const values = { ...partition, ...window }
      if (receipt.verdict === 'complete' || Object.keys(values).length === 0 || sent >= mostSlices) return []
      sent++
      const trace = traceOf({ stream, slice: ended, stop: receipt.stop, ...countsOf(receipt) }, receipt, now())
      if (!isAlarm(receipt.verdict)) return [trace]
      return [logMessage('WARN', saySlice(stream, stringifyJson(values), receipt)), trace]
    },
    stream(outcome) {
      const { proof, ending, stop, slices } = outcome
      const level: LogLevel = isAlarm(proof.verdict) ? 'WARN' : 'INFO'
      return [
        logMessage(level, sayReceipt(outcome)),
        traceOf({ stream, ending, slices, stop, ...countsOf(proof) }, proof, now()),
      ]
    },
  }
}

function countsOf({ pages, received, emitted }: SliceReceipt | StreamProof) {
  return { pages, received, emitted }
}

/**
 * Platforms may forward analytics events: slice values and keys, which may identify customers, are in the log only.
 * Slices are numbered as they end, from 1.
 */
function traceOf(counted: object, { verdict, reason, at, keys, claimed }: SliceReceipt | StreamProof, now: number) {
  const counts = keys && { unique: keys.unique, repeated: keys.repeated, changed: keys.changed, isExact: keys.isExact }
  const value = { ...counted, verdict, reason, ...(at !== undefined && { at }), keys: counts, claimed }
  return analyticsMessage(event, stringifyJson(value), now)
}
