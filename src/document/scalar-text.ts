/** One value → YAML text that every loader, of YAML 1.1 or 1.2, reads as that value. */
import { Float, stringifyJson } from '../std/json.ts'
import { plainScalar } from '../engine/manifest/scalars.ts'
import type { ScalarStyle } from './source-tree.ts'

/** A plain text begins with none of the indicators of YAML, and with nothing that only looks harmless. */
const plainStart = /^[^\s\-?:,[\]{}#&*!|>'"%@`=~<]/
/** Blanks at the ends vanish, `: ` makes a key, ` #` a comment, and some characters can only be escaped. */
const notPlain =
  /: |:$| #|\s$|\t|[^\x20-\x7E\u00A0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD\u{10000}-\u{10FFFF}]|[\u2028\u2029]/u
const notPlainInFlow = /[,[\]{}]|:(?=["'])/
/** Numbers of YAML 1.2 that 1.1 does not know, dates, and the single letters that some loaders take for booleans. */
const readElsewhere =
  /^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?|0o[0-7]+|0x[0-9a-f]+|\d{4}-\d\d?-\d\d?.*|[\d_:.]+|y|n)$/i
/** What neither kind of quote can hold as it is: only an escape can. */
const needsEscape = /[^\x20-\x7E\u00A0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD\u{10000}-\u{10FFFF}]|[\u2028\u2029]/u

/** Whether the text can stand without quotes. */
export function isPlain(text: string, isFlow: boolean): boolean {
  if (!plainStart.test(text) || notPlain.test(text) || (isFlow && notPlainInFlow.test(text))) return false
  return !looksLikeNumber(text) && plainScalar(text) === text && !/^(?:---|\.\.\.)/.test(text)
}

/** Versions such as `6.1.0` are text to every loader; `[\d_:.]+` alone would quote them. */
function looksLikeNumber(text: string): boolean {
  return readElsewhere.test(text) && !/^\d+\.\d+\.\d+$/.test(text)
}

/** On one line, in the style asked for where the text fits into it without escapes. */
export function textInLine(text: string, style: ScalarStyle, isFlow: boolean): string {
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
export function otherScalar(value: unknown, isJson: boolean): string {
  if (isJson) return stringifyJson(value)
  if (value === null || value === undefined) return 'null'
  if (typeof value !== 'number') return value instanceof Float ? value.toString() : `${value as bigint | boolean}`
  if (Number.isNaN(value)) return '.nan'
  if (!Number.isFinite(value)) return value < 0 ? '-.inf' : '.inf'
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return `${BigInt(value)}.0`
  // YAML 1.1 wants a dot in what has an exponent.
  return String(value).replace(/^(-?\d+)e/, '$1.0e')
}

/** A block text: its header, and its lines without their indentation. Null where quotes are needed. */
export function blockText(text: string, style: ScalarStyle): { header: string; lines: string[] } | null {
  const body = text.replace(/\n+$/, '')
  const ends = text.length - body.length
  if (body === '' || needsEscape.test(text.replaceAll('\n', '')) || /^[ \t\n]|[ \t]$/m.test(firstAndEnds(body)))
    return null
  const isFolded = style === 'folded' && !body.includes('\n')
  const chomping = ends === 0 ? '-' : ends === 1 ? '' : '+'
  const lines = [...body.split('\n'), ...Array.from({ length: Math.max(0, ends - 1) }, () => '')]
  return { header: `${isFolded ? '>' : '|'}${chomping}`, lines }
}

/** The first line must not begin with blanks, since its indentation tells that of all others. */
function firstAndEnds(body: string): string {
  const [first = '', ...others] = body.split('\n')
  return [first, ...others.map((line) => line.trimStart())].join('\n').replace(/\n+/g, '\n')
}
