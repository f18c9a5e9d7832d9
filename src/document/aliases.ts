/** Anchors and aliases in a tree of which only a part was read again: what an alias repeats may be in another part. */
import { maxMerged } from '../engine/manifest/limits.ts'
import { isObject } from '../engine/manifest/tree.ts'
import { type Collection, type Entry, mapValue, type SourceNode, type SourceTree } from './source-tree.ts'

/** The value of each name; undefined inside the very value that has the name, where no alias may repeat it. */
type Anchors = Map<string, unknown>

/** What aliases at this position may repeat. */
export function anchorsBefore({ root, start }: SourceTree, position: number): ReadonlyMap<string, unknown> {
  const anchors: Anchors = new Map()
  const note = (node: SourceNode, from: number): void => {
    if (node.kind === 'alias') return
    const isEnded = from + node.length <= position
    if (node.anchor !== null) anchors.set(node.anchor, isEnded ? node.value : undefined)
    if (node.kind === 'scalar') return
    for (const { at, valueAt, node: value } of node.entries) {
      if (from + at >= position) return
      note(value, from + at + valueAt)
    }
  }
  if (root !== null) note(root, start)
  return anchors
}

/** What has come by so far, in the order of the text. */
type Seen = { readonly anchors: Anchors; isTangled: boolean; merged: number }

/** The tree with every alias repeating what its anchor is now; null where one repeats nothing, or what cannot be in its place. */
export function withAliases(tree: SourceTree): SourceTree | null {
  if (tree.root === null) return tree
  const seen: Seen = { anchors: new Map(), isTangled: false, merged: 0 }
  const root = renewed(tree.root, seen)
  return root === null ? null : { ...tree, root, isTangled: seen.isTangled }
}

/** The same object where nothing in it has changed. */
function renewed(node: SourceNode, seen: Seen): SourceNode | null {
  const { anchors } = seen
  seen.isTangled ||= node.anchor !== null
  if (node.kind === 'alias') {
    const value = anchors.get(node.anchor ?? '')
    if (value === undefined) return null
    return value === node.value ? node : { ...node, value }
  }
  if (node.anchor !== null) anchors.set(node.anchor, undefined)
  const now = node.kind === 'scalar' ? node : renewedCollection(node, seen)
  // A part of it may have taken the name over.
  if (node.anchor !== null && anchors.get(node.anchor) === undefined) anchors.set(node.anchor, now?.value)
  return now
}

function renewedCollection(node: Collection, seen: Seen): Collection | null {
  const entries: Entry[] = []
  for (const entry of node.entries) {
    const value = renewed(entry.node, seen)
    if (value === null || (entry.isMerge && !canMerge(value.value, seen))) return null
    entries.push(value === entry.node ? entry : { ...entry, node: value })
  }
  if (entries.every((entry, index) => entry === node.entries[index])) return node
  const value = node.kind === 'map' ? mapValue(entries) : entries.map((entry) => entry.node.value)
  return { ...node, entries, value }
}

function canMerge(value: unknown, seen: Seen): boolean {
  const sources = [value].flat()
  for (const source of sources) seen.merged += isObject(source) ? Object.keys(source).length : 0
  return sources.every(isObject) && seen.merged <= maxMerged
}
