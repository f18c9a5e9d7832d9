/** JSON text ↔ values that keep every digit: whole floats stay floats, long integers stay whole. */

/**
 * A number the source wrote as a float although its value is whole: `2.0`.
 * JavaScript cannot tell it from `2`; Python, and many an API, can.
 * Only whole floats within ±2^53 are wrapped: every other float is a plain number.
 */
export class Float {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
  valueOf(): number {
    return this.value
  }
  /** As Python prints it. Whole values below 1e16 always print with one decimal. */
  toString(): string {
    return Object.is(this.value, -0) ? '-0.0' : `${this.value}.0`
  }
  toJSON(): number {
    if (!mayLoseExactness) throw holdsFloat
    return this.value
  }
}

/** A float as this program holds one: wrapped when JavaScript would take it for an integer. */
export function float(value: number): number | Float {
  return Number.isSafeInteger(value) ? new Float(value) : value
}

/** An integer as this program holds one: a number where that is exact, else a bigint. */
export function integer(value: bigint): number | bigint {
  const short = Number(value)
  return Number.isSafeInteger(short) ? short : value
}

/** A value that was JSON, and whether it may hold a `Float`. */
export type ParsedJson = { readonly value: unknown; readonly hasFloats: boolean }

/** Parses JSON text: long integers as bigint, whole floats as `Float`. Throws SyntaxError. */
export function parseJson(text: string): ParsedJson {
  const hasFloats = hasWholeFloat(text)
  if (!hasFloats && !hasLongNumber(text)) return { value: JSON.parse(text), hasFloats }
  return { value: unmarked(JSON.parse(marked(text))), hasFloats }
}

/** In front of a number that was made a text to get it through JSON.parse whole. No API can know it. */
const mark = `\u0000${Math.random().toString(36).slice(2)}:`

/** Texts, to be passed over; integers of sixteen digits and more; whole floats. Numbers with an exponent are left alone. */
const exactToken = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?(?:\d{16,}(?![\d.eE])|\d+\.0+(?![\deE]))/g

/** JSON.parse does the work, twice as fast as a parser of our own would: only the numbers it would damage hide in texts. */
function marked(text: string): string {
  return text.replace(exactToken, (token) => (token.startsWith('"') ? token : JSON.stringify(mark + token)))
}

function unmarked(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? exactNumber(value.slice(mark.length)) : value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = unmarked(value[index])
  } else if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>
    for (const name of Object.keys(members)) {
      const member = members[name]
      if (typeof member === 'string' ? member.startsWith(mark) : typeof member === 'object')
        setOwn(members, name, unmarked(member))
    }
  }
  return value
}

/** Assigning to `__proto__` would not make a member of that name. */
export function setOwn(members: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(members, name, { value, enumerable: true, writable: true, configurable: true })
  else members[name] = value
}

/** A whole number with an exponent, `1e5`, is an integer: finding those would cost as much as half the parsing. */
function exactNumber(digits: string): unknown {
  return digits.includes('.') ? float(Number(digits)) : integer(BigInt(digits))
}

/** Digits that a double may not hold. */
const longNumber = 16

/**
 * Whether sixteen digits stand in a row, in a number or (which only costs time) in a text. Any such row covers one of
 * every sixteen positions, so only those are looked at: 8 µs for 100 KB, where a regular expression takes 90 to 270.
 */
function hasLongNumber(text: string): boolean {
  for (let index = longNumber - 1; index < text.length; index += longNumber) {
    const code = text.charCodeAt(index)
    if (code <= nine && code >= zero && rowAround(text, index) >= longNumber) return true
  }
  return false
}

function rowAround(text: string, index: number): number {
  let start = index
  let end = index + 1
  while (isDigit(text, start - 1)) start--
  while (isDigit(text, end)) end++
  return end - start
}

/** Whether a number ends in `.0`, or (which only costs time) a text has one inside. */
function hasWholeFloat(text: string): boolean {
  for (let dot = text.indexOf('.0'); dot !== -1; dot = text.indexOf('.0', dot + 2)) {
    let end = dot + 2
    while (text.charCodeAt(end) === zero) end++
    if (isDigit(text, dot - 1) && !isDigit(text, end)) return true
  }
  return false
}

const zero = 48
const nine = 57

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= zero && code <= nine
}

/** Writes JSON text. Bigints keep their digits, whole floats their `.0`. */
export function stringifyJson(value: unknown): string {
  try {
    mayLoseExactness = false
    return JSON.stringify(value)
  } catch (error) {
    // JSON.stringify throws a TypeError for a bigint, and for a circle: that one ends below as a RangeError.
    if (error !== holdsFloat && !(error instanceof TypeError)) throw error
    return stringifyExactly(value)
  } finally {
    mayLoseExactness = true
  }
}

/** A replacer function would make JSON.stringify five times slower; a Float that knows who asks costs nothing. */
let mayLoseExactness = true
const holdsFloat = new Error('holds a float that JSON.stringify would write as an integer')

/** By hand, since JSON.stringify cannot write a bigint: three times as fast as collecting parts and joining them. */
function stringifyExactly(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return needsEscape.test(value) ? JSON.stringify(value) : `"${value}"`
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? 'null' : stringifyMembers(value)
    default:
      return 'null'
  }
}

const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/

function stringifyMembers(value: object): string {
  if (value instanceof Float) return value.toString()
  if (Array.isArray(value)) return `[${value.map(stringifyExactly).join(',')}]`
  if ('toJSON' in value && typeof value.toJSON === 'function') return stringifyExactly(value.toJSON())
  let text = ''
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || typeof member === 'function') continue
    text += `${text === '' ? '' : ','}${stringifyExactly(name)}:${stringifyExactly(member)}`
  }
  return `{${text}}`
}

/** The same value in JavaScript's own numbers, for people's programs: no `Float`; bigints stay. */
export function plainNumbers(value: unknown): unknown {
  if (value instanceof Float) return value.value
  if (Array.isArray(value)) return value.map(plainNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainNumbers(member)]))
}
