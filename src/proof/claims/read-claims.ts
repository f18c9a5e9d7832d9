/** The pages of one slice, in order → what the API claims about the whole slice, as plain data. */
import { envelopeNames, isMapInPlace, isPartial, missingLists, nullLists } from './missing-lists.ts'
import { followPath } from '../../std/values/get-at.ts'
import type { PositionClaim } from './envelope-claims.ts'
import { pageClaims, hasSum } from './page-claims.ts'
import { mergeNexts, mergeNumbers, noteFlags, type NextClaim, type Claims } from './merge-claims.ts'
import { lackingGroups } from './lacking-groups.ts'
import { isOffTrack, nextPosition } from './page-order.ts'
import type { ClaimRules, PageFacts } from './page-facts.ts'
import type { ResponsePlace } from './response-place.ts'

/** Reads all claims of the first and the last page, and totals of the second; in between only claims that are known already. */
export function readClaims(claims: Claims | null, page: PageFacts, rules: ClaimRules): Claims {
  if (claims !== null && page.part > 0) return withLaterPart(claims, page)
  const before = claims ?? nothing
  const pages = before.pages + (page.isError ? 0 : 1)
  const isListed = page.list === undefined || page.list === 'found'
  return {
    pages,
    filledPages: before.filledPages + (page.receivedCount > 0 ? 1 : 0),
    received: before.received + page.receivedCount,
    isLastPageEmpty: page.receivedCount === 0,
    isOver: page.isLast,
    listed: (before.listed ?? before.filledPages) + (isListed ? 1 : 0),
    isLastListed: isListed,
    ...(claims === null ? firstClaims(page, rules, pages) : laterClaims(claims, page, rules, pages)),
    ...missingLists(before, page, rules, pages),
    ...nullLists(before, page, pages),
    ...tied(before, page, rules, pages),
    ...lackingGroups(before, page, rules, pages),
    ...truncated(before, page, pages),
    ...pagesInDoubt(before, page, rules, pages),
    ...((before.isCounted === true || page.isNextCounted === true) && { isCounted: true }),
  }
}

/** Later parts of a large body have no envelope. */
function withLaterPart(claims: Claims, page: PageFacts): Claims {
  return {
    ...claims,
    received: claims.received + page.receivedCount,
    isLastPageEmpty: false,
    isOver: page.isLast,
    ...truncated(claims, page, claims.pages),
  }
}

type OfFirstPage = 'firstPageSize' | 'previous' | 'isOffTrack' | 'isStartShown' | 'position' | 'envelope'
type EnvelopeClaims = Pick<Claims, 'numbers' | 'isSummed' | 'nexts' | 'saidMore' | OfFirstPage>

function firstClaims(page: PageFacts, rules: ClaimRules, number: number): EnvelopeClaims {
  const { isCounting, isCursorOfApi } = rules
  const found = pageClaims(page, rules)
  const position = isCounting ? (found.position ?? null) : null
  const envelope = envelopeNames(page.body, rules.recordPath, found.nexts)
  return {
    firstPageSize: page.receivedCount,
    numbers: mergeNumbers([], found.numbers, page, number),
    ...(hasSum(page, rules) && { isSummed: true }),
    nexts: nextsOn(page, mergeNexts([], found.nexts, page, true)),
    previous: found.previous[0] ?? startsLate(position, page),
    ...((isCounting || isCursorOfApi) && isOffTrack(page, found.nexts, isCounting) && { isOffTrack: true }),
    ...((found.starts.length > 0 || isFirstPosition(position)) && { isStartShown: true }),
    ...(position !== null && { position }),
    ...(envelope !== null && { envelope }),
  }
}

function laterClaims(before: Claims, page: PageFacts, rules: ClaimRules, number: number): EnvelopeClaims {
  const { firstPageSize, previous, isOffTrack: isOff, isStartShown, position, envelope } = before
  const found = page.isLast ? pageClaims(page, rules) : null
  const counting = before.isSummed ? null : (found ?? (number === 2 ? pageClaims(page, rules) : null))
  const numbers = mergeNumbers(before.numbers, counting?.numbers ?? [], page, number)
  const isSummed = before.isSummed || numbers.length < before.numbers.length
  return {
    firstPageSize,
    numbers,
    ...(isSummed && { isSummed }),
    nexts: nextsOn(page, found === null ? before.nexts : mergeNexts(before.nexts, found.nexts, page, false)),
    ...(page.isError && before.nexts.some(({ filled }) => filled === 'more') && { saidMore: true }),
    previous,
    ...(envelope && { envelope }),
    ...(isOff && { isOffTrack: isOff }),
    ...(isStartShown && { isStartShown }),
    ...(position && { position: page.receivedCount > 0 ? nextPosition(position, page, before) : position }),
  }
}

function nextsOn(page: PageFacts, merged: readonly NextClaim[]): readonly NextClaim[] {
  // An error has no claims about pages, and those of the first page no longer hold.
  if (page.isError) return []
  return page.receivedCount > 0 ? noteFlags(merged, page) : merged
}

/** The first page with an error next to its records, with members that are no records, and without any record in its list. */
function pagesInDoubt(
  before: Claims,
  page: PageFacts,
  rules: ClaimRules,
  number: number,
): Pick<Claims, 'reported' | 'partial' | 'withoutRecords' | 'hasRecordsAfter'> {
  const hasNoRecords = page.hasNoRecords === true || isMapInPlace(page, rules)
  const reported = before.reported ?? (page.isReported || page.hasNoRecords ? number : undefined)
  const partial = before.partial ?? (isPartial(page, rules) ? number : undefined)
  const withoutRecords = before.withoutRecords ?? (hasNoRecords ? number : undefined)
  const hasRecordsAfter = withoutRecords !== undefined && !hasNoRecords && page.receivedCount > 1
  return {
    ...(reported !== undefined && { reported }),
    ...(partial !== undefined && { partial }),
    ...(withoutRecords !== undefined && { withoutRecords }),
    ...((before.hasRecordsAfter || hasRecordsAfter) && { hasRecordsAfter: true }),
  }
}

function truncated(before: Claims, page: PageFacts, number: number): Pick<Claims, 'truncated'> {
  if (before.truncated !== undefined) return { truncated: before.truncated }
  return page.truncated === undefined ? {} : { truncated: { page: number, lists: page.truncated } }
}

/** Where a page ends with two records of one cursor value, a third one may be skipped. */
function tied(
  { tied: known }: Claims,
  { lastTwo }: PageFacts,
  { cursorField }: ClaimRules,
  page: number,
): Pick<Claims, 'tied'> {
  if (known !== undefined) return { tied: known }
  if (cursorField === null || lastTwo === undefined) return {}
  const [one, other] = lastTwo.map((record) => followPath(record, cursorField))
  return one !== undefined && one === other ? { tied: page } : {}
}

/** The record at 0, or at 1, is the first one; page 1 may be the second. */
function isFirstPosition(position: PositionClaim | null): boolean {
  return position !== null && position.first <= (position.counts === 'records' ? 1 : 0)
}

/** Where the first page says that it starts one page or more after the first record. */
function startsLate(position: PositionClaim | null, page: PageFacts): ResponsePlace | null {
  if (position?.counts !== 'records' || page.receivedCount === 0) return null
  return position.first > 1 && position.first >= page.receivedCount ? position.place : null
}

const nothing: Claims = {
  pages: 0,
  filledPages: 0,
  received: 0,
  firstPageSize: 0,
  isLastPageEmpty: false,
  isOver: false,
  numbers: [],
  nexts: [],
  previous: null,
}
