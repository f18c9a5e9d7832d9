/** The pages of one slice, in order → what the API claims about the whole slice, as plain data. */
import { envelopeNames, isMapInPlace, isPartial, missingLists, nullLists } from './missing-lists.ts'
import { followPath } from '../../std/values/get-at.ts'
import type { Found, PositionClaim } from './envelope-claims.ts'
import { pageClaims, hasSum } from './page-claims.ts'
import { mergeNexts, mergeNumbers, noteFlags, type NextClaim, type Claims } from './merge-claims.ts'
import { lackingGroups } from './lacking-groups.ts'
import { isOffTrack, nextPosition } from './page-order.ts'
import type { ClaimRules, PageFacts } from './page-facts.ts'
import type { ResponsePlace } from './response-place.ts'

/** Reads all claims of the first and the last page, and totals of the second; in between only claims that are known already. */
export function readClaims(claims: Claims | null, page: PageFacts, rules: ClaimRules): Claims {
  // Later parts of a large body have no envelope.
  if (claims !== null && page.part > 0) {
    return {
      ...claims,
      received: claims.received + page.receivedCount,
      isLastPageEmpty: false,
      isOver: page.isLast,
      ...truncated(claims, page, claims.pages),
    }
  }
  const isFirst = claims === null
  const before = claims ?? nothing
  const pages = before.pages + (page.isError ? 0 : 1)
  const found = isFirst || page.isLast ? pageClaims(page, rules) : null
  const isSummed = before.isSummed === true || (isFirst && hasSum(page, rules))
  const isCountable = isFirst || !isSummed
  const counting = found ?? (pages === 2 && isCountable ? pageClaims(page, rules) : null)
  const numbers = mergeNumbers(before.numbers, isCountable ? (counting?.numbers ?? []) : [], page, pages)
  const list = page.list ?? 'found'
  const hasNoRecords = page.hasNoRecords === true || isMapInPlace(page, rules)
  const reported = firstOf(before.reported, page.isReported === true || page.hasNoRecords === true, pages)
  const partial = firstOf(before.partial, isPartial(page, rules), pages)
  const withoutRecords = firstOf(before.withoutRecords, hasNoRecords, pages)
  const hasRecordsAfter = withoutRecords !== undefined && !hasNoRecords && page.receivedCount > 1
  return {
    pages,
    filledPages: before.filledPages + (page.receivedCount > 0 ? 1 : 0),
    received: before.received + page.receivedCount,
    firstPageSize: isFirst ? page.receivedCount : before.firstPageSize,
    isLastPageEmpty: page.receivedCount === 0,
    isOver: page.isLast,
    listed: (before.listed ?? before.filledPages) + (list === 'found' ? 1 : 0),
    isLastListed: list === 'found',
    numbers,
    ...((isSummed || numbers.length < before.numbers.length) && { isSummed: true }),
    nexts: nextsOf(before.nexts, found, page, isFirst),
    ...(page.isError && before.nexts.some(({ filled }) => filled === 'more') && { saidMore: true }),
    previous: isFirst ? (found?.previous[0] ?? startsLate(found, page, rules)) : before.previous,
    ...missingLists(before, page, rules, pages),
    ...nullLists(before, page, pages),
    ...tied(before, page, rules, pages),
    ...lackingGroups(before, page, rules, pages),
    ...truncated(before, page, pages),
    ...(reported !== undefined && { reported }),
    ...(partial !== undefined && { partial }),
    ...(withoutRecords !== undefined && { withoutRecords }),
    ...((before.hasRecordsAfter === true || hasRecordsAfter) && { hasRecordsAfter: true }),
    ...(isFirst ? firstFacts(found, page, rules) : laterFacts(before, page)),
    ...((before.isCounted === true || page.isNextCounted === true) && { isCounted: true }),
  }
}

function truncated(before: Claims, page: PageFacts, number: number): Pick<Claims, 'truncated'> {
  if (before.truncated !== undefined) return { truncated: before.truncated }
  return page.truncated === undefined ? {} : { truncated: { page: number, lists: page.truncated } }
}

function nextsOf(
  before: readonly NextClaim[],
  found: Found | null,
  page: PageFacts,
  isFirst: boolean,
): readonly NextClaim[] {
  // An error has no claims about pages, and those of the first page no longer hold.
  if (page.isError) return []
  const merged = found === null ? before : mergeNexts(before, found.nexts, page, isFirst)
  return page.receivedCount > 0 ? noteFlags(merged, page) : merged
}

function firstOf(known: number | undefined, isNow: boolean, page: number): number | undefined {
  return known ?? (isNow ? page : undefined)
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

type FirstFacts = Pick<Claims, 'isOffTrack' | 'isStartShown' | 'position' | 'envelope'>

function firstFacts(found: Found | null, page: PageFacts, rules: ClaimRules): FirstFacts {
  const { isCounting, isCursorOfApi } = rules
  const position = isCounting ? (found?.position ?? null) : null
  const isStartShown = (found?.starts.length ?? 0) > 0 || isFirstPosition(position)
  const envelope = envelopeNames(page.body, rules.recordPath, found?.nexts ?? [])
  return {
    ...((isCounting || isCursorOfApi) && isOffTrack(page, found?.nexts ?? [], isCounting) && { isOffTrack: true }),
    ...(isStartShown && { isStartShown }),
    ...(position !== null && { position }),
    ...(envelope !== null && { envelope }),
  }
}

function laterFacts(before: Claims, page: PageFacts): FirstFacts {
  const { isOffTrack: isOff, isStartShown, position, envelope } = before
  return {
    ...(envelope && { envelope }),
    ...(isOff && { isOffTrack: isOff }),
    ...(isStartShown && { isStartShown }),
    ...(position && { position: page.receivedCount > 0 ? nextPosition(position, page, before) : position }),
  }
}

/** The record at 0, or at 1, is the first one; page 1 may be the second. */
function isFirstPosition(position: PositionClaim | null): boolean {
  return position !== null && position.first <= (position.counts === 'records' ? 1 : 0)
}

/** Where the first page says that it starts one page or more after the first record. */
function startsLate(found: Found | null, page: PageFacts, { isCounting }: ClaimRules): ResponsePlace | null {
  const position = isCounting ? found?.position : undefined
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
