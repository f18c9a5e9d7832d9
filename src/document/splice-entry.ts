/** Adds a member or an item to a text, or removes it. */
import { columnOf, lineEnd, lineStart, nextLine, previousLineEnd, startsLine } from './characters.ts'
import { isBlock, type Layout, layoutOf } from './layout.ts'
import {
  type Collection,
  entryEnd,
  type Entry,
  type ScalarStyle,
  type SourceTree,
  type SourceStep,
} from './source-tree.ts'
import { dashWidth, indentOfLine, spliceValue, styleOf } from './splice-value.ts'
import { afterColon, afterDash, flowOf, joined, jsonOf, keyText, pad } from './value-text.ts'

/** At the end of the map, which is the last step of the path. */
export function spliceMember(
  tree: SourceTree,
  steps: readonly SourceStep[],
  key: string,
  value: unknown,
): string | null {
  const { text } = tree
  const map = steps.at(-1)
  if (map === undefined || map.node.kind !== 'map' || map.node.entries.length === 0) {
    return spliceValue(tree, steps, { [key]: value })
  }
  const [first] = map.node.entries as readonly [Entry]
  const layout = layoutOf(tree)
  if (isBlock(map.node)) {
    const column = columnOf(text, map.start + first.at)
    const member = `${keyText(key)}:${joined(afterColon(value, column, layout))}`
    const at = lineEnd(text, map.end)
    return text.slice(0, at) + layout.lineEnd + pad(column) + member + text.slice(at)
  }
  const last = map.node.entries.at(-1) as Entry
  const firstAt = map.start + first.at
  const keyStyle = quoteAt(text, firstAt)
  const colon = colonOf(text, map.start + last.at, last)
  const written = tree.isJson
    ? JSON.stringify(key) + colon + jsonOf(value, indentOfLine(text, firstAt), layout)
    : keyText(key, keyStyle, true) + colon + flowOf(value, keyStyle === 'plain' ? styleOf(last.node) : keyStyle)
  const at = map.start + entryEnd(last)
  return text.slice(0, at) + separatorOf(text, map, layout) + written + text.slice(at)
}

/** Before the item at this index, or at the end of the list, which is the last step of the path. */
export function spliceItem(
  tree: SourceTree,
  steps: readonly SourceStep[],
  index: number,
  value: unknown,
): string | null {
  const { text } = tree
  const list = steps.at(-1)
  if (list === undefined || list.node.kind !== 'list' || list.node.entries.length === 0) {
    return spliceValue(tree, steps, [value])
  }
  const { entries } = list.node
  const firstAt = list.start + (entries[0]?.at ?? 0)
  const before = entries[index - 1]
  const style = styleAmong(list.node)
  const layout = layoutOf(tree)
  if (isBlock(list.node)) {
    const column = columnOf(text, firstAt)
    const item = `-${joined(afterDash(value, column, layout, style, dashWidth(text, firstAt)))}`
    const between = layout.lineEnd + pad(column)
    if (before === undefined) return text.slice(0, firstAt) + item + between + text.slice(firstAt)
    const at = lineEnd(text, list.start + entryEnd(before))
    return text.slice(0, at) + between + item + text.slice(at)
  }
  const item = tree.isJson ? jsonOf(value, indentOfLine(text, firstAt), layout) : flowOf(value, style)
  const separator = separatorOf(text, list, layout)
  if (before === undefined) return text.slice(0, firstAt) + item + separator + text.slice(firstAt)
  const at = list.start + entryEnd(before)
  return text.slice(0, at) + separator + item + text.slice(at)
}

/** Removes the last step of the path. A map or list that held nothing else is left empty, never null. */
export function spliceOut(tree: SourceTree, steps: readonly SourceStep[]): string | null {
  const { text } = tree
  const target = steps.at(-1)
  const parent = steps.at(-2)
  if (target?.held == null || parent === undefined || !('entries' in parent.node)) return null
  const { node, start } = parent
  if (node.entries.length === 1) return spliceValue(tree, steps.slice(0, -1), node.kind === 'map' ? {} : [])
  const { index, start: from } = target.held
  const before = node.entries[index - 1]
  const after = node.entries[index + 1]
  if (node.isFlow) {
    if (before !== undefined) return text.slice(0, start + entryEnd(before)) + text.slice(target.end)
    return text.slice(0, from) + text.slice(start + (after?.at ?? 0))
  }
  if (startsLine(text, from)) return withoutLines(text, from, target.end)
  // The first member, after the dash of its list: the next one moves up, unless a comment is between.
  const next = start + (after?.at ?? 0)
  const end = lineEnd(text, target.end)
  return text.slice(0, from) + text.slice(text.slice(end, next).includes('#') ? end : next)
}

function withoutLines(text: string, from: number, to: number): string {
  const after = nextLine(text, to)
  const isLast = lineEnd(text, to) === text.length
  return text.slice(0, isLast ? previousLineEnd(text, from) : lineStart(text, from)) + text.slice(after)
}

/** The separator of two members in brackets. */
function separatorOf(text: string, { node, start }: SourceStep, { lineEnd: lineBreak, jsonGap }: Layout): string {
  const entries = (node as Collection).entries
  const [one, other] = entries
  if (one === undefined) return ', '
  if (other !== undefined) {
    const between = text.slice(start + entryEnd(one), start + other.at)
    if (/^\s*,\s*$/.test(between)) return between
  }
  const firstAt = start + one.at
  const isOnOwnLine = lineStart(text, firstAt) > start
  return isOnOwnLine
    ? `,${lineBreak}${indentOfLine(text, firstAt)}`
    : `,${quoteAt(text, firstAt) === 'double' ? jsonGap : ' '}`
}

/** The colon with its spaces, as in the other members. */
function colonOf(text: string, at: number, { keyLength, valueAt }: Entry): string {
  const between = text.slice(at + keyLength, at + valueAt)
  return /^ *: *$/.test(between) && between !== ':' ? between : between === ':' && text[at] === '"' ? ':' : ': '
}

export function quoteAt(text: string, at: number): ScalarStyle {
  return text[at] === '"' ? 'double' : text[at] === "'" ? 'single' : 'plain'
}

/** The quotes of the strings in a list, as its last string has them. */
function styleAmong({ entries }: Collection): ScalarStyle {
  const style = styleOf(
    entries.findLast(({ node }) => node.kind === 'scalar' && typeof node.value === 'string')?.node ?? nothing,
  )
  return style === 'single' || style === 'double' ? style : 'plain'
}

const nothing = { kind: 'alias', length: 0, value: null, anchor: null, hasMarks: false } as const
