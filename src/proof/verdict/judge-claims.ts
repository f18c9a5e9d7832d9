/** What was received, against the totals and endings that the API claims → a judgement. */
import { endingOf, pageTotalIn, totalIn, type EndingClaim } from '../claims/agreed-claims.ts'
import { isByCount, type Judgement, type SliceEvidence, isEndChosen, withDoubt } from './verdict.ts'
import { placeName } from '../claims/response-place.ts'
import { number, count } from '../../std/text/format-count.ts'
import type { NumberClaim, Claims } from '../claims/merge-claims.ts'

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
    if (!mayCountMore(evidence, claims)) return { verdict: 'incomplete', reason, at }
    if (claims.saidMore === true) return { verdict: 'incomplete', reason, at }
    const growth = total.least - (evidence.rules.earlierTotal ?? total.least)
    if (received >= growth || isEndChosen(evidence)) return { verdict: 'unproven', reason, at }
    return { verdict: 'incomplete', reason: `${reason}, and counts ${number(growth)} more than at the last read`, at }
  }
  if (isSteady && received === total.last) return metTotal(claims, received, total)
  const next = byNext(evidence, claims)
  if (next?.verdict === 'incomplete') return next
  if (!isSteady) return byMovingTotal(evidence, claims, total)
  const surplus = received - total.last
  const reason = `the API counts ${number(total.last)}, received ${number(received)}`
  return keys !== null && keys.repeated - keys.changed + keys.alike === surplus
    ? { verdict: 'duplicated', reason: `${reason}, ${number(surplus)} of them duplicates`, at }
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
  const pages = pageTotalIn(claims)
  // A total equal to the size of the only page may be just that: then any claim of a next page contradicts it.
  const isDenied = ending?.says === 'more' && (ending.claim.kind === 'flag' || isPageSize) && !claims.isLastPageEmpty
  if (isDenied)
    return {
      verdict: 'unproven',
      reason: `${reason}, but the last page ${ending.claim.kind === 'flag' ? 'says there is more' : 'still names a next page'}`,
      at,
    }
  if (isPageSize && pages !== null && pages.last > 1)
    return { verdict: 'unproven', reason: `${reason}, but the API has ${number(pages.last)} pages`, at }
  const doubt = doubtOfPages(claims)
  if (doubt !== null) return { verdict: 'unproven', reason: `${reason}, but ${doubt}`, at }
  return { verdict: 'complete', reason, at }
}

/** The data changed during the read. That is harmless with a cursor; with counted positions, records may be missed. */
function byMovingTotal(evidence: SliceEvidence, claims: Claims, total: NumberClaim): Judgement {
  const reason = `the total went from ${number(total.first)} to ${number(total.last)} during the read`
  const hasEnded = endingOf(claims)?.says === 'end'
  return {
    verdict:
      hasEnded && !isByCount(evidence, claims) && doubtOfEnd(evidence, claims) === null ? 'complete' : 'unproven',
    reason,
    at: placeName(total.place),
  }
}

/** By what pages claim about pages before and after them, where no total decides. */
export function byEnding(evidence: SliceEvidence, claims: Claims): Judgement {
  const pages = byPages(evidence, claims)
  const next = byNext(evidence, claims)
  if (pages?.verdict === 'incomplete') return pages
  if (next !== null && (pages === null || next.verdict === 'incomplete')) return next
  if (pages !== null) return pages
  if (claims.previous !== null) {
    return { verdict: 'unproven', reason: 'the first page names a previous page', at: placeName(claims.previous) }
  }
  const ending = endingOf(claims)
  if (ending !== null) {
    const { kind, last, place } = ending.claim
    const reason = kind !== 'flag' ? noNext : last === 'end' ? saysEnd : saysNothing
    return unlessDoubtful(evidence, claims, { verdict: 'complete', reason, at: placeName(place) })
  }
  if (claims.saidMore === true) {
    return { verdict: 'incomplete', reason: `${silence.ignored}, and the page before it says there is more` }
  }
  if (hasRunOut(evidence, claims)) return unlessDoubtful(evidence, claims, { verdict: 'complete', reason: noNext })
  return { verdict: 'unproven', reason: silence[evidence.stop] ?? 'the API reports no total' }
}

function unlessDoubtful(evidence: SliceEvidence, claims: Claims, judged: Judgement): Judgement {
  const doubt = doubtOfEnd(evidence, claims)
  return doubt === null ? judged : withDoubt(judged, doubt)
}

const noNext = 'the last page names no next page'
const saysEnd = 'the API says that this was the last page'
const saysNothing = 'the last page no longer says that there is more'

const silence: { readonly [stop in SliceEvidence['stop']]?: string } = {
  ignored: 'an error was ignored, as the manifest says',
  'nothing-to-download': 'the job listed nothing to download',
}

/** Null when the last page names no other. */
export function byNext(evidence: SliceEvidence, claims: Claims): Judgement | null {
  const ending = endingOf(claims)
  if (ending?.says !== 'more') return null
  const { kind, place } = ending.claim
  const reason = kind === 'flag' ? 'the last page says there is more' : 'the last page still names a next page'
  return { verdict: isProofOfMore(evidence, claims, kind) ? 'incomplete' : 'unproven', reason, at: placeName(place) }
}

