/** The pages of one slice, one after the other → what the API claims about the whole of it, as plain data. */
import { followPath } from '../follow-path.ts'
import { isList, isObject } from '../members.ts'
import {
  claimsIn,
  envelopesIn,
  type Found,
  type FoundNext,
  type FoundNumber,
  type Place,
  wholeNumber,
} from './find-claims.ts'
import { claimsInHeaders, valueInHeaders } from './header-claims.ts'
import type { ClaimRules, PageFacts } from './page-facts.ts'

/** What a walk has heard so far. Plain JSON without anything secret: it may be stored with a checkpoint and taken up again. */
export type Claims = {
  readonly pages: number
  /** Pages that brought records. */
  readonly filledPages: number
  readonly received: number
  readonly firstPageSize: number
  readonly isLastPageEmpty: boolean
  /** Whether the last page of the slice was looked at. */
  readonly isOver: boolean
  readonly numbers: readonly NumberClaim[]
  readonly nexts: readonly NextClaim[]
  /** Where the first page names one before it; null when it does not. */
  readonly previous: Place | null
}

export type NumberClaim = {
  readonly counts: 'records' | 'pages'
  readonly place: Place
  readonly plus: number
  readonly isNamed: boolean
  /** The page it was first seen on, from 1. */
  readonly page: number
  readonly first: number
  readonly last: number
  readonly least: number
  readonly most: number
  /** So far always the number of records on its page: then it is the size of the page. */
  readonly isPageSize: boolean
}

/** What stands where an API names its next page, on the first page of the walk and on the last. */
export type NextClaim = {
  readonly place: Place
  readonly kind: 'flag' | 'link' | 'token'
  readonly first: Said
  readonly last: Said
}

export type Said = 'more' | 'end' | 'nothing'

/** Bounds what a hostile answer can make us keep. */
const mostClaims = 16

/** Looks closely at the first and the last page; in between only at the numbers the first one had. */
export function readClaims(claims: Claims | null, page: PageFacts, rules: ClaimRules): Claims {
  // What follows the first part of a large body has no envelope of its own.
  if (claims !== null && page.part > 0) {
    return { ...claims, received: claims.received + page.receivedCount, isLastPageEmpty: false, isOver: page.isLast }
  }
  const isFirst = claims === null
  const before = claims ?? nothing
  const pages = before.pages + (page.isError ? 0 : 1)
  const found = isFirst || page.isLast ? look(page, rules) : null
  return {
    pages,
    filledPages: before.filledPages + (page.receivedCount > 0 ? 1 : 0),
    received: before.received + page.receivedCount,
    firstPageSize: isFirst ? page.receivedCount : before.firstPageSize,
    isLastPageEmpty: page.receivedCount === 0,
    isOver: page.isLast,
    numbers: mergeNumbers(before.numbers, found?.numbers ?? [], page, pages),
    // An error says nothing about pages, and what the first page said is no longer true.
    nexts: page.isError ? [] : found === null ? before.nexts : mergeNexts(before.nexts, found.nexts, isFirst),
    previous: isFirst ? (found?.previous[0] ?? null) : before.previous,
  }
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

function look({ body, headers, isError }: PageFacts, { recordPath, countsRecords }: ClaimRules): Found {
  // An answer that an error rule takes for the end is about the error.
  if (isError) return { numbers: [], nexts: [], previous: [] }
  const found = [claimsInHeaders(headers), ...envelopesIn(body, recordPath).map((envelope) => claimsIn(envelope))]
  const list = followPath(body, recordPath ?? [])
  // Beside a single thing, a number counts anything but records.
  const mayCount = countsRecords && !isObject(list)
  return {
    numbers: mayCount ? found.flatMap(({ numbers }) => numbers).filter(({ value }) => !isSumOf(list, value)) : [],
    nexts: found.flatMap(({ nexts }) => nexts),
    previous: found.flatMap(({ previous }) => previous),
  }
}

/** Whether it adds up a field of the records: a sum of money, not a count. */
function isSumOf(list: unknown, value: number): boolean {
  if (!isList(list) || value <= list.length) return false
  const [first] = list
  if (!isObject(first)) return false
  return Object.keys(first).some((name) => {
    // Other numbers add up to anything by chance: the ids 1 to 5 to 15.
    if (!addable.test(name)) return false
    let sum = 0
    for (const record of list) sum += isObject(record) && typeof record[name] === 'number' ? record[name] : 0
    // Sums of cents come out a hair apart.
    return Math.abs(sum - value) < 0.005
  })
}

const addable = /amount|price|total|cost|fee|tax|balance|cents|value|sum|revenue|quantity/i

function mergeNumbers(
  known: readonly NumberClaim[],
  found: readonly FoundNumber[],
  page: PageFacts,
  pageNumber: number,
): NumberClaim[] {
  const merged = known.flatMap((claim) => seenAgain(claim, page) ?? [])
  // What counts the whole is there from the first page on; what the last page is called tells only beside the first.
  if (pageNumber > 1) return merged
  for (const { counts, place, value, plus, isNamed } of found) {
    if (merged.length >= mostClaims) break
    if (merged.some((claim) => isSamePlace(claim.place, place))) continue
    const count = value + plus
    merged.push({
      counts,
      place,
      plus,
      isNamed,
      page: pageNumber,
      first: count,
      last: count,
      least: count,
      most: count,
      isPageSize: count === page.receivedCount,
    })
  }
  return merged
}

/** Null when it turns out to count nothing. */
function seenAgain(claim: NumberClaim, page: PageFacts): NumberClaim | null {
  if (page.isError) return claim
  const [from, ...names] = claim.place
  const found = from === 'header' ? valueInHeaders(page.headers, names) : followPath(page.body, names)
  const value = wholeNumber(found)
  // A sum may be whole on one page. And some APIs count on their first page only.
  if (value === null) return typeof found === 'number' ? null : claim
  const last = value + claim.plus
  return {
    ...claim,
    last,
    least: Math.min(claim.least, last),
    most: Math.max(claim.most, last),
    isPageSize: claim.isPageSize && last === page.receivedCount,
  }
}

function mergeNexts(known: readonly NextClaim[], found: readonly FoundNext[], isFirst: boolean): NextClaim[] {
  const saidAt = (place: Place) => found.find((one) => isSamePlace(one.place, place))
  const merged = known.map((claim): NextClaim => {
    const now = saidAt(claim.place)
    // A null says of its kind nothing: the page before it does.
    return { ...claim, last: now?.says ?? 'nothing', kind: now?.says === 'more' ? now.kind : claim.kind }
  })
  for (const { place, kind, says } of found) {
    if (merged.length >= mostClaims) break
    if (merged.some((claim) => isSamePlace(claim.place, place))) continue
    merged.push({ place, kind, first: isFirst ? says : 'nothing', last: says })
  }
  return merged
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index])
}

/** A place as people read it: `meta.total`, `header x-total-count`. */
export function placeName([from, ...names]: Place): string {
  return from === 'header' ? `header ${names.join(' ')}` : names.join('.')
}
