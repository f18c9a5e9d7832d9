/** The claims of a slice → the total, the number of pages and the ending that they agree on. */
import type { NumberClaim, NextClaim, Claims } from './merge-claims.ts'

/** Null when nothing was counted, or when two counts contradict each other: then neither shows anything. */
export function totalIn(claims: Claims): NumberClaim | null {
  const totals = claims.numbers.filter((claim) => claim.counts === 'records' && isTotal(claim, claims))
  return surest(totals)
}

export function pageTotalIn(claims: Claims): NumberClaim | null {
  return surest(claims.numbers.filter((claim) => claim.counts === 'pages'))
}

/** Numbers that the manifest ends its read by; else those with a clear name; else all. */
function surest(claims: readonly NumberClaim[]): NumberClaim | null {
  const named = claims.filter(({ isNamed }) => isNamed)
  const declared = named.filter(({ isDeclared, isOwn }) => isDeclared ?? isOwn)
  return agreed(declared.length > 0 ? declared : named.length > 0 ? named : claims)
}

/** How many records to expect, known from the first page; null when the API does not report it. */
export function expectedTotal(claims: Claims | null): number | null {
  if (claims === null) return null
  const total = totalIn(claims)
  if (total !== null) return total.last >= claims.received ? total.last : null
  const pages = pageTotalIn(claims)
  return pages === null ? null : Math.max(pages.last * claims.firstPageSize, claims.received)
}

/** By how much of itself a total may change during a read. */
const mostDrift = 0.2

/** A number on a page is the size of that page until it is shown to be more. */
function isTotal(claim: NumberClaim, { pages, received, firstPageSize, isOver }: Claims): boolean {
  const { isNamed, isPageSize, least, most } = claim
  // A total of 0 on pages with records: the API does not count.
  if (most === 0 && received > 0) return false
  // Data moves during a read, but not by as much as the sum of a page does from one to the next.
  if (isNamed) return !(isPageSize && pages > 1) && most - least <= Math.max(10, most * mostDrift)
  // What only may be the total shows something when it is met, and nothing when it is not.
  return least === most && most > firstPageSize && (isOver ? most === received : most >= received)
}

function agreed(claims: readonly NumberClaim[]): NumberClaim | null {
  const [first, ...others] = claims
  return first !== undefined && others.every(({ last }) => last === first.last) ? first : null
}

export type EndingClaim = {
  readonly says: 'more' | 'end'
  readonly claim: NextClaim
}

/** A flag is the clearest claim, then a link; a token alone may be meant for the next poll. */
const byWeight = ['flag', 'link', 'token'] as const

/** Null when the API says nothing, or nothing that can be relied on. */
export function endingOf(claims: Claims): EndingClaim | null {
  const { nexts } = claims
  const says = (kind: NextClaim['kind']) => nexts.find((claim) => claim.kind === kind && claim.last === 'more')
  const flag = says('flag')
  if (flag !== undefined) return { says: 'more', claim: flag }
  // What was there on the first page and is gone on the last outweighs a link that is always there.
  const gone = nexts.find((claim) => claim.first === 'more' && (claim.last === 'end' || isAbsent(claim, claims)))
  if (gone !== undefined) return { says: 'end', claim: gone }
  for (const kind of byWeight) {
    const more = says(kind)
    if (more !== undefined) return { says: 'more', claim: more }
    const end = nexts.find((claim) => claim.kind === kind && isEndByName(claim) && isWholeRead(claims))
    if (end !== undefined) return { says: 'end', claim: end }
  }
  return null
}

/**
 * Absent from an envelope that was there before and is there now. Where the body itself is the envelope, the page must have records: an
 * odd response has none. A flag that only the manifest knows must be seen with both values.
 */
function isAbsent({ last, kind, place, isNamed = true, hasHolder = true }: NextClaim, claims: Claims): boolean {
  if (last !== 'nothing' || claims.isLastListed === false || (kind === 'flag' && !isNamed)) return false
  return hasHolder && (place.length > 2 || !claims.isLastPageEmpty)
}

/** A flag or a cursor that only the manifest takes for one, and that was never seen otherwise, shows nothing. */
function isEndByName({ last, isNamed = true }: NextClaim): boolean {
  return last === 'end' && isNamed
}

/** A claim of "the end" on every page shows nothing on the last one, unless only one page has records. */
function isWholeRead({ filledPages, pages }: Claims): boolean {
  return filledPages <= 1 || pages === 1
}
