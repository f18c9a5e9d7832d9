/** A copy of a value with another put at a path, objects and lists on the way made where they are missing. */
import { describeValue } from '../template/text.ts'
import { isList, isObject } from '../../std/values/objects.ts'

/** `refuse` makes the error for a path that something stands in the way of. Lists are padded with null. */
export function setAt(
  target: unknown,
  path: readonly string[],
  value: unknown,
  refuse: (reason: string) => Error,
): unknown {
  return set(target, 0)

  function set(held: unknown, depth: number): unknown {
    const name = path[depth]
    if (name === undefined) return value
    if (isList(held)) {
      const index = positionOf(name, refuse)
      const padding = Array.from({ length: Math.max(0, index + 1 - held.length) }, () => null)
      return [...held, ...padding].with(index, set(index < held.length ? held[index] : missing(depth + 1), depth + 1))
    }
    if (!isObject(held)) throw refuse(`\`${path.slice(0, depth).join('.')}\` holds ${describeValue(held)}`)
    return { ...held, [name]: set(Object.hasOwn(held, name) ? held[name] : missing(depth + 1), depth + 1) }
  }

  /** What is made where the path leads on and nothing stands: a list for a number, else an object. */
  function missing(depth: number): unknown {
    return isPosition(path[depth]) ? [] : {}
  }
}

function isPosition(name: string | undefined): boolean {
  return name !== undefined && /^\d+$/.test(name)
}

/** Nobody means to pad a list with more nulls than this. */
const maxPosition = 10_000

function positionOf(name: string, refuse: (reason: string) => Error): number {
  if (isPosition(name) && Number(name) <= maxPosition) return Number(name)
  throw refuse(`\`${name}\` is no position in a list`)
}
