/** What was received and what the API claims → a verdict on one slice, with a reason for people. */
import { byEnding, byNext, byTotal, groupsLack } from './judge-claims.ts'
import { endingOf, pageTotalIn, totalIn } from '../claims/agreed-claims.ts'
import { placeName } from '../claims/response-place.ts'
import { isByCount, type Judgement, type SliceEvidence, withDoubt } from './verdict.ts'
import { count, number } from '../../std/text/format-count.ts'
import type { Claims } from '../claims/merge-claims.ts'

/** Prefers `unproven` to an alarm that may be wrong: only claims of the API, or records received twice, count against a read. */
export function judgeSlice(evidence: SliceEvidence): Judgement {
  const { claims } = evidence
  const outright = judgeOutright(evidence)
  if (outright !== null) return outright
  const judged = claims === null ? nothingRead : unlessMore(byClaims(evidence, claims), evidence, claims)
  if (judged.verdict === 'incomplete') return { ...judged, reason: judged.reason + capped(evidence) }
  return byRepeatedPage(evidence) ?? byScope(evidence, judged) ?? byRepeatedRecords(evidence, judged)
}

/** What needs no comparison with totals and ends; null where they decide. */
function judgeOutright(evidence: SliceEvidence): Judgement | null {
  const { stop, claims, rules } = evidence
  if (stop === 'limit') return { verdict: 'incomplete', reason: 'stopped at the page limit' }
  if (stop === 'error') return judgeFailure(evidence.error)
  if (isNeverListed(evidence)) return judgeIgnored(rules.isSliced)
  if (claims?.lacking?.isShown === true) return { verdict: 'incomplete', reason: groupsLack(claims.lacking) }
  if (claims?.truncated !== undefined) return { verdict: 'incomplete', reason: listsCutShort(claims.truncated) }
  return null
}

function byRepeatedPage({ keys, rules }: SliceEvidence): Judgement | null {
  const page = keys?.repeatedPage ?? null
  if (page === null || rules.mayStartAgain) return null
  return judgeRepeatedPage(page)
}

export function judgeRepeatedPage(page: number): Judgement {
  return { verdict: 'duplicated', reason: `page ${number(page)} has only records of earlier pages` }
}

/** Where the end of this read is not the end of all records. */
function byScope({ stop, rules }: SliceEvidence, { verdict }: Judgement): Judgement | null {
  if (stop === 'read-before' && verdict !== 'complete') {
    return { verdict: 'unproven', reason: 'read up to the records of an earlier read' }
  }
  if (!rules.isOfDownloads || verdict !== 'complete') return null
  return {
    verdict: 'unproven',
    reason: 'the last download reports that it is complete, which shows nothing about the others',
  }
}

function byRepeatedRecords(evidence: SliceEvidence, judged: Judgement): Judgement {
  const { claims, keys = null, rules } = evidence
  const isComplete = judged.verdict === 'complete'
  const again = keys === null ? 0 : keys.repeated - keys.changed
  const reason = `${count(again, 'record')} received more than once`
  if (again > 0 && rules.mayStartAgain) return withDoubt(judged, `${reason}, because its pages may restart`)
  // Where one record moved back during the read, another may have moved out of it: even a matching total shows nothing.
  if (again > 0 && judged.verdict !== 'duplicated') {
    // A field that is only assumed to be the key may repeat.
    if (keys?.isAssumed === true) return isComplete ? withDoubt(judged, reason) : judged
    return { verdict: 'duplicated', reason: isComplete ? `${judged.reason}, but ${reason}` : reason }
  }
  const doubt = isComplete && claims !== null ? doubtOfKeys(evidence, claims) : null
  return doubt === null ? judged : withDoubt(judged, doubt)
}

function listsCutShort({ page, lists }: NonNullable<Claims['truncated']>): string {
  return `page ${number(page)} has ${count(lists, 'list')} of items that the API says ${lists === 1 ? 'is' : 'are'} cut short`
}

/**
 * Why the claims of the API do not show that each record was received; null where they do. A record that changed during the read may well
 * come again, from one record to the next: nothing is skipped. Between counted positions another record took its place.
 */
function doubtOfKeys(evidence: SliceEvidence, claims: Claims): string | null {
  const { keys = null, received } = evidence
  const isCounted = isByCount(evidence, claims)
  if (mayHaveMoved(evidence)) {
    return 'it was interrupted, and records may have moved before it resumed'
  }
  if (keys === null) return null
  if (keys.changed > 0 && isCounted) {
    return `${count(keys.changed, 'record')} received again with other values, so others may have been skipped`
  }
  // Two records of one page may share what is not their key after all.
  const again = keys.clashing > 0 ? 0 : keys.repeated + keys.alike
  const isMetByAll = again > 0 && totalIn(claims)?.last === received
  return isMetByAll ? `${count(again, 'record')} received more than once, so as many may be missing` : null
}

/** Whether records may have moved past the place where the read was interrupted, to a counted position that it had read before. */
export function mayHaveMoved({
  stop,
  claims,
  hasGap = false,
}: Pick<SliceEvidence, 'stop' | 'claims' | 'hasGap'>): boolean {
  return hasGap && claims !== null && claims.pages > 1 && isByCount({ stop }, claims)
}

