/** What was received against what the API counts → a judgement, where it counts. */
import { byNext } from './by-ending.ts'
import type { Claims, NumberClaim } from '../claims/read-claims.ts'
import { doubtOfEnd, doubtOfPages, endingOf, isFollowedToEnd } from './ending.ts'
import { isByCount, type Judgement, type SliceEvidence } from './verdict.ts'
import { placeName } from '../claims/response-place.ts'
import { pageTotalIn, totalIn } from '../claims/total.ts'
import { number } from '../../std/text/format-count.ts'

/** Null when no total settles it. */
export function byTotal(evidence: SliceEvidence, claims: Claims): Judgement | null {
  const total = totalIn(claims)
  const { received, keys = null } = evidence
  if (total === null) return null
  const at = placeName(total.place)
  const isSteady = total.least === total.most
  if (received < total.least) {
    const reason = `the API counts ${number(total.least)}, received ${number(received)}`
    if (isFollowedToEnd(evidence, claims)) {
      return { verdict: 'unproven', reason: `${reason}, and names no page after the last`, at }
    }
    return { verdict: mayCountMore(evidence, claims) ? 'unproven' : 'incomplete', reason, at }
  }
  if (isSteady && received === total.last) return metTotal(claims, received, total)
  const next = byNext(evidence, claims)
  if (next?.verdict === 'incomplete') return next
  if (!isSteady) return byMovingTotal(evidence, claims, total)
  const surplus = received - total.last
  const reason = `the API counts ${number(total.last)}, received ${number(received)}`
  return keys !== null && keys.repeated - keys.changed + keys.alike === surplus
    ? { verdict: 'duplicated', reason: `${reason}, ${number(surplus)} of them again`, at }
    : { verdict: 'unproven', reason, at }
}

/** The records of other slices, or those of an earlier read. */
function mayCountMore(evidence: SliceEvidence, claims: Claims): boolean {
  if (evidence.stop === 'read-before') return true
  return evidence.rules.isSliced && byNext(evidence, claims)?.verdict !== 'incomplete'
}

function metTotal(claims: Claims, received: number, { place, isPageSize }: NumberClaim): Judgement {
  const ending = endingOf(claims)
  const at = placeName(place)
  const reason = `total ${number(received)}`
  // A number that is as large as the only page may be the size of that page: then a next page of any kind speaks against it.
  const isDoubtful = isPageSize && claims.pages === 1
  const pages = pageTotalIn(claims)?.last ?? 0
  const isDenied = ending?.says === 'more' && (ending.claim.kind === 'flag' || isDoubtful) && !claims.isLastPageEmpty
  if (isDenied)
    return {
      verdict: 'unproven',
      reason: `${reason}, but the last page ${ending.claim.kind === 'flag' ? 'says there is more' : 'still names a next one'}`,
      at,
    }
  if (isDoubtful && pages > 1)
    return { verdict: 'unproven', reason: `${reason}, but the API has ${number(pages)} pages`, at }
  const doubt = doubtOfPages(claims)
  if (doubt !== null) return { verdict: 'unproven', reason: `${reason}, but ${doubt}`, at }
  return { verdict: 'complete', reason, at }
}

/** The data moved during the walk. Pages that follow a cursor do not mind; those that count positions may have slipped. */
function byMovingTotal(evidence: SliceEvidence, claims: Claims, total: NumberClaim): Judgement {
  const reason = `the total went from ${number(total.first)} to ${number(total.last)} during the walk`
  const hasEnded = endingOf(claims)?.says === 'end'
  return {
    verdict:
      hasEnded && !isByCount(evidence, claims) && doubtOfEnd(evidence, claims) === null ? 'complete' : 'unproven',
    reason,
    at: placeName(total.place),
  }
}
