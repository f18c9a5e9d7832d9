/**
 * Changes of a document as small edits of its text: comments, quotes, order and layout of everything else survive.
 * Each result is read again; it says exactly what was wished, or the change is written more broadly.
 */
import { ConnectorError } from '../std/errors.ts'
import { isNode, isObject, type JsonObject } from '../engine/manifest/tree.ts'
import { locate } from './locate.ts'
import type { Path } from './path.ts'
import { openDocument, withoutMark } from './open-document.ts'
import type { SourceTree } from './source-tree.ts'
import { spliceItem } from './splice-entry.ts'
import { spliceKey, spliceMove } from './splice-order.ts'
import { spliceRemoval, spliceSetting } from './splice.ts'
import { writeWider } from './write-wider.ts'
import { treeOf } from './tree-of.ts'
import { isSame, valueAt, withoutUndefined, withoutValueAt, withValueAt } from './value-path.ts'

/** Sets the value at the path; what is missing on the way is made. */
export function setIn(text: string, path: Path, value: unknown): string {
  const wished = withoutUndefined(value)
  return edit(text, path, {
    wished: (root) => (isSame(valueAt(root, path), wished) ? root : withValueAt(root, path, wished)),
    splice: (tree) => spliceSetting(tree, path, wished),
  })
}

/** Takes out what stands at the path. A map or list that held nothing else is left empty, never null. */
export function removeIn(text: string, path: Path): string {
  return edit(text, path, {
    wished: (root) => withoutValueAt(root, path),
    splice: (tree) => spliceRemoval(tree, path),
  })
}

/** Gives the key at the end of the path another name, in its place. */
export function renameKey(text: string, path: Path, name: string): string {
  const key = path.at(-1)
  if (key === undefined || String(key) === name) return text
  return edit(text, path, {
    wished: (root) => {
      const map = valueAt(root, path.slice(0, -1))
      if (!isObject(map) || !Object.hasOwn(map, key)) return root
      if (Object.hasOwn(map, name)) throw taken(name)
      return withValueAt(root, path.slice(0, -1), renamed(map, String(key), name))
    },
    splice: (tree) => {
      const located = locate(tree, path)
      return located === null || located.rest.length > 0 ? null : spliceKey(tree, located.steps, name)
    },
  })
}

/** Moves an item of a list to the place it has in the result. */
export function moveItem(text: string, listPath: Path, from: number, to: number): string {
  return edit(text, listPath, {
    wished: (root) => {
      const list = valueAt(root, listPath)
      if (!Array.isArray(list) || from === to || !(from in list)) return root
      return withValueAt(root, listPath, list.toSpliced(from, 1).toSpliced(to, 0, list[from]))
    },
    splice: (tree) => {
      const located = locate(tree, listPath)
      return located === null || located.rest.length > 0 ? null : spliceMove(tree, located.steps, from, to)
    },
  })
}

/** Puts an item before the one that has this place now; at the end for the length of the list. Makes the list if need be. */
export function insertItem(text: string, listPath: Path, index: number, value: unknown): string {
  const wished = withoutUndefined(value)
  return edit(text, listPath, {
    wished: (root) => {
      const list: unknown = valueAt(root, listPath)
      return withValueAt(root, listPath, Array.isArray(list) ? list.toSpliced(index, 0, wished) : [wished])
    },
    splice: (tree) => {
      const located = locate(tree, listPath)
      if (located === null || located.rest.length > 0 || located.steps.at(-1)?.node.kind !== 'list') {
        return spliceSetting(tree, listPath, [wished])
      }
      return spliceItem(tree, located.steps, Math.min(index, length(tree, listPath)), wished)
    },
  })
}

type Edit = {
  readonly wished: (root: unknown) => unknown
  readonly splice: (tree: SourceTree) => string | null
}

function edit(text: string, path: Path, { wished, splice }: Edit): string {
  const written = withoutMark(text)
  const tree = treeOf(written)
  if (tree === null) throw unreadable(text)
  const before = tree.root?.value ?? null
  const goal = wished(before)
  if (goal === before) return text
  const mark = text.slice(0, text.length - written.length)
  const spliced = splice(tree)
  if (spliced !== null && says(spliced, goal)) return mark + spliced
  return mark + writeWider(tree, path, goal, splice)
}

export function says(text: string, goal: unknown): boolean {
  const tree = treeOf(text)
  return tree !== null && tree.root !== null && isSame(tree.root.value, goal)
}

function length(tree: SourceTree, path: Path): number {
  const list = valueAt(tree.root?.value, path)
  return isNode(list) ? Object.keys(list).length : 0
}

function renamed(map: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key === from ? to : key, value]))
}

function taken(name: string): ConnectorError {
  return new ConnectorError('manifest/duplicate-key', `\`${name}\` is there already.`, {
    hint: 'Choose another name, or remove the other one first.',
  })
}

function unreadable(text: string): ConnectorError {
  const { problem } = openDocument(text)
  const { message = 'The text cannot be read.', line = 1, column = 1 } = problem ?? {}
  return new ConnectorError('manifest/syntax', message, { at: { pointer: '', line, column } })
}
