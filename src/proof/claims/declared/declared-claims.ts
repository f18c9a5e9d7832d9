/** One page and the places that its manifest reads → the values there, as claims whatever their names are. */
import { meaningsOf } from '../../names/claim-names.ts'
import { type Found, type FoundNext, type FoundNumber, nextNamed, nextOf } from '../envelope-claims.ts'
import { wholeNumber, flagOf, type ResponsePlace, responseValue } from '../response-place.ts'
import type { PageFacts } from '../page-facts.ts'
import type { DeclaredPlace } from './conditions.ts'

export function declaredClaims(page: Pick<PageFacts, 'body' | 'headers'>, places: readonly DeclaredPlace[]): Found {
  const numbers: FoundNumber[] = []
  const nexts: FoundNext[] = []
  for (const declared of places) {
    const value = responseValue(page, declared.place)
    // Whether an absent value was there before is decided with the earlier pages.
    if (value === undefined) continue
    if (declared.means === 'next' || declared.means === 'flag') {
      const next = byName(declared.place, value) ?? byCondition(declared, value)
      if (next !== null) nexts.push(next)
    } else {
      const number = counted(declared, value, page)
      if (number !== null) numbers.push(number)
    }
  }
  return { numbers, nexts, previous: [], starts: [] }
}

/** A well-known name outweighs the condition, which may be inverted. */
function byName(place: ResponsePlace, value: unknown): FoundNext | null {
  const meaning = meaningsOf(place.at(-1) ?? '').find(({ kind }) => kind === 'has-more' || kind === 'is-last')
  return meaning === undefined ? null : nextOf(meaning, value, place)
}

function byCondition(declared: Extract<DeclaredPlace, { means: 'next' | 'flag' }>, value: unknown): FoundNext | null {
  return declared.means === 'next' ? nextNamed(value, declared.place, true) : flagged(declared, value)
}

function flagged({ place, value, says }: Extract<DeclaredPlace, { means: 'flag' }>, found: unknown): FoundNext | null {
  const isFlag = typeof value === 'boolean'
  const flag = isFlag ? flagOf(found) : typeof found === 'string' ? found : null
  if (flag === null) return null
  const contrary = says === 'end' ? 'more' : 'end'
  const said = flag === value ? says : contrary
  // The condition alone shows nothing: only a flag that was seen with both values does.
  return {
    place,
    kind: 'flag',
    says: said,
    isNamed: false,
    ...(typeof flag === 'boolean' && { more: flag === (said === 'more') }),
  }
}

type DeclaredNumber = Extract<DeclaredPlace, { position: ResponsePlace | null }>

function counted(
  { place, means, position }: DeclaredNumber,
  value: unknown,
  page: Pick<PageFacts, 'body' | 'headers'>,
) {
  const count = wholeNumber(value)
  if (count === null) return null
  const found = { place, value: count, isDeclared: true as const }
  if (means !== 'pages') return { counts: 'records', plus: 0, isNamed: means === 'records', ...found } as const
  // Compared without an offset, the number of the first page shows whether pages start at 0 or 1.
  const first = position === null ? 1 : wholeNumber(responseValue(page, position))
  return { counts: 'pages', plus: first === 0 ? 1 : 0, isNamed: first === 0 || first === 1, ...found } as const
}
