/** What a component has without saying so: `$parameters` of what it is part of fill in the names it leaves out. */
import { isObject } from '../std/values/objects.ts'
import { follow } from './follow.ts'
import type { Path } from './path.ts'

/** The nearest parameter of that name; undefined where there is none, or where the place says it itself. */
export function inheritedAt(root: unknown, path: Path): unknown {
  const key = String(path.at(-1))
  if (follow(root, path).value !== undefined) return undefined
  for (let length = path.length - 1; length > 0; length--) {
    const { value } = follow(root, [...path.slice(0, length), '$parameters'])
    if (isObject(value) && Object.hasOwn(value, key)) return value[key]
  }
  return undefined
}
