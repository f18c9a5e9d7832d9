/** Values that no seam of the engine fixes (a nonce, a signature with chance in it): found by replaying twice, then not compared. */
import { stringifyJson } from '../std/json.ts'
import { isList, isObject } from '../std/values/objects.ts'

/** In the place of a value that differs from read to read. */
export const variesMark = '(varies)'

/** In the place of a value that holds a secret and cannot have a placeholder. */
export const hiddenMark = '(hidden)'

/** Two results of the same work → one of them, with a mark where they differ. */
export function markVarying(one: unknown, other: unknown): unknown {
  if (isList(one) && isList(other) && one.length === other.length)
    return one.map((member, index) => markVarying(member, other[index]))
  if (isObject(one) && isObject(other) && sameNames(one, other))
    return Object.fromEntries(Object.entries(one).map(([key, member]) => [key, markVarying(member, other[key])]))
  return stringifyJson(one) === stringifyJson(other) ? one : variesMark
}

function sameNames(one: object, other: object): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => Object.hasOwn(other, name))
}

/** Whether a value is as expected; a marked one may be anything. */
export function isAsExpected(expected: unknown, actual: unknown): boolean {
  if (expected === variesMark || expected === hiddenMark) return actual !== undefined
  if (isList(expected) && isList(actual))
    return expected.length === actual.length && expected.every((one, index) => isAsExpected(one, actual[index]))
  if (isObject(expected) && isObject(actual))
    return sameNames(expected, actual) && Object.entries(expected).every(([key, one]) => isAsExpected(one, actual[key]))
  return stringifyJson(expected) === stringifyJson(actual)
}

export function holdsMark(value: unknown): boolean {
  if (isList(value)) return value.some(holdsMark)
  if (isObject(value)) return Object.values(value).some(holdsMark)
  return value === variesMark || value === hiddenMark
}

/** The new value, with the marks of the old one where it still has that place. */
export function keepMarks<T>(marked: unknown, value: T): T {
  return kept(marked, value) as T
}

function kept(marked: unknown, value: unknown): unknown {
  if ((marked === variesMark || marked === hiddenMark) && value !== undefined) return marked
  if (isList(marked) && isList(value)) return value.map((member, index) => kept(marked[index], member))
  if (!isObject(marked) || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, kept(marked[key], member)]))
}
