/** Plain data, as a manifest holds it: what is an object, what is a list, and how to change one without touching it. */
import { Float } from '../../std/json.ts'
import { isObject } from '../../std/values/objects.ts'
import { setMember } from '../../std/values/set-member.ts'

export { isObject, setMember }

export type TreeObject = Record<string, unknown>
export type Node = TreeObject | unknown[]

/** An object or a list. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !(value instanceof Float)
}

/** Airbyte: an empty text, list or object counts as absent. */
export function isFilled(value: unknown): boolean {
  return isNode(value) ? Object.keys(value).length > 0 : value !== undefined && value !== null && value !== ''
}

/** The member with this key, if it is the node's own property: nothing inherited. */
export function memberOfNode(node: Node, key: string | number): unknown {
  if (Array.isArray(node)) return node[Number(key)]
  return Object.hasOwn(node, key) ? node[key] : undefined
}

/** The node with every member changed; the node itself when no change made a difference. */
export function mapMembers(node: Node, change: (value: unknown, key: string | number) => unknown): Node {
  return Array.isArray(node) ? mapList(node, change) : mapObject(node, change)
}

export function mapList(list: unknown[], change: (value: unknown, index: number) => unknown): unknown[] {
  const changed = list.map((value, index) => change(value, index))
  return changed.every((value, index) => value === list[index]) ? list : changed
}

export function mapObject(object: TreeObject, change: (value: unknown, key: string) => unknown): TreeObject {
  let copy: TreeObject | null = null
  for (const key of Object.keys(object)) {
    const value = object[key]
    const next = change(value, key)
    if (next === value) continue
    copy ??= { ...object }
    setMember(copy, key, next)
  }
  return copy ?? object
}
