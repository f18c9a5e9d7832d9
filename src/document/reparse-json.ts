/** A tree of JSON × its text after a change → the tree of that text, of which only the value around the change is read. */
import { differenceOf, type TextChange } from './difference.ts'
import { readTree } from './read-tree.ts'
import { type Entry, mapValue, type SourceNode, type SourceTree } from './source-tree.ts'

/** A value, and which entry to take at each level to come to it. */
type Place = { readonly way: readonly number[]; readonly from: number; readonly to: number }

/** Null when the change may reach beyond a value. What is JSON alone is so in its place, and means the same there. */
export function reparseJson(tree: SourceTree, text: string, longest: number): SourceTree | null {
  if (tree.root === null) return null
  const change = differenceOf(tree.text, text)
  for (const { way, from, to } of valuesAround(tree, change).toReversed()) {
    if (to - from > longest) return null
    const value = readValue(text.slice(from, to + change.shift))
    if (value !== null) return { ...tree, text, root: replaced(tree.root, way, value, change.shift) }
  }
  return null
}

/** From the outermost to the innermost. What touches a number or a word may change where it ends. */
function valuesAround({ root, start }: SourceTree, { from, to }: TextChange): Place[] {
  const places: Place[] = []
  const way: number[] = []
  let node: SourceNode | null = root
  let at = start
  while (node !== null && at < from && to < at + node.length) {
    places.push({ way: [...way], from: at, to: at + node.length })
    if (node.kind !== 'map' && node.kind !== 'list') break
    const base: number = at
    const index = node.entries.findLastIndex((one) => base + one.at + one.valueAt < from)
    const entry = node.entries[index]
    if (entry === undefined) break
    way.push(index)
    at = base + entry.at + entry.valueAt
    node = entry.node
  }
  return places
}

function readValue(written: string): SourceNode | null {
  try {
    JSON.parse(written)
    const { root, start, isTangled } = readTree(written, true)
    return start === 0 && !isTangled && root?.length === written.length ? root : null
  } catch {
    return null
  }
}

function replaced(node: SourceNode, way: readonly number[], value: SourceNode, shift: number): SourceNode {
  const [index, ...rest] = way
  if (index === undefined || node.kind === 'scalar' || node.kind === 'alias') return value
  const entries = node.entries.map((entry, at): Entry => {
    if (at < index) return entry
    if (at > index) return { ...entry, at: entry.at + shift }
    return { ...entry, node: replaced(entry.node, rest, value, shift) }
  })
  const members = node.kind === 'map' ? mapValue(entries) : entries.map((entry) => entry.node.value)
  return { ...node, entries, length: node.length + shift, value: members }
}
