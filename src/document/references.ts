/** The references of a document: where each leads, and who refers to a place. As the engine resolves them. */
import { isNode, isObject, type JsonObject, type Node } from '../engine/manifest/tree.ts'
import { type Path, pointerOf } from './path.ts'

/** Airbyte: any text that starts with `#/` is a reference, whatever key it stands behind. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('#/')
}

/** An object with a `$ref` to an object, and maybe members of its own that win over what it brings in. */
export function hasReference(value: unknown): value is JsonObject & { $ref: unknown } {
  return isObject(value) && Object.hasOwn(value, '$ref')
}

/** The path a reference leads to; null when there is nothing. Keys may contain a slash, so the longest name is tried first. */
export function targetOf(root: unknown, reference: string): Path | null {
  const path: (string | number)[] = []
  let value = root
  let rest = reference.slice('#/'.length)
  while (rest !== '') {
    if (!isNode(value)) return null
    const [head = ''] = rest.split('/', 1)
    const segment = isObject(value) && Object.hasOwn(value, rest) ? rest : head
    const key = Array.isArray(value) ? Number(segment) + (/^-\d+$/.test(segment) ? value.length : 0) : segment
    if (!Object.hasOwn(value, key)) return null
    path.push(key)
    value = (value as JsonObject)[key]
    rest = rest.slice(segment.length + 1)
  }
  return path
}

/** Who refers to a place: an object by its `$ref`, or a text that stands for the whole value. */
export type Site = {
  readonly path: Path
  /** Members that stand beside the `$ref` and win over those of its target. */
  readonly own: ReadonlySet<string>
}

/** What no edit has touched is the same object as before, so it need not be looked through again. */
const known = new WeakMap<object, boolean>()

/** Whether a reference stands anywhere below. */
export function holdsReference(node: Node): boolean {
  const before = known.get(node)
  if (before !== undefined) return before
  known.set(node, false)
  const holds = Object.entries(node).some(
    ([key, value]) => key !== 'config_overrides' && (isReference(value) || (isNode(value) && holdsReference(value))),
  )
  known.set(node, holds)
  return holds
}

const indexes = new WeakMap<object, ReadonlyMap<string, readonly Site[]>>()

/** The sites that refer to this very place, in the order of the document. */
export function sitesOf(root: unknown, target: Path): readonly Site[] {
  if (!isNode(root)) return []
  let index = indexes.get(root)
  if (index === undefined) indexes.set(root, (index = indexOf(root)))
  return index.get(pointerOf(target)) ?? []
}

function indexOf(root: Node): Map<string, Site[]> {
  const index = new Map<string, Site[]>()
  const look = (node: Node, path: Path): void => {
    for (const [name, value] of Object.entries(node)) {
      if (name === 'config_overrides') continue
      const key = Array.isArray(node) ? Number(name) : name
      if (isNode(value) && holdsReference(value)) look(value, [...path, key])
      const target = isReference(value) ? targetOf(root, value) : null
      if (target === null) continue
      const { $ref: _, ...own } = key === '$ref' ? (node as JsonObject) : {}
      const site = { path: key === '$ref' ? path : [...path, key], own: new Set(Object.keys(own)) }
      const pointer = pointerOf(target)
      index.set(pointer, [...(index.get(pointer) ?? []), site])
    }
  }
  look(root, [])
  return index
}
