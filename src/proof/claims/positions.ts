/** Where an API says which page it sends, or from which record on → whether the pages follow each other without a gap. */
import { plainName } from '../names/name-words.ts'
import type { Envelope } from './envelopes.ts'
import { wholeNumber } from './envelope-claims.ts'
import type { Place } from './response-place.ts'
import { valueAt } from './response-value.ts'
import type { PageFacts } from './page-facts.ts'

export type PositionClaim = {
  readonly place: Place
  readonly counts: 'records' | 'pages'
  readonly first: number
  /** Whether it changes from page to page: one that never does is a setting. */
  readonly isMoving: boolean
  /** The page, from 1, that is not where the one before it ended; null while there is none. */
  readonly gap: number | null
}

const ofRecords = new Set('offset skip start startat startindex from startposition'.split(' '))
const ofPages = new Set('page currentpage pagenumber pageindex number'.split(' '))

/** On the first page. */
export function positionIn(envelopes: readonly Envelope[]): PositionClaim | null {
  for (const [counts, names] of [
    ['records', ofRecords],
    ['pages', ofPages],
  ] as const) {
    for (const { place, members, mayBeThing } of envelopes) {
      const name = mayBeThing ? undefined : Object.keys(members).find((one) => names.has(plainName(one)))
      const first = name === undefined ? null : wholeNumber(members[name])
      if (name !== undefined && first !== null) {
        return { place: [...place, name], counts, first, isMoving: false, gap: null }
      }
    }
  }
  return null
}

export type Before = { readonly pages: number; readonly received: number }

/** On a further page that has records: what lies past the end may be numbered in any way. */
export function nextPosition(claim: PositionClaim, page: PageFacts, before: Before): PositionClaim {
  const value = wholeNumber(valueAt(page, claim.place))
  if (value === null || value === claim.first) return claim
  const due = claim.first + (claim.counts === 'records' ? before.received : before.pages)
  return { ...claim, isMoving: true, gap: claim.gap ?? (value === due ? null : before.pages + 1) }
}
