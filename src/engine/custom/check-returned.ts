/** What a custom class returned → the kind of value its role needs, or what is wrong with it. */
import { Float } from '../../std/json.ts'
import { changeItems, changeMembers } from '../../std/values/change-inside.ts'
import type { Members } from '../../std/values/objects.ts'

/** For synchronous methods. A promise that is not awaited must not end the process when it fails later. */
export function atOnce<T>(given: T): T {
  if (!isThenable(given)) return given
  Promise.resolve(given).catch(() => {})
  throw new TypeError('it returns a promise, and a value is needed at once')
}

/** `what` is what it should be: `the query as an object`. */
export function objectOf(given: unknown, what: string): Members {
  if (isPlain(given)) return given
  throw unfit(given, what)
}

export function givenText(given: unknown, what: string): string {
  if (typeof given === 'string') return given
  throw unfit(given, what)
}

/** A string is no list, although JavaScript iterates over its letters. */
export function givenList<T>(given: unknown, what: string): Iterable<T> {
  if (has(given, Symbol.iterator)) return given as Iterable<T>
  throw unfit(given, what)
}

/** A list, or a generator that waits. */
export function severalOf<T>(given: unknown, what: string): Iterable<T> | AsyncIterable<T> {
  return has(given, Symbol.asyncIterator) ? (given as AsyncIterable<T>) : givenList(given, what)
}

export function recordsAsJson<T>(records: readonly T[]): T[] {
  return records.map((record, index) => recordAsJson(record, index))
}

/**
 * The record as JSON has it: a date is its text, and what JSON cannot hold is an error, since every destination would lose it in
 * its own way.
 *
 * @param index the place of the record on its page
 */
export function recordAsJson<T>(record: T, index: number): T {
  const place: Place = { record: index, names: [], within: [] }
  try {
    return asJson(record, place) as T
  } catch (error) {
    // Nested too deeply to be followed: the destination reports that.
    if (error instanceof RangeError) return record
    throw error
  }
}

/** `names`: the way to the value. `within`: the objects and lists that it is in. */
type Place = { readonly record: number; readonly names: (string | number)[]; readonly within: object[] }

function asJson(value: unknown, place: Place): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw noJson(`a ${typeof value}`, place)
  if (typeof value !== 'object' || value === null || value instanceof Float) return value
  const { names, within } = place
  if (within.includes(value)) throw noJson('an object that contains itself', place)
  within.push(value)
  const inner = (member: unknown, name: string | number) => {
    names.push(name)
    const written = asJson(member, place)
    names.pop()
    return written
  }
  const written = insideAsJson(value, place, inner)
  within.pop()
  return written
}

function insideAsJson(
  value: object,
  place: Place,
  inner: (member: unknown, name: string | number) => unknown,
): unknown {
  if (Array.isArray(value)) return changeItems(value, inner)
  if (value instanceof Date && Number.isNaN(value.getTime())) throw noJson('an invalid date', place)
  if ('toJSON' in value && typeof value.toJSON === 'function') return asJson(value.toJSON(), place)
  // Of a map, a set, a promise or an error JSON would have nothing but `{}`.
  const kind = Object.prototype.toString.call(value)
  if (kind !== '[object Object]') throw noJson(`a ${kind.slice('[object '.length, -1)}`, place)
  return changeMembers(value as Members, inner)
}

function noJson(kind: string, { record, names }: Place): TypeError {
  const where = names.length === 0 ? '' : ` at \`${names.join('.')}\``
  return new TypeError(`record ${record + 1} of the page has ${kind}${where}, which JSON cannot hold`)
}

/** The sentence of every error about a value of the wrong kind. */
export function unfit(given: unknown, what: string): TypeError {
  return new TypeError(`it returns ${describeKind(given)}, not ${what}`)
}

/** In the words of TypeScript, and never the value itself: it may be a secret. */
export function describeKind(given: unknown): string {
  if (given === undefined || given === null) return String(given)
  if (isThenable(given)) return 'a promise'
  if (Array.isArray(given)) return 'a list'
  if (typeof given === 'object') return 'an object'
  if (typeof given === 'string') return 'a string'
  return Number.isNaN(given) ? 'NaN' : `a ${typeof given}`
}

function has(given: unknown, symbol: symbol): boolean {
  return typeof given === 'object' && given !== null && symbol in given
}

function isPlain(given: unknown): given is Members {
  return typeof given === 'object' && given !== null && !Array.isArray(given) && !isThenable(given)
}

export function isThenable(given: unknown): given is PromiseLike<unknown> {
  return typeof given === 'object' && given !== null && 'then' in given && typeof given.then === 'function'
}
