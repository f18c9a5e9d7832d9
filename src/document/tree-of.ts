/** A text → its tree, cached; a text that differs in one place is parsed again only there. */
import { isJson, UnreadableText } from '../engine/manifest/read-yaml.ts'
import { ConnectorError } from '../std/errors.ts'
import { lineStart, startsLine } from './characters.ts'
import { readTree } from './read-tree.ts'
import { type Collection, entryEnd, type Entry, mapValue, type SourceNode, type SourceTree } from './source-tree.ts'

/**
 * Null for a text that cannot be read. Shared by all documents: a tree depends on nothing but its text, whichever tree it was
 * made from, and only a few are kept.
 */
const known = new Map<string, SourceTree | null>()

/** A change needs the text before and after it; undo and a second document need a few more. */
const mostKnown = 8

/** The tree of a text without a byte order mark; null when it is not one document that the engine could read. */
export function treeOf(text: string): SourceTree | null {
  const last = [...known.values()].findLast((tree) => tree !== null)
  const tree = known.get(text) ?? (known.has(text) ? null : readAnew(text, last))
  known.delete(text)
  known.set(text, tree)
  for (const oldest of known.keys()) {
    if (known.size <= mostKnown) break
    known.delete(oldest)
  }
  return tree
}

function readAnew(text: string, last: SourceTree | null | undefined): SourceTree | null {
  try {
    return (last && reparse(last, text)) ?? readTree(text, isJson(text))
  } catch (error) {
    const isRefused = error instanceof ConnectorError && error.code === 'manifest/too-large'
    if (isRefused || error instanceof UnreadableText) return null
    throw error
  }
}

/** The old text between `from` and `to` was replaced; everything after it moved by `shift`. */
type Change = { readonly from: number; readonly to: number; readonly shift: number }

/** A member of a block collection with its own lines: it can be parsed alone. */
type Region = {
  /** Which entry to take at each level, from the root on. */
  readonly way: readonly number[]
  readonly entry: Entry
  readonly start: number
  readonly from: number
  readonly to: number
}

/** Null when the change may reach beyond a part that can be parsed alone. */
export function reparse(tree: SourceTree, text: string): SourceTree | null {
  if (tree.isTangled || tree.isJson || tree.root === null) return null
  const change = differenceOf(tree.text, text)
  for (const region of regionsAround(tree, change).toReversed()) {
    // Parsing most of the text costs as much as parsing all of it.
    if (region.to - region.from > tree.text.length / 2) return null
    const entry = readRegion(region, text.slice(region.from, region.to + change.shift))
    if (entry !== null) return { ...tree, text, root: replaced(tree.root, region.way, entry, change.shift) }
  }
  return null
}

function differenceOf(before: string, after: string): Change {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head++
  let tail = 0
  const end = shorter - head
  while (tail < end && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail++
  return { from: head, to: before.length - tail, shift: after.length - before.length }
}

function regionsAround({ text, root, start }: SourceTree, { from, to }: Change): Region[] {
  const regions: Region[] = []
  const way: number[] = []
  let node: SourceNode | null = root
  let at = start
  let outerEnd = text.length
  while (node !== null && (node.kind === 'map' || node.kind === 'list') && !node.isFlow) {
    const { entries }: Collection = node
    const base: number = at
    const index = entries.findLastIndex((entry) => base + entry.at + (entry.markEnd ?? 0) <= from)
    const entry = entries[index]
    if (entry === undefined || entry.markEnd === null) break
    const next = entries[index + 1]
    const end: number = next === undefined ? outerEnd : lineStart(text, base + next.at)
    // The line end before the next member must stay; nothing follows the last line of the text.
    if (end < text.length ? to >= end : to > end) break
    const entryStart: number = base + entry.at
    way.push(index)
    if (startsLine(text, entryStart)) {
      regions.push({ way: [...way], entry, start: entryStart, from: lineStart(text, entryStart), to: end })
    }
    at = entryStart + entry.valueAt
    node = entry.node
    outerEnd = end
  }
  return regions
}

/** Lines that mean something to the document as a whole. */
const documentMarks = /^(?:---|\.\.\.|%|\uFEFF)/m

/** The member after the change; null when its lines are no longer exactly one member. */
function readRegion({ entry, start, from }: Region, lines: string): Entry | null {
  if (documentMarks.test(lines)) return null
  try {
    const { root, start: rootStart, isTangled } = readTree(lines, false)
    if (isTangled || root === null || root.kind === 'scalar' || root.kind === 'alias' || root.isFlow) return null
    const [read, ...others] = root.entries
    const isThatOne = read !== undefined && others.length === 0 && rootStart + read.at === start - from
    return isThatOne && !root.hasMarks && read.key === entry.key && read.markEnd !== null
      ? { ...read, at: entry.at }
      : null
  } catch {
    return null
  }
}

function replaced(node: SourceNode, way: readonly number[], entry: Entry, shift: number): SourceNode {
  const [index, ...rest] = way
  if (index === undefined || node.kind === 'scalar' || node.kind === 'alias') return node
  const entries = node.entries.map((sibling, at): Entry => {
    if (at < index) return sibling
    if (at > index) return { ...sibling, at: sibling.at + shift }
    return rest.length === 0 ? entry : { ...sibling, node: replaced(sibling.node, rest, entry, shift) }
  })
  const last = entries.at(-1) as Entry
  const value = node.kind === 'map' ? mapValue(entries) : entries.map((sibling) => sibling.node.value)
  return { ...node, entries, length: entryEnd(last), value }
}
