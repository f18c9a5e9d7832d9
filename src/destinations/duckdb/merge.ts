/** Staged rows → a table that has one row for each key. */
import type { ColumnType } from '../columns/column-type.ts'
import { type Column, type Columns, openColumns } from '../columns/columns.ts'
import { digitsPattern, fractionPattern, longestDigits, timePattern } from '../columns/cursor-text.ts'
import { matchColumns } from '../columns/match-columns.ts'
import { sourceColumns, type Table } from '../destination.ts'
import { temporarySchema } from './schema-handle.ts'
import { literal, quoted } from './session.ts'
import { alterTable, countRows, nameRules, sqlName, type TargetTable } from './target.ts'
import { widened } from './values.ts'

/** @returns the table as it is then; its columns are those of both. What was staged stays as it is. */
export async function mergeStaged(live: TargetTable, staged: TargetTable, table: Table): Promise<TargetTable> {
  await provideForKeys(live, staged)
  const { into, intoChanges } = matchColumns(live.columns.all, staged.columns.all, nameRules)
  const merged = { ...live, columns: openColumns(into, table.schema, nameRules) }
  await alterTable(merged, intoChanges)
  await mergeRows(merged, staged, table)
  return merged
}

/** Deletes from a table that was appended to, or had another key, the rows that a merge would have removed. */
export async function keepWinners(target: TargetTable, table: Table): Promise<void> {
  await provideForKeys(target)
  const order = rowOrder(table, target.columns, target.columns)
  await target.handle.session.run(
    `DELETE FROM ${sqlName(target)} WHERE rowid NOT IN (SELECT row FROM (${winners(sqlName(target), order)}))`,
  )
  target.handle.session.lostRows.add(sqlName(target))
}

/** Whether a merge would keep all rows of the table. */
export async function hasOneRowPerKey(target: TargetTable, table: Table): Promise<boolean> {
  await provideForKeys(target)
  const order = rowOrder(table, target.columns, target.columns)
  const keys = keyNames(order)
  const found = await target.handle.session.rows(
    `SELECT 1 FROM (${ordered(sqlName(target), order)}) WHERE ${keys.map((key) => `${key} IS NOT NULL`).join(' AND ')}
     GROUP BY ${keys.join(', ')} HAVING count(*) > 1 LIMIT 1`,
  )
  return found.length === 0
}

async function provideForKeys(first: TargetTable, ...others: readonly TargetTable[]): Promise<void> {
  let keys = 0
  for (const one of [first, ...others]) keys += await countRows(one.handle, sqlName(one))
  await first.handle.session.provideFor({ columns: first.layout.length, keys })
}

async function mergeRows(live: TargetTable, staged: TargetTable, table: Table): Promise<void> {
  const { session } = live.handle
  const order = rowOrder(table, staged.columns, live.columns)
  const liveRows = ordered(sqlName(live), rowOrder(table, live.columns, live.columns))
  const winning = temporarySchema(live.handle).table('winners')
  // Only row numbers, keys and cursors: the rows themselves may be larger than memory.
  await session.run(`CREATE TEMP TABLE ${winning} AS ${winners(sqlName(staged), order)}`)
  await session.run(
    `DELETE FROM ${winning} AS staged USING (${liveRows}) AS live
     WHERE ${sameKey('live', 'staged', order)} AND ${isNewer('live', 'staged', order)}`,
  )
  await session.run(
    `DELETE FROM ${sqlName(live)} WHERE rowid IN
     (SELECT live.row FROM (${liveRows}) AS live JOIN ${winning} AS staged ON ${sameKey('live', 'staged', order)})`,
  )
  session.lostRows.add(sqlName(live))
  await session.run(
    `INSERT INTO ${sqlName(live)} (${namesIn(live, staged)}) SELECT ${valuesFor(live, staged)}
     FROM ${sqlName(staged)} WHERE rowid IN (SELECT row FROM ${winning})`,
  )
  await session.run(`DROP TABLE ${winning}`)
}

function namesIn(live: TargetTable, staged: TargetTable): string {
  const names = staged.columns.all.map(({ key }) => quoted((live.columns.of(key) as Column).name))
  return [...names, ...sourceColumns].join(', ')
}

function valuesFor(live: TargetTable, staged: TargetTable): string {
  const values = staged.columns.all.map(({ key, name, type }) =>
    widened(quoted(name), type, (live.columns.of(key) as Column).type),
  )
  return [...values, ...sourceColumns].join(', ')
}

/** SQL expressions for the key and the cursor of a table's rows. */
export type RowOrder = { readonly keys: readonly string[]; readonly cursors: readonly string[] }

/**
 * @param columns the columns of the table that the rows are in.
 * @param compared the columns that both tables will have: values are compared by these types.
 */
