/** The slices of a stream → what its receipt counts and says. */
import { addSlice, emptyTally, judgeStream } from '../insight/stream-verdict.ts'
import type { Judgement } from '../insight/evidence.ts'
import type { StreamReceipt } from './receipt.ts'
import type { SliceProgress } from './slice-progress.ts'

export type StreamTotals = Pick<StreamReceipt, 'pages' | 'received' | 'records' | 'bytes' | 'slices' | 'stop'>

export function totalsOf(slices: readonly SliceProgress[]): StreamTotals {
  const sum = { pages: 0, received: 0, records: 0, bytes: 0, slices: slices.length }
  let stop: StreamTotals['stop'] = null
  for (const { read } of slices) {
    sum.pages += read.pages
    sum.received += read.received
    sum.records += read.emitted
    sum.bytes += read.bytes
    stop = read.stop ?? stop
  }
  return { ...sum, stop }
}

/** A stream that did not come to its end is incomplete, whatever its slices say. */
export function judgementOf(slices: readonly SliceProgress[], ending: StreamReceipt['ending']): Judgement {
  if (ending !== 'complete') {
    return { verdict: 'incomplete', reason: ending === 'failed' ? 'it failed before the end' : 'it was cancelled' }
  }
  let tally = emptyTally
  for (const { read } of slices) {
    if (read.judged !== null) tally = addSlice(tally, { ...read.judged, received: read.received })
  }
  return judgeStream(tally)
}
