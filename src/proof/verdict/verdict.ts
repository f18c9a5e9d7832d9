/** What a verdict is made from, and what it is. */
import type { StopReason } from '../../engine/pagination/next-page.ts'
import type { Claims } from '../claims/read-claims.ts'
import type { KeyCounts } from '../keys/track-keys.ts'
import type { ClaimRules } from '../claims/page-facts.ts'

/**
 * `complete`: the API's own claims show it. `unproven`: nothing shows it, nothing speaks against it. `duplicated`: records
 * came twice. `incomplete`: the API has more than was received.
 */
export type Verdict = 'complete' | 'unproven' | 'duplicated' | 'incomplete'

/** Whether somebody should look at it. */
export function isAlarm(verdict: Verdict): boolean {
  return verdict === 'incomplete' || verdict === 'duplicated'
}

export type Judgement = {
  readonly verdict: Verdict
  readonly reason: string
  /** Where the API said so: `meta.total`, `header link next`. */
  readonly at?: string
  /** Pages without the list that the record path names; absent where each had it. */
  readonly pagesWithoutList?: number
  /** The manifest ignores the first answer of the slice: its list was never seen. */
  readonly isIgnored?: true
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
  | 'mayStartLate'

export type SliceEvidence = {
  readonly received: number
  readonly stop: StopReason
  /** The code of the error that ended it. */
  readonly error?: string | undefined
  readonly claims: Claims | null
  /** Whether the read began behind the first page of the slice. */
  readonly isResumed?: boolean
  /** Null where the stream names no key, or where nobody counted. */
  readonly keys?: KeyCounts | null
  readonly rules: Pick<ClaimRules, EndRules>
}

/** Whether the read went on from count to count, which rows that move slip past, or from record to record. */
export function isByCount({ stop }: Pick<SliceEvidence, 'stop'>, claims: Claims): boolean {
  return claims.isCounted === true || (stop !== 'no-cursor' && stop !== 'stop-condition')
}

/** The read may not have wanted all there is: a data feed, a date in a stop condition, a class. A link that is left then shows nothing. */
export function isEndChosen({ stop, rules }: SliceEvidence): boolean {
  if (stop === 'read-before' || stop === 'strategy') return true
  return stop === 'stop-condition' && rules.mayStopEarly
}

/** The least that a verdict may say. */
export type Requirement = 'complete' | 'unproven'

export const requirements: readonly Requirement[] = ['complete', 'unproven']

export function suffices(verdict: Verdict, required: Requirement): boolean {
  return verdict === 'complete' || verdict === required
}
