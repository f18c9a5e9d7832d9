/** A value → the text that says it: laid out in blocks, in one line, or as JSON. */
import { isNode, isObject } from '../engine/manifest/tree.ts'
import type { Layout } from './layout.ts'
import { blockText, otherScalar, textInLine } from './scalar-text.ts'
import type { ScalarStyle } from './source-tree.ts'

/** What follows a colon or a dash: the rest of its line, and the lines below it. */
export type Written = { readonly inline: string; readonly below: string }

/** What follows the colon of a key that stands in this column. */
export function behindColon(value: unknown, column: number, layout: Layout, style: ScalarStyle = 'plain'): Written {
  if (!isFilledNode(value)) return scalar(value, column + layout.step, layout, style)
  const inner = column + (Array.isArray(value) ? layout.listStep : layout.step)
  return { inline: '', below: layout.lineEnd + pad(inner) + blockOf(value, inner, layout) }
}

/** What follows the dash of an item: its first line stands beside the dash. `gap` is the width of dash and blanks. */
export function behindDash(
  value: unknown,
  column: number,
  layout: Layout,
  style: ScalarStyle = 'plain',
  gap = 2,
): Written {
  const blanks = pad(gap - 1)
  if (!isFilledNode(value)) {
    const { inline, below } = scalar(value, column + gap, layout, style)
    return { inline: blanks + inline.slice(1), below }
  }
  const lines = blockOf(value, column + gap, layout)
  const first = lines.indexOf(layout.lineEnd)
  if (first < 0) return { inline: blanks + lines, below: '' }
  return { inline: blanks + lines.slice(0, first), below: lines.slice(first) }
}

/** An object or list that holds something, its first line without indentation. */
export function blockOf(value: unknown, column: number, layout: Layout): string {
  const between = layout.lineEnd + pad(column)
  if (Array.isArray(value)) {
    return value.map((item) => `-${joined(behindDash(item, column, layout))}`).join(between)
  }
  return Object.entries(value as object)
    .map(([key, member]) => `${keyText(key)}:${joined(behindColon(member, column, layout))}`)
    .join(between)
}

function scalar(value: unknown, inner: number, layout: Layout, style: ScalarStyle): Written {
  if (typeof value !== 'string') return { inline: ` ${flowOf(value)}`, below: '' }
  const isBlock = value.includes('\n') || style === 'literal' || style === 'folded'
  const block = isBlock && style !== 'double' && style !== 'single' ? blockText(value, style) : null
  if (block === null) return { inline: ` ${textInLine(value, style, false)}`, below: '' }
  const lines = block.lines.map((line) => layout.lineEnd + (line === '' ? '' : pad(inner) + line))
  return { inline: ` ${block.header}`, below: lines.join('') }
}

/** On one line, between brackets. `style` is that of the texts it stands among. */
export function flowOf(value: unknown, style: ScalarStyle = 'plain'): string {
  if (typeof value === 'string')
    return textInLine(value, style === 'double' || style === 'single' ? style : 'plain', true)
  if (Array.isArray(value)) return `[${value.map((item) => flowOf(item, style)).join(', ')}]`
  if (!isObject(value)) return otherScalar(value, false)
  const members = Object.entries(value).map(([key, member]) => `${keyText(key, style, true)}: ${flowOf(member, style)}`)
  return members.length === 0 ? '{}' : `{${members.join(', ')}}`
}

/** JSON as the rest of the document has it; `indent` is that of the line it begins on. */
export function jsonOf(value: unknown, indent: string, layout: Layout): string {
  if (!isFilledNode(value)) return isNode(value) ? (Array.isArray(value) ? '[]' : '{}') : otherScalar(value, true)
  const { jsonIndent, jsonGap: gap, lineEnd } = layout
  const inner = indent + (jsonIndent ?? '')
  const parts = Array.isArray(value)
    ? value.map((item) => jsonOf(item, inner, layout))
    : Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${gap}${jsonOf(member, inner, layout)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (jsonIndent === null) return `${open}${parts.join(`,${gap}`)}${close}`
  return `${open}${lineEnd}${inner}${parts.join(`,${lineEnd}${inner}`)}${lineEnd}${indent}${close}`
}

/** A key is written as it is wherever that is safe. */
export function keyText(key: string, style: ScalarStyle = 'plain', isFlow = false): string {
  return textInLine(key, style === 'double' || style === 'single' ? style : 'plain', isFlow)
}

function isFilledNode(value: unknown): value is object {
  return isNode(value) && Object.keys(value).length > 0
}

export function joined({ inline, below }: Written): string {
  return inline + below
}

export function pad(columns: number): string {
  return ' '.repeat(Math.max(0, columns))
}
