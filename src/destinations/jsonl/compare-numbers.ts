/** Two numbers of any length → which one is higher, to the last digit. */
import { Float, LongDecimal } from '../../std/json.ts'

export type JsonNumber = number | bigint | Float

/** Below zero when `one` is lower. */
export function compareNumbers(one: JsonNumber, other: JsonNumber): number {
  // JavaScript compares a bigint and a number by their exact values.
  const roughly = order(plain(one), plain(other))
  const isExact = !(one instanceof LongDecimal || other instanceof LongDecimal)
  if (isExact || Number(one) !== Number(other)) return roughly
  const [a, b] = [digitsOf(one), digitsOf(other)]
  if (a.isNegative !== b.isNegative) return a.isNegative ? -1 : 1
  const [from, to] = a.isNegative ? [b, a] : [a, b]
  return order(from.place, to.place) || order(from.digits, to.digits)
}

function plain(value: JsonNumber): number | bigint {
  return value instanceof Float ? value.value : value
}

export function order<Value extends number | bigint | string | boolean>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** The digits that count, and how many of them stand before the dot; below zero when zeros follow it. */
type Digits = { readonly isNegative: boolean; readonly digits: string; readonly place: number }

function digitsOf(value: JsonNumber): Digits {
  const text = value instanceof Float && !(value instanceof LongDecimal) ? String(value.value) : String(value)
  const [mantissa = '', exponent = '0'] = text.replace(/^-/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const all = whole + fraction
  const leadingZeros = /^0*/.exec(all)?.[0].length ?? 0
  const digits = all.slice(leadingZeros).replace(/(?<!0)0+$/, '')
  const place = digits === '' ? -Infinity : whole.length - leadingZeros + Number(exponent)
  return { isNegative: text.startsWith('-'), digits, place }
}