/** A read that ended with an error, whatever its pages claim. */
export function judgeFailure(code: string | undefined): Judgement {
  return { verdict: 'incomplete', reason: `ended by an error${code === undefined ? '' : `: ${code}`}` }
}

/** A read that was cancelled. */
export const judgedCancelled: Judgement = { verdict: 'incomplete', reason: 'it was cancelled' }

/** Every response was one that the manifest ignores. A resumed read saw a list earlier. */
function isNeverListed({ claims, isResumed }: SliceEvidence): boolean {
  return claims?.pages === 0 && isResumed !== true
}

/**
 * An ignored first response is no end: no list was seen. Manifests often ignore the response for single parents
 * that have no such list: there the other slices decide.
 */
function judgeIgnored(isSliced: boolean): Judgement {
  const reason = 'the first response was ignored, as the manifest says, so no list was seen'
  return { verdict: isSliced ? 'unproven' : 'incomplete', reason, isIgnored: true }
}

const nothingRead: Judgement = { verdict: 'unproven', reason: 'no response was read' }

function byClaims(evidence: SliceEvidence, claims: Claims): Judgement {
  if (evidence.isResumed !== true)
    return withLists(evidence, claims, byTotal(evidence, claims) ?? byEnding(evidence, claims))
  // Earlier pages were not seen, so nothing can be compared with totals.
  const next = byNext(evidence, claims)
  return next?.verdict === 'incomplete' ? next : { verdict: 'unproven', reason: 'started in the middle of the slice' }
}

/** Totals that contradict each other, or that shrank, decide nothing; one larger than what was received keeps a read from being complete. */
function unlessMore(judged: Judgement, { received, rules }: SliceEvidence, claims: Claims): Judgement {
  const { numbers, pages } = claims
  const larger = numbers.find(({ counts, isNamed, most }) => {
    // What is no larger than what was received includes the size of any page.
    if (counts !== 'records' || most <= received) return false
    // What may be a total (`count`) is also a name for the size requested.
    return isNamed || (pages > 1 && most !== rules.askedSize)
  })
  if (judged.verdict !== 'complete' || larger === undefined || totalIn(claims) !== null) return judged
  return withDoubt(judged, `the API also counts ${number(larger.most)} (${placeName(larger.place)})`)
}

/**
 * A page without its list is not an empty page: it may have held records, unless the API shows that it was the end. A list that is
 * null is an empty page that proves nothing.
 */
function withLists(evidence: SliceEvidence, claims: Claims, judged: Judgement): Judgement {
  const { withoutList, listed = claims.filledPages, nullLists = 0 } = claims
  const noted = withoutList === undefined ? judged : { ...judged, pagesWithoutList: withoutList.pages }
  // A matching total covers every page.
  if (judged.verdict === 'incomplete' || totalIn(claims)?.last === evidence.received) return noted
  const list = listName(evidence.rules.recordPath)
  if (withoutList !== undefined && listed === 0)
    return { ...noted, verdict: 'unproven', reason: `no page has the ${list}` }
  if (withoutList !== undefined) {
    const isOver = withoutList.pages === 1 && withoutList.isLast && !withoutList.hasOther && isEndShown(claims)
    const missing = `page ${number(withoutList.first)} has no ${list}`
    // The place of the end claim is not where this was seen.
    if (!isOver) return { verdict: 'incomplete', reason: missing, pagesWithoutList: withoutList.pages }
    return withDoubt(noted, missing)
  }
  if (claims.withoutRecords !== undefined && claims.hasRecordsAfter === true) {
    const page = number(claims.withoutRecords)
    return {
      ...noted,
      verdict: 'incomplete',
      reason: `page ${page} has no records in its list, and later pages have some`,
    }
  }
  // At the end it may be how a server writes an empty list; between pages with records it is a page that was lost.
  if (claims.nullBefore !== undefined) {
    return {
      ...noted,
      verdict: 'incomplete',
      reason: `the ${list} is null on page ${number(claims.nullBefore)}, and later pages have records`,
    }
  }
  if (nullLists === 0 || judged.verdict !== 'complete') return noted
  return withDoubt(noted, `the ${list} is null on ${count(nullLists, 'page')}`)
}

function listName(path: readonly string[] | null): string {
  return path === null || path.length === 0 ? 'list of records' : `list at \`${path.join('.')}\``
}

/** By a claim on the last page itself, or by the number of pages. */
function isEndShown(claims: Claims): boolean {
  const ending = endingOf(claims)
  if (ending?.says === 'end' && ending.claim.last === 'end') return true
  if (claims.withoutList?.isKept === true) return true
  // The list is left out with the token of the next page, and what held the token is there.
  if (
    claims.nexts.some(
      ({ first, last, place, hasHolder }) => first === 'more' && last === 'nothing' && hasHolder && place.length > 2,
    )
  )
    return true
  return pageTotalIn(claims)?.last === claims.filledPages
}

/** A first page smaller than requested, and more after it: the API has a maximum page size. */
function capped({ stop, claims, rules: { askedSize } }: SliceEvidence): string {
  if (claims === null || askedSize === null || claims.pages !== 1 || claims.firstPageSize === 0) return ''
  if (claims.firstPageSize >= askedSize || (stop !== 'short-page' && stop !== 'stop-condition')) return ''
  return `; it sends at most ${number(claims.firstPageSize)} a page where ${number(askedSize)} were requested`
}
