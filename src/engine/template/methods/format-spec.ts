/** A value and a format spec (`>10`, `05d`, `.2f`, `,`) → text, as Python's `format()`. */
import { CalendarDate } from '../dates/calendar-date.ts'
import { DateTime } from '../dates/date-time.ts'
import { strftime } from '../dates/format.ts'
import { maxTextLength } from '../limits.ts'
import { spendText } from '../meter.ts'
import { failed, tooMuchWork, wrongType } from '../trouble.ts'
import { describe } from '../values/describe.ts'
import { formatFloat, pythonExponent } from '../values/float-text.ts'
import { textLength } from '../values/iterate.ts'
import { str } from '../values/python-text.ts'
import { asDouble, isInt, isNumber } from '../values/kind.ts'
import type { Value } from '../values/value.ts'
import { fixed } from './rounding.ts'

export type Spec = {
  readonly fill: string
  readonly align: string
  readonly sign: string
  readonly isAlternate: boolean
  readonly width: number
  readonly grouping: string
  readonly precision: number | null
  readonly type: string
}

const pattern = /^(?:(.)?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/su

export function formatValue(value: Value, text: string): string {
  if (text === '') return str(value)
  if (value instanceof DateTime || value instanceof CalendarDate) return strftime(value, text)
  const spec = parseSpec(text)
  if (spec === null) throw failed(`\`${text.slice(0, 40)}\` is not a format`)
  if (typeof value === 'string') return formatString(value, spec)
  if (isNumber(value))
    return formatNumber(value, typeof value === 'boolean' && spec.type === '' ? { ...spec, type: 'd' } : spec)
  throw wrongType(`${describe(value)} takes no format`)
}

function parseSpec(text: string): Spec | null {
  const match = pattern.exec(text)
  if (match === null) return null
  const [, fill, align, sign, , alternate, zero, width, grouping, precision, type] = match
  return {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align: align ?? (zero === undefined ? '' : '='),
    sign: sign ?? '-',
    isAlternate: alternate !== undefined,
    width: size(width),
    grouping: grouping ?? '',
    precision: precision === undefined ? null : size(precision),
    type: type ?? '',
  }
}

function size(digits: string | undefined): number {
  const value = Number(digits ?? 0)
  if (value > maxTextLength) throw tooMuchWork('pads a string too far')
  return value
}

function formatString(value: string, spec: Spec): string {
  if ((spec.type !== '' && spec.type !== 's') || spec.align === '=' || spec.grouping !== '')
    throw failed('that format is not for str')
  const cut = spec.precision === null ? value : Array.from(value).slice(0, spec.precision).join('')
  return padded('', cut, { ...spec, align: spec.align || '<' })
}

export function formatNumber(value: number | bigint | boolean | { valueOf(): number }, spec: Spec): string {
  const number = value as number | bigint | boolean
  const isNegative = isInt(number) ? Number(number) < 0 : asDouble(number) < 0 || Object.is(asDouble(number), -0)
  const digits =
    isInt(number) && !'eEfFgG%'.includes(spec.type || 'd')
      ? wholeDigits(BigInt(number), spec)
      : realDigits(Math.abs(asDouble(number)), spec)
  const sign = isNegative ? '-' : spec.sign === '-' ? '' : spec.sign
  return padded(sign, digits, { ...spec, align: spec.align || '>' })
}

function wholeDigits(value: bigint, { type, grouping, isAlternate }: Spec): string {
  const magnitude = value < 0n ? -value : value
  switch (type) {
    case 'x':
    case 'X': {
      const hex = (isAlternate ? '0x' : '') + magnitude.toString(16)
      return type === 'X' ? hex.toUpperCase() : hex
    }
    case 'o':
      return (isAlternate ? '0o' : '') + magnitude.toString(8)
    case 'b':
      return (isAlternate ? '0b' : '') + magnitude.toString(2)
    case 'c':
      return String.fromCodePoint(Number(magnitude))
    case 's':
      throw failed('that format is not for numbers')
    default:
      return grouped(magnitude.toString(), grouping)
  }
}

function realDigits(magnitude: number, { type, precision, grouping, isAlternate }: Spec): string {
  if (!Number.isFinite(magnitude)) return Number.isNaN(magnitude) ? 'nan' : 'inf'
  const digits = Math.min(precision ?? 6, 1000)
  switch (type) {
    case 'f':
    case 'F':
      return grouped(fixed(magnitude, digits), grouping)
    case '%':
      return `${grouped(fixed(magnitude * 100, digits), grouping)}%`
    case 'e':
    case 'E': {
      const text = pythonExponent(magnitude.toExponential(Math.min(digits, 100)))
      return type === 'E' ? text.toUpperCase() : text
    }
    case 'g':
    case 'G':
    case 'n': {
      const text = grouped(general(magnitude, digits || 1, isAlternate), grouping)
      return type === 'G' ? text.toUpperCase() : text
    }
    case '': {
      if (precision === null) return grouped(formatFloat(magnitude), grouping)
      const text = general(magnitude, digits || 1, isAlternate)
      return grouped(/[.e]/.test(text) ? text : `${text}.0`, grouping)
    }
    default:
      throw failed(`the format \`${type}\` is not for float`)
  }
}

/** C's `%g`: the shorter of fixed and exponent, without trailing zeros. */
function general(magnitude: number, digits: number, keepsZeros = false): string {
  if (magnitude === 0) return '0'
  const exponent = Number(magnitude.toExponential(Math.min(digits - 1, 100)).split('e')[1])
  const trim = (text: string) => (keepsZeros || !text.includes('.') ? text : text.replace(/\.?0+$/, ''))
  if (exponent >= -4 && exponent < digits) return trim(fixed(magnitude, digits - 1 - exponent))
  const [mantissa = '', power = ''] = pythonExponent(magnitude.toExponential(Math.min(digits - 1, 100))).split('e')
  return `${trim(mantissa)}e${power}`
}

function grouped(digits: string, separator: string): string {
  if (separator === '') return digits
  const [whole = '', ...rest] = digits.split('.')
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, separator), ...rest].join('.')
}

function padded(sign: string, digits: string, { fill, align, width }: Spec): string {
  const missing = Math.max(width - textLength(sign) - textLength(digits), 0)
  spendText(missing)
  const left = Math.floor(missing / 2)
  switch (align) {
    case '<':
      return sign + digits + fill.repeat(missing)
    case '^':
      return fill.repeat(left) + sign + digits + fill.repeat(missing - left)
    case '=':
      return sign + fill.repeat(missing) + digits
    default:
      return fill.repeat(missing) + sign + digits
  }
}
