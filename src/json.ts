/** JSON text ↔ values that keep every digit: whole floats stay floats, long numbers stay whole. */

/**
 * A number the source wrote as a float although its value is whole: `2.0`.
 * JavaScript cannot tell it from `2`; Python, and many an API, can.
 * Only whole floats within ±2^53 are wrapped, and long decimals: every other float is a plain number.
 */
export class Float {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
  valueOf(): number {
    return this.value
  }
  /** As JSON has it. */
  toString(): string {
    return Object.is(this.value, -0) ? '-0.0' : `${this.value}.0`
  }
  toJSON(): number {
    if (!mayLoseExactness) throw holdsFloat
    return this.value
  }
}

/**
 * A number with a dot and more digits than a double holds: `1234567890.123456789`. Where a number is wanted it is the
 * nearest double, as it is in Python and JavaScript. Its text has every digit but zeros that end it, so that a number
 * has one text only.
 */
export class LongDecimal extends Float {
  readonly digits: string
  constructor(digits: string) {
    super(Number(digits))
    this.digits = digits
  }
  override toString(): string {
    return this.digits
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

/** A number with a dot as this program holds one: wrapped when JavaScript would change what it says. */
function decimal(text: string): number | Float {
  const value = Number(text)
  if (comesBack(value, text)) return float(value)
  const digits = withoutLastZeros(text)
  return new LongDecimal(digits.endsWith('.') ? `${digits}0` : digits)
}

/** Whether the double nearest to a number is written with that number's digits. */
function comesBack(value: number, text: string): boolean {
  return String(value) === text || significant(value.toExponential().split('e', 1)[0] as string) === significant(text)
}

/** The digits that count. Numbers that round to the same double are the same if these are: the dot cannot differ. */
function significant(text: string): string {
  return withoutLastZeros(text.replace('.', '').replace(/^-?0*/, ''))
}

/** A loop, since a pattern takes the square of the time for a long row of zeros that does not end the text. */
function withoutLastZeros(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === zero) end--
  return text.slice(0, end)
}

/** A value that was JSON, and whether it may hold a `Float` that `plainNumbers` would change. */
export type ParsedJson = { readonly value: unknown; readonly hasFloats: boolean }

/** Parses JSON text: long integers as bigint, long decimals as `LongDecimal`, whole floats as `Float`. Throws SyntaxError. */
export function parseJson(text: string): ParsedJson {
  const hasFloats = hasWholeFloat(text)
  if (!hasFloats && !hasLongNumber(text)) return { value: JSON.parse(text), hasFloats }
  return { value: unmarked(JSON.parse(marked(text))), hasFloats }
}

/** In front of a number that was made a text to get it through JSON.parse whole. No API can know it. */
const mark = `\u0000${Math.random().toString(36).slice(2)}:`

/**
 * Texts, to be passed over; integers and decimals of sixteen digits and more; whole floats. Numbers with an exponent are
 * left alone.
 */
const exactToken =
  /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?(?:\d{16,}(?![\d.eE])|\d+\.(?:0+(?![\deE])|\d+(?![\deE])(?<=[\d.]{17})))/g

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
  return digits.includes('.') ? decimal(digits) : integer(BigInt(digits))
}

/** Digits that a double may not hold. */
const longNumber = 16

/**
 * Whether a number, or (which only costs time) something in a text, has more digits than a double. Such a row of digits,
 * a dot among them or not, covers one of any sixteen positions, so only those are looked at: 8 µs for 100 KB, where a
 * regular expression takes 90 to 270.
 */
function hasLongNumber(text: string): boolean {
  for (let index = longNumber - 1; index < text.length; index += longNumber) {
    if (!isDigitOrDot(text, index)) continue
    let start = index
    let end = index + 1
    while (isDigitOrDot(text, start - 1)) start--
    while (isDigitOrDot(text, end)) end++
    if (end - start >= longNumber && endsNumber(text, end) && isLong(text.slice(start, end))) return true
    index = end
  }
  return false
}

/** Many a service writes doubles with all their digits, so decimals are looked at closely. */
function isLong(row: string): boolean {
  return !row.includes('.') || !comesBack(Number(row), row)
}

/** Whether a number ends in `.0`, or (which only costs time) something in a text. */
function hasWholeFloat(text: string): boolean {
  for (let at = text.indexOf('.0'); at !== -1; at = text.indexOf('.0', at + 2)) {
    let end = at + 2
    while (text.charCodeAt(end) === zero) end++
    if (endsNumber(text, end) && isDigit(text, at - 1)) return true
  }
  return false
}

const [space, comma, dot, zero, nine, closingBracket, closingBrace] = [32, 44, 46, 48, 57, 93, 125]

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= zero && code <= nine
}

function isDigitOrDot(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code <= nine && (code >= zero || code === dot)
}

/** Whether what stands behind a number may stand here: times and numbers in quotes end otherwise. */
function endsNumber(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code === comma || code === closingBrace || code === closingBracket || code <= space || index === text.length
}

/** Writes JSON text. Long numbers keep their digits, whole floats their `.0`. */
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
const holdsFloat = new Error('holds a float that JSON.stringify would write as another number')

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

/** The same value in JavaScript's own numbers, for people's programs: no whole `Float`; long numbers stay. */
export function plainNumbers(value: unknown): unknown {
  if (value instanceof Float) return plainFloat(value)
  if (Array.isArray(value)) return value.map(plainNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainNumbers(member)]))
}

/** A float as JavaScript has it, unless digits would be lost. */
export function plainFloat(value: Float): number | LongDecimal {
  return value instanceof LongDecimal ? value : value.value
}
