/** Two values of a cursor field → which one is higher, compared by the type of their column. */
import type { ColumnType } from '../columns/column-type.ts'
import { type Column, openColumns } from '../columns/columns.ts'
import { sortableText } from '../columns/cursor-text.ts'
import { microsecondsOf } from '../columns/times.ts'
import type { Table } from '../destination.ts'
import { Float, LongDecimal, stringifyJson } from '../../std/json.ts'

export type CursorColumn = {
  /** Call with every value of the field before any are compared: they decide the type. */
  see(value: unknown): void
  /** Below zero when `one` is lower. Null is lower than all. */
  compare(one: unknown, other: unknown): number
}

export function cursorColumn(field: string, schema: Table['schema']): CursorColumn {
  const columns = openColumns(null, schema, { maxBytes: Infinity, isCaseSensitive: true })
  let column: Column | undefined
  return {
    see(value) {
      columns.makeRoom([{ [field]: value }])
      column = columns.of(field)
    },
    compare(one, other) {
      if (isNull(one) || isNull(other)) return Number(isNull(other)) - Number(isNull(one))
      return compareAs(column?.type ?? 'text', one, other)
    },
  }
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined
}

function compareAs(type: ColumnType, one: unknown, other: unknown): number {
  switch (type) {
    case 'boolean':
      return order(one as boolean, other as boolean)
    case 'int':
    case 'bigint':
    case 'double':
    case 'decimal':
      return compareJsonNumbers(one as JsonNumber, other as JsonNumber)
    case 'date':
      return order(one as string, other as string)
    case 'timestamp':
    case 'timestamptz':
      return order(microsecondsOf(one as string), microsecondsOf(other as string))
    case 'json':
    case 'text':
      // Databases compare the bytes of UTF-8; JavaScript's own order differs for emoji.
      return Buffer.compare(Buffer.from(sortableText(asText(one))), Buffer.from(sortableText(asText(other))))
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : stringifyJson(value)
}

export type JsonNumber = number | bigint | Float

/** Below zero when `one` is lower. */
export function compareJsonNumbers(one: JsonNumber, other: JsonNumber): number {
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

/** The significant digits, and the position of the first one before the decimal point; negative for small fractions. */
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
