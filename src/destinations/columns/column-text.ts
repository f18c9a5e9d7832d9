/** A value → text for a column: JSON that every parser accepts, digits of long decimals. */
import { type LongDecimal, stringifyJson } from '../../std/json.ts'
import { typeOfTime } from './column-type.ts'
import { microsecondsOf } from './times.ts'

/** Replaces lone surrogates, whose escapes many JSON parsers refuse. */
export function jsonText(value: unknown): string {
  const text = stringifyJson(value)
  return text.includes('\\ud') ? withoutEscapes(text, halfCharacter) : text
}

const halfCharacter = /^\\ud[89a-f]/

/** Replaces matching escapes by U+FFFD. Skips all others one by one, since a backslash may itself be escaped. */
export function withoutEscapes(json: string, escapes: RegExp): string {
  return json.replace(/\\(?:u[0-9a-f]{4}|.)/g, (escape) => (escapes.test(escape) ? '\ufffd' : escape))
}

/**
 * A time as a column of times is written when it becomes text: ISO 8601, an instant in UTC. Other strings stay as they are. Rows must
 * have the same key whether they came before or after the value that made it a text column.
 */
export function spelledTime(text: string): string {
  const type = typeOfTime(text)
  if (type !== 'timestamptz' && type !== 'timestamp') return text
  const microseconds = microsecondsOf(text)
  const fraction = ((microseconds % million) + million) % million
  const seconds = new Date(Number((microseconds - fraction) / 1000n)).toISOString().slice(0, -'.000Z'.length)
  const digits = fraction === 0n ? '' : `.${String(fraction).padStart(6, '0')}`
  // A zone may take a time to the year 10000.
  return `${seconds.replace(/^\+0*/, '')}${digits}${type === 'timestamptz' ? 'Z' : ''}`
}

const million = 1_000_000n

/** A whole number is written without `.0`, whether the API sent it or not. */
export function decimalText({ digits }: LongDecimal): string {
  return digits.endsWith('.0') ? digits.slice(0, -2) : digits
}