function isProofOfMore(evidence: SliceEvidence, claims: Claims, kind: EndingClaim['claim']['kind']): boolean {
  // Many APIs name a next page after the end too: an empty one, or one for the next poll.
  if (claims.isLastPageEmpty || isEndChosen(evidence)) return false
  switch (evidence.stop) {
    case 'not-paginated':
      return true
    case 'no-cursor':
      return kind !== 'token' || !evidence.rules.isCursorConditional
    case 'short-page':
    case 'empty-page':
      return kind !== 'token'
    // The author of the condition may know better than a link, but hardly better than a flag.
    default:
      return kind === 'flag'
  }
}

function byPages(evidence: SliceEvidence, claims: Claims): Judgement | null {
  const total = pageTotalIn(claims)
  if (total === null) return null
  const { filledPages, nullLists = 0 } = claims
  const pages = claims.pages - nullLists
  const at = placeName(total.place)
  const claimed = total.last
  if (total.least !== total.most) {
    if (!isByCount(evidence, claims)) return null
    const reason = `the API had ${count(total.first, 'page')}, and ${number(total.last)} at the end of the read`
    return { verdict: 'unproven', reason, at }
  }
  // Without records, some call it one page and others none. And one may be empty before the last.
  const isEmptyBetween = pages === claimed && !claims.isLastPageEmpty
  const mayBeEmpty = filledPages === 0 && claimed === 1
  if (filledPages === claimed || isEmptyBetween || (mayBeEmpty && claims.isLastListed !== false)) {
    const met = `${number(isEmptyBetween ? pages : filledPages)} of ${count(claimed, 'page')}`
    const doubt = doubtOfPages(claims) ?? doubtOfCursor(evidence, claims)
    if (doubt !== null) return { verdict: 'unproven', reason: `${met}, but ${doubt}`, at }
    return { verdict: 'complete', reason: met, at }
  }
  const reason = `the API has ${count(claimed, 'page')}, read ${number(filledPages)}`
  // Some reads end at an empty page; an empty page among the others is no fault of the read.
  const isShort = pages < claimed && !mayBeEmpty && total.isNamed && !evidence.rules.isSliced
  const isMissed = isShort && evidence.stop !== 'read-before' && !isFollowedToEnd(evidence, claims)
  return { verdict: isMissed ? 'incomplete' : 'unproven', reason, at }
}

/**
 * A read that follows the API's next pages until there is none misses nothing: then the total counts something else.
 * A cursor made of records, or a counted position, may have skipped some.
 */
function isFollowedToEnd(evidence: SliceEvidence, claims: Claims): boolean {
  const { stop, rules } = evidence
  if (!rules.isCursorOfApi || (stop !== 'no-cursor' && stop !== 'stop-condition')) return false
  if (doubtOfEnd(evidence, claims) !== null) return false
  const ending = endingOf(claims)
  return ending === null ? hasRunOut(evidence, claims) : ending.says === 'end'
}

/** The cursor of the API is gone from a page that is like the others. */
function hasRunOut({ stop, rules }: SliceEvidence, claims: Claims): boolean {
  const isLikeOthers = claims.isLastListed !== false && !claims.isLastPageEmpty
  // Where a next page was named before, `endingOf` decides.
  const isUnknown = claims.nexts.every(({ first }) => first !== 'more')
  return stop === 'no-cursor' && rules.isCursorOfApi && claims.pages > 1 && isLikeOthers && isUnknown
}

/** Why a matching count does not show that the pages had all their records; null where it does. */
function doubtOfPages({ reported, partial, lacking }: Claims): string | null {
  if (lacking !== undefined) return groupsLack(lacking)
  if (reported !== undefined) return `page ${number(reported)} reports an error, or that it is partial`
  return partial === undefined ? null : `page ${number(partial)} holds more than the records taken from it`
}

export function groupsLack({ page, records }: NonNullable<Claims['lacking']>): string {
  return `page ${number(page)} has ${count(records, 'record')} without the properties of one or more groups`
}

/** Why the claim that this was the last page does not show that nothing was skipped before it; null where it does. */
function doubtOfEnd(evidence: SliceEvidence, claims: Claims): string | null {
  const { rules } = evidence
  const { position, isOffTrack, isStartShown, isLastPageEmpty, nexts } = claims
  const ofPages = doubtOfPages(claims)
  if (ofPages !== null) return ofPages
  if (isOffTrack || rules.leadsElsewhere) return 'the read did not continue at the next page that the API names'
  const ofCursor = doubtOfCursor(evidence, claims)
  if (ofCursor !== null) return ofCursor
  if (position?.isMoving === true && position.gap !== null) {
    return `by its own numbers, page ${number(position.gap)} does not follow the one before it`
  }
  if (rules.isCounting && isLastPageEmpty && nexts.some(({ filled }) => filled === 'more')) {
    return 'the last page with records said there is more, and the page after it was empty'
  }
  return rules.mayStartLate && !isStartShown ? 'nothing shows that the read began with the first page' : null
}

/** Why a page that starts after the last record of the one before may skip others like it; null where no page does. */
function doubtOfCursor({ rules }: SliceEvidence, { tied, pages }: Claims): string | null {
  const field = rules.cursorField?.join('.') ?? 'cursor'
  if (tied !== undefined) {
    return `page ${number(tied)} ends with several records of the same ${field}, so the next page may skip some`
  }
  const mayShare = rules.mayShareCursor && pages > 1
  return mayShare ? `several records may have the same ${field}, so a page may skip some` : null
}
