/** A value → its text: in blocks, in one line, or as JSON; every YAML 1.1 or 1.2 loader reads it as that value. */
import { plainScalar } from '../engine/manifest/scalars.ts'
import { isNode, isObject } from '../engine/manifest/tree.ts'
import { Float, stringifyJson } from '../std/json.ts'
import type { Layout } from './layout.ts'
import type { ScalarStyle } from './source-tree.ts'

/** What follows a colon or a dash: the rest of its line, and the lines below it. */
export type Written = { readonly inline: string; readonly below: string }

/** What follows the colon of a key in this column. */
export function afterColon(value: unknown, column: number, layout: Layout, style: ScalarStyle = 'plain'): Written {
  if (!isFilledNode(value)) return scalar(value, column + layout.step, layout, style)
  const inner = column + (Array.isArray(value) ? layout.listStep : layout.step)
  return { inline: '', below: layout.lineEnd + pad(inner) + blockOf(value, inner, layout) }
}

/** What follows the dash of an item: its first line is next to the dash. `gap` is the width of dash and spaces. */
export function afterDash(
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
    return value.map((item) => `-${joined(afterDash(item, column, layout))}`).join(between)
  }
  return Object.entries(value as object)
    .map(([key, member]) => `${keyText(key)}:${joined(afterColon(member, column, layout))}`)
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

/** On one line, in brackets. `style` is that of the strings around it. */
export function flowOf(value: unknown, style: ScalarStyle = 'plain'): string {
  if (typeof value === 'string')
    return textInLine(value, style === 'double' || style === 'single' ? style : 'plain', true)
  if (Array.isArray(value)) return `[${value.map((item) => flowOf(item, style)).join(', ')}]`
  if (!isObject(value)) return otherScalar(value, false)
  const members = Object.entries(value).map(([key, member]) => `${keyText(key, style, true)}: ${flowOf(member, style)}`)
  return members.length === 0 ? '{}' : `{${members.join(', ')}}`
}

/** JSON in the style of the document; `indent` is that of its first line. */
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

/** An object or a list with something in it: others are written in one line. */
export function isFilledNode(value: unknown): value is object {
  return isNode(value) && Object.keys(value).length > 0
}

export function joined({ inline, below }: Written): string {
  return inline + below
}

export function pad(columns: number): string {
  return ' '.repeat(Math.max(0, columns))
}

/** A plain scalar starts with none of YAML's indicators. */
const plainStart = /^[^\s\-?:,[\]{}#&*!|>'"%@`=~<]/
/** Spaces at the ends are lost, `: ` makes a key, ` #` a comment, and some characters must be escaped. */
const notPlain =
  /: |:$| #|\s$|\t|[^\x20-\x7E\u00A0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD\u{10000}-\u{10FFFF}]|[\u2028\u2029]/u
const notPlainInFlow = /[,[\]{}]|:(?=["'])/
/** Numbers of YAML 1.2 that 1.1 does not have, dates, and single letters that some loaders read as booleans. */
const readElsewhere =
  /^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?|0o[0-7]+|0x[0-9a-f]+|\d{4}-\d\d?-\d\d?.*|[\d_:.]+|y|n)$/i
/** Characters that must be escaped in any quotes. */
const needsEscape = /[^\x20-\x7E\u00A0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD\u{10000}-\u{10FFFF}]|[\u2028\u2029]/u

/** Whether the string can be written without quotes. */
function isPlain(text: string, isFlow: boolean): boolean {
  if (!plainStart.test(text) || notPlain.test(text) || (isFlow && notPlainInFlow.test(text))) return false
  return !looksLikeNumber(text) && plainScalar(text) === text && !/^(?:---|\.\.\.)/.test(text)
}

/** Versions such as `6.1.0` are text to every loader; `[\d_:.]+` alone would quote them. */
function looksLikeNumber(text: string): boolean {
  return readElsewhere.test(text) && !/^\d+\.\d+\.\d+$/.test(text)
}

/** On one line, in the requested style where the string needs no escapes. */
function textInLine(text: string, style: ScalarStyle, isFlow: boolean): string {
  if (needsEscape.test(text)) return doubleQuoted(text)
  if (style === 'single') return singleQuoted(text)
  if (style !== 'double' && isPlain(text, isFlow)) return text
  // Templates are full of quotes: `"{{ response.get(\"next\") }}"` is hard to read, and to copy.
  return /["\\]/.test(text) && !text.includes("'") ? singleQuoted(text) : doubleQuoted(text)
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** JSON's escapes are YAML's; what JSON leaves as it is although YAML ends a line there, is escaped as well. */
function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(/[\x7F-\x9F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** A number, a boolean or null, as the engine reads it back. */
function otherScalar(value: unknown, isJson: boolean): string {
  if (isJson) return stringifyJson(value)
  if (value === null || value === undefined) return 'null'
  if (typeof value !== 'number') return value instanceof Float ? value.toString() : `${value as bigint | boolean}`
  if (Number.isNaN(value)) return '.nan'
  if (!Number.isFinite(value)) return value < 0 ? '-.inf' : '.inf'
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return `${BigInt(value)}.0`
  // YAML 1.1 wants a dot in what has an exponent.
  return String(value).replace(/^(-?\d+)e/, '$1.0e')
}

/** A block scalar: its header, and its lines without indentation. Null where quotes are needed. */
function blockText(text: string, style: ScalarStyle): { header: string; lines: string[] } | null {
  const body = text.replace(/\n+$/, '')
  const ends = text.length - body.length
  // The first line must not start with spaces, since its indentation defines that of the others.
  if (body === '' || /^[ \t\n]/.test(body) || needsEscape.test(body.replaceAll(/[\n\t]/g, ''))) return null
  const isFolded = style === 'folded' && !body.includes('\n')
  const chomping = ends === 0 ? '-' : ends === 1 ? '' : '+'
  const lines = [...body.split('\n'), ...Array.from({ length: Math.max(0, ends - 1) }, () => '')]
  return { header: `${isFolded ? '>' : '|'}${chomping}`, lines }
}
