/** A text → its tree, cached; a text that differs in one place is parsed again only there. */
import { isJson, UnreadableText } from '../engine/manifest/read-yaml.ts'
import { documentMarks } from '../engine/manifest/yaml-parts.ts'
import { hasCode } from '../std/errors.ts'
import { anchorsBefore, withAliases } from './aliases.ts'
import { lineStart, startsLine } from './characters.ts'
import { differenceOf, type TextChange } from './difference.ts'
import { type ReadMembers, type MembersLayout, readMembers, readTree } from './read-tree.ts'
import { reparseJson } from './reparse-json.ts'
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
    const isRefused = hasCode(error, 'manifest/too-large')
    if (isRefused || error instanceof UnreadableText) return null
    throw error
  }
}

/** Neighbouring members of a collection that can be parsed without the others. */
type Region = {
  /** Which entry to take at each level, from the root to the collection. */
  readonly way: readonly number[]
  readonly kind: Collection['kind']
  /** The members between these two indexes. */
  readonly first: number
  readonly after: number
  /** Their whole lines. */
  readonly from: number
  readonly to: number
  readonly column: number
  /** A collection around them has an anchor. */
  readonly isRepeated: boolean
}

const noAnchors = new Map<string, unknown>()

/** Null when the change may reach beyond members that can be parsed alone. */
export function reparse(tree: SourceTree, text: string, longest = tree.text.length / 2): SourceTree | null {
  if (tree.isJson) return reparseJson(tree, text, longest)
  if (tree.root === null) return null
  const change = earlier(tree.text, text, differenceOf(tree.text, text))
  for (const region of regionsAround(tree, change).toReversed()) {
    // Parsing most of the text costs as much as parsing all of it.
    if (region.to - region.from > longest) return null
    const lines = text.slice(region.from, region.to + change.shift)
    const anchors = tree.isTangled && lines.includes('*') ? anchorsBefore(tree, region.from) : noAnchors
    const read = readRegion(lines, { ...region, anchors })
    if (read === null) continue
    const isTangled = tree.isTangled || read.isTangled
    const now = { ...tree, text, isTangled, root: replaced(tree.root, region, read.entries, change.shift) }
    const mayBeRepeated = region.isRepeated || (tree.text.slice(region.from, region.to) + lines).includes('&')
    return isTangled && mayBeRepeated ? withAliases(now) : now
  }
  return null
}

/**
 * A change at the start of a line, seen as one that starts with the line end before it: lines that come or go then belong to the
 * member before them, and leave the next one alone.
 */
function earlier(before: string, after: string, { from, to, shift }: TextChange): TextChange {
  const isLineStart = from > 0 && before[from - 1] === '\n'
  const isLineEnd = before[to - 1] === '\n' && after[to + shift - 1] === '\n'
  return isLineStart && isLineEnd ? { from: from - 1, to: to - 1, shift } : { from, to, shift }
}

function regionsAround({ text, root, start }: SourceTree, { from, to }: TextChange): Region[] {
  const regions: Region[] = []
  const way: number[] = []
  let node: SourceNode | null = root
  let at = start
  let outerEnd = text.length
  let isRepeated = false
  while (node !== null && (node.kind === 'map' || node.kind === 'list') && !node.isFlow) {
    const { kind, entries, anchor }: Collection = node
    isRepeated ||= anchor !== null
    const base: number = at
    const first = entries.findLastIndex((entry) => base + entry.at + (entry.markEnd ?? 0) <= from)
    const entry = entries[first]
    if (entry === undefined || entry.markEnd === null) break
    const endOf = (index: number): number => {
      const next = entries[index + 1]
      return next === undefined ? outerEnd : lineStart(text, base + next.at)
    }
    // The line end before the next member must stay; nothing follows the last line of the text.
    const holdsChange = (end: number) => (end < text.length ? to < end : to <= end)
    let last = first
    while (last < entries.length && !holdsChange(endOf(last))) last++
    if (last === entries.length) break
    const entryStart: number = base + entry.at
    const lines = lineStart(text, entryStart)
    if (startsLine(text, entryStart)) {
      const column = entryStart - lines
      regions.push({ way: [...way], kind, first, after: last + 1, from: lines, to: endOf(last), column, isRepeated })
    }
    if (last > first) break
    way.push(first)
    at = entryStart + entry.valueAt
    node = entry.node
    outerEnd = endOf(first)
  }
  return regions
}

/** The members after the change, from the first of them on; null when the lines are not exactly that. */
function readRegion(lines: string, layout: MembersLayout): ReadMembers | null {
  if (documentMarks.test(lines)) return null
  try {
    const members = readMembers(lines, layout)
    return members?.entries[0]?.at === 0 ? members : null
  } catch {
    return null
  }
}

function replaced(node: SourceNode, region: Region, read: readonly Entry[], shift: number, depth = 0): SourceNode {
  if (node.kind === 'scalar' || node.kind === 'alias') return node
  const inner = region.way[depth]
  const { first, after } = inner === undefined ? region : { first: inner, after: inner + 1 }
  const held = node.entries.slice(first, after)
  const moved = (entry: Entry, by: number): Entry => ({ ...entry, at: entry.at + by })
  const entries = [
    ...node.entries.slice(0, first),
    ...(inner === undefined
      ? read.map((entry) => moved(entry, held[0]?.at ?? 0))
      : held.map((entry) => ({ ...entry, node: replaced(entry.node, region, read, shift, depth + 1) }))),
    ...node.entries.slice(after).map((entry) => moved(entry, shift)),
  ]
  const last = entries.at(-1) as Entry
  const value = node.kind === 'map' ? mapValue(entries) : entries.map((sibling) => sibling.node.value)
  return { ...node, entries, length: entryEnd(last), value }
}
