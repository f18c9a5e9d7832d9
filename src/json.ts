/** JSON text ↔ values that keep every digit: whole floats stay floats, long integers stay whole. */
import { isInteger, isSafeNumber, parse } from 'lossless-json'

/**
 * A number the source wrote as a float although its value is whole: `2.0`, `1e5`.
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

/** What `JSON.parse` would damage: sixteen digits and more, whole floats, exponents. Hits inside strings only cost time. */
const needsExactness = /\d{16}|\d\.0+(?![0-9])|\d[eE][-+]?\d/

/** Parses JSON text. `exact` says that the value holds `bigint` or `Float`. Throws SyntaxError. */
export function parseJson(text: string): { value: unknown; exact: boolean } {
  if (!needsExactness.test(text)) return { value: JSON.parse(text), exact: false }
  return { value: parse(text, undefined, { parseNumber: exactNumber }), exact: true }
}

function exactNumber(digits: string): unknown {
  if (isInteger(digits)) return isSafeNumber(digits) ? Number(digits) : integer(BigInt(digits))
  return float(Number(digits))
}

/** Writes JSON text. Bigints keep their digits, whole floats their `.0`. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value, refuseExactNumbers)
  } catch (error) {
    if (error !== holdsExactNumber) throw error
    return stringifyExactly(value)
  }
}

const holdsExactNumber = new Error('holds a number that JSON.stringify would change')

// JSON.stringify calls toJSON first, so the Float is found on its holder.
function refuseExactNumbers(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'bigint') throw holdsExactNumber
  if (typeof value === 'number' && (this as Record<string, unknown>)[key] instanceof Float) throw holdsExactNumber
  return value
}

function stringifyExactly(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Float) return value.toString()
  if (Array.isArray(value)) return `[${value.map((item) => stringifyExactly(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if ('toJSON' in value && typeof value.toJSON === 'function') return stringifyExactly(value.toJSON())
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined && typeof member !== 'function')
    .map(([key, member]) => `${JSON.stringify(key)}:${stringifyExactly(member)}`)
  return `{${members.join(',')}}`
}

/** The same value in JavaScript's own numbers, for people's programs: no `Float`; bigints stay. */
export function plainNumbers(value: unknown): unknown {
  if (value instanceof Float) return value.value
  if (Array.isArray(value)) return value.map(plainNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainNumbers(member)]))
}
