/** One envelope → its claims: how many records there are, and whether another page follows. */
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { type NameMeaning, meaningsOf, pageNumberIn, speaksOfPages, isThing } from '../names/claim-names.ts'
import { type Envelope, linkList } from './envelopes.ts'
import { flagOf, type ResponsePlace, wholeNumber } from './response-place.ts'
import { isNameOf } from '../names/paging-names.ts'

export type PositionClaim = {
  readonly place: ResponsePlace
  readonly counts: 'records' | 'pages'
  readonly first: number
  /** Whether it changes from page to page: one that never does is a setting. */
  readonly isMoving: boolean
  /** The page, from 1, that is not where the one before it ended; null while there is none. */
  readonly gap: number | null
}

export type FoundNumber = {
  readonly counts: 'records' | 'pages'
  readonly place: ResponsePlace
  readonly value: number
  /** Added to the value: where pages start at 0, the number of the last page is one less than their count. */
  readonly plus: number
  /** Whether its name says what it counts; otherwise it may be the size of the page. */
  readonly isNamed: boolean
  /** The manifest itself ends its read by it. */
  readonly isDeclared?: true
}

export type FoundNext = {
  readonly place: ResponsePlace
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
  readonly previous: ResponsePlace[]
  /** Where it says that there is none before it. */
  readonly starts: ResponsePlace[]
  /** Where it says which page it is. */
  readonly position?: PositionClaim | null
}

/** Reads each name by its usual meaning and the type of its value. */
export function claimsIn(
  { place, members, mayBeThing, hasOtherLists }: Envelope,
  meaningsFor: (name: string) => readonly NameMeaning[] = meaningsOf,
): Found {
  const found: Found = { numbers: [], nexts: [], previous: [], starts: [] }
  for (const name of Object.keys(members)) {
    const value = members[name]
    const at: ResponsePlace = [...place, name]
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

function numberOf(
  { kind, clarity }: NameMeaning,
  value: unknown,
  place: ResponsePlace,
  members: Members,
): FoundNumber | null {
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
      // The number of the last page is a count only where pages are known to start at 0 or 1.
      const first = wholeNumber(pageNumberIn(members))
      if (count === null || (first !== 0 && first !== 1)) return null
      return { counts: 'pages', place, value: count, plus: 1 - first, isNamed: true }
    }
    default:
      return null
  }
}

/** Elasticsearch: `{ value: 57, relation: 'eq' }`. Any other relation says "at least", which is no total. */
function exactHits({ value, relation }: Members, place: ResponsePlace): readonly [number | null, ResponsePlace] {
  return [relation === 'eq' ? wholeNumber(value) : null, [...place, 'value']]
}

export function nextOf({ kind }: NameMeaning, value: unknown, place: ResponsePlace): FoundNext | null {
  switch (kind) {
    case 'has-more':
    case 'is-last': {
      const flag = flagOf(value)
      if (flag === null) return null
      const more = kind === 'has-more'
      return { place, kind: 'flag', says: flag === more ? 'more' : 'end', isNamed: true, more }
    }
    case 'next':
    case 'previous':
      return nextNamed(value, place)
    default:
      return null
  }
}

/** `isDeclared`: the manifest reads its next page here, so the value cannot mean anything else. */
export function nextNamed(value: unknown, place: ResponsePlace, isDeclared = false): FoundNext | null {
  const isNamed = !isDeclared || isNextName(place)
  if (typeof value === 'boolean') return { place, kind: 'flag', says: value ? 'more' : 'end', isNamed, more: true }
  // `{ href: … }`, `{ url: … }`, `{ after: … }`; but not a thing, such as the next event.
  if (isList(value) || (isObject(value) && isThing(value) && !isDeclared)) return null
  const target = isObject(value) ? targetIn(value) : value
  // Null and an empty string are 0, too.
  if (Number(target) === 0) return { place, kind: 'token', says: 'end', isNamed }
  // The next payment, the next run: a date is no page.
  if (!isDeclared && typeof target === 'string' && /^\d{4}-\d\d-\d\d/.test(target)) return null
  return { place, kind: isLink(target) ? 'link' : 'token', says: 'more', isNamed }
}

/** `{ href: … }`, `{ after: … }`, `{ params: { limit: 100, cursor: … } }` → what leads to the next page; null where nothing does. */
function targetIn(members: Members, depth = 0): unknown {
  const links = linkNames.filter((name) => Object.hasOwn(members, name)).map((name) => members[name])
  if (links.length > 0) return links.find((link) => link !== null) ?? null
  const names = Object.keys(members)
  const name = names.find((one) => isNameOf('cursor', one) && !isNameOf('size', one)) ?? names[0]
  const found = name === undefined ? null : members[name]
  // Some APIs keep the holder on their last page and drop what it held.
  return isObject(found) && depth < deepest ? targetIn(found, depth + 1) : (found ?? null)
}

const deepest = 3
const linkNames = ['href', 'url', 'uri']

/** `links.next`, `_links.next.href`, `paging.next.after` */
function isNextName([, ...names]: ResponsePlace): boolean {
  return names.slice(-2).some((name) => name === 'next' || meaningsOf(name).some(({ kind }) => kind === 'next'))
}

function nextAmong(links: readonly unknown[], place: ResponsePlace): FoundNext[] {
  const next = links.find((link) => isObject(link) && link.rel === 'next')
  const found = isObject(next) ? nextNamed(next, [...place, 'next']) : null
  return found === null ? [] : [found]
}

function isLink(target: unknown): boolean {
  return typeof target === 'string' && /^(https?:|[/?])/i.test(target)
}
