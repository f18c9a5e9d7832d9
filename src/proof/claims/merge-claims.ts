/** The claims of earlier pages and of one more → the claims of all of them. */
import type { NextClaim, NumberClaim } from './read-claims.ts'
import { type FoundNext, type FoundNumber } from './envelope-claims.ts'
import { wholeNumber, flagOf, isSamePlace, type ResponsePlace, hasHolder, valueAt } from './response-place.ts'
import type { PageFacts } from './page-facts.ts'

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
  const found = valueAt(page, claim.place)
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
    const flag = flagOf(valueAt(page, claim.place))
    const filled = flag === null ? 'nothing' : flag === claim.more ? 'more' : 'end'
    return claim.filled === filled ? claim : { ...claim, filled }
  })
}
