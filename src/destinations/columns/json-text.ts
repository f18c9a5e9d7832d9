/** A value → JSON text that every reader takes. */
import { stringifyJson } from '../../std/json.ts'

/** Half a character is written as an escape that half of all readers refuse, with the line. It is no text anyway. */
export function jsonText(value: unknown): string {
  const text = stringifyJson(value)
  return text.includes('\\ud') ? withoutEscapes(text, halfCharacter) : text
}

const halfCharacter = /^\\ud[89a-f]/

/** U+FFFD in the place of the escapes that match; the others are passed over, for a backslash may itself be escaped. */
export function withoutEscapes(json: string, escapes: RegExp): string {
  return json.replace(/\\(?:u[0-9a-f]{4}|.)/g, (escape) => (escapes.test(escape) ? '\ufffd' : escape))
}
