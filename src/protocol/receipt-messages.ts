/** Receipts → messages: a line for people, and the same as data for programs. */
import type { Slice } from '../engine/slices/slice.ts'
import { isAlarm } from '../proof/verdict/verdict.ts'
import type { SliceReceipt, StreamProof } from '../proof/receipts/receipt.ts'
import { stringifyJson } from '../std/json.ts'
import { logMessage, type LogLevel, type Message, analyticsMessage } from './messages.ts'
import type { StreamOutcome } from './read-stream.ts'
import { sayReceipt, saySlice } from './say.ts'

/** The event that platforms find receipts by. */
const event = 'turnleaf-receipt'

/** Of the slices of a stream so many speak for themselves; the stream's own receipt counts all of them. */
const mostSlices = 100

export type ReceiptMessages = {
  /** Of one slice that ended, where it has something to say that its stream does not. */
  readonly slice: (slice: Slice, receipt: SliceReceipt) => Message[]
  readonly stream: (outcome: StreamOutcome) => Message[]
}

export type ReceiptOptions = { readonly stream: string; readonly now: () => number }

export function openReceiptMessages({ stream, now }: ReceiptOptions): ReceiptMessages {
  let ended = 0
  let told = 0
  return {
    slice({ partition, window }, receipt) {
      ended++
      const values = { ...partition, ...window }
      // What is whole, or the only one, needs no line of its own.
      if (receipt.verdict === 'complete' || Object.keys(values).length === 0 || told >= mostSlices) return []
      told++
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
 * Platforms hand events of this kind on to whoever collects them: the values of slices and keys, which may name
 * customers, are in the log only. Slices are numbered as they end, from 1.
 */
function traceOf(counted: object, { verdict, reason, at, keys, claimed }: SliceReceipt | StreamProof, now: number) {
  const counts = keys && { unique: keys.unique, repeated: keys.repeated, changed: keys.changed, isExact: keys.isExact }
  const value = { ...counted, verdict, reason, ...(at !== undefined && { at }), keys: counts, claimed }
  return analyticsMessage(event, stringifyJson(value), now)
}
