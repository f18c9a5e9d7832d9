/** The verdict on a read, and the evidence it is made from. */
import type { Verdict } from './verdict-name.ts'
import type { StopReason } from '../../engine/pagination/next-page.ts'
import type { KeyCounts } from '../keys/track-keys.ts'
import type { ClaimRules } from '../claims/page-facts.ts'
import type { Claims } from '../claims/merge-claims.ts'

export type Judgement = {
  readonly verdict: Verdict
  readonly reason: string
  /** Where the API said so: `meta.total`, `header link next`. */
  readonly at?: string
  /** Pages without the list that the record path names; absent where each had it. */
  readonly pagesWithoutList?: number
  /** The manifest ignores the first response of the slice: its list was never seen. */
  readonly isIgnored?: true
}

/** Nothing contradicts the read, and something keeps it from being shown complete: the reason names both. */
export function withDoubt<J extends Judgement>(judged: J, doubt: string): J {
  return { ...judged, verdict: 'unproven', reason: `${judged.reason}, but ${doubt}` }
}

type EndRules =
  | 'isSliced'
  | 'isCursorOfApi'
  | 'mayStopEarly'
  | 'isCursorConditional'
  | 'mayStartAgain'
  | 'isOfDownloads'
  | 'askedSize'
  | 'recordPath'
  | 'cursorField'
  | 'mayShareCursor'
  | 'leadsElsewhere'
  | 'isCounting'
  | 'earlierTotal'
  | 'mayStartLate'

export type SliceEvidence = {
  readonly received: number
  readonly stop: StopReason
  /** The code of the error that ended it. */
  readonly error?: string | undefined
  readonly claims: Claims | null
  /** Whether the read started after the first page of the slice. */
  readonly isResumed?: boolean
  /** Whether it was interrupted, and nothing shows that no record moved before it resumed. */
  readonly hasGap?: boolean
  /** Null where the stream has no primary key, or where keys were not counted. */
  readonly keys?: KeyCounts | null
  readonly rules: Pick<ClaimRules, EndRules>
}

/** Whether pages were requested by count, so that records which move can be missed, rather than from record to record. */
export function isByCount({ stop }: Pick<SliceEvidence, 'stop'>, claims: Claims): boolean {
  return claims.isCounted === true || (stop !== 'no-cursor' && stop !== 'stop-condition')
}

/** The read may have ended early on purpose: a data feed, a date in a stop condition, a custom class. A remaining next link then shows nothing. */
export function isEndChosen({ stop, rules }: SliceEvidence): boolean {
  if (stop === 'read-before' || stop === 'strategy') return true
  return stop === 'stop-condition' && rules.mayStopEarly
}
