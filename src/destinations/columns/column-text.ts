/** A value → text for a column: JSON that every parser accepts, digits of long decimals. */
import { type LongDecimal, stringifyJson } from '../../std/json.ts'

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

/** A whole number is written without `.0`, whether the API sent it or not. */
export function decimalText({ digits }: LongDecimal): string {
  return digits.endsWith('.0') ? digits.slice(0, -2) : digits
}
