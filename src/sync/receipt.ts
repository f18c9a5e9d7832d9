/** The receipt of one stream of a sync: what was read, and what that proves. */
import type { JudgedParent } from '../engine/pages/judged-parent.ts'
import type { StopReason } from '../engine/pagination/next-page.ts'
import { noClaims, type Shown } from '../proof/receipts/receipt.ts'
import { judgedCancelled, judgeFailure } from '../proof/verdict/judge-slice.ts'
import {
  addSlice,
  emptyTally,
  judgeStream,
  shownIn,
  type StreamTally,
  judgeWithParents,
} from '../proof/verdict/judge-stream.ts'
import type { Judgement } from '../proof/verdict/verdict.ts'
import type { Verdict } from '../proof/verdict/verdict-name.ts'
import { ConnectorError, type SourceLocation } from '../std/errors.ts'
import type { Held } from './gate.ts'
import type { SyncMode } from './mode-names.ts'
import type { ProvenSlice, TrackedCounts } from '../proof/receipts/track-slice.ts'
import type { JsonRecord } from '../engine/plan/plan.ts'

/** `claims` are null once the slice is judged. */
export type SliceCounts = TrackedCounts & {
  readonly bytes: number
  readonly stop: StopReason | null
  /** The newest record, cut down to its cursor. */
  readonly newest: JsonRecord | null
  /** Set once the slice is done. */
  readonly judged: JudgedSlice | null
}

/** Checkpoints of earlier versions lack what the judgement rests on. */
export type JudgedSlice = Partial<Shown> & Pick<ProvenSlice, 'judgement' | 'mayHaveMoved'>

/** Plain JSON, without secrets. Counts are those of the whole read, interruptions included. */
export type StreamReceipt = Shown & {
  readonly stream: string
  /** Null where the stream failed before its mode was known. */
  readonly mode: SyncMode | null
  readonly ending: StreamEnding
  readonly pages: number
  /** Records that the API sent. */
  readonly received: number
  /** Records that were written: after filters, before rows with the same key are merged. */
  readonly records: number
  readonly bytes: number
  readonly slices: number
  readonly retries: number
  /** Requests for pages ahead that were not needed; absent where there was none. */
  readonly requestsInVain?: number
  /** Why the last slice ended; null where none did. */
  readonly stop: StopReason | null
  readonly verdict: Verdict
  /** The verdict's reason, for people. */
  readonly reason: string
  /** Where the claim is in the response: `meta.total`, `header link next`. */
  readonly at?: string
  readonly tookMs: number
  readonly error?: ShownError
  /** Of a stream that ended `held`. */
  readonly held?: Held
}

/**
 * `complete`: read to its end, its rows are in the table, and the verdict reaches what is required. `incomplete`: the same,
 * but the verdict is below what is required. `held`: read to its end, but the table was kept and the new rows are staged.
 */
export type StreamEnding = 'complete' | 'incomplete' | 'held' | 'failed' | 'cancelled'

/** Whether the stream was read to its end, published or not. */
export function isReadToEnd(ending: StreamEnding): boolean {
  return ending === 'complete' || ending === 'incomplete' || ending === 'held'
}

/** That of the stream that ended worst; `failed` where one was not read to its end. */
export function worstEnding(receipts: readonly StreamReceipt[]): Exclude<StreamEnding, 'cancelled'> {
  const has = (ending: StreamEnding) => receipts.some((receipt) => receipt.ending === ending)
  if (!receipts.every(({ ending }) => isReadToEnd(ending))) return 'failed'
  return has('held') ? 'held' : has('incomplete') ? 'incomplete' : 'complete'
}

export type ShownError = {
  readonly code?: string
  readonly message: string
  /** Where it is in the manifest, where that is known. */
  readonly at?: SourceLocation
  readonly hint?: string
}

/** Secrets must be redacted before. */
export function shownError(error: Error): ShownError {
  if (!(error instanceof ConnectorError)) return { message: error.message }
  const { code, message, at, hint } = error
  return { code, message, ...(at !== undefined && { at }), hint }
}

/** `read`: to its end. */
export type ReadEnding = 'read' | 'failed' | 'cancelled'

/** A slice as far as it was read. */
type ReadSlice = { readonly read: SliceCounts }

export type StreamTotals = Pick<StreamReceipt, 'pages' | 'received' | 'records' | 'bytes' | 'slices' | 'stop'>

export function totalsOf(slices: readonly ReadSlice[]): StreamTotals {
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

/** Counts the slices that ended. */
export function tallyOf(slices: readonly ReadSlice[]): StreamTally {
  let tally = emptyTally
  for (const { read } of slices) {
    if (read.judged === null) continue
    const { judgement, keys = null, claimed = noClaims } = read.judged
    tally = addSlice(tally, { judgement, received: read.received, keys, claimed })
  }
  return tally
}

/** A stream that was not read to its end is incomplete, whatever its slices say. `code`: of the error that ended it. */
export function proofOf(
  slices: readonly ReadSlice[],
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
