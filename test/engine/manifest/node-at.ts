/** Reaches into a tree whose shape the test knows and the compiler does not. */
import assert from 'node:assert/strict'
import { isNode, isObject, type TreeObject, memberOfNode } from '../../../src/engine/manifest/tree.ts'

/** The object or list at this path. */
export function nodeAt(tree: unknown, ...path: (string | number)[]): object {
  let node = tree
  for (const key of path) node = isNode(node) ? memberOfNode(node, key) : undefined
  assert.ok(isNode(node), `no object at ${path.join('/')}`)
  return node
}

/** The object at this path. */
export function objectAt(tree: unknown, ...path: (string | number)[]): TreeObject {
  const node = nodeAt(tree, ...path)
  assert.ok(isObject(node))
  return node
}
