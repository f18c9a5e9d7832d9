/** One answer → what it says about how many records there are, and whether another page follows. */
import { Float } from '../json.ts'
import { isList, isObject, type Members } from '../members.ts'
import {
  isEnvelope,
  isLooseEnvelope,
  isThing,
  type Meaning,
  meaningsOf,
  pageNumberIn,
  speaksOfPages,
} from './claim-names.ts'

/** Where something was found: `['body', 'meta', 'total']`, `['header', 'x-total-count']`. */
export type Place = readonly [from: 'body' | 'header', ...names: string[]]

export type FoundNumber = {
  readonly counts: 'records' | 'pages'
  readonly place: Place
  readonly value: number
  /** To be added to the value: the number of the last page is one less than their count where the first is 0. */
  readonly plus: number
  /** Whether its name says what it counts; otherwise it may be the size of the page. */
  readonly isNamed: boolean
}

export type FoundNext = {
  readonly place: Place
  readonly kind: 'flag' | 'link' | 'token'
  readonly says: 'more' | 'end'
}

export type Found = {
  readonly numbers: FoundNumber[]
  readonly nexts: FoundNext[]
  /** Where pages before this one are named. */
  readonly previous: Place[]
}

export type Envelope = {
  readonly place: Place
  readonly members: Members
  /** May be a thing itself, such as the invoice around its lines: only names that are clear count. */
  readonly mayBeThing: boolean
  /** Holds other lists too, which its numbers may count. */
  readonly hasOtherLists: boolean
}

/** An object with more members is a map of records, whatever it is called. */
const mostMembers = 100

/** How deep envelopes lie in each other: `meta.pagination.total`, `_links.next.href`. */
const deepest = 2

/**
 * The objects around the records, and those beside them that speak about pages. Records themselves are never looked
 * into: a field of theirs may have any name. `recordPath` is null where only the connector's own class knows it.
 */
export function envelopesIn(body: unknown, recordPath: readonly string[] | null): Envelope[] {
  const found: Envelope[] = []
  // The body is the record, or holds nothing but records.
  if (recordPath?.length === 0) return found
  const visit = (value: unknown, place: Place, depth: number, inner: string | undefined) => {
    if (!isObject(value) || Object.keys(value).length > mostMembers) return
    const isLoose = depth > 0 && isLooseEnvelope(place.at(-1) ?? '') && !speaksOfPages(value)
    const hasOtherLists = Object.keys(value).some((name) => name !== inner && isListOfThings(value[name], name))
    found.push({ place, members: value, mayBeThing: isLoose || isThing(value), hasOtherLists })
    if (depth >= deepest) return
    for (const name of Object.keys(value)) {
      if (name !== inner && isEnvelope(name)) visit(value[name], [...place, name], depth + 1, undefined)
    }
  }
  let around: unknown = body
  const outer: Place = ['body']
  const walked: string[] = []
  for (const name of recordPath ?? ['']) {
    if (name === '*' || !isObject(around)) break
    visit(around, [...outer, ...walked], 0, name)
    walked.push(name)
    around = Object.hasOwn(around, name) ? around[name] : undefined
  }
  return found
}

function isListOfThings(value: unknown, name: string): boolean {
  return isList(value) && isObject(value[0]) && !linkList.test(name)
}

const linkList = /^_?links?$/i

/** What one envelope says, each name by its usual meaning and the type of its value. */
export function claimsIn(
  { place, members, mayBeThing, hasOtherLists }: Envelope,
  meaningsFor: (name: string) => readonly Meaning[] = meaningsOf,
): Found {
  const found: Found = { numbers: [], nexts: [], previous: [] }
  for (const name of Object.keys(members)) {
    const value = members[name]
    const at: Place = [...place, name]
    for (const meaning of meaningsFor(name)) {
      if (mayBeThing && meaning.clarity !== 'clear') continue
      const number = hasOtherLists ? null : numberOf(meaning, value, at, members)
      if (number !== null) found.numbers.push(number)
      const next = nextOf(meaning, value, at)
      if (next !== null && meaning.kind !== 'previous') found.nexts.push(next)
      if (next?.says === 'more' && meaning.kind === 'previous') found.previous.push(at)
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

function nextOf({ kind }: Meaning, value: unknown, place: Place): FoundNext | null {
  switch (kind) {
    case 'has-more':
    case 'is-last': {
      const flag = flagOf(value)
      return flag === null ? null : { place, kind: 'flag', says: flag === (kind === 'has-more') ? 'more' : 'end' }
    }
    case 'next':
    case 'previous':
      return nextNamed(value, place)
    default:
      return null
  }
}

function nextNamed(value: unknown, place: Place): FoundNext | null {
  if (typeof value === 'boolean') return { place, kind: 'flag', says: value ? 'more' : 'end' }
  // `{ href: … }`, `{ url: … }`, `{ after: … }`; but not a thing, such as the next event.
  if (isList(value) || (isObject(value) && isThing(value))) return null
  const target = isObject(value) ? (value.href ?? value.url ?? value.uri ?? Object.values(value)[0] ?? null) : value
  if (target === null || target === '' || Number(target) === 0) return { place, kind: 'token', says: 'end' }
  return { place, kind: isLink(target) ? 'link' : 'token', says: 'more' }
}

function nextAmong(links: readonly unknown[], place: Place): FoundNext[] {
  const next = links.find((link) => isObject(link) && link.rel === 'next')
  const found = isObject(next) ? nextNamed(next, [...place, 'next']) : null
  return found === null ? [] : [found]
}

function isLink(target: unknown): boolean {
  return typeof target === 'string' && /^(https?:|[/?])/i.test(target)
}

function flagOf(value: unknown): boolean | null {
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : null
}

/** Digits in quotes count: BigQuery and every header write them so. Sums of money and `-1` for "unknown" do not. */
export function wholeNumber(value: unknown): number | null {
  if (typeof value === 'string') return /^\d{1,15}$/.test(value) ? Number(value) : null
  const number = value instanceof Float ? value.value : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}
