/** What the last page of a walk says about a page after it. */
import type { Claims, NextClaim } from './claims.ts'
import type { SliceEvidence } from './evidence.ts'

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
  const gone = nexts.find(({ first, last }) => first === 'more' && last !== 'more')
  if (gone !== undefined) return { says: 'end', claim: gone }
  for (const kind of byWeight) {
    const more = says(kind)
    if (more !== undefined) return { says: 'more', claim: more }
    const end = nexts.find((claim) => claim.kind === kind && claim.last === 'end' && isWholeWalk(claims))
    if (end !== undefined) return { says: 'end', claim: end }
  }
  return null
}

/** What says "the end" on every page says nothing on the last one; where only one page has records, it does. */
function isWholeWalk({ filledPages, pages }: Claims): boolean {
  return filledPages <= 1 || pages === 1
}

/**
 * Whoever follows the API's own pointers until there is none leaves nothing out: then the total counts another thing.
 * A cursor made of records, or a position that is counted, may have gone past some.
 */
export function isFollowedToEnd({ stop, rules }: SliceEvidence, claims: Claims): boolean {
  if (!rules.isCursorOfApi || (stop !== 'no-cursor' && stop !== 'stop-condition')) return false
  const ending = endingOf(claims)
  return ending === null ? stop === 'no-cursor' && claims.pages > 1 : ending.says === 'end'
}
