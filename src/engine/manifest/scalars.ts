/** Plain YAML text → value, by the rules of PyYAML (YAML 1.1), which Airbyte reads manifests with. */
import { float, integer } from '../../std/json.ts'

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['yes', 'true', 'on'].flatMap(spellings).map((word) => [word, true] as const),
  ...['no', 'false', 'off'].flatMap(spellings).map((word) => [word, false] as const),
])
const nulls = new Set(['', '~', ...spellings('null')])

const mayBeNumber = /^[-+.0-9]/
const decimal = /^[-+]?(?:0|[1-9][0-9_]*)$/
// Without a digit it is text, which PyYAML fails on.
const otherBase = /^([-+]?)(0b_*[01][01_]*|0[0-7_]+|0x_*[0-9a-fA-F][0-9a-fA-F_]*)$/
const clock = /^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$/
const clockFloat = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/
const pointed = /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?$/
const infinite = /^([-+]?)\.(?:inf|Inf|INF)$/
const notANumber = /^\.(?:nan|NaN|NAN)$/

/** `yes` is true, `010` is 8, `1:30` is 90, `1e5` is text. Dates stay text as written. */
export function plainScalar(text: string): unknown {
  if (nulls.has(text)) return null
  if (mayBeNumber.test(text)) return plainNumber(text) ?? text
  return booleans.get(text) ?? text
}

function plainNumber(text: string): unknown {
  if (decimal.test(text)) return integer(BigInt(text.replaceAll('_', '').replace(/^\+/, '')))
  if (pointed.test(text)) return float(Number(text.replaceAll('_', '')))
  const [, sign, digits] = otherBase.exec(text) ?? []
  if (digits !== undefined) return integer(whole(digits.replaceAll('_', '')) * (sign === '-' ? -1n : 1n))
  if (clock.test(text)) return integer(BigInt(sixties(text)))
  if (clockFloat.test(text)) return float(sixties(text))
  if (notANumber.test(text)) return Number.NaN
  const [, minus] = infinite.exec(text) ?? []
  if (minus !== undefined) return minus === '-' ? -Infinity : Infinity
  return undefined
}

function whole(digits: string): bigint {
  // Airbyte: a leading zero alone means octal.
  return /^0[0-7]/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : BigInt(digits)
}

/** `1:30` read as minutes and seconds, or hours and minutes: each colon multiplies by sixty. */
function sixties(text: string): number {
  const digits = text.replaceAll('_', '')
  const total = digits
    .replace(/^[-+]/, '')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)
  return digits.startsWith('-') ? -total : total
}

function spellings(word: string): string[] {
  return [word, word[0]?.toUpperCase() + word.slice(1), word.toUpperCase()]
}

/** A scalar with a tag such as `!!str`; undefined when the tag does not fit or is not known. */
export function taggedScalar(tag: string, text: string): { value: unknown } | undefined {
  const name = tag.replace(/^!<tag:yaml\.org,2002:(.*)>$/, '!!$1')
  if (name === '!' || name === '!!str') return { value: text }
  const value = plainScalar(text)
  const fits =
    (name === '!!null' && value === null) ||
    (name === '!!bool' && typeof value === 'boolean') ||
    (name === '!!int' && (typeof value === 'number' || typeof value === 'bigint')) ||
    (name === '!!timestamp' && typeof value === 'string')
  if (fits) return { value }
  const number = Number(text)
  return name === '!!float' && !Number.isNaN(number) ? { value: float(number) } : undefined
}
