/** A wish for one place of a document → the few edits of its text that fulfil it. */
import { isObject } from '../engine/manifest/tree.ts'
import { behindBlanks } from './characters.ts'
import { layoutOf } from './layout.ts'
import { locate } from './locate.ts'
import type { Path } from './path.ts'
import type { SourceTree } from './source-tree.ts'
import { spliceItem, spliceMember, spliceOut } from './splice-entry.ts'
import { spliceValue } from './splice-value.ts'
import { treeOf } from './tree-of.ts'
import { isSame, valueAt, withValueAt } from './value-path.ts'
import { blockOf, flowOf } from './value-text.ts'

/** Only what differs is written: a map keeps the members that stay, a list the items at both of its ends. */
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

/** One edit after the other, each on the text that the one before it left. */
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
  // What goes, goes last: a map that loses all it had and gets something else is never empty in between.
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

/** The value written where it stands, or as a new member of the last thing on the way that is written. */
function spliceWhole(tree: SourceTree, path: Path, value: unknown): string | null {
  const located = locate(tree, path)
  if (located === null) return spliceFirst(tree, withValueAt(null, path, value))
  const { steps, rest } = located
  const [key, ...below] = rest
  if (key === undefined) return spliceValue(tree, steps, value)
  const { node } = steps.at(-1) as (typeof steps)[number]
  const written = path.slice(0, path.length - rest.length)
  if (node.kind === 'map') {
    // Below what an alias or `<<` brings in, the whole of it is written here: the other places keep theirs.
    const inherited = valueAt(tree.root?.value, [...written, key])
    return spliceMember(tree, steps, String(key), withValueAt(inherited, below, value))
  }
  if (node.kind === 'list') return spliceItem(tree, steps, node.entries.length, withValueAt(undefined, below, value))
  return spliceValue(tree, steps, withValueAt(node.value, rest, value))
}

/** Into a text that holds comments at most. */
function spliceFirst(tree: SourceTree, value: unknown): string | null {
  const { text } = tree
  const { lineEnd } = layoutOf(tree)
  const isFilled = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  const before = text === '' || /[\n\r]$/.test(text) ? text : text + lineEnd
  if (behindBlanks(text, 0) < text.length && !/^---\s/.test(text)) return null
  return before + (isFilled ? blockOf(value, 0, layoutOf(tree)) : flowOf(value)) + lineEnd
}
