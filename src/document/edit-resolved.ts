/** Changes to the resolved manifest, as edits of the text: made where the thing is written. */
import { isObject, type JsonObject } from '../engine/manifest/tree.ts'
import { removeIn, setIn } from './edit.ts'
import { behind, belongsTo, follow, isBare, memberOf, type Spot, usersOf, writtenBehind } from './follow.ts'
import { openDocument } from './open-document.ts'
import type { Path } from './path.ts'
import { hasReference } from './references.ts'
import { resolveIn } from './resolve.ts'
import { isSame, valueAt } from './value-path.ts'

/** Only what differs is written, each part where it stands, so that references to what stays the same stay. */
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

function setMembers(text: string, path: Path, before: JsonObject, after: JsonObject): string {
  let now = text
  for (const [key, value] of Object.entries(after)) {
    if (value !== undefined) now = setResolved(now, [...path, key], value)
  }
  for (const key of Object.keys(before)) if (after[key] === undefined) now = removeResolved(now, [...path, key])
  return now
}

/**
 * Takes out the member itself, not what it refers to. Where a `$ref` would bring in again what a member beside it hid,
 * null hides it: the other users of that keep it.
 */
export function removeResolved(text: string, path: Path): string {
  const holder = spotOf(openDocument(text).value, path.slice(0, -1))
  const member = holder && memberOf(openDocument(text).value, holder, path.at(-1) ?? '')
  if (member === null) return text
  const removed = removeIn(text, member.at)
  const uncovered = follow(openDocument(removed).value, path).value
  return uncovered === undefined || typeof path.at(-1) === 'number' ? removed : setIn(text, member.at, null)
}

/**
 * Makes what will change at this path belong to it alone: what others use too is copied here, and only that. A member
 * that a shared `$ref` brings in is written beside the `$ref`, where it wins.
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
  const member = holder && memberOf(root, holder, key)
  if (holder === null || member === null) return text
  const isBrought = member.through.length > holder.through.length
  if (isBrought) {
    if (usersOf(root, member.at).length <= usersOf(root, holder.at).length) return text
    return detachStep(setIn(text, [...holder.at, key], valueAt(root, member.at)), path, isLast)
  }
  const target = behind(root, member)
  if (target === null || belongsTo(root, target.at, member.at)) return text
  const takesMembers = hasReference(valueAt(root, member.at)) && isObject(resolveIn(root, valueAt(root, target.at)))
  if (!isLast && takesMembers) return text
  return setIn(text, member.at, writtenBehind(root, member))
}

/** Where the path is written; null where nothing is. What is only written elsewhere is looked up there. */
function spotOf(root: unknown, path: Path): Spot | null {
  let spot: Spot | null = { at: [], through: [] }
  for (const key of path) {
    spot = spot && memberOf(root, spot, key)
    for (let hops = 0; spot !== null && hops < mostHops && isElsewhere(root, spot); hops++) spot = behind(root, spot)
  }
  return spot
}

/** Where references go in a circle it does not matter where one gets off. */
const mostHops = 32

function isElsewhere(root: unknown, spot: Spot): boolean {
  const target = isBare(valueAt(root, spot.at)) ? behind(root, spot) : null
  return target !== null && belongsTo(root, target.at, spot.at)
}
