/** A place of the resolved manifest → what stands there, where that is really written, and who else uses it. */
import { isNode, isObject, type JsonObject } from '../engine/manifest/tree.ts'
import { type Path, pointerOf } from './path.ts'
import { hasReference, isReference, sitesOf, targetOf } from './references.ts'
import { resolveIn } from './resolve.ts'
import { valueAt } from './value-path.ts'

export type Followed = {
  /** With every reference below it written out; undefined where there is nothing. */
  readonly value: unknown
  /** Where to change it. For what is not there: where it would be written without a change to anything else. */
  readonly writtenAt: Path
  /** The references on the way, first to last. */
  readonly through: readonly string[]
}

/** `$parameters` and defaults are left alone: this is about what is written. Circles end. */
export function follow(root: unknown, path: Path): Followed {
  let spot: Spot = { at: [], through: [] }
  for (const [depth, key] of path.entries()) {
    const next = memberOf(root, spot, key)
    if (next === null) {
      const { at, through } = roomFor(root, spot, key)
      return { value: undefined, writtenAt: [...at, ...path.slice(depth)], through }
    }
    spot = next
  }
  const written = valueAt(root, spot.at)
  const value = isConfig(spot.at) ? written : resolveIn(root, written)
  const { at, through } = chain(root, spot).find((one) => !isBare(valueAt(root, one.at))) ?? spot
  return { value, writtenAt: at, through }
}

/** A place in the document as it is written, and the references that led to it. */
export type Spot = { readonly at: Path; readonly through: readonly string[] }

/** The member of what stands at a spot: its own first, then that of what it refers to. */
export function memberOf(root: unknown, spot: Spot, key: string | number): Spot | null {
  for (const holder of chain(root, spot)) {
    const value = valueAt(root, holder.at)
    if (key !== '$ref' && isNode(value) && Object.hasOwn(value, key)) return { ...holder, at: [...holder.at, key] }
  }
  return null
}

/** Where the reference at this spot leads; null when there is none, or it leads nowhere. */
export function behind(root: unknown, { at, through }: Spot): Spot | null {
  const value = valueAt(root, at)
  const reference = hasReference(value) ? value.$ref : value
  if (!isReference(reference) || isConfig(at)) return null
  const target = targetOf(root, reference)
  return target === null ? null : { at: target, through: [...through, reference] }
}

/** Airbyte: `config_overrides` is config, where a text that looks like a reference is none. */
function isConfig(path: Path): boolean {
  return path.includes('config_overrides')
}

/** The spot, where its reference leads, where that leads, until there is none or the circle closes. */
function chain(root: unknown, spot: Spot): Spot[] {
  const seen = new Map<string, Spot>()
  for (let now: Spot | null = spot; now !== null && !seen.has(pointerOf(now.at)); now = behind(root, now)) {
    seen.set(pointerOf(now.at), now)
  }
  return [...seen.values()]
}

/** A reference that has nothing beside it: what it leads to is all there is. */
export function isBare(value: unknown): boolean {
  return isReference(value) || (hasReference(value) && Object.keys(value).length === 1)
}

/**
 * Where a new member is written: beside a `$ref` that has others beside it already, or whose target has other users,
 * since it is not theirs; in the target where nobody else would notice.
 */
function roomFor(root: unknown, spot: Spot, key: string | number): Spot {
  const spots = chain(root, spot)
  const room = spots.find(({ at }, index) => {
    const value = valueAt(root, at)
    const next = spots[index + 1]
    if (next === undefined) return true
    const takesMembers = hasReference(value) && typeof key === 'string' && isObject(resolveIn(root, value))
    return takesMembers && (!isBare(value) || !belongsTo(root, next.at, at))
  })
  return room ?? spot
}

/** Whether what a reference leads to is a part of the place that refers to it, only written elsewhere. */
export function belongsTo(root: unknown, target: Path, referrer: Path): boolean {
  // The definition of a stream is the stream, although substreams refer to it as well.
  if (referrer.length === 2 && referrer[0] === 'streams') return true
  return usersOf(root, target).length <= usersOf(root, referrer).length
}

/** Shelves of a manifest: what lies there is used only where something refers to it. */
const shelves = new Set<unknown>(['definitions', 'schemas'])

/** More users than anyone wants to read about. */
const mostUsers = 2000
/** Longer ways than those of real manifests, which circles would make. */
const mostSteps = 64

/** The paths of the resolved document that reach what is written here. */
export function usersOf(root: unknown, writtenAt: Path): Path[] {
  const seen = new Set<string>()
  const users: Path[] = []
  const pending: Path[] = [writtenAt]
  for (let path = pending.pop(); path !== undefined && users.length < mostUsers; path = pending.pop()) {
    const pointer = pointerOf(path)
    if (seen.has(pointer) || path.length > mostSteps) continue
    seen.add(pointer)
    if (!shelves.has(path[0])) users.push(path)
    for (let length = path.length; length > 0; length--) {
      const rest = path.slice(length)
      for (const site of sitesOf(root, path.slice(0, length)).toReversed()) {
        if (!site.own.has(String(rest[0]))) pending.push([...site.path, ...rest])
      }
    }
  }
  return users
}

/** The value as it is written where a reference leads; what that refers to in its members is not written out. */
export function writtenBehind(root: unknown, spot: Spot): unknown {
  return chain(root, spot)
    .map(({ at }) => valueAt(root, at))
    .reduceRight((base, value) => {
      if (!hasReference(value)) return isReference(value) ? base : value
      const { $ref: _, ...own } = value as JsonObject
      return isObject(base) ? { ...base, ...own } : base
    }, undefined)
}
