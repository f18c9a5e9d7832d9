/** A value and a path → a copy with another value there, or without it. */
import { isList, isObject } from './objects.ts'
import { setMember } from './set-member.ts'

/** Names and positions: `['streams', 0, 'name']`. */
type ValuePath = readonly (string | number)[]

/** A copy with the value at the path; creates objects and lists on the way. */
export function withValueAt(root: unknown, path: ValuePath, value: unknown): unknown {
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
export function withoutValueAt(root: unknown, path: ValuePath): unknown {
  const [key, ...rest] = path
  if (key === undefined || !(isList(root) || isObject(root)) || !Object.hasOwn(root, key)) return root
  if (rest.length > 0)
    return withValueAt(root, [key], withoutValueAt((root as Record<string | number, unknown>)[key], rest))
  if (isList(root)) return root.toSpliced(Number(key), 1)
  const { [key]: _, ...others } = root
  return others
}
