/** Replaces one value of a text by another, in place and in the same style; comments next to it stay. */
import { behindSpaces, columnOf, headerOf, lineEnd, lineStart, previousLineEnd, startsLine } from './characters.ts'
import { isBlock, layoutOf } from './layout.ts'
import type { ScalarStyle, SourceNode, SourceTree, SourceStep } from './source-tree.ts'
import { afterColon, afterDash, blockOf, flowOf, jsonOf, type Written, isFilledNode } from './value-text.ts'

/** Null where it cannot be done in place. The last step of the path is replaced; a string keeps its style if none is given. */
export function spliceValue(
  tree: SourceTree,
  steps: readonly SourceStep[],
  value: unknown,
  style?: ScalarStyle,
): string | null {
  const target = steps.at(-1)
  const parent = steps.at(-2)
  if (target === undefined) return null
  if (parent === undefined) return spliceRoot(tree, target, value)
  return isBlock(parent.node) ? spliceInBlock(tree, target, value, style) : spliceInFlow(tree, target, value)
}

function spliceRoot(tree: SourceTree, { node, start, end }: SourceStep, value: unknown): string {
  const { text, isJson } = tree
  const layout = layoutOf(tree)
  const column = columnOf(text, start)
  const before = text.slice(0, start)
  if (isJson) return before + jsonOf(value, '', layout) + text.slice(end)
  if (!isFilledNode(value) || staysFlow(node, value)) return before + flowOf(value, styleOf(node)) + text.slice(end)
  // After `---` there is no room for a block.
  const below = startsLine(text, start) ? blockOf(value, column, layout) : layout.lineEnd + blockOf(value, 0, layout)
  return before + below + text.slice(end)
}

function spliceInFlow(tree: SourceTree, { node, start, end, held }: SourceStep, value: unknown): string | null {
  const { text } = tree
  if (held === null) return null
  const written = tree.isJson
    ? jsonOf(value, indentOfLine(text, held.start), layoutOf(tree))
    : flowOf(value, styleOf(node))
  if (node.length > 0 && !node.hasMarks) return text.slice(0, start) + written + text.slice(end)
  const { markEnd, keyLength } = held.entry
  const from = held.start + (markEnd ?? keyLength)
  return `${text.slice(0, from)}${markEnd === null ? ': ' : ' '}${written}${text.slice(end)}`
}

function spliceInBlock(
  tree: SourceTree,
  { node, start, end, held }: SourceStep,
  value: unknown,
  style: ScalarStyle = styleFor(node, value),
): string | null {
  const { text } = tree
  if (held?.entry.markEnd == null) return null
  const mark = held.start + held.entry.markEnd
  const written = staysFlow(node, value)
    ? { inline: ` ${flowOf(value)}`, below: '' }
    : writtenInBlock(tree, held, value, style)
  if (isInline(node) && written.below === '' && !node.hasMarks) {
    return text.slice(0, start) + written.inline.trimStart() + text.slice(end)
  }
  const before = text.slice(0, mark)
  const rest = remains(text, mark, { node, start, end })
  const line = lineEnd(rest, 0)
  return before + written.inline + rest.slice(0, line) + written.below + rest.slice(line)
}

function writtenInBlock(
  tree: SourceTree,
  { entry, start }: NonNullable<SourceStep['held']>,
  value: unknown,
  style: ScalarStyle,
): Written {
  const layout = layoutOf(tree)
  const column = columnOf(tree.text, start)
  if (entry.key !== null) return afterColon(value, column, layout, style)
  return afterDash(value, column, layout, style, dashWidth(tree.text, start))
}

/** What follows a colon or dash once its value is removed: comments, and everything after. */
function remains(text: string, mark: number, { node, start, end }: Pick<SourceStep, 'node' | 'start' | 'end'>): string {
  if (node.kind === 'scalar' && (node.style === 'literal' || node.style === 'folded')) {
    const header = headerOf(text, start)
    return text.slice(header.end, Math.min(lineEnd(text, header.end), end)) + text.slice(end)
  }
  const isBelow = lineStart(text, start) > mark
  if (!isBelow || node.hasMarks) return text.slice(end)
  // A comment at the end of the last line of a block is about that line.
  return text.slice(mark, previousLineEnd(text, start)) + text.slice(isBlock(node) ? lineEnd(text, end) : end)
}

/** The width of the dash and the spaces after it; two where nothing follows on its line. */
export function dashWidth(text: string, dash: number): number {
  const next = behindSpaces(text, dash + 1)
  return next === lineEnd(text, dash) || text[next] === '#' ? 2 : next - dash
}

/** The indentation of the line. */
export function indentOfLine(text: string, at: number): string {
  const start = lineStart(text, at)
  return text.slice(start, behindSpaces(text, start))
}

/** The style of a string; a value that was not a string is written without quotes where that is safe. */
export function styleOf(node: SourceNode): ScalarStyle {
  return node.kind === 'scalar' && typeof node.value === 'string' ? node.style : 'plain'
}

/** Quotes give way to a block once there are several lines: in them, each line end is an escape. */
function styleFor(node: SourceNode, value: unknown): ScalarStyle {
  const style = styleOf(node)
  const isQuoted = style === 'double' || style === 'single'
  return isQuoted && typeof value === 'string' && value.includes('\n') ? 'plain' : style
}

function isInline(node: SourceNode): boolean {
  if (node.kind === 'scalar') return node.length > 0 && node.style !== 'literal' && node.style !== 'folded'
  return node.kind === 'alias' || node.isFlow
}

/** A list or map in brackets stays in brackets, unless it was empty. */
function staysFlow(node: SourceNode, value: unknown): boolean {
  return (node.kind === 'map' || node.kind === 'list') && node.isFlow && node.entries.length > 0 && isFilledNode(value)
}
