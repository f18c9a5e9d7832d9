/** Changes to the resolved manifest, as edits of the text: made where the value is written. */
import { isObject, type TreeObject } from '../engine/manifest/tree.ts'
import { insertItem, moveItem, removeIn, setIn } from './edit.ts'
import {
  referenceTarget,
  belongsTo,
  follow,
  isOnlyReference,
  memberSpot,
  type Spot,
  usersOf,
  writtenTarget,
} from './follow.ts'
import { openDocument } from './open-document.ts'
import { isSame, type Path, valueAt } from './value-path.ts'
import { hasReference, resolveIn } from './references.ts'

/** Writes only what differs, each part in place, so that references to unchanged parts stay. */
export function setResolved(text: string, path: Path, value: unknown): string {
  const root = openDocument(text).value
  const { value: before, writtenAt } = follow(root, path)
  if (isSame(before, value)) return text
  if (isObject(before) && isObject(value)) return setMembers(text, path, before, value)
  if (!Array.isArray(before) || !Array.isArray(value)) return setIn(text, writtenAt, value)
  if (before.length === value.length) {
    return value.reduce<string>((now, item, index) => setResolved(now, [...path, index], item), text)
  }
  const written = valueAt(root, writtenAt)
  const asWritten = (item: unknown) => {
    const index = before.findIndex((one) => isSame(one, item))
    return index >= 0 && Array.isArray(written) ? (written[index] as unknown) : item
  }
  return setIn(text, writtenAt, value.map(asWritten))
}

function setMembers(text: string, path: Path, before: TreeObject, after: TreeObject): string {
  let now = text
  for (const [key, value] of Object.entries(after)) {
    if (value !== undefined) now = setResolved(now, [...path, key], value)
  }
  for (const key of Object.keys(before)) if (after[key] === undefined) now = removeResolved(now, [...path, key])
  return now
}

/**
 * Removes the member itself, not what it refers to. Where a `$ref` would bring in again what the member overrode,
 * null overrides it: other references are not affected.
 */
export function removeResolved(text: string, path: Path): string {
  const holder = spotOf(openDocument(text).value, path.slice(0, -1))
  const member = holder && memberSpot(openDocument(text).value, holder, path.at(-1) ?? '')
  if (member === null) return text
  const removed = removeIn(text, member.at)
  const uncovered = follow(openDocument(removed).value, path).value
  return uncovered === undefined || typeof path.at(-1) === 'number' ? removed : setIn(text, member.at, null)
}

/**
 * Makes the value at this path independent of other references: what they also use is copied here, and only that. A member
 * that a shared `$ref` brings in is written next to the `$ref`, where it takes precedence.
 */
export function detach(text: string, path: Path): string {
  let now = text
  for (let length = 1; length <= path.length; length++)
    now = detachStep(now, path.slice(0, length), length === path.length)
  return now
}

function detachStep(text: string, path: Path, isLast: boolean): string {
  const root = openDocument(text).value
  const holder = spotOf(root, path.slice(0, -1))
  const key = path.at(-1) as string | number
  const member = holder && memberSpot(root, holder, key)
  if (holder === null || member === null) return text
  const isInherited = member.through.length > holder.through.length
  if (isInherited) {
    if (usersOf(root, member.at).length <= usersOf(root, holder.at).length) return text
    return detachStep(setIn(text, [...holder.at, key], valueAt(root, member.at)), path, isLast)
  }
  const target = referenceTarget(root, member)
  if (target === null || belongsTo(root, target.at, member.at)) return text
  const takesMembers = hasReference(valueAt(root, member.at)) && isObject(resolveIn(root, valueAt(root, target.at)))
  if (!isLast && takesMembers) return text
  return setIn(text, member.at, writtenTarget(root, member))
}

/** Where the path is written, also in another place; null where it is not written. */
function spotOf(root: unknown, path: Path): Spot | null {
  let spot: Spot | null = { at: [], through: [] }
  for (const key of path) {
    spot = spot && memberSpot(root, spot, key)
    for (let hops = 0; spot !== null && hops < mostHops && isElsewhere(root, spot); hops++)
      spot = referenceTarget(root, spot)
  }
  return spot
}

/** Ends circles of references. */
const mostHops = 32

function isElsewhere(root: unknown, spot: Spot): boolean {
  const target = isOnlyReference(valueAt(root, spot.at)) ? referenceTarget(root, spot) : null
  return target !== null && belongsTo(root, target.at, spot.at)
}

/** Undefined removes the value. */
export type Change = { readonly at: Path; readonly value: unknown }

export function applyChanges(text: string, changes: readonly Change[]): string {
  return changes.reduce(
    (changed, { at, value }) => (value === undefined ? removeResolved(changed, at) : setResolved(changed, at, value)),
    text,
  )
}

/** The changes that turn one value into another, key by key, so that everything else stays as written. */
export function changesBetween(at: Path, before: unknown, after: unknown): Change[] {
  if (isSame(before, after)) return []
  if (!isObject(before) || !isObject(after)) return [{ at, value: after }]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => changesBetween([...at, key], before[key], after[key]))
}

/** Appends; creates the list if needed. */
export function appendResolved(text: string, at: Path, item: unknown): string {
  const { value, writtenAt } = follow(openDocument(text).value, at)
  return Array.isArray(value) ? insertItem(text, writtenAt, value.length, item) : setResolved(text, at, [item])
}

/** Removes the list with its last item, unless its key is required. */
export function removeItemResolved(text: string, at: Path, index: number, keepsEmpty = false): string {
  const { value, writtenAt } = follow(openDocument(text).value, at)
  if (!Array.isArray(value) || !(index in value)) return text
  return value.length === 1 && !keepsEmpty ? removeResolved(text, at) : removeIn(text, [...writtenAt, index])
}

export function moveItemResolved(text: string, at: Path, from: number, to: number): string {
  const { value, writtenAt } = follow(openDocument(text).value, at)
  if (!Array.isArray(value) || to < 0 || to >= value.length) return text
  return moveItem(text, writtenAt, from, to)
}
