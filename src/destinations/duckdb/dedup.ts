/** Of all rows with the same key the one with the highest cursor, the last among equals: in SQL. */
import type { Columns } from '../columns/columns.ts'
import type { ColumnType } from '../columns/column-type.ts'
import type { Table } from '../destination.ts'
import { decimalOrder } from './decimal-order.ts'
import { literal, quoted } from './session.ts'
import { widened } from './values.ts'

/** How the rows of a table are told apart, and which of two is newer: expressions over its columns. */
export type RowOrder = { readonly keys: readonly string[]; readonly cursors: readonly string[] }

/**
 * @param columns the columns of the table that the rows are in.
 * @param compared the columns that both tables will have: values are compared as their types say.
 */
export function rowOrder(table: Table, columns: Columns, compared: Columns): RowOrder {
  const value = (key: string) => {
    const column = columns.of(key)
    const type = compared.of(key)?.type
    return column === undefined || type === undefined
      ? null
      : { sql: widened(quoted(column.name), column.type, type), type }
  }
  const keys = table.primaryKey.map((path) => {
    const [first = '', ...rest] = path
    const top = value(first)
    if (top === null) return 'NULL'
    return rest.length === 0 ? top.sql : within(top.sql, top.type, rest)
  })
  const cursor = table.cursorField === null ? null : value(table.cursorField)
  return {
    keys: keys.length === 0 ? ['NULL'] : keys,
    cursors: cursor === null ? [] : sortable(cursor.sql, cursor.type),
  }
}

/** A value inside of a JSON column, as its JSON text. Null where there is none, or no JSON. */
function within(sql: string, type: ColumnType, path: readonly string[]): string {
  if (type !== 'json' && type !== 'text') return 'NULL'
  const pointer = path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  const text = `CAST(${sql} AS VARCHAR)`
  return `CASE WHEN json_valid(${text}) THEN nullif(CAST(json_extract(${text}, ${literal(pointer)}) AS VARCHAR), 'null') END`
}

/** Numbers that stand as digits are compared as numbers. */
function sortable(sql: string, type: ColumnType): readonly string[] {
  return type === 'decimal' ? decimalOrder(sql) : [sql]
}

/** The rows of a table by number, with their keys and cursors as `k0`, `k1`, … and `c0`, … */
export function ordered(table: string, { keys, cursors }: RowOrder): string {
  const named = [
    ...keys.map((sql, index) => `${sql} AS k${index}`),
    ...cursors.map((sql, index) => `${sql} AS c${index}`),
  ]
  return `SELECT rowid AS row, ${named.join(', ')} FROM ${table}`
}

/** Of these the rows that stay. Those without a key all do. */
export function winners(table: string, order: RowOrder): string {
  const keys = keyNames(order)
  const newestFirst = [...order.cursors.map((_, index) => `c${index} DESC NULLS LAST`), 'row DESC']
  return `SELECT * FROM (${ordered(table, order)}) QUALIFY ${keys.map((key) => `${key} IS NULL`).join(' OR ')}
          OR row_number() OVER (PARTITION BY ${keys.join(', ')} ORDER BY ${newestFirst.join(', ')}) = 1`
}

function keyNames({ keys }: RowOrder): readonly string[] {
  return keys.map((_, index) => `k${index}`)
}

/** Whether the rows `one` and `other`, as `ordered` names their values, have the same key; a null is like nothing. */
export function sameKey(one: string, other: string, order: RowOrder): string {
  return keyNames(order)
    .map((key) => `${one}.${key} = ${other}.${key}`)
    .join(' AND ')
}

/** Whether row `one` has the higher cursor. A null is lower than anything. */
export function isNewer(one: string, other: string, { cursors }: RowOrder): string {
  return cursors.reduceRight((rest, _, index) => {
    const [a, b] = [`${one}.c${index}`, `${other}.c${index}`]
    return `(coalesce(${a} > ${b}, ${a} IS NOT NULL AND ${b} IS NULL) OR (${a} IS NOT DISTINCT FROM ${b} AND ${rest}))`
  }, 'false')
}

/** Tells whether a table that was made distinct once still is by the key asked for now. */
export function keyMark({ primaryKey, cursorField }: Table): string {
  return JSON.stringify([primaryKey, cursorField])
}
