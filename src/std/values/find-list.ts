/** A decoded body and a record path → whether the list of records is there. */
import { followPath } from './get-at.ts'
import { isList, isObject } from './objects.ts'

/**
 * `found`: something is there, an empty list included. `null`: the path exists and holds nothing (`null`, `{}`), as some
 * servers write an empty list; it proves nothing. `missing`: the path does not exist, so this may be another kind of response.
 */
export type ListState = 'found' | 'null' | 'missing'

export type BodyKind = {
  /** The body is the list of items that a format such as CSV or JSON Lines consists of. */
  readonly isItems?: boolean
  /** XML writes an empty list as an element without members. */
  readonly isXml?: boolean
}

export function listAt(body: unknown, path: readonly string[], kind: BodyKind = {}): ListState {
  if (!isList(body)) return stateAt(body, path, kind)
  // As records are extracted: of a list, the path is followed into each item.
  if (path.length === 0 || kind.isItems) return 'found'
  const states = body.map((item) => stateAt(item, path, kind))
  return states.find((state) => state === 'found') ?? states[0] ?? 'missing'
}

function stateAt(body: unknown, path: readonly string[], { isXml = false }: BodyKind): ListState {
  const star = path.indexOf('*')
  const holder = followPath(body, star === -1 ? path : path.slice(0, star))
  const state = stateOf(holder)
  if (state === 'missing' && isXml && isEmptyElement(body, path)) return 'null'
  if (star === -1 || state !== 'found') return state
  // A text has no members to look into.
  if (!isList(holder) && !isObject(holder)) return 'missing'
  if (memberCount(holder) === 0) return state
  // `edges.*.node` is not there where edges have no node.
  return memberCount(followPath(body, path)) === 0 ? 'missing' : 'found'
}

function stateOf(found: unknown): ListState {
  if (found === null || found === '' || (isObject(found) && Object.keys(found).length === 0)) return 'null'
  // A text or a number that is there is for the extractor to refuse; a false or a zero would pass for nothing.
  return found === undefined || found === false || found === 0 ? 'missing' : 'found'
}

/** Whether the path ends at an element that is there and has no members: `<items></items>`. */
function isEmptyElement(body: unknown, path: readonly string[]): boolean {
  return path.some((_, index) => index > 0 && stateOf(followPath(body, path.slice(0, index))) === 'null')
}

export function memberCount(value: unknown): number {
  return isList(value) ? value.length : isObject(value) ? Object.keys(value).length : 0
}
