/** A value of a document → the same with every reference written out; parts without one are not copied. */
import { isNode, isObject, mapMembers, type Node } from '../engine/manifest/tree.ts'
import { hasReference, holdsReference, isReference, targetOf } from './references.ts'
import { valueAt } from './value-path.ts'

/** What each part of a document comes out as; `open` while it is being resolved, so that circles end. */
type Done = Map<object | string, unknown>

const open = Symbol('open')
const resolved = new WeakMap<object, Done>()

/** A reference that leads nowhere, or back to itself, stands for an empty object, as in the engine. */
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
  const made = isReference(value) ? behind(root, value, done) : written(root, value, done)
  done.set(value, made)
  return made
}

function behind(root: Node, reference: string, done: Done): unknown {
  const target = targetOf(root, reference)
  return target === null ? {} : resolve(root, valueAt(root, target), done)
}

function written(root: Node, node: Node, done: Done): unknown {
  // Airbyte: `config_overrides` is config, where a text that looks like a reference is none.
  const members = mapMembers(node, (value, key) =>
    key === '$ref' || key === 'config_overrides' ? value : resolve(root, value, done),
  )
  if (!hasReference(members)) return members
  const { $ref, ...own } = members
  const base = resolve(root, $ref, done)
  return isObject(base) ? { ...base, ...own } : base
}
