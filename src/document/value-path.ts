/** Paths into plain values: reads a value, and returns a copy with one changed. */
import { isNode, isObject, type JsonObject, setMember } from '../engine/manifest/tree.ts'
import { Float, LongDecimal } from '../std/json.ts'

/** The value at the path; undefined where there is none. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root
  for (const key of path) {
    if (!isNode(value) || !Object.hasOwn(value, key)) return undefined
    value = (value as JsonObject)[key]
  }
  return value
}

/** A copy with the value at the path; creates objects and lists on the way. */
export function withValueAt(root: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (Array.isArray(root) || (!isObject(root) && typeof key === 'number')) {
    const list: unknown[] = Array.isArray(root) ? [...root] : []
    const index = Math.min(Number(key), list.length)
    list[index] = withValueAt(list[index], rest, value)
    return list
  }
  const object = isObject(root) ? { ...root } : {}
  const before = Object.hasOwn(object, key) ? object[key] : undefined
  setMember(object, String(key), withValueAt(before, rest, value))
  return object
}

/** A copy without the value at the path; the value itself where there is none. */
export function withoutValueAt(root: unknown, path: Path): unknown {
  const [key, ...rest] = path
  if (key === undefined || !isNode(root) || !Object.hasOwn(root, key)) return root
  if (rest.length > 0) return withValueAt(root, [key], withoutValueAt((root as JsonObject)[key], rest))
  if (Array.isArray(root)) return root.toSpliced(Number(key), 1)
  const { [key]: _, ...others } = root
  return others
}

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
  const kept: JsonObject = {}
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) setMember(kept, name, withoutUndefined(member))
  }
  return kept
}

/** Names and positions from the top of a manifest: `['streams', 0, 'name']`. */
export type Path = readonly (string | number)[]

export function pointerOf(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The reverse of `pointerOf`; digits become a position. */
export function pathOf(pointer: string): Path {
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))
}
