/** JSON text → values that keep every digit. */
import { comesBack, exactNumber } from './exact-numbers.ts'
import { setMember } from '../values/set-member.ts'

/** A value that was JSON, and whether it may hold a `Float` that `plainNumbers` would change. */
export type ParsedJson = { readonly value: unknown; readonly hasFloats: boolean }

/** Parses JSON text: long integers as bigint, long decimals as `LongDecimal`, whole floats as `Float`. Throws SyntaxError. */
export function parseJson(text: string): ParsedJson {
  const floats = wholeFloatsIn(text)
  const longs = longNumbersIn(text)
  const hasFloats = floats.length > 0
  if (!hasFloats && longs.length === 0) return { value: JSON.parse(text), hasFloats }
  return { value: unmarked(JSON.parse(marked(text, floats, longs))), hasFloats }
}

/**
 * In front of a number that was made a text to get it through JSON.parse whole. No API can know it. Its first character
 * begins hardly any text, and JSON needs no escape for it.
 */
const mark = `\u0091${Math.random().toString(36).slice(2)}:`

/** Uses JSON.parse, which is faster than any parser written in JavaScript: only numbers it would change are made strings. */
function marked(text: string, floats: readonly Span[], longs: readonly Span[]): string {
  const found = longs.length === 0 ? floats : [...floats, ...longs].toSorted((one, other) => one.start - other.start)
  let result = ''
  let end = 0
  for (const span of found) {
    // A long number that is a whole float was found twice.
    if (span.start < end) continue
    if (!isOutsideStrings(text, span.start, end)) return markedByPattern(text)
    result += `${text.slice(end, span.start)}"${mark}${text.slice(span.start, span.end)}"`
    end = span.end
  }
  return result + text.slice(end)
}

/**
 * Whether a position is certainly in no string: the last quote before it, if there is one after `known`, a position that is
 * in none, must end a string. A quote that begins one follows a sign of JSON or a space, and one inside of one a backslash.
 */
function isOutsideStrings(text: string, position: number, known: number): boolean {
  let at = position - 1
  while (at >= known && text.charCodeAt(at) !== quote) at--
  return at < known || !mayPrecedeString.has(text.charAt(at - 1))
}

const mayPrecedeString = new Set(['', ' ', '\t', '\n', '\r', '{', '[', ',', ':', '\\'])

/**
 * Strings, to be skipped; integers and decimals of sixteen digits and more; whole floats. Shorter numbers with an exponent
 * are left alone, and a whole one, `1e5`, is an integer: finding those would cost as much as half the parsing. So are
 * exponents of four digits and more, which would be as many zeros.
 */
const exactToken =
  /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?(?!0\d)(?:(?:\d{16,}(?!\.)|\d+\.\d+(?<=[\d.]{17}))(?:[eE][+-]?\d{1,3})?|\d+\.0+)(?![\deE])/g

/** The same for any text, and slower. */
function markedByPattern(text: string): string {
  return text.replace(exactToken, (token) => (token.startsWith('"') ? token : `"${mark}${token}"`))
}

function unmarked(value: unknown): unknown {
  if (typeof value === 'string') return isMarked(value) ? exactNumber(value.slice(mark.length)) : value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = unmarked(value[index])
  } else if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>
    for (const name of Object.keys(members)) {
      const member = members[name]
      if (typeof member === 'string' ? isMarked(member) : typeof member === 'object')
        setMember(members, name, unmarked(member))
    }
  }
  return value
}

/** Most strings differ in the first character. */
function isMarked(text: string): boolean {
  return text.charCodeAt(0) === mark.charCodeAt(0) && text.startsWith(mark)
}

/** Where a number begins, its sign included, and where it ends. */
type Span = { readonly start: number; readonly end: number }

function spanOf(text: string, start: number, end: number): Span {
  return { start: text.charCodeAt(start - 1) === minus ? start - 1 : start, end }
}

/** Digits that a double may not hold. */
const longNumber = 16

/**
 * Numbers, or (which only costs time) parts of strings, with more digits than a double. Such a row of digits, a dot among
 * them or not, covers one of any sixteen positions, so only those are looked at: 8 µs for 100 KB, where a regular expression
 * takes 90 to 270.
 */
function longNumbersIn(text: string): Span[] {
  const found: Span[] = []
  for (let index = longNumber - 1; index < text.length; index += longNumber) {
    if (!isDigitOrDot(text, index)) continue
    let start = index
    let end = index + 1
    while (isDigitOrDot(text, start - 1)) start--
    while (isDigitOrDot(text, end)) end++
    const isLongRow = end - start >= longNumber
    if (isLongRow) end = endOfExponent(text, end)
    const isWhole = isLongRow && endsNumber(text, end) && !isExponent(text, start)
    if (isWhole && isLong(text.slice(start, end))) found.push(spanOf(text, start, end))
    index = end
  }
  return found
}

const exponent = /[eE][+-]?$/

function isExponent(text: string, start: number): boolean {
  return exponent.test(text.slice(Math.max(0, start - 2), start))
}

/** Where an exponent that begins here ends. */
function endOfExponent(text: string, start: number): number {
  if (text.charCodeAt(start) !== smallE && text.charCodeAt(start) !== largeE) return start
  let end = start + 1
  if (text.charCodeAt(end) === plus || text.charCodeAt(end) === minus) end++
  while (isDigit(text, end)) end++
  return end
}

/** Many a service writes doubles with all their digits, so decimals are looked at closely. */
function isLong(row: string): boolean {
  return (!/[.eE]/.test(row) || !comesBack(Number(row), row)) && jsonNumber.test(row)
}

/** What is no number must reach JSON.parse, which refuses it. */
const jsonNumber = /^(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/

/** Numbers that end in `.0`, or (which only costs time) parts of strings. */
function wholeFloatsIn(text: string): Span[] {
  const found: Span[] = []
  for (let at = text.indexOf('.0'); at !== -1; at = text.indexOf('.0', at + 2)) {
    let end = at + 2
    while (text.charCodeAt(end) === zero) end++
    if (!endsNumber(text, end) || !isDigit(text, at - 1)) continue
    let start = at - 1
    while (isDigit(text, start - 1)) start--
    if (!hasLeadingZero(text, start)) found.push(spanOf(text, start, end))
  }
  return found
}

function hasLeadingZero(text: string, start: number): boolean {
  return text.charCodeAt(start) === zero && isDigit(text, start + 1)
}

const [space, quote, plus, comma, minus, dot, zero, nine, largeE, closingBracket, smallE, closingBrace] = [
  32, 34, 43, 44, 45, 46, 48, 57, 69, 93, 101, 125,
]

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= zero && code <= nine
}

function isDigitOrDot(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code <= nine && (code >= zero || code === dot)
}

/** Whether a number may end here: times, and numbers in quotes, end differently. */
function endsNumber(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code === comma || code === closingBrace || code === closingBracket || code <= space || index === text.length
}
