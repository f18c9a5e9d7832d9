/** A text → its tree, cached; a text that differs in one place is parsed again only there. */
import { isJson, UnreadableText } from '../engine/manifest/read-yaml.ts'
import { documentMarks } from '../engine/manifest/yaml-parts.ts'
import { ConnectorError } from '../std/errors.ts'
import { lineStart, startsLine } from './characters.ts'
import { differenceOf, type TextChange } from './difference.ts'
import { readTree } from './read-tree.ts'
import {
  type Collection,
  type DocumentProblem,
  entryEnd,
  type Entry,
  mapValue,
  type SourceNode,
  type SourceTree,
} from './source-tree.ts'

type Known = { readonly text: string; readonly tree: SourceTree | null; problem?: DocumentProblem | null }

/**
 * The latest last. Shared by all documents: a tree depends on nothing but its text, whichever tree it was made from, and only a
 * few are kept. A list: a map would hash each text, which takes longer than comparing it to a few others.
 */
let known: readonly Known[] = []

/** A change needs the text before and after it; undo and a second document need a few more. */
const mostKnown = 8

/** Longer strings are not read as a whole while the user waits. */
export const longestAtOnce = 100_000

/** The tree of a text without a byte order mark; null when it is not one document that the engine could read. */
export function treeOf(text: string): SourceTree | null {
  const found = knownOf(text)
  if (found !== undefined) return found.tree
  return keep({ text, tree: readAnew(text) }).tree
}

/** Whether the tree of the text is there, or can be made at once. */
export function isAtHand(text: string): boolean {
  if (text.length <= longestAtOnce || knownOf(text) !== undefined) return true
  const last = lastReadable()
  const tree = last === undefined ? null : reparse(last, text, longestAtOnce)
  if (tree !== null) keep({ text, tree })
  return tree !== null
}

/** Why the text cannot be read, if it is known already. */
export function knownProblem(text: string): DocumentProblem | null | undefined {
  return knownOf(text)?.problem
}

/** What was found out about a long text elsewhere, or part by part. */
export function keepTree(text: string, tree: SourceTree | null, problem: DocumentProblem | null): void {
  keep({ text, tree, problem })
}

function knownOf(text: string): Known | undefined {
  const found = known.findLast((one) => one.text === text)
  if (found !== undefined && found !== known.at(-1)) keep(found)
  return found
}

function keep(one: Known): Known {
  known = [...known.filter((other) => other !== one), one].slice(-mostKnown)
  return one
}

function lastReadable(): SourceTree | undefined {
  return known.findLast(({ tree }) => tree !== null)?.tree ?? undefined
}

function readAnew(text: string): SourceTree | null {
  const last = lastReadable()
  try {
    return (last && reparse(last, text)) ?? readTree(text, isJson(text))
  } catch (error) {
    const isRefused = error instanceof ConnectorError && error.code === 'manifest/too-large'
    if (isRefused || error instanceof UnreadableText) return null
    throw error
  }
}

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
export function reparse(tree: SourceTree, text: string, longest = tree.text.length / 2): SourceTree | null {
  if (tree.isTangled || tree.isJson || tree.root === null) return null
  const change = differenceOf(tree.text, text)
  for (const region of regionsAround(tree, change).toReversed()) {
    // Parsing most of the text costs as much as parsing all of it.
    if (region.to - region.from > longest) return null
    const entry = readRegion(region, text.slice(region.from, region.to + change.shift))
    if (entry !== null) return { ...tree, text, root: replaced(tree.root, region.way, entry, change.shift) }
  }
  return null
}

function regionsAround({ text, root, start }: SourceTree, { from, to }: TextChange): Region[] {
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
