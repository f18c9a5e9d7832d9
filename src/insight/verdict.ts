/** What was received and what the API claims → a verdict on one slice, with its reason for people. */
import type { StopReason } from '../engine/pagination/next-page.ts'
import type { Claims, NumberClaim } from './claims.ts'
import { placeName } from './claims.ts'
import { type Ending, endingOf } from './ending.ts'
import type { KeyCounts } from './keys.ts'
import type { ClaimRules } from './page-facts.ts'
import { pageTotalIn, totalIn } from './total.ts'

/**
 * `complete`: the API's own claims show it. `unproven`: nothing shows it, nothing speaks against it. `duplicated`: records
 * came twice. `incomplete`: the API has more than was received.
 */
export type Verdict = 'complete' | 'unproven' | 'duplicated' | 'incomplete'

export type Judgement = {
  readonly verdict: Verdict
  readonly reason: string
  /** Where the API said so: `meta.total`, `header link next`. */
  readonly at?: string
}

export type SliceEvidence = {
  readonly received: number
  readonly stop: StopReason
  readonly claims: Claims | null
  /** Null where the stream names no key, or where nobody counted. */
  readonly keys?: KeyCounts | null
  readonly rules: Pick<ClaimRules, 'isSliced' | 'isCursorOfApi'>
}

export function judgeSlice(evidence: SliceEvidence): Judgement {
  const { stop, claims, keys = null } = evidence
  if (stop === 'limit') return { verdict: 'incomplete', reason: 'stopped at the limit of pages' }
  if (stop === 'error') return { verdict: 'incomplete', reason: 'ended by an error' }
  const page = keys?.repeatedPage ?? null
  const judged = claims === null ? claimsNothing : (byTotal(evidence, claims) ?? byEnding(evidence, claims))
  if (judged.verdict === 'incomplete') return judged
  if (page !== null) {
    return { verdict: 'duplicated', reason: `page ${count(page)} brought only records of earlier pages` }
  }
  if (stop === 'read-before') {
    return { verdict: 'unproven', reason: 'read up to the records of an earlier read' }
  }
  if (judged.verdict === 'complete' && keys !== null && keys.repeated > 0) {
    const reason = `${judged.reason}, but ${several(keys.repeated, 'key')} came more than once`
    return { ...judged, verdict: 'unproven', reason }
  }
  return judged
}

const claimsNothing: Judgement = { verdict: 'unproven', reason: 'the API claims nothing' }

/** Null when no total settles it. */
function byTotal(evidence: SliceEvidence, claims: Claims): Judgement | null {
  const total = totalIn(claims)
  if (total === null) return null
  const { received, stop, keys = null, rules } = evidence
  const at = placeName(total.place)
  const ending = endingOf(claims)
  // A feed is left where an earlier read began: what lies behind it is counted, and not wanted.
  if (stop === 'read-before') return null
  if (received < total.least) {
    const reason = `the API counts ${count(total.least)}, received ${count(received)}`
    return { verdict: rules.isSliced && ending?.says !== 'more' ? 'unproven' : 'incomplete', reason, at }
  }
  if (total.least !== total.most) return byMovingTotal(evidence, claims, total)
  if (received === total.last) {
    const isOver = ending === null || ending.says === 'end' || ending.claim.kind !== 'flag' || claims.isLastPageEmpty
    const reason = `total ${count(received)}`
    return isOver
      ? { verdict: 'complete', reason, at }
      : { verdict: 'unproven', reason: `${reason}, but the last page says there is more`, at }
  }
  const surplus = received - total.last
  const reason = `the API counts ${count(total.last)}, received ${count(received)}`
  return keys !== null && keys.repeated - keys.updated === surplus
    ? { verdict: 'duplicated', reason: `${reason}, ${count(surplus)} of them twice`, at }
    : { verdict: 'unproven', reason, at }
}

/** The data moved during the walk. Pages that follow a cursor do not mind; those that count positions may have slipped. */
function byMovingTotal({ stop }: SliceEvidence, claims: Claims, total: NumberClaim): Judgement {
  const reason = `the total went from ${count(total.first)} to ${count(total.last)} during the walk`
  const isByCursor = stop === 'no-cursor' || stop === 'stop-condition'
  const hasEnded = endingOf(claims)?.says === 'end'
  return { verdict: isByCursor && hasEnded ? 'complete' : 'unproven', reason, at: placeName(total.place) }
}

function byEnding(evidence: SliceEvidence, claims: Claims): Judgement {
  const ending = endingOf(claims)
  if (ending?.says === 'more') return byNext(evidence.stop, claims, ending)
  const pages = byPages(claims)
  if (pages?.verdict === 'incomplete') return pages
  if (ending !== null) {
    const isFlag = ending.claim.kind === 'flag'
    const reason = isFlag ? 'the API says that was the last page' : 'the last page names no next one'
    return { verdict: 'complete', reason, at: placeName(ending.claim.place) }
  }
  if (pages !== null) return pages
  if (evidence.stop === 'no-cursor' && evidence.rules.isCursorOfApi && claims.pages > 1) {
    return { verdict: 'complete', reason: 'the last page names no next one' }
  }
  return claimsNothing
}

/** The last page read was not the last there is, or so it says. */
function byNext(stop: StopReason, claims: Claims, { claim }: Ending): Judgement {
  const isFlag = claim.kind === 'flag'
  const reason = isFlag ? 'the last page says there is more' : 'the last page still names a next one'
  return {
    verdict: isProofOfMore(stop, claims, claim.kind) ? 'incomplete' : 'unproven',
    reason,
    at: placeName(claim.place),
  }
}

function isProofOfMore(stop: StopReason, claims: Claims, kind: Ending['claim']['kind']): boolean {
  // Many an API names a next page behind the end, too: an empty one, or the place of the next poll.
  if (claims.isLastPageEmpty) return false
  switch (stop) {
    case 'not-paginated':
    case 'no-cursor':
      return true
    case 'short-page':
    case 'empty-page':
      return kind !== 'token'
    // Who wrote the condition, or the class, may know better than a link; than a plain flag hardly.
    default:
      return kind === 'flag'
  }
}

function byPages(claims: Claims): Judgement | null {
  const total = pageTotalIn(claims)
  if (total === null || total.least !== total.most) return null
  const { pages, filledPages } = claims
  const at = placeName(total.place)
  const claimed = total.last
  if (pages < claimed) {
    return { verdict: 'incomplete', reason: `the API has ${several(claimed, 'page')}, read ${count(pages)}`, at }
  }
  // Reading on to an empty page is how some walks end; an API without records may call that one page or none.
  const isAll = filledPages === claimed || (filledPages < claimed && pages === claimed)
  const reason = isAll
    ? `${count(claimed)} of ${several(claimed, 'page')}`
    : `the API has ${several(claimed, 'page')}, read ${count(pages)}`
  return { verdict: isAll ? 'complete' : 'unproven', reason, at }
}

export function count(number: number): string {
  return number.toLocaleString('en-US')
}

export function several(number: number, thing: string): string {
  return `${count(number)} ${thing}${number === 1 ? '' : 's'}`
}
