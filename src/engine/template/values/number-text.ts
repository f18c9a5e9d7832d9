/** Text → the number Python's `int()` and `float()` read from it, or null. */
import { integer } from '../../../std/json.ts'
import { stripped } from '../methods/whitespace.ts'
import { maxIntegerDigits } from '../limits.ts'

const real = /^[+-]?(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?$/
const special = /^([+-]?)(inf|infinity|nan)$/i

export function numberFromText(text: string): number | null {
  const trimmed = asciiDigits(stripped(text, null, 'both'))
  if (real.test(trimmed)) return Number(trimmed.replaceAll('_', ''))
  const match = special.exec(trimmed)
  if (match === null) return null
  if (match[2]?.toLowerCase() === 'nan') return Number.NaN
  return match[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

export function wholeFromText(text: string, base: number): number | bigint | null {
  const match = /^([+-]?)(0[xXbBoO])?_?([\da-zA-Z](?:_?[\da-zA-Z])*)$/.exec(asciiDigits(stripped(text, null, 'both')))
  if (match === null) return null
  const [, sign, prefix, digits = ''] = match
  const bases: Record<string, number> = { x: 16, o: 8, b: 2 }
  const named = prefix === undefined ? undefined : bases[prefix.charAt(1).toLowerCase()]
  if (named !== undefined && base !== 0 && base !== named) return null
  const value = digitsValue(digits.replaceAll('_', ''), base === 0 ? (named ?? 10) : base)
  return value === null ? null : integer(sign === '-' ? -value : value)
}

function digitsValue(digits: string, base: number): bigint | null {
  if (base === 10) return /^\d+$/.test(digits) && digits.length <= maxIntegerDigits ? BigInt(digits) : null
  if (digits.length > maxIntegerDigits) return null
  let value = 0n
  for (const digit of digits) {
    const worth = Number.parseInt(digit, 36)
    if (worth >= base) return null
    value = value * BigInt(base) + BigInt(worth)
  }
  return value
}

/** Digits of other scripts count as digits; each script has its ten in a row. */
function asciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    let zero = code
    while (zero > code - 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
    return String(code - zero)
  })
}
