/** What the pages say about pages before and after them → a judgement, where nothing counts the records. */
import type { Claims } from '../claims/read-claims.ts'
import { doubtOfEnd, doubtOfPages, type Ending, endingOf, hasRunOut, isFollowedToEnd } from './ending.ts'
import { isByCount, isEndChosen, type Judgement, type SliceEvidence } from './verdict.ts'
import { placeName } from '../claims/response-place.ts'
import { pageTotalIn } from '../claims/total.ts'
import { count, number } from '../../std/text/format-count.ts'

export function byEnding(evidence: SliceEvidence, claims: Claims): Judgement {
  const pages = byPages(evidence, claims)
  const next = byNext(evidence, claims)
  if (pages?.verdict === 'incomplete') return pages
  if (next !== null && (pages === null || next.verdict === 'incomplete')) return next
  if (pages !== null) return pages
  if (claims.previous !== null) {
    return { verdict: 'unproven', reason: 'the first page names one before it', at: placeName(claims.previous) }
  }
  const ending = endingOf(claims)
  if (ending !== null) {
    const isFlag = ending.claim.kind === 'flag'
    const reason = isFlag ? 'the API says that was the last page' : noNext
    return unlessDoubtful(evidence, claims, { verdict: 'complete', reason, at: placeName(ending.claim.place) })
  }
  if (hasRunOut(evidence, claims)) return unlessDoubtful(evidence, claims, { verdict: 'complete', reason: noNext })
  return { verdict: 'unproven', reason: silence[evidence.stop] ?? 'the API reports no total' }
}

function unlessDoubtful(evidence: SliceEvidence, claims: Claims, judged: Judgement): Judgement {
  const doubt = doubtOfEnd(evidence, claims)
  return doubt === null ? judged : { ...judged, verdict: 'unproven', reason: `${judged.reason}, but ${doubt}` }
}

const noNext = 'the last page names no next one'

const silence: { readonly [stop in SliceEvidence['stop']]?: string } = {
  ignored: 'an error was ignored, as the manifest says',
  'nothing-to-download': 'the job named nothing to download',
}

/** Null when the last page names no other. */
export function byNext(evidence: SliceEvidence, claims: Claims): Judgement | null {
  const ending = endingOf(claims)
  if (ending?.says !== 'more') return null
  const { kind, place } = ending.claim
  const reason = kind === 'flag' ? 'the last page says there is more' : 'the last page still names a next one'
  return { verdict: isProofOfMore(evidence, claims, kind) ? 'incomplete' : 'unproven', reason, at: placeName(place) }
}

function isProofOfMore(evidence: SliceEvidence, claims: Claims, kind: Ending['claim']['kind']): boolean {
  // Many an API names a next page behind the end, too: an empty one, or the place of the next poll.
  if (claims.isLastPageEmpty || isEndChosen(evidence)) return false
  switch (evidence.stop) {
    case 'not-paginated':
      return true
    case 'no-cursor':
      return kind !== 'token' || !evidence.rules.isCursorConditional
    case 'short-page':
    case 'empty-page':
      return kind !== 'token'
    // Who wrote the condition may know better than a link; than a plain flag hardly.
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
    const reason = `the API had ${count(total.first, 'page')}, and ${number(total.last)} at the end of the walk`
    return { verdict: 'unproven', reason, at }
  }
  // Without records, some call it one page and others none. And one may be empty before the last.
  const isEmptyBetween = pages === claimed && !claims.isLastPageEmpty
  const isOneEmpty = filledPages === 0 && claimed === 1 && claims.isLastListed !== false
  if (filledPages === claimed || isEmptyBetween || isOneEmpty) {
    const met = `${number(isEmptyBetween ? pages : filledPages)} of ${count(claimed, 'page')}`
    const doubt = doubtOfPages(claims)
    if (doubt !== null) return { verdict: 'unproven', reason: `${met}, but ${doubt}`, at }
    return { verdict: 'complete', reason: met, at }
  }
  const reason = `the API has ${count(claimed, 'page')}, read ${number(filledPages)}`
  // Reading on to an empty page is how some walks end; an empty one among the others is no fault of the walk.
  const isShort = pages < claimed && total.isNamed && !evidence.rules.isSliced
  const isMissed = isShort && evidence.stop !== 'read-before' && !isFollowedToEnd(evidence, claims)
  return { verdict: isMissed ? 'incomplete' : 'unproven', reason, at }
}
