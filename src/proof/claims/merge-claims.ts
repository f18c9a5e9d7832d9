/** The claims of earlier pages and of one more → the claims of all of them. */
import type { FoundNext, FoundNumber, PositionClaim } from './envelope-claims.ts'
import { wholeNumber, flagOf, isSamePlace, type ResponsePlace, hasHolder, responseValue } from './response-place.ts'
import type { PageFacts } from './page-facts.ts'

/** The claims so far. Plain JSON without secrets: stored with a checkpoint, so that a read can resume from it. */
export type Claims = {
  readonly pages: number
  /** Pages that brought records. */
  readonly filledPages: number
  readonly received: number
  readonly firstPageSize: number
  readonly isLastPageEmpty: boolean
  /** Whether the last page of the slice was read. */
  readonly isOver: boolean
  readonly numbers: readonly NumberClaim[]
  readonly nexts: readonly NextClaim[]
  /** Where the first page names a previous page; null when it does not. */
  readonly previous: ResponsePlace | null
  /** Pages whose list of records was there; absent in what earlier versions stored. */
  readonly listed?: number
  /** Whether the newest page has the list. */
  readonly isLastListed?: boolean
  /** Pages without their list: how many, the first of them (from 1), and whether the last page is one. */
  readonly withoutList?: {
    readonly pages: number
    readonly first: number
    readonly isLast: boolean
    /** Whether such a page has another list of things: the list may have been renamed. */
    readonly hasOther: boolean
    /** Whether the last of them is the envelope of the first page, with nothing but list and next page left out. */
    readonly isKept?: boolean
  }
  /** What the first page has next to its list and what names its next page. */
  readonly envelope?: readonly string[]
  /** Pages whose list is null; absent where there is none. */
  readonly nullLists?: number
  /** The first page (from 1) whose list is null although a later page has records. */
  readonly nullBefore?: number
  /** The first page (from 1) that reports an error or a gap next to its records. */
  readonly reported?: number
  /** The first page (from 1) where some members of the list are no records: `edges` without a node, an object around a list. */
  readonly partial?: number
  /** The first page (from 1) with records that some group of properties does not have, and whether it shows that they are missing there. */
  readonly lacking?: { readonly page: number; readonly records: number; readonly isShown: boolean }
  /** The first page (from 1) with lists inside its records that the API says are cut short. */
  readonly truncated?: { readonly page: number; readonly lists: number }
  /** The first page whose list holds an error or empty objects, or which has a map in its place. */
  readonly withoutRecords?: number
  /** Pages after that one have records. */
  readonly hasRecordsAfter?: boolean
  /** The first page (from 1) that ends with several records of the same cursor value. */
  readonly tied?: number
  /** The read continues elsewhere than at the next page that the API names. */
  readonly isOffTrack?: true
  /** The API says that the first page read is its first. */
  readonly isStartShown?: true
  readonly position?: PositionClaim
  /** What is called a total is a sum on some page, so it is ignored on later pages. */
  readonly isSummed?: true
  /** The API names its next pages by a count of records or pages; absent where it does not. */
  readonly isCounted?: true
  /** The response to the last request was ignored, and the page before it says that there is more. */
  readonly saidMore?: true
}

type Said = 'more' | 'end' | 'nothing'

/** What the API says about its next page, on the first page of the read and on the last. */
export type NextClaim = {
  readonly place: ResponsePlace
  readonly kind: 'flag' | 'link' | 'token'
  readonly first: Said
  readonly last: Said
  /** Whether its name says what it means. */
  readonly isNamed?: boolean
  /** Of a flag: the value that means "more". */
  readonly more?: boolean
  /** Of a flag: what the last page with records said. */
  readonly filled?: Said
  /** Where the last page says nothing: whether what would hold it is there. */
  readonly hasHolder?: boolean
}

export type NumberClaim = {
  readonly counts: 'records' | 'pages'
  readonly place: ResponsePlace
  readonly plus: number
  readonly isNamed: boolean
  /** The manifest ends its read by this number. */
  readonly isDeclared?: true
  /** @deprecated What checkpoints of earlier versions have in place of `isDeclared`. */
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

/** Bounds what is kept of a hostile response. */
const mostClaims = 16

export function mergeNumbers(
  known: readonly NumberClaim[],
  found: readonly FoundNumber[],
  page: PageFacts,
  pageNumber: number,
): NumberClaim[] {
  const merged = known.flatMap((claim) => seenAgain(claim, page) ?? [])
  for (const { counts, place, value, plus, isNamed, isDeclared } of found) {
    if (merged.length >= mostClaims) break
    // Some APIs count from the second page on. What may be a count, and what the last page is called, shows something only on the first.
    if (pageNumber > 1 && !(counts === 'records' && isNamed)) continue
    if (merged.some((claim) => isSamePlace(claim.place, place))) continue
    const count = value + plus
    merged.push({
      counts,
      place,
      plus,
      isNamed,
      ...(isDeclared && { isDeclared }),
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
  const found = responseValue(page, claim.place)
  const value = wholeNumber(found)
  // A sum may be whole on one page. And some APIs count on their first page only.
  if (value === null) return typeof found === 'number' ? null : claim
  const last = value + claim.plus
  const isPageSize = claim.isPageSize && last === page.receivedCount
  // Most stay what they are, page after page.
  if (last === claim.last && isPageSize === claim.isPageSize) return claim
  return {
    ...claim,
    last,
    least: Math.min(claim.least, last),
    most: Math.max(claim.most, last),
    isPageSize,
  }
}

export function mergeNexts(
  known: readonly NextClaim[],
  found: readonly FoundNext[],
  page: PageFacts,
  isFirst: boolean,
): NextClaim[] {
  const saidAt = (place: ResponsePlace) => found.find((one) => isSamePlace(one.place, place))
  const merged = known.map((claim): NextClaim => {
    const now = saidAt(claim.place)
    // A null says of its kind nothing: the page before it does.
    const kind = now?.says === 'more' ? now.kind : claim.kind
    return {
      ...claim,
      last: now?.says ?? 'nothing',
      kind,
      ...(now === undefined && { hasHolder: hasHolder(page, claim.place) }),
    }
  })
  for (const { place, kind, says, isNamed, more } of found) {
    if (merged.length >= mostClaims) break
    if (merged.some((claim) => isSamePlace(claim.place, place))) continue
    merged.push({
      place,
      kind,
      first: isFirst ? says : 'nothing',
      last: says,
      isNamed,
      ...(more !== undefined && { more }),
    })
  }
  return merged
}

/** Remembers what each flag says on a page with records. */
export function noteFlags(known: readonly NextClaim[], page: PageFacts): readonly NextClaim[] {
  return known.map((claim) => {
    if (claim.more === undefined) return claim
    const flag = flagOf(responseValue(page, claim.place))
    const filled = flag === null ? 'nothing' : flag === claim.more ? 'more' : 'end'
    return claim.filled === filled ? claim : { ...claim, filled }
  })
}
