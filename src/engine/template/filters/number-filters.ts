/** Filters that make or change numbers. */
import { Float, float, integer } from '../../../std/json.ts'
import { TimeDelta } from '../dates/time-delta.ts'
import { fixed, roundFloat } from '../methods/rounding.ts'
import { failed, needs, Trouble } from '../trouble.ts'
import { calculate, signed } from '../values/arithmetic.ts'
import { compareNumbers } from '../values/equality.ts'
import { numberFromText, wholeFromText } from '../values/number-text.ts'
import { usedUndefined } from '../values/undefined.ts'
import { asDouble, isInt, isNumber } from '../values/kind.ts'
import { given, type Value } from '../values/value.ts'
import { filters } from './filter.ts'

export const numberFilters = filters({
  int: ['default? base?', (input, args) => toWhole(input, args.optionalWhole(1) ?? 10) ?? given(args.optional(0), 0)],
  float: [
    'default?',
    (input, args) => {
      usedUndefined(input)
      const value = isNumber(input) ? asDouble(input) : typeof input === 'string' ? numberFromText(input) : null
      return value === null ? given(args.optional(0), new Float(0)) : float(value)
    },
  ],
  abs: [
    '',
    (input) => {
      if (input instanceof TimeDelta) return input.days < 0 ? input.negated() : input
      if (!isNumber(input)) throw needs('`| abs`', 'a number', input)
      return compareNumbers(input, 0) < 0 ? signed('-', input) : signed('+', input)
    },
  ],
  round: [
    'precision? method?',
    (input, args) => rounded(input, args.optionalWhole(0) ?? 0, args.optionalText(1) ?? 'common'),
  ],
  filesizeformat: ['binary?', (input, args) => fileSize(input, args.optional(0) === true)],
})

function toWhole(input: Value, base: number): Value | null {
  usedUndefined(input)
  if (isInt(input)) return integer(BigInt(input))
  const real = isNumber(input) ? asDouble(input) : null
  if (real !== null) {
    if (Math.abs(real) === Number.POSITIVE_INFINITY) throw failed('infinity is not a whole number')
    return Number.isNaN(real) ? null : integer(BigInt(Math.trunc(real)))
  }
  if (typeof input !== 'string') return null
  const whole = wholeFromText(input, base)
  if (whole !== null) return whole
  const value = numberFromText(input)
  return value === null || !Number.isFinite(value) ? null : integer(BigInt(Math.trunc(value)))
}

function rounded(input: Value, digits: number, method: string): Value {
  if (method !== 'common' && method !== 'ceil' && method !== 'floor') {
    throw new Trouble('failed', '`| round` rounds "common", "ceil" or "floor"')
  }
  if (!isNumber(input)) throw needs('`| round`', 'a number', input)
  if (method !== 'common') {
    const unit = calculate('**', 10, digits)
    const scaled = calculate('*', input, unit)
    const whole = Math[method](asDouble(scaled as number))
    return calculate('/', Number.isSafeInteger(whole) ? whole : integer(BigInt(whole)), unit)
  }
  if (!isInt(input)) return float(roundFloat(asDouble(input), digits))
  return digits >= 0 ? integer(BigInt(input)) : roundWhole(BigInt(input), 10n ** BigInt(Math.min(-digits, 400)))
}

/** To the nearest multiple, halves to the even one. */
function roundWhole(value: bigint, unit: bigint): Value {
  const rest = ((value % unit) + unit) % unit
  const low = value - rest
  const isUp = rest * 2n > unit || (rest * 2n === unit && (low / unit) % 2n !== 0n)
  return integer(isUp ? low + unit : low)
}

function fileSize(input: Value, isBinary: boolean): string {
  usedUndefined(input)
  const bytes = isNumber(input) ? asDouble(input) : typeof input === 'string' ? numberFromText(input) : undefined
  if (bytes === undefined) throw needs('`| filesizeformat`', 'a number', input)
  if (bytes === null) throw failed('the string is not a number')
  if (Number.isNaN(bytes)) return `nan Y${isBinary ? 'iB' : 'B'}`
  const base = isBinary ? 1024 : 1000
  if (bytes === 1) return '1 Byte'
  if (bytes < base) return `${Math.trunc(bytes)} Bytes`
  const prefixes = isBinary ? 'Ki Mi Gi Ti Pi Ei Zi Yi' : 'k M G T P E Z Y'
  const names = prefixes.split(' ')
  const index = names.findIndex((_, power) => bytes < base ** (power + 2))
  const power = index === -1 ? names.length - 1 : index
  return `${fixed((base * bytes) / base ** (power + 2), 1)} ${names[power]}B`
}
