/** Two values of a cursor field → which one is higher, as a column of their type would say. */
import { stringifyJson } from '../../std/json.ts'
import { type Column, openColumns } from '../columns/columns.ts'
import type { ColumnType } from '../columns/column-type.ts'
import type { Table } from '../destination.ts'
import { microsecondsOf } from '../columns/times.ts'
import { compareNumbers, type JsonNumber, order } from './compare-numbers.ts'

export type CursorColumn = {
  /** Every value of the field, before any are compared: they say what the column holds. */
  see(value: unknown): void
  /** Below zero when `one` is lower. Null is lower than all. */
  compare(one: unknown, other: unknown): number
}

export function cursorColumn(field: string, schema: Table['schema']): CursorColumn {
  const columns = openColumns(null, schema, { maxBytes: Infinity, tellsCaseApart: true })
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
      return compareNumbers(one as JsonNumber, other as JsonNumber)
    case 'date':
      return order(one as string, other as string)
    case 'timestamp':
    case 'timestamptz':
      return order(microsecondsOf(one as string), microsecondsOf(other as string))
    case 'json':
    case 'text':
      // Databases compare the bytes of UTF-8; JavaScript's own order differs for emoji.
      return Buffer.compare(Buffer.from(asText(one)), Buffer.from(asText(other)))
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : stringifyJson(value)
}
