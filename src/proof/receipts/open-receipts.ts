/** The pages of a stream, several slices at once → a receipt for each slice that ends, and one for the stream. */
import type { JudgeSlices } from '../../engine/pages/read-parents.ts'
import type { Page } from '../../engine/pages/page.ts'
import type { JudgedParents } from '../../engine/pages/judged-parent.ts'
import type { SliceChoice } from '../../engine/pages/read-stream.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { type Judgement, withDoubt } from '../verdict/verdict.ts'
import { openKeyMemory } from '../keys/key-memory.ts'
import { claimRulesOf } from '../claims/page-facts.ts'
import { judgeRepeatedPage } from '../verdict/judge-slice.ts'
import {
  judgeWithParents,
  addSlice,
  emptyTally,
  judgeStream,
  lacksOpen,
  shownIn,
  passingOf,
} from '../verdict/judge-stream.ts'
import type { Receipt, StreamProof } from './receipt.ts'
import { type SliceTracker, trackSlice } from './track-slice.ts'
import { count } from '../../std/text/format-count.ts'

export type Receipts = {
  /** A page, or a part of one. The receipt where it is the last of its slice. */
  readonly observe: (slice: Slice, part: Page) => Receipt | null
  /** Before its first page: this slice is skipped, or resumes where an earlier read stopped. */
  readonly choose: (slice: Slice, choice: SliceChoice) => void
  /** The verdict on the slices that ended; the counts also include the pages of slices that did not. */
  readonly stream: () => StreamProof
  /** After the read: whether slices that only the others could judge lack records. */
  readonly lacksWaiting: () => boolean
  /** For a read that was abandoned: it can only be shown that records were received twice. */
  readonly unfinished: () => Judgement | null
}

type Progress = {
  /** Whether it started after the first page of the slice. */
  readonly isResumed: boolean
  readonly tracker: SliceTracker
}

export function openReceipts(
  stream: Pick<OpenStream, 'plan' | 'config' | 'redactor'> & Partial<JudgedParents & Pick<OpenStream, 'isFirstRead'>>,
  memory = openKeyMemory(),
): Receipts {
  const rules = {
    claims: claimRulesOf(stream),
    keys: { primaryKey: stream.plan.primaryKey, memory, show: stream.redactor.text },
  }
  const underWay = new Map<Slice, Progress>()
  const totals = { pages: 0, received: 0, emitted: 0 }
  let tally = emptyTally
  let leftOut = 0
  let repeatedPage: number | null = null

  const proof = (): StreamProof => ({
    slices: tally.slices,
    ...totals,
    ...judgeWithParents(withoutLeftOut(judgeStream(tally), leftOut), stream.judgedParents?.() ?? []),
    ...shownIn(tally),
  })
  const begin = (slice: Slice, isResumed = false): Progress => {
    const progress = { isResumed, tracker: trackSlice(rules) }
    underWay.set(slice, progress)
    return progress
  }
  return {
    choose(slice, choice) {
      if (choice === 'skip') leftOut++
      else if (choice !== 'read') begin(slice, true)
    },
    observe(slice, part) {
      const { tracker, isResumed } = underWay.get(slice) ?? begin(slice)
      const { received } = tracker.observe(part)
      const { receipt: end } = part
      if (end === undefined) return null
      underWay.delete(slice)
      const proven = tracker.end({ ...end, isResumed })
      const { judgement, keys, claimed } = proven
      repeatedPage ??= keys?.repeatedPage ?? null
      tally = addSlice(tally, { ...proven, received })
      totals.pages += end.pages
      totals.received += end.received
      totals.emitted += end.emitted
      return { ...end, ...judgement, keys, claimed, stream: proof() }
    },
    stream() {
      const counted = { ...totals }
      for (const { tracker } of underWay.values()) {
        const { pages, received, emitted } = tracker.counts()
        counted.pages += pages
        counted.received += received
        counted.emitted += emitted
      }
      return { ...proof(), ...counted }
    },
    lacksWaiting: () => lacksOpen(tally),
    unfinished() {
      for (const { tracker } of underWay.values()) repeatedPage ??= tracker.keys()?.repeatedPage ?? null
      return repeatedPage === null ? null : judgeRepeatedPage(repeatedPage)
    },
  }
}

/** For a stream without a finished slice. */
export const noProof: StreamProof = {
  slices: 0,
  pages: 0,
  received: 0,
  emitted: 0,
  ...judgeStream(emptyTally),
  ...shownIn(emptyTally),
}

/** A stream with skipped slices is not shown to be complete. */
function withoutLeftOut(judged: Judgement, leftOut: number): Judgement {
  if (leftOut === 0 || judged.verdict !== 'complete') return judged
  return withDoubt(judged, `${count(leftOut, 'slice')} left out`)
}

/** For parent streams, whose receipts are not reported. */
export const judgeSlices: JudgeSlices = (stream) => {
  const receipts = openReceipts(stream)
  return {
    passing(slice, page) {
      const receipt = receipts.observe(slice, page)
      return receipt === null ? 'pass' : passingOf({ judgement: receipt, ...receipt })
    },
    lacksWaiting: receipts.lacksWaiting,
    judged() {
      const proof = receipts.stream()
      return proof.slices === 0 ? null : proof
    },
  }
}
