/** Paths into plain values: reads a value, and returns a copy with one changed. */
import { isObject, type TreeObject, setMember } from '../engine/manifest/tree.ts'
import { Float, LongDecimal } from '../std/json.ts'

export { valueAt } from '../std/values/get-at.ts'
export { withoutValueAt, withValueAt } from '../std/values/set-at.ts'

/** Deep equality. Shared parts are not compared, so large documents compare fast. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (one instanceof Float && other instanceof Float) return sameFloat(one, other)
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((item, at) => isSame(item, other[at]))
  }
  if (!isObject(one) || !isObject(other)) return typeof one === 'number' && one === other
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
}

function sameFloat(one: Float, other: Float): boolean {
  if (one instanceof LongDecimal && other instanceof LongDecimal) return one.digits === other.digits
  return one.value === other.value
}

/** The value as a manifest can hold it: without members that are undefined. */
export function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : withoutUndefined(item)))
  if (!isObject(value)) return value
  const kept: TreeObject = {}
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) setMember(kept, name, withoutUndefined(member))
  }
  return kept
}

/** Names and positions from the top of a manifest: `['streams', 0, 'name']`. */
export type Path = readonly (string | number)[]

export function pointerOf(path: Path): string {
  let pointer = ''
  for (const part of path) pointer += `/${typeof part === 'string' ? escaped(part) : part}`
  return pointer
}

/** Hardly any key needs it, and thousands of paths are written at each key press. */
function escaped(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

/** The reverse of `pointerOf`; digits become a position. */
export function pathOf(pointer: string): Path {
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))
}
