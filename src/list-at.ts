/** A decoded body and a record path → whether the list of records is there. */
import { followPath } from './follow-path.ts'
import { isList, isObject } from './members.ts'

/**
 * `found`: something is there, an empty list included. `null`: the path exists and holds nothing (`null`, `{}`), as some
 * servers write an empty list; it proves nothing. `missing`: the path does not exist, so this may be another kind of answer.
 */
export type ListState = 'found' | 'null' | 'missing'

/** `isItems`: the body is the list of items that a format such as CSV or JSON Lines consists of. */
export function listAt(body: unknown, path: readonly string[], isItems = false): ListState {
  if (!isList(body)) return stateOf(followPath(body, holderOf(path)))
  // As records are extracted: of a list, the path is followed into each item.
  if (path.length === 0 || isItems) return 'found'
  const states = body.map((item) => stateOf(followPath(item, holderOf(path))))
  return states.find((state) => state === 'found') ?? states[0] ?? 'missing'
}

/** `edges.*.node` is there where `edges` is. */
function holderOf(path: readonly string[]): readonly string[] {
  const star = path.indexOf('*')
  return star === -1 ? path : path.slice(0, star)
}

function stateOf(found: unknown): ListState {
  if (found === undefined) return 'missing'
  if (found === null || found === '' || (isObject(found) && Object.keys(found).length === 0)) return 'null'
  return 'found'
}
