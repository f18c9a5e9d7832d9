/** Sets or removes the value at a path of an incomplete value. */
import { isObject } from '../../std/values/objects.ts'

export type MirrorPath = readonly (string | number)[]

/** Removes a member instead of setting it. */
export const absent = Symbol('absent')

/** Copies only what is on the path; values that are in the way are replaced. */
export function putValue(holder: unknown, path: MirrorPath, value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  // There is nothing to remove.
  if (
    value === absent &&
    (typeof holder !== 'object' || holder === null || (Array.isArray(holder) && typeof key === 'string'))
  )
    return holder
  if (typeof key === 'number') return putItem(holder, key, rest, value)
  const members: Record<string, unknown> = isObject(holder) ? { ...holder } : {}
  if (rest.length === 0 && value === absent) delete members[key]
  else members[key] = putValue(members[key], rest, value)
  return members
}

function putItem(holder: unknown, index: number, rest: MirrorPath, value: unknown): unknown[] {
  const items: unknown[] = Array.isArray(holder) ? [...holder] : []
  const at = index < 0 ? Math.max(0, items.length + index) : index
  while (items.length < at) items.push({})
  if (rest.length === 0 && value === absent) items.splice(at, 1)
  else items[at] = putValue(items[at], rest, value)
  return items
}
