/** Reads and sets values at a path, also in incomplete values. */
import { isObject } from '../../std/values/objects.ts'

export type Path = readonly (string | number)[]

/** Removes a member instead of setting it. */
export const absent = Symbol('absent')

/** Copies only what is on the path; values that are in the way are replaced. */
export function withValueAt(holder: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  // There is nothing to remove.
  if (
    value === absent &&
    (typeof holder !== 'object' || holder === null || (Array.isArray(holder) && typeof key === 'string'))
  )
    return holder
  if (typeof key === 'number') return withItemAt(holder, key, rest, value)
  const members: Record<string, unknown> = isObject(holder) ? { ...holder } : {}
  if (rest.length === 0 && value === absent) delete members[key]
  else members[key] = withValueAt(members[key], rest, value)
  return members
}

function withItemAt(holder: unknown, index: number, rest: Path, value: unknown): unknown[] {
  const items: unknown[] = Array.isArray(holder) ? [...holder] : []
  const at = index < 0 ? Math.max(0, items.length + index) : index
  while (items.length < at) items.push({})
  if (rest.length === 0 && value === absent) items.splice(at, 1)
  else items[at] = withValueAt(items[at], rest, value)
  return items
}

/** The value at a path; undefined where there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((holder, key) => {
    if (typeof holder !== 'object' || holder === null) return undefined
    const at = typeof key === 'number' && key < 0 ? (holder as unknown[]).length + key : key
    return (holder as Record<string | number, unknown>)[at]
  }, value)
}
