/** What the last page of a read says about a page after it. */
import { number } from '../../std/text/format-count.ts'
import type { Claims, NextClaim } from '../claims/read-claims.ts'
import type { SliceEvidence } from './verdict.ts'

export type Ending = {
  readonly says: 'more' | 'end'
  readonly claim: NextClaim
}

/** A flag is the API's plainest word, a link comes next; a token alone may be there for the next poll. */
const byWeight = ['flag', 'link', 'token'] as const

/** Null when the API says nothing, or nothing that can be relied on. */
export function endingOf(claims: Claims): Ending | null {
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
 * odd answer has none. A flag that only the manifest knows must be seen with both values.
 */
function isAbsent({ last, kind, place, isNamed = true, hasHolder = true }: NextClaim, claims: Claims): boolean {
  if (last !== 'nothing' || claims.isLastListed === false || (kind === 'flag' && !isNamed)) return false
  return hasHolder && (place.length > 2 || !claims.isLastPageEmpty)
}

/** A flag or a cursor that only the manifest takes for one, and that was never seen otherwise, shows nothing. */
function isEndByName({ last, isNamed = true }: NextClaim): boolean {
  return last === 'end' && isNamed
}

/** What says "the end" on every page says nothing on the last one; where only one page has records, it does. */
function isWholeRead({ filledPages, pages }: Claims): boolean {
  return filledPages <= 1 || pages === 1
}

/**
 * A read that follows the API's own pointers until there is none leaves nothing out: then the total counts another thing.
 * A cursor made of records, or a position that is counted, may have skipped some.
 */
export function isFollowedToEnd(evidence: SliceEvidence, claims: Claims): boolean {
  const { stop, rules } = evidence
  if (!rules.isCursorOfApi || (stop !== 'no-cursor' && stop !== 'stop-condition')) return false
  if (doubtOfEnd(evidence, claims) !== null) return false
  const ending = endingOf(claims)
  return ending === null ? hasRunOut(evidence, claims) : ending.says === 'end'
}

/** The cursor of the API is gone from a page that is like the others. */
export function hasRunOut({ stop, rules }: SliceEvidence, claims: Claims): boolean {
  const isLikeOthers = claims.isLastListed !== false && !claims.isLastPageEmpty
  // Where it was seen, what holds it must be there: that is for `endingOf` to say.
  const isUnknown = claims.nexts.every(({ first }) => first !== 'more')
  return stop === 'no-cursor' && rules.isCursorOfApi && claims.pages > 1 && isLikeOthers && isUnknown
}

/** Why a count that is met does not show that its pages had their records; null where it does. */
export function doubtOfPages({ reported, partial }: Claims): string | null {
  if (reported !== undefined) return `page ${number(reported)} reports an error, or that it is not whole`
  return partial === undefined ? null : `page ${number(partial)} holds more than the records taken from it`
}

/** Why the API's word that this was the last page does not show that nothing was skipped before it; null where it does. */
export function doubtOfEnd({ rules }: SliceEvidence, claims: Claims): string | null {
  const { tied, position, isOffTrack, isStartShown, isLastPageEmpty, nexts } = claims
  const ofPages = doubtOfPages(claims)
  if (ofPages !== null) return ofPages
  if (isOffTrack || rules.leadsElsewhere) return 'the read did not continue at the next page that the API names'
  if (tied !== undefined) {
    return `page ${number(tied)} ends with several records of the same ${rules.cursorField?.join('.') ?? 'cursor'}, so the next page may skip some`
  }
  if (rules.mayShareCursor) {
    return `several records may have the same ${rules.cursorField?.join('.') ?? 'cursor'}, so a page may skip some`
  }
  if (position?.isMoving === true && position.gap !== null) {
    return `by its own numbers, page ${number(position.gap)} does not follow the one before it`
  }
  if (rules.isCounting && isLastPageEmpty && nexts.some(({ filled }) => filled === 'more')) {
    return 'the last page with records said there is more, and the page after it was empty'
  }
  return rules.mayStartLate && !isStartShown ? 'nothing shows that the read began with the first page' : null
}
