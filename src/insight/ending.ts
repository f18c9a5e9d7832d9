/** What the last page of a walk says about a page after it. */
import type { Claims, NextClaim } from './claims.ts'

export type Ending = {
  readonly says: 'more' | 'end'
  readonly claim: NextClaim
}

/** A flag is the API's plainest word, a link comes next; a token alone may be there for the next poll. */
const byWeight = ['flag', 'link', 'token'] as const

/** Null when the API says nothing, or nothing that can be relied on. */
export function endingOf(claims: Claims): Ending | null {
  for (const kind of byWeight) {
    const said = claims.nexts.filter((claim) => claim.kind === kind)
    const more = said.find(({ last }) => last === 'more')
    if (more !== undefined) return { says: 'more', claim: more }
    const end = said.find((claim) => saysEnd(claim, claims))
    if (end !== undefined) return { says: 'end', claim: end }
  }
  return null
}

/** What says "the end" on every page, or was never there, says nothing on the last one. */
function saysEnd({ first, last }: NextClaim, { filledPages, pages }: Claims): boolean {
  if (last === 'more') return false
  if (first === 'more') return true
  return last === 'end' && (filledPages <= 1 || pages === 1)
}
