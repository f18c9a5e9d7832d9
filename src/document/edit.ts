/**
 * Changes of a document as small edits of its text: comments, quotes, order and layout of everything else survive.
 * Each result is parsed again; if it differs from the intended value, the change is written more broadly.
 */
import { isNode, isObject, type TreeObject } from '../engine/manifest/tree.ts'
import { ConnectorError } from '../std/errors.ts'
import { layoutOf } from './layout.ts'
import { locate, type SourceNode, type SourceTree, type SourceStep, stepTo } from './source-tree.ts'
import { openDocument, withoutByteOrderMark } from './open-document.ts'
import { isSame, type Path, valueAt, withoutUndefined, withoutValueAt, withValueAt } from './value-path.ts'
import { spliceItem } from './splice-entry.ts'
import { spliceKey, spliceMove, spliceRemoval, spliceSetting } from './splice.ts'
import { spliceValue } from './splice-value.ts'
import { treeOf } from './tree-of.ts'
import { blockOf, flowOf, isFilledNode } from './value-text.ts'

/** Sets the value at the path; creates what is missing on the way. */
export function setIn(text: string, path: Path, value: unknown): string {
  const wished = withoutUndefined(value)
  return edit(text, path, {
    wished: (root) => (isSame(valueAt(root, path), wished) ? root : withValueAt(root, path, wished)),
    splice: (tree) => spliceSetting(tree, path, wished),
  })
}

/** Removes the value at the path. A map or list that held nothing else is left empty, never null. */
export function removeIn(text: string, path: Path): string {
  return edit(text, path, {
    wished: (root) => withoutValueAt(root, path),
    splice: (tree) => spliceRemoval(tree, path),
  })
}

/** Renames the key at the end of the path, in place. */
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

/** Moves an item of a list to its index in the result. */
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

/** Inserts an item before this index; appends for the length of the list. Creates the list if needed. */
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
      return spliceItem(tree, located.steps, Math.min(index, lengthAt(tree, listPath)), wished)
    },
  })
}

type Edit = {
  readonly wished: (root: unknown) => unknown
  readonly splice: (tree: SourceTree) => string | null
}

function edit(text: string, path: Path, { wished, splice }: Edit): string {
  const written = withoutByteOrderMark(text)
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

function lengthAt(tree: SourceTree, path: Path): number {
  const list = valueAt(tree.root?.value, path)
  return isNode(list) ? Object.keys(list).length : 0
}

function renamed(map: TreeObject, from: string, to: string): TreeObject {
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

/** For when a small edit gives another value: tries broader edits; the last one writes the whole document, which cannot fail. */
function writeWider(tree: SourceTree, path: Path, goal: unknown, splice: (tree: SourceTree) => string | null): string {
  const isGoal = (text: string | null): text is string => text !== null && isSame(treeOf(text)?.root?.value, goal)
  if (tree.isTangled) {
    const free = withoutAliases(tree, path)
    const spliced = free === null ? null : splice(free)
    if (isGoal(spliced)) return spliced
  }
  for (let length = path.length; length >= 0; length--) {
    const place = path.slice(0, length)
    const written = inQuotes(tree, place, valueAt(goal, place))
    if (isGoal(written)) return written
  }
  const layout = layoutOf(tree)
  return (isFilledNode(goal) ? blockOf(goal, 0, layout) : flowOf(goal)) + layout.lineEnd
}

/** The value in one line, so that no comment below its key interferes. */
function inQuotes(tree: SourceTree, path: Path, value: unknown): string | null {
  const located = locate(tree, path)
  if (located === null || located.rest.length > 0 || value === undefined) return null
  return spliceValue(tree, located.steps, value, 'double')
}

/**
 * A change of an anchored value would change every use of its alias. So these uses get a copy first, and
 * nothing else changes.
 */
function withoutAliases(tree: SourceTree, path: Path): SourceTree | null {
  let now: SourceTree | null = tree
  // From the last one on, so that the others keep their places.
  for (const way of aliasesOf(tree.root, anchorsAround(tree, path)).toReversed()) {
    const steps: readonly SourceStep[] = now === null ? [] : stepsAlong(now, way)
    const text: string | null = now && spliceValue(now, steps, steps.at(-1)?.node.value)
    now = text === null ? null : treeOf(text)
  }
  return now
}

/** The anchors on the path to a value, or inside it. */
function anchorsAround(tree: SourceTree, path: Path): Set<string> {
  const { steps } = locate(tree, path) ?? { steps: [] }
  const names = new Set<string>()
  const note = (node: SourceNode): void => {
    if (node.kind !== 'alias' && node.anchor !== null) names.add(node.anchor)
  }
  const noteAll = (node: SourceNode): void => {
    note(node)
    if (node.kind === 'map' || node.kind === 'list') for (const entry of node.entries) noteAll(entry.node)
  }
  for (const { node } of steps) note(node)
  const last = steps.at(-1)
  if (last !== undefined) noteAll(last.node)
  return names
}

/** Which entry to take at each level, from the root to each alias of these names. */
function aliasesOf(root: SourceNode | null, names: ReadonlySet<string>): number[][] {
  const ways: number[][] = []
  const look = (node: SourceNode, way: readonly number[]): void => {
    if (node.kind === 'alias' && names.has(node.anchor ?? '')) ways.push([...way])
    if (node.kind === 'map' || node.kind === 'list')
      for (const [index, entry] of node.entries.entries()) look(entry.node, [...way, index])
  }
  if (root !== null && names.size > 0) look(root, [])
  return ways
}

function stepsAlong({ root, start }: SourceTree, way: readonly number[]): SourceStep[] {
  if (root === null) return []
  const steps: SourceStep[] = [{ node: root, start, end: start + root.length, held: null }]
  for (const index of way) {
    const { node, start: from } = steps.at(-1) as SourceStep
    const entry = node.kind === 'map' || node.kind === 'list' ? node.entries[index] : undefined
    if (entry !== undefined) steps.push(stepTo(from, entry, index))
  }
  return steps
}
