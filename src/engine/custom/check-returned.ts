/** What a custom class returned → the kind of value its role needs, or what is wrong with it. */
import type { Members } from '../../std/values/objects.ts'

/** For synchronous methods. A promise that is not awaited must not end the process when it fails later. */
export function atOnce<T>(given: T): T {
  if (!isThenable(given)) return given
  Promise.resolve(given).catch(() => {})
  throw new TypeError('it gives a promise where a value is needed at once')
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

/** The sentence of every error about a value of the wrong kind. */
export function unfit(given: unknown, what: string): TypeError {
  return new TypeError(`it gives ${describeKind(given)}, not ${what}`)
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
