/** Numbers that JavaScript would change: whole floats, and those with more digits than a double holds. */
import { changeItems, changeMembers } from '../values/change-inside.ts'

/**
 * A number the source wrote as a float although its value is whole: `2.0`.
 * JavaScript cannot distinguish it from `2`; Python and many APIs can.
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

/** A number with a decimal point: wrapped when JavaScript would change it. */
function decimal(text: string): number | Float {
  const value = Number(text)
  // Most are `12.0`.
  if (`${value}.0` === text || comesBack(value, text)) return float(value)
  const digits = withoutLastZeros(text)
  return new LongDecimal(digits.endsWith('.') ? `${digits}0` : digits)
}

/** Whether the double nearest to a number is written with that number's digits. */
export function comesBack(value: number, text: string): boolean {
  return String(value) === text || significant(value.toExponential()) === significant(text)
}

/** The digits that count. Numbers that round to the same double are the same if these are: dot and exponent cannot differ. */
function significant(text: string): string {
  const [mantissa = ''] = text.split(/e/i, 1)
  return withoutLastZeros(mantissa.replace('.', '').replace(/^-?0*/, ''))
}

/** A loop, since a pattern takes the square of the time for a long row of zeros that does not end the text. */
function withoutLastZeros(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === 48) end--
  return text.slice(0, end)
}

/** The text of a number → the number as this program holds one. With an exponent it is a double where that loses no digit. */
export function exactNumber(text: string): number | bigint | Float {
  const [mantissa = '', exponent] = text.split(/e/i)
  if (exponent !== undefined && comesBack(Number(text), text)) return Number(text)
  const digits = exponent === undefined ? text : withDotMoved(mantissa, Number(exponent))
  return digits.includes('.') ? decimal(digits) : integer(BigInt(digits))
}

/** `-12.5` and -3 → `-0.0125`: a number has one text, with an exponent or without. */
function withDotMoved(mantissa: string, places: number): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(mantissa) ?? []
  const end = whole.length + places
  const digits = `${'0'.repeat(Math.max(0, 1 - end))}${whole}${fraction}`.padEnd(end, '0')
  const dot = Math.max(1, end)
  const tail = digits.slice(dot)
  return `${sign}${digits.slice(0, dot).replace(/^0+(?=\d)/, '')}${tail === '' ? '' : `.${tail}`}`
}

/** The same value in JavaScript's own numbers, for people's programs: no whole `Float`; long numbers stay. */
export function plainNumbers(value: unknown): unknown {
  if (value instanceof Float) return plainFloat(value)
  if (Array.isArray(value)) return value.map(plainNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainNumbers(member)]))
}

/** The same, with a copy only of what holds a whole `Float`. */
export function withPlainNumbers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Float) return plainFloat(value)
  if (Array.isArray(value)) return changeItems(value, withPlainNumbers)
  return changeMembers(value as Record<string, unknown>, withPlainNumbers)
}

/** A float as JavaScript has it, unless digits would be lost. */
export function plainFloat(value: Float): number | LongDecimal {
  return value instanceof LongDecimal ? value : value.value
}

/** As JSON.stringify writes it; throws `holdsFloat` where that would change a number. */
export function stringifyPlainly(value: unknown): string {
  try {
    mayLoseExactness = false
    return JSON.stringify(value)
  } finally {
    mayLoseExactness = true
  }
}

/**
 * A replacer function would make JSON.stringify five times slower; a Float that knows who asks costs nothing. Set only while
 * JSON.stringify runs, which waits for nothing.
 */
let mayLoseExactness = true
export const holdsFloat = new Error('holds a float that JSON.stringify would write as another number')
