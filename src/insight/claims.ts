/** The pages of one slice, one after the other → what the API claims about the whole of it, as plain data. */
import { look } from './look.ts'
import { mergeNexts, mergeNumbers } from './merge-claims.ts'
import type { ClaimRules, PageFacts } from './page-facts.ts'
import type { Place } from './place.ts'

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
  /** The API names its next pages by a count of records or pages; without a word where it does not. */
  readonly isCounted?: true
}

export type NumberClaim = {
  readonly counts: 'records' | 'pages'
  readonly place: Place
  readonly plus: number
  readonly isNamed: boolean
  /** The manifest itself ends its walk by it. */
  readonly isOwn?: true
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
    ...((before.isCounted === true || page.isNextCounted === true) && { isCounted: true }),
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
