/** One envelope → what it says about how many records there are, and whether another page follows. */
import { Float } from '../../std/json.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { type Meaning, meaningsOf, pageNumberIn, speaksOfPages } from './claim-names.ts'
import { type Envelope, linkList } from './envelopes.ts'
import { nextAmong, nextOf } from './next-claim.ts'
import type { Place } from './response-place.ts'
import type { PositionClaim } from './positions.ts'

export type FoundNumber = {
  readonly counts: 'records' | 'pages'
  readonly place: Place
  readonly value: number
  /** To be added to the value: the number of the last page is one less than their count where the first is 0. */
  readonly plus: number
  /** Whether its name says what it counts; otherwise it may be the size of the page. */
  readonly isNamed: boolean
  /** The manifest itself ends its walk by it. */
  readonly isOwn?: true
}

export type FoundNext = {
  readonly place: Place
  readonly kind: 'flag' | 'link' | 'token'
  readonly says: 'more' | 'end'
  /** Whether its name says what it means; otherwise only the manifest says so. */
  readonly isNamed: boolean
  /** Of a flag: the value that means "more". */
  readonly more?: boolean
}

export type Found = {
  readonly numbers: FoundNumber[]
  readonly nexts: FoundNext[]
  /** Where pages before this one are named. */
  readonly previous: Place[]
  /** Where it says that there is none before it. */
  readonly starts: Place[]
  /** Where it says which page it is. */
  readonly position?: PositionClaim | null
}

/** What one envelope says, each name by its usual meaning and the type of its value. */
export function claimsIn(
  { place, members, mayBeThing, hasOtherLists }: Envelope,
  meaningsFor: (name: string) => readonly Meaning[] = meaningsOf,
): Found {
  const found: Found = { numbers: [], nexts: [], previous: [], starts: [] }
  for (const name of Object.keys(members)) {
    const value = members[name]
    const at: Place = [...place, name]
    for (const meaning of meaningsFor(name)) {
      if (mayBeThing && meaning.clarity !== 'clear') continue
      const number = hasOtherLists ? null : numberOf(meaning, value, at, members)
      if (number !== null) found.numbers.push(number)
      const next = nextOf(meaning, value, at)
      if (next !== null && meaning.kind !== 'previous') found.nexts.push(next)
      if (next !== null && meaning.kind === 'previous') found[next.says === 'more' ? 'previous' : 'starts'].push(at)
    }
    // `links: [{ rel: 'next', href: … }]`
    if (isList(value) && linkList.test(name)) found.nexts.push(...nextAmong(value, at))
  }
  return found
}

function numberOf({ kind, clarity }: Meaning, value: unknown, place: Place, members: Members): FoundNumber | null {
  switch (kind) {
    case 'total': {
      const [count, at] = isObject(value) ? exactHits(value, place) : [wholeNumber(value), place]
      if (count === null || (clarity === 'vague' && !speaksOfPages(members))) return null
      return { counts: 'records', place: at, value: count, plus: 0, isNamed: clarity !== 'vague' }
    }
    case 'pages': {
      const count = wholeNumber(value)
      if (count === null || (clarity === 'vague' && !speaksOfPages(members))) return null
      return { counts: 'pages', place, value: count, plus: 0, isNamed: true }
    }
    case 'last-page': {
      const count = wholeNumber(value)
      // Only a page that says which it is tells what the number of the last one means.
      const first = wholeNumber(pageNumberIn(members))
      if (count === null || (first !== 0 && first !== 1)) return null
      return { counts: 'pages', place, value: count, plus: 1 - first, isNamed: true }
    }
    default:
      return null
  }
}

/** Elasticsearch: `{ value: 57, relation: 'eq' }`. Any other relation says "at least", which is no total. */
function exactHits({ value, relation }: Members, place: Place): readonly [number | null, Place] {
  return [relation === 'eq' ? wholeNumber(value) : null, [...place, 'value']]
}

/** Digits in quotes count: BigQuery and every header write them so. Sums of money and `-1` for "unknown" do not. */
export function wholeNumber(value: unknown): number | null {
  if (typeof value === 'string') return /^\d{1,15}$/.test(value) ? Number(value) : null
  const number = value instanceof Float ? value.value : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}
