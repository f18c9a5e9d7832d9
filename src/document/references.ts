/** The references of a document: their targets, what refers to a path, and values with references resolved. As in the engine. */
import { isNode, isObject, type TreeObject, mapMembers, type Node } from '../engine/manifest/tree.ts'
import { type Path, valueAt } from './value-path.ts'

/** Airbyte: any string that starts with `#/` is a reference, whatever its key. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('#/')
}

/** An object with a `$ref`, and possibly members that override those of the target. */
export function hasReference(value: unknown): value is TreeObject & { $ref: unknown } {
  return isObject(value) && Object.hasOwn(value, '$ref')
}

/** One part of a reference: as it is written, and the name or position that it means. */
type ReferenceStep = { readonly segment: string; readonly key: string | number }

/** The parts of a reference; null when it has no target. Keys may contain a slash, so the longest name is tried first. */
export function referenceSteps(root: unknown, reference: string): readonly ReferenceStep[] | null {
  const steps: ReferenceStep[] = []
  let value = root
  let rest = reference.slice('#/'.length)
  while (rest !== '') {
    if (!isNode(value)) return null
    const [head = ''] = rest.split('/', 1)
    const segment = isObject(value) && Object.hasOwn(value, rest) ? rest : head
    const key = Array.isArray(value) ? indexIn(value, segment) : segment
    if (!Object.hasOwn(value, key)) return null
    steps.push({ segment, key })
    value = (value as TreeObject)[key]
    rest = rest.slice(segment.length + 1)
  }
  return steps
}

/** Counted from the end where it is negative. */
function indexIn(list: unknown[], segment: string): number {
  if (/^-\d+$/.test(segment)) return list.length + Number(segment)
  return /^(0|[1-9]\d*)$/.test(segment) ? Number(segment) : Number.NaN
}

/** The path of a reference's target; null when there is none. */
export function targetPath(root: unknown, reference: string): Path | null {
  return referenceSteps(root, reference)?.map(({ key }) => key) ?? null
}

/** What refers to a path: an object by its `$ref`, or a string that is a reference. */
export type ReferenceSite = {
  readonly path: Path
  /** Members next to the `$ref`, which override those of its target. */
  readonly own: ReadonlySet<string>
}

/** Parts that no edit touched are the same objects as before, so they need not be searched again. */
const withReference = new WeakMap<object, boolean>()

/** Whether there is a reference anywhere inside. */
export function holdsReference(node: Node): boolean {
  const before = withReference.get(node)
  if (before !== undefined) return before
  withReference.set(node, false)
  const holds = Object.entries(node).some(
    ([key, value]) => key !== 'config_overrides' && (isReference(value) || (isNode(value) && holdsReference(value))),
  )
  withReference.set(node, holds)
  return holds
}

/** What refers to a path, and to those below it. */
type Referred = { readonly sites: ReferenceSite[]; readonly below: Map<string, Referred> }

const indexes = new WeakMap<object, Referred>()
let latest: WeakRef<Node> | undefined

/** What refers to what. It is the same object after an edit that changes no reference and no name, as most keys do. */
export function referenceIndex(root: Node): Referred {
  const known = indexes.get(root)
  if (known !== undefined) return known
  const before = latest?.deref()
  const carried = before !== undefined && hasSameReferences(before, root) ? indexes.get(before) : undefined
  const index = carried ?? indexOf(root)
  indexes.set(root, index)
  latest = new WeakRef(root)
  return index
}

/** Whether two documents have the same names, and references at the same places. What no edit touched is the same object in both. */
function hasSameReferences(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (!isNode(one) || !isNode(other)) return !isNode(one) && !isNode(other) && !isReference(one) && !isReference(other)
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const names = Object.keys(one)
  const others = Object.keys(other)
  return (
    names.length === others.length &&
    names.every(
      (name, index) =>
        name === others[index] && hasSameReferences((one as TreeObject)[name], (other as TreeObject)[name]),
    )
  )
}

/** For each length of the path: the sites that refer to exactly so much of it, in document order. Ends where nothing refers further. */
export function sitesAlong(root: unknown, path: Path): readonly (readonly ReferenceSite[])[] {
  if (!isNode(root)) return []
  const along: (readonly ReferenceSite[])[] = []
  let referred: Referred | undefined = referenceIndex(root)
  for (const key of path) {
    along.push(referred.sites)
    referred = referred.below.get(String(key))
    if (referred === undefined) return along
  }
  return [...along, referred.sites]
}

function indexOf(root: Node): Referred {
  const index: Referred = { sites: [], below: new Map() }
  const look = (node: Node, path: Path): void => {
    for (const [name, value] of Object.entries(node)) {
      if (name === 'config_overrides') continue
      const key = Array.isArray(node) ? Number(name) : name
      if (isNode(value) && holdsReference(value)) look(value, [...path, key])
      const target = isReference(value) ? targetPath(root, value) : null
      if (target === null) continue
      const { $ref: _, ...own } = key === '$ref' ? (node as TreeObject) : {}
      const site = { path: key === '$ref' ? path : [...path, key], own: new Set(Object.keys(own)) }
      referredAt(index, target).sites.push(site)
    }
  }
  look(root, [])
  return index
}

function referredAt(index: Referred, target: Path): Referred {
  let at = index
  for (const key of target.map(String)) {
    const next = at.below.get(key) ?? { sites: [], below: new Map() }
    at.below.set(key, next)
    at = next
  }
  return at
}

/** The resolved value of each part; `open` while it is being resolved, which ends circles. */
type Done = Map<object | string, unknown>

const open = Symbol('open')
const resolved = new WeakMap<object, Done>()

/** A reference without a target, or to itself, resolves to an empty object, as in the engine. */
export function resolveIn(root: unknown, value: unknown): unknown {
  if (!isNode(root)) return value
  let done = resolved.get(root)
  if (done === undefined) resolved.set(root, (done = new Map()))
  return resolve(root, value, done)
}

function resolve(root: Node, value: unknown, done: Done): unknown {
  if (!isReference(value) && !(isNode(value) && holdsReference(value))) return value
  const known = done.get(value)
  if (known !== undefined) return known === open ? {} : known
  done.set(value, open)
  const made = isReference(value) ? resolveTarget(root, value, done) : written(root, value, done)
  done.set(value, made)
  return made
}

function resolveTarget(root: Node, reference: string, done: Done): unknown {
  const target = targetPath(root, reference)
  return target === null ? {} : resolve(root, valueAt(root, target), done)
}

function written(root: Node, node: Node, done: Done): unknown {
  // Airbyte: `config_overrides` is config, where a string that looks like a reference is none.
  const members = mapMembers(node, (value, key) =>
    key === '$ref' || key === 'config_overrides' ? value : resolve(root, value, done),
  )
  if (!hasReference(members)) return members
  const { $ref, ...own } = members
  const base = resolve(root, $ref, done)
  return isObject(base) ? { ...base, ...own } : base
}