function rowOrder(table: Table, columns: Columns, compared: Columns): RowOrder {
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

/** A value inside a JSON column, as JSON text. Null where it is missing, or the column is not JSON. */
function within(sql: string, type: ColumnType, path: readonly string[]): string {
  if (type !== 'json' && type !== 'text') return 'NULL'
  const pointer = path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  const text = `CAST(${sql} AS VARCHAR)`
  return `CASE WHEN json_valid(${text}) THEN nullif(CAST(json_extract(${text}, ${literal(pointer)}) AS VARCHAR), 'null') END`
}

/** Numbers stored as digits are compared as numbers, times stored as text as instants. */
function sortable(sql: string, type: ColumnType): readonly string[] {
  if (type === 'decimal') return decimalOrder(sql)
  return [type === 'text' ? textOrder(sql) : sql]
}

/** The same as `sortableText`. DuckDB's own casts read not all of these times, or by the zone of the session. */
function textOrder(sql: string): string {
  const local = `CAST(regexp_extract(${sql}, '^.{10}(?:.[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?') AS TIMESTAMP)`
  // As a number, +05:30 is 530.
  const zone = `CAST(rpad(replace(regexp_extract(substr(${sql}, 11), '[+-][0-9:]+$'), ':', ''), 5, '0') AS INTEGER)`
  const instant = `${local} - to_minutes(${zone} // 100 * 60 + ${zone} % 100)`
  const fraction = `rtrim(regexp_extract(${sql}, '${fractionPattern}', 1), '0')`
  const zeros = `repeat('0', ${longestDigits} - length(split_part(${sql}, '.', 1)))`
  return `CASE WHEN regexp_matches(${sql}, '${timePattern}') THEN strftime(${instant}, '%Y-%m-%dT%H:%M:%S.') || ${fraction}
    WHEN regexp_matches(${sql}, '${digitsPattern}') THEN ${zeros} || ${sql} ELSE ${sql} END`
}

/** The rows of a table by number, with their keys and cursors as `k0`, `k1`, … and `c0`, … */
export function ordered(table: string, { keys, cursors }: RowOrder): string {
  const named = [
    ...keys.map((sql, index) => `${sql} AS k${index}`),
    ...cursors.map((sql, index) => `${sql} AS c${index}`),
  ]
  return `SELECT rowid AS row, ${named.join(', ')} FROM ${table}`
}

/** The rows to keep, one per key. Rows without a key are all kept. */
function winners(table: string, order: RowOrder): string {
  const keys = keyNames(order)
  const newestFirst = [...order.cursors.map((_, index) => `c${index} DESC NULLS LAST`), 'row DESC']
  return `SELECT * FROM (${ordered(table, order)}) QUALIFY ${keys.map((key) => `${key} IS NULL`).join(' OR ')}
          OR row_number() OVER (PARTITION BY ${keys.join(', ')} ORDER BY ${newestFirst.join(', ')}) = 1`
}

function keyNames({ keys }: RowOrder): readonly string[] {
  return keys.map((_, index) => `k${index}`)
}

/** Whether the rows `one` and `other`, as named by `ordered`, have the same key; a null equals nothing. */
function sameKey(one: string, other: string, order: RowOrder): string {
  return keyNames(order)
    .map((key) => `${one}.${key} = ${other}.${key}`)
    .join(' AND ')
}

/** Whether row `one` has the higher cursor. A null is lower than anything. */
function isNewer(one: string, other: string, { cursors }: RowOrder): string {
  return cursors.reduceRight((rest, _, index) => {
    const [a, b] = [`${one}.c${index}`, `${other}.c${index}`]
    return `(coalesce(${a} > ${b}, ${a} IS NOT NULL AND ${b} IS NULL) OR (${a} IS NOT DISTINCT FROM ${b} AND ${rest}))`
  }, 'false')
}

/** Identifies the key that a table was made unique by. */
export function keyMark({ primaryKey, cursorField }: Table): string {
  return JSON.stringify([primaryKey, cursorField])
}

/** Larger than the magnitude of any number, so that zero sorts between negative and positive ones. */
const offset = 1_000_000_000_000

/**
 * First the position of the first significant digit, 2 for `12.5` and `0.0125e+03`; then the digits, compared as
 * text. For negative numbers both are inverted: nines for zeros, and a longer text is lower.
 */
export function decimalOrder(sql: string): readonly string[] {
  const mantissa = `regexp_extract(${sql}, '^-?([0-9.]*)', 1)`
  const exponent = `coalesce(TRY_CAST(regexp_extract(${sql}, 'e([-+]?[0-9]+)$', 1) AS BIGINT), 0)`
  const leadingZeros = `length(replace(${mantissa}, '.', '')) - length(ltrim(replace(${mantissa}, '.', ''), '0'))`
  const place = `length(split_part(${mantissa}, '.', 1)) - (${leadingZeros}) + ${exponent} + ${offset}`
  const digits = `trim(replace(${mantissa}, '.', ''), '0')`
  const isNegative = `(starts_with(${sql}, '-') AND ${digits} <> '')`
  return [
    `CASE WHEN ${digits} = '' THEN 0 WHEN ${isNegative} THEN -(${place}) ELSE ${place} END`,
    `CASE WHEN ${isNegative} THEN translate(${digits}, '0123456789', '9876543210') || ':' ELSE ${digits} END`,
  ]
}
