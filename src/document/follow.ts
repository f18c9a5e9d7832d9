/** A path of the resolved manifest → its value, where that is written, and what else refers to it. */
import { isNode, isObject, type TreeObject } from '../engine/manifest/tree.ts'
import { type Path, pointerOf, valueAt } from './value-path.ts'
import { hasReference, isReference, referenceIndex, resolveIn, sitesAlong, targetPath } from './references.ts'

export type Followed = {
  /** With every reference below it written out; undefined where there is nothing. */
  readonly value: unknown
  /** Where to change it. For a missing value: where it would be written without changing anything else. */
  readonly writtenAt: Path
  /** The references on the way, first to last. */
  readonly through: readonly string[]
}

/** Ignores `$parameters` and defaults: this is about what is written. Ends circles. */
export function follow(root: unknown, path: Path): Followed {
  let spot: Spot = { at: [], through: [] }
  for (const [depth, key] of path.entries()) {
    const next = memberSpot(root, spot, key)
    if (next === null) {
      const { at, through } = roomFor(root, spot, key)
      return { value: undefined, writtenAt: [...at, ...path.slice(depth)], through }
    }
    spot = next
  }
  const written = valueAt(root, spot.at)
  const value = isConfig(spot.at) ? written : resolveIn(root, written)
  const { at, through } = chain(root, spot).find((one) => !isOnlyReference(valueAt(root, one.at))) ?? spot
  return { value, writtenAt: at, through }
}

/** A path in the document as written, and the references that led to it. */
export type Spot = { readonly at: Path; readonly through: readonly string[] }

/** The member of the value at a spot: its own first, then that of what it refers to. */
export function memberSpot(root: unknown, spot: Spot, key: string | number): Spot | null {
  for (const holder of chain(root, spot)) {
    const value = valueAt(root, holder.at)
    if (key !== '$ref' && isNode(value) && Object.hasOwn(value, key)) return { ...holder, at: [...holder.at, key] }
  }
  return null
}

/** Where the reference at this spot leads; null when there is none, or it leads nowhere. */
export function referenceTarget(root: unknown, { at, through }: Spot): Spot | null {
  const value = valueAt(root, at)
  const reference = hasReference(value) ? value.$ref : value
  if (!isReference(reference) || isConfig(at)) return null
  const target = targetPath(root, reference)
  return target === null ? null : { at: target, through: [...through, reference] }
}

/** Airbyte: `config_overrides` is config, where a string that looks like a reference is none. */
function isConfig(path: Path): boolean {
  return path.includes('config_overrides')
}

/** The spot, and where its references lead, one after the other; ends circles. */
function chain(root: unknown, spot: Spot): Spot[] {
  const seen = new Map<string, Spot>()
  for (let now: Spot | null = spot; now !== null && !seen.has(pointerOf(now.at)); now = referenceTarget(root, now)) {
    seen.set(pointerOf(now.at), now)
  }
  return [...seen.values()]
}

/** A reference without other members. */
export function isOnlyReference(value: unknown): boolean {
  return isReference(value) || (hasReference(value) && Object.keys(value).length === 1)
}

/**
 * Where a new member is written: next to a `$ref` that already has other members, or whose target has other users;
 * in the target where nothing else refers to it.
 */
function roomFor(root: unknown, spot: Spot, key: string | number): Spot {
  const spots = chain(root, spot)
  const room = spots.find(({ at }, index) => {
    const value = valueAt(root, at)
    const next = spots[index + 1]
    if (next === undefined) return true
    const takesMembers = hasReference(value) && typeof key === 'string' && isObject(resolveIn(root, value))
    return takesMembers && (!isOnlyReference(value) || !belongsTo(root, next.at, at))
  })
  return room ?? spot
}

/** Whether only this reference uses its target. */
export function belongsTo(root: unknown, target: Path, referrer: Path): boolean {
  // The definition of a stream is the stream, although substreams refer to it as well.
  if (referrer.length === 2 && referrer[0] === 'streams') return true
  // One user more is enough to know: a definition may have five hundred.
  const own = usersOf(root, referrer).length
  return findUsers(root, target, own + 1).length <= own
}

/** Sections of a manifest that are used only where something refers to them. */
const indirectSections = new Set<unknown>(['definitions', 'schemas'])

/** Limits the list of users. */
const mostUsers = 2000
/** Longer than paths in real manifests: ends circles. */
const mostSteps = 64

const found = new WeakMap<object, Map<string, readonly Path[]>>()

/** The paths of the resolved document that reach what is written here. Each field of a form asks for nearly the same ones. */
export function usersOf(root: unknown, writtenAt: Path): readonly Path[] {
  if (!isNode(root)) return findUsers(root, writtenAt)
  const index = referenceIndex(root)
  const known = found.get(index) ?? new Map<string, readonly Path[]>()
  found.set(index, known)
  const pointer = pointerOf(writtenAt)
  const users = known.get(pointer) ?? findUsers(root, writtenAt)
  known.set(pointer, users)
  return users
}

function findUsers(root: unknown, writtenAt: Path, most = mostUsers): Path[] {
  const seen = new Set<string>()
  const users: Path[] = []
  const pending: Path[] = [writtenAt]
  for (let path = pending.pop(); path !== undefined && users.length < Math.min(most, mostUsers); path = pending.pop()) {
    const pointer = pointerOf(path)
    if (seen.has(pointer) || path.length > mostSteps) continue
    seen.add(pointer)
    if (!indirectSections.has(path[0])) users.push(path)
    const along = sitesAlong(root, path)
    for (let length = along.length - 1; length > 0; length--) {
      const rest = path.slice(length)
      for (const site of (along[length] ?? []).toReversed()) {
        if (!site.own.has(String(rest[0]))) pending.push([...site.path, ...rest])
      }
    }
  }
  return users
}

/** The value as written at the target of a reference; references inside it stay. */
export function writtenTarget(root: unknown, spot: Spot): unknown {
  return chain(root, spot)
    .map(({ at }) => valueAt(root, at))
    .reduceRight((base, value) => {
      if (!hasReference(value)) return isReference(value) ? base : value
      const { $ref: _, ...own } = value as TreeObject
      return isObject(base) ? { ...base, ...own } : base
    }, undefined)
}

/** The nearest `$parameters` value of that name; undefined where there is none, or where the path has a value. */
export function inheritedAt(root: unknown, path: Path): unknown {
  const key = String(path.at(-1))
  if (follow(root, path).value !== undefined) return undefined
  for (let length = path.length - 1; length > 0; length--) {
    const { value } = follow(root, [...path.slice(0, length), '$parameters'])
    if (isObject(value) && Object.hasOwn(value, key)) return value[key]
  }
  return undefined
}
