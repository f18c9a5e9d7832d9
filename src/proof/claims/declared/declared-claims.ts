/** One page and the places that its manifest looks at → what stands there, as a claim whatever its name. */
import { meaningsOf } from '../claim-names.ts'
import { type Found, type FoundNext, type FoundNumber, nextNamed, nextOf } from '../envelope-claims.ts'
import { wholeNumber, flagOf, type Place, valueAt } from '../response-place.ts'
import type { PageFacts } from '../page-facts.ts'
import type { OwnPlace } from './conditions.ts'

export function ownClaims(page: Pick<PageFacts, 'body' | 'headers'>, places: readonly OwnPlace[]): Found {
  const numbers: FoundNumber[] = []
  const nexts: FoundNext[] = []
  for (const own of places) {
    const value = valueAt(page, own.place)
    // What is not there may be gone, or may never have been: the pages before it tell.
    if (value === undefined) continue
    if (own.means === 'next' || own.means === 'flag') {
      const next = byName(own.place, value) ?? byCondition(own, value)
      if (next !== null) nexts.push(next)
    } else {
      const number = counted(own, value, page)
      if (number !== null) numbers.push(number)
    }
  }
  return { numbers, nexts, previous: [], starts: [] }
}

/** A name that everybody knows outweighs the condition, which may be inverted. */
function byName(place: Place, value: unknown): FoundNext | null {
  const meaning = meaningsOf(place.at(-1) ?? '').find(({ kind }) => kind === 'has-more' || kind === 'is-last')
  return meaning === undefined ? null : nextOf(meaning, value, place)
}

function byCondition(own: Extract<OwnPlace, { means: 'next' | 'flag' }>, value: unknown): FoundNext | null {
  return own.means === 'next' ? nextNamed(value, own.place, true) : flagged(own, value)
}

function flagged({ place, value, says }: Extract<OwnPlace, { means: 'flag' }>, found: unknown): FoundNext | null {
  const isFlag = typeof value === 'boolean'
  const flag = isFlag ? flagOf(found) : typeof found === 'string' ? found : null
  if (flag === null) return null
  const contrary = says === 'end' ? 'more' : 'end'
  const said = flag === value ? says : contrary
  // Taken alone, the condition shows nothing: only a flag that is seen with both values does.
  return {
    place,
    kind: 'flag',
    says: said,
    isNamed: false,
    ...(typeof flag === 'boolean' && { more: flag === (said === 'more') }),
  }
}

type OwnNumber = Extract<OwnPlace, { position: Place | null }>

function counted({ place, means, position }: OwnNumber, value: unknown, page: Pick<PageFacts, 'body' | 'headers'>) {
  const count = wholeNumber(value)
  if (count === null) return null
  const own = { place, value: count, isOwn: true as const }
  if (means !== 'pages') return { counts: 'records', plus: 0, isNamed: means === 'records', ...own } as const
  // Compared as they are, the number of the first page tells from where they count.
  const first = position === null ? 1 : wholeNumber(valueAt(page, position))
  return { counts: 'pages', plus: first === 0 ? 1 : 0, isNamed: first === 0 || first === 1, ...own } as const
}
