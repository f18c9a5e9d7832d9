/** The slices of a stream → what its receipt counts and says. */
import type { JudgedParent } from '../engine/pages/judged-parent.ts'
import type { Judgement } from '../proof/verdict/verdict.ts'
import {
  judgeWithParents,
  addSlice,
  emptyTally,
  judgeStream,
  shownIn,
  type StreamTally,
} from '../proof/verdict/judge-stream.ts'
import { noClaims, type Shown } from '../proof/receipts/receipt.ts'
import { judgedCancelled, judgeFailure } from '../proof/verdict/judge-slice.ts'
import type { StreamReceipt } from './receipt.ts'
import type { SliceProgress } from './slice-progress.ts'

/** `read`: to its end. */
export type ReadEnding = 'read' | 'failed' | 'cancelled'

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

/** Of those that ended. */
export function tallyOf(slices: readonly SliceProgress[]): StreamTally {
  let tally = emptyTally
  for (const { read } of slices) {
    if (read.judged === null) continue
    const { judgement, keys = null, claimed = noClaims } = read.judged
    tally = addSlice(tally, { judgement, received: read.received, keys, claimed })
  }
  return tally
}

/** A stream that did not come to its end is incomplete, whatever its slices say. `code`: of the error that ended it. */
export function proofOf(
  slices: readonly SliceProgress[],
  parents: readonly JudgedParent[],
  ending: ReadEnding,
  code?: string,
): Judgement & Shown {
  const tally = tallyOf(slices)
  return { ...judgeWithParents(judged(tally, ending, code), parents), ...shownIn(tally) }
}

function judged(tally: StreamTally, ending: ReadEnding, code: string | undefined): Judgement {
  switch (ending) {
    case 'read':
      return judgeStream(tally)
    case 'failed':
      return judgeFailure(code)
    case 'cancelled':
      return judgedCancelled
  }
}
