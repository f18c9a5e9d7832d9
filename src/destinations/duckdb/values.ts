/** Column types in DuckDB: their names, how values are converted, how columns are widened. */
import type * as DuckDB from '@duckdb/node-api'
import type { ColumnType } from '../columns/column-type.ts'
import { decimalText, jsonText, spelledTime } from '../columns/column-text.ts'
import type { Column } from '../columns/columns.ts'
import { daysOf, microsecondsOf } from '../columns/times.ts'
import { Float, LongDecimal } from '../../std/json.ts'
import type { VectorValue } from './write-vector.ts'

/** Numbers of any length are stored as digits: DuckDB's decimals have at most 38. */
export const physicalTypes: Readonly<Record<ColumnType, string>> = {
  boolean: 'BOOLEAN',
  int: 'BIGINT',
  bigint: 'BIGINT',
  double: 'DOUBLE',
  decimal: 'VARCHAR',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMPTZ',
  json: 'JSON',
  text: 'VARCHAR',
}

/**
 * The type of what `toDuckDB` returns. Where a user gave the column another type, DuckDB converts it, or refuses it by name.
 * @param own that of the column: text that is made JSON would be parsed, so JSON is written as what it is
 */
export function vectorType(type: ColumnType, own: DuckDB.DuckDBType, duckdb: typeof DuckDB): DuckDB.DuckDBType {
  switch (type) {
    case 'boolean':
      return duckdb.BOOLEAN
    case 'int':
    case 'bigint':
      return duckdb.BIGINT
    case 'double':
      return duckdb.DOUBLE
    case 'date':
      return duckdb.DATE
    case 'timestamp':
      return duckdb.TIMESTAMP
    case 'timestamptz':
      return duckdb.TIMESTAMPTZ
    case 'decimal':
    case 'text':
      return duckdb.VARCHAR
    case 'json':
      return own.typeId === duckdb.DuckDBTypeId.VARCHAR ? own : duckdb.VARCHAR
  }
}

/** Never called with null. */
export type ToDuckDB = (value: unknown) => VectorValue

export function toDuckDB({ type, wasTime }: Pick<Column, 'type' | 'wasTime'>): ToDuckDB {
  switch (type) {
    case 'boolean':
    case 'int':
    case 'bigint':
      return (value) => value as boolean | number | bigint
    case 'double':
      return Number
    case 'decimal':
      return numberText
    case 'date':
      return (value) => daysOf(value as string)
    case 'timestamp':
    case 'timestamptz':
      return (value) => microsecondsOf(value as string)
    case 'json':
      return jsonText
    case 'text':
      return wasTime === true ? (value) => (typeof value === 'string' ? spelledTime(value) : textOf(value)) : textOf
  }
}

function textOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
      return numberText(value)
    default:
      return value instanceof Float ? numberText(value) : jsonText(value)
  }
}

/**
 * The shortest digits, the same as `widened` writes: a column must look the same whether a number arrived before or
 * after the string that made it a text column.
 */
function numberText(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof LongDecimal) return decimalText(value)
  const number = Number(value)
  if (Object.is(number, -0)) return '-0'
  const size = Math.abs(number)
  if (size === 0 || (size >= 1e-4 && size < 1e16)) return String(number)
  // DuckDB's exponents have two digits at least.
  return number.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
}

/** SQL that converts a column to a wider type without losing a value. */
export function widened(column: string, from: ColumnType, to: ColumnType): string {
  const type = physicalTypes[to]
  if (physicalTypes[from] === type) return column
  if (type !== 'VARCHAR') return `CAST(${column} AS ${type})`
  switch (from) {
    case 'double':
      return `regexp_replace(CAST(${column} AS VARCHAR), '\\.0$', '')`
    case 'timestamp':
      return isoText(column, '')
    case 'timestamptz':
      // As an instant, whatever the time zone of the session is.
      return isoText(`make_timestamp(epoch_us(${column}))`, 'Z')
    default:
      return `CAST(${column} AS VARCHAR)`
  }
}

function isoText(timestamp: string, zone: string): string {
  return `replace(strftime(${timestamp}, '%Y-%m-%dT%H:%M:%S.%f'), '.000000', '') || '${zone}'`
}
