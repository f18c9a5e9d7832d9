/** Which streams use what is written at a path of one of them. */
import { isObject } from '../../std/values/objects.ts'
import { follow, usersOf } from '../../document/follow.ts'
import { streamsIn } from '../../document/stream-paths.ts'
import type { Path } from '../../document/value-path.ts'

/**
 * The places at which what is written at this path, or in it, is one and the same, one for each stream. A `$ref` alone is
 * this stream's own; the members below it are not.
 */
export function usersSharing(root: unknown, path: Path): readonly Path[] {
  const { value } = follow(root, path)
  const members = isObject(value) ? Object.keys(value).map((key) => [...path, key]) : []
  return [path, ...members]
    .map((one) => usersLike(root, one))
    .reduce((most, users) => (users.length > most.length ? users : most))
}

function usersLike(root: unknown, path: Path): Path[] {
  const { value, writtenAt } = follow(root, path)
  if (value === undefined) return []
  // Substreams reach their parents too, further down: those are no other streams.
  return usersOf(root, writtenAt).filter((user) => user[0] === path[0] && user.length === path.length)
}

export function streamsOfUsers(root: unknown, users: readonly Path[]): string[] {
  return streamsIn(root)
    .filter((stream) => users.some((user) => stream.path.every((key, index) => key === user[index])))
    .map(({ name }) => name)
}

const mostNamed = 6

/** `orders, customers and 3 more`. */
export function listStreamNames(streams: readonly string[]): string {
  const rest = streams.length - mostNamed
  return streams.slice(0, mostNamed).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
