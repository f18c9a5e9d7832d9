/** A value → the same with the members of every object by name: equal values then have equal texts. */
import { isList, isObject } from './objects.ts'

/** The order of members means nothing; that of a list does. */
export function sortedMembers(value: unknown): unknown {
  if (isList(value)) return value.map(sortedMembers)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sortedMembers(value[name])]),
  )
}
