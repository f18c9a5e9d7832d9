/** A change of one value of a document → the edits of its text. */
import { isObject } from '../engine/manifest/tree.ts'
import { behindBlanks, lineEnd, lineStart, nextLine, startsLine } from './characters.ts'
import { layoutOf } from './layout.ts'
import { entryEnd, type Entry, locate, type SourceTree, type SourceStep } from './source-tree.ts'
import { isSame, type Path, valueAt, withValueAt } from './value-path.ts'
import { quoteAt, spliceItem, spliceMember, spliceOut } from './splice-entry.ts'
import { spliceValue } from './splice-value.ts'
import { treeOf } from './tree-of.ts'
import { blockOf, flowOf, keyText, isFilledNode } from './value-text.ts'

/** Writes only what differs: a map keeps unchanged members, a list the unchanged items at both ends. */
export function spliceSetting(tree: SourceTree, path: Path, value: unknown): string | null {
  const before = valueAt(tree.root?.value, path)
  if (isSame(before, value)) return tree.text
  if (isObject(before) && isObject(value)) return members(tree, path, before, value)
  if (Array.isArray(before) && Array.isArray(value)) return items(tree, path, before, value)
  return spliceWhole(tree, path, value)
}

export function spliceRemoval(tree: SourceTree, path: Path): string | null {
  const located = locate(tree, path)
  return located === null || located.rest.length > 0 ? null : spliceOut(tree, located.steps)
}

type Small = (tree: SourceTree) => string | null

/** Applies edits in order, each to the result of the one before. */
function inTurn(tree: SourceTree, edits: readonly Small[]): string | null {
  let now: SourceTree | null = tree
  for (const edit of edits) {
    const text: string | null = edit(now)
    now = text === null ? null : treeOf(text)
    if (now === null) return null
  }
  return now.text
}

function members(tree: SourceTree, path: Path, before: object, after: object): string | null {
  const kept = Object.entries(after)
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  // Removals come last, so that a map whose members are all replaced is never empty in between.
  return inTurn(tree, [
    ...kept.map(
      ([key, value]): Small =>
        (now) =>
          spliceSetting(now, [...path, key], value),
    ),
    ...gone.map(
      (key): Small =>
        (now) =>
          spliceRemoval(now, [...path, key]),
    ),
  ])
}

function items(tree: SourceTree, path: Path, before: readonly unknown[], after: readonly unknown[]): string | null {
  if (before.length === 0 || after.length === 0) return spliceWhole(tree, path, after)
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && isSame(before[head], after[head])) head++
  let tail = 0
  while (tail < shorter - head && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail++
  const changed = shorter - head - tail
  const edits: Small[] = []
  for (let index = head; index < head + changed; index++) {
    edits.push((now) => spliceSetting(now, [...path, index], after[index]))
  }
  for (let index = before.length - tail - 1; index >= head + changed; index--) {
    edits.push((now) => spliceRemoval(now, [...path, index]))
  }
  for (let index = head + changed; index < after.length - tail; index++) {
    edits.push((now) => {
      const located = locate(now, path)
      return located === null ? null : spliceItem(now, located.steps, index, after[index])
    })
  }
  return inTurn(tree, edits)
}

/** Writes the value in place, or as a new member of the deepest part of the path that is written. */
function spliceWhole(tree: SourceTree, path: Path, value: unknown): string | null {
  const located = locate(tree, path)
  if (located === null) return spliceFirst(tree, withValueAt(null, path, value))
  const { steps, rest } = located
  const [key, ...below] = rest
  if (key === undefined) return spliceValue(tree, steps, value)
  const { node } = steps.at(-1) as (typeof steps)[number]
  const written = path.slice(0, path.length - rest.length)
  if (node.kind === 'map') {
    // Inside what an alias or `<<` brings in, all of it is written here: other uses keep theirs.
    const inherited = valueAt(tree.root?.value, [...written, key])
    return spliceMember(tree, steps, String(key), withValueAt(inherited, below, value))
  }
  if (node.kind === 'list') return spliceItem(tree, steps, node.entries.length, withValueAt(undefined, below, value))
  return spliceValue(tree, steps, withValueAt(node.value, rest, value))
}

/** Into a text that holds nothing but comments. */
function spliceFirst(tree: SourceTree, value: unknown): string | null {
  const { text } = tree
  const { lineEnd: newline } = layoutOf(tree)
  const before = text === '' || /[\n\r]$/.test(text) ? text : text + newline
  if (behindBlanks(text, 0) < text.length && !/^---\s/.test(text)) return null
  return before + (isFilledNode(value) ? blockOf(value, 0, layoutOf(tree)) : flowOf(value)) + newline
}

/** The list is the last step of the path. */
export function spliceMove(tree: SourceTree, steps: readonly SourceStep[], from: number, to: number): string | null {
  const { text } = tree
  const list = steps.at(-1)
  if (list?.node.kind !== 'list') return null
  const { entries, isFlow } = list.node
  const parts = isFlow ? entries.map((entry) => itself(list.start, entry)) : linesOf(text, list, entries)
  if (parts === null) return null
  const texts = parts.map((part) => text.slice(part.start, part.end))
  const [moved] = texts.splice(from, 1)
  if (moved === undefined) return null
  texts.splice(to, 0, moved)
  const [first] = parts
  const last = parts.at(-1)
  if (first === undefined || last === undefined) return null
  // What is between the items, a line end or a comma, stays in place.
  const between = parts.map((part, index) => text.slice(part.end, parts[index + 1]?.start ?? part.end))
  const rejoined = texts.map(
    (part, index) => part + (between[index] || (index + 1 < texts.length ? layoutOf(tree).lineEnd : '')),
  )
  return text.slice(0, first.start) + rejoined.join('') + text.slice(last.end)
}

type Part = { readonly start: number; readonly end: number }

function itself(start: number, entry: Entry): Part {
  return { start: start + entry.at, end: start + entryEnd(entry) }
}

/** Whole lines without their last line end; null when an item shares a line with what is around it. */
function linesOf(text: string, { start, held }: SourceStep, entries: readonly Entry[]): Part[] | null {
  const [first] = entries
  if (first === undefined || !startsLine(text, start + first.at)) return null
  const above = held === null ? 0 : nextLine(text, held.start + (held.entry.markEnd ?? 0))
  const firstLine = lineStart(text, start + first.at)
  let next = held === null ? firstLine : Math.min(above, firstLine)
  return entries.map((entry) => {
    const part = { start: next, end: lineEnd(text, start + entryEnd(entry)) }
    next = nextLine(text, part.end)
    return part
  })
}

/** Renames the key of the last step, with the same quotes. */
export function spliceKey(tree: SourceTree, steps: readonly SourceStep[], name: string): string | null {
  const held = steps.at(-1)?.held
  const parent = steps.at(-2)
  if (held == null || held.entry.key === null || parent?.node.kind !== 'map') return null
  const { text, isJson } = tree
  const style = quoteAt(text, held.start)
  const key = isJson ? JSON.stringify(name) : keyText(name, style, parent.node.isFlow)
  return text.slice(0, held.start) + key + text.slice(held.start + held.entry.keyLength)
}
