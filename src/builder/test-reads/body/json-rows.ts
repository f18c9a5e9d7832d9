/** A JSON value → the open rows of its tree, and the path of each. */
import { stringifyJson } from '../../../std/json.ts'
import { isPlainObject } from '../../../std/values/objects.ts'
import { type Path, pointerOf } from '../../../document/value-path.ts'
import type { TreeRow } from '../tree/tree-keys.ts'

export type JsonKind = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'

export type JsonRow = TreeRow & {
  readonly path: Path
  /** The last part of the path; null for the whole. */
  readonly name: string | number | null
  readonly value: unknown
  readonly kind: JsonKind
}

/** Deep enough to see what there is, short enough to see it at once. */
const opensTo = 2
const opensUpTo = 50
/** A longer list or object would hide what comes after it: totals and links are often there. */
const opensBeforeOthers = { array: 3, object: 10 }

/** @param turned places that were opened although they start folded, and the other way round. */
export function jsonRows(root: unknown, turned: ReadonlySet<string>): JsonRow[] {
  const rows: JsonRow[] = []
  const visit = (value: unknown, path: Path, level: number, isLast: boolean): void => {
    const kind = jsonKind(value)
    const members = jsonMembers(value)
    const id = pointerOf(path)
    const most = isLast ? opensUpTo : opensBeforeOthers[kind === 'array' ? 'array' : 'object']
    const startsOpen = level === 1 || (level <= opensTo && members.length <= most)
    const isOpen = members.length === 0 ? null : startsOpen !== turned.has(id)
    rows.push({ id, level, isOpen, path, name: path.at(-1) ?? null, value, kind })
    if (isOpen !== true) return
    members.forEach(([name, member], index) => visit(member, [...path, name], level + 1, index === members.length - 1))
  }
  visit(root, [], 1, true)
  return rows
}

/** Pointers of what has the text in its name or its value, in the order of the tree. */
export function findInJson(root: unknown, text: string, most = 1000): string[] {
  const wanted = text.toLowerCase()
  const found: string[] = []
  const visit = (value: unknown, path: Path): void => {
    if (found.length >= most) return
    const members = jsonMembers(value)
    const isHere =
      (path.length > 0 && String(path.at(-1)).toLowerCase().includes(wanted)) ||
      (members.length === 0 && leafText(value).toLowerCase().includes(wanted))
    if (isHere) found.push(pointerOf(path))
    for (const [name, member] of members) visit(member, [...path, name])
  }
  if (wanted !== '') visit(root, [])
  return found
}

/** What must be turned so that a place is seen. */
export function openedTo(root: unknown, turned: ReadonlySet<string>, pointer: string): ReadonlySet<string> {
  const opened = new Set(turned)
  for (;;) {
    const rows = jsonRows(root, opened)
    const folded = rows.find(({ id, isOpen }) => isOpen === false && pointer.startsWith(`${id}/`))
    if (folded === undefined) return opened
    if (!opened.delete(folded.id)) opened.add(folded.id)
  }
}

export function jsonKind(value: unknown): JsonKind {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) return 'integer'
  // Floats and long decimals are objects, so that none of their digits is lost.
  return isNumberLike(value) ? 'number' : 'object'
}

function isNumberLike(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'object' && value !== null && !isPlainObject(value))
}

export function jsonMembers(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((member: unknown, index) => [index, member] as const)
  return jsonKind(value) === 'object' ? Object.entries(value as object) : []
}

/** Every digit of a number; strings with their quotes, so that `"7"` is not `7`. */
export function leafText(value: unknown): string {
  return stringifyJson(value ?? null)
}
