/** A table that holds records: create, widen, copy, drop. */
import type { JsonRecord, JsonSchema } from '../../engine/plan/plan.ts'
import type { NameRules } from '../columns/column-name.ts'
import { sourceColumns } from '../destination.ts'
import { type Column, type ColumnChanges, type Columns, openColumns } from '../columns/columns.ts'
import type { SchemaHandle } from './schema-handle.ts'
import { quoted } from './session.ts'
import { rowsPerVector } from './write-vector.ts'
import { physicalTypes, widened } from './values.ts'

/** DuckDB sets no limit on names. Every table has a column `rowid`. */
export const nameRules: NameRules = { maxBytes: 1000, isCaseSensitive: false, reserved: new Set(['rowid']) }

export type TargetTable = {
  readonly handle: SchemaHandle
  readonly name: string
  readonly columns: Columns
  /** All columns of the table in order: later ones follow the columns `_turnleaf_…`. */
  readonly layout: string[]
}

/** The full quoted name of the table. */
export function sqlName({ handle, name }: Pick<TargetTable, 'handle' | 'name'>): string {
  return handle.table(name)
}

/**
 * @param known the columns to start with; null starts with those of the schema.
 * @param records the first records to be written: their columns come before the columns `_turnleaf_…`.
 */
export async function createTable(
  handle: SchemaHandle,
  name: string,
  known: readonly Column[] | null,
  schema: JsonSchema | null,
  records: Iterable<JsonRecord> = [],
): Promise<TargetTable> {
  const columns = openColumns(known, schema, nameRules)
  columns.makeRoom(records)
  const defined: (readonly [name: string, type: string])[] = [
    ...columns.all.map((column) => [column.name, physicalTypes[column.type]] as const),
    ...sourceColumns.map((column) => [column, sourceTypes[column]] as const),
  ]
  await handle.session.provideFor({ columns: defined.length })
  const list = defined.map(([column, type]) => `${quoted(column)} ${type}`).join(', ')
  await handle.session.run(`${creating(handle)} ${handle.table(name)} (${list})`)
  return { handle, name, columns, layout: defined.map(([column]) => column) }
}

const sourceTypes: Record<(typeof sourceColumns)[number], string> = {
  _turnleaf_extracted_at: 'TIMESTAMPTZ',
  _turnleaf_run: 'VARCHAR',
  _turnleaf_slice: 'VARCHAR',
  _turnleaf_page: 'INTEGER',
}

function creating({ isTemporary }: SchemaHandle): string {
  return isTemporary ? 'CREATE TEMP TABLE' : 'CREATE TABLE'
}

/** The table as it was left; null when it was dropped. */
export async function openTable(
  handle: SchemaHandle,
  name: string,
  known: readonly Column[],
  schema: JsonSchema | null,
): Promise<TargetTable | null> {
  const layout = [...(await handle.columnsOf(name))]
  if (layout.length === 0) return null
  await handle.session.provideFor({ columns: layout.length })
  // A dropped column is added again when a record has it.
  const present = known.filter((column) => layout.includes(column.name))
  return { handle, name, columns: openColumns(present, schema, nameRules), layout }
}

/** Call before rows of an earlier sync are read: their size is known by the first of them. @param source as for `countRows`. */
export async function provideForRows({ session }: SchemaHandle, source: string, columns: number): Promise<void> {
  const bytes = `SELECT strlen(CAST(_turnleaf_row AS VARCHAR)) AS bytes FROM ${source} AS _turnleaf_row LIMIT ${rowsPerVector}`
  const [row] = await session.withAllMemory(() => session.rows(`SELECT avg(bytes) AS bytes FROM (${bytes})`))
  await session.provideFor({ columns, rowBytes: Number(row?.bytes ?? 0) })
}

export function provideForRowsOf(target: TargetTable): Promise<void> {
  return provideForRows(target.handle, sqlName(target), target.layout.length)
}

/** @param source the SQL source of rows: the full name of a table, or files. */
export async function countRows({ session }: SchemaHandle, source: string): Promise<number> {
  const [row] = await session.rows(`SELECT count(*) AS rows FROM ${source}`)
  return Number(row?.rows ?? 0)
}

export async function makeRoom(target: TargetTable, records: Iterable<JsonRecord>): Promise<void> {
  await alterTable(target, target.columns.makeRoom(records))
}

/** @param target has the new columns already. */
export async function alterTable(target: TargetTable, { added, widened: wider }: ColumnChanges): Promise<void> {
  const { handle, layout } = target
  await handle.session.provideFor({ columns: layout.length + added.length })
  const retyped = wider.filter(({ column, from }) => physicalTypes[column.type] !== physicalTypes[from])
  // A copy includes the added columns.
  const isCopied = retyped.length > 0 || (added.length > 0 && hasLostRows(target))
  if (isCopied) return copyTable(target, { added, widened: retyped })
  for (const { name, type } of added) {
    await handle.session.run(`ALTER TABLE ${sqlName(target)} ADD COLUMN ${quoted(name)} ${physicalTypes[type]}`)
    layout.push(name)
  }
}

/**
 * Call before a table is altered or renamed: one that lost rows in the same transaction is replaced by a copy of
 * itself. DuckDB 1.5.5 would refuse the commit or, worse, write a log that it cannot replay after a crash.
 */
export async function settle(target: TargetTable): Promise<void> {
  if (hasLostRows(target)) await copyTable(target, { added: [], widened: [] })
}

function hasLostRows(target: TargetTable): boolean {
  return target.handle.session.lostRows.has(sqlName(target))
}

/**
 * Replaces the table by a copy. `ALTER … TYPE … USING` would be shorter, but the log then holds the
 * expression, and DuckDB 1.5.5 cannot replay one that calls a function: the file could not be opened any more.
 */
async function copyTable(
  { handle, name, layout, columns }: TargetTable,
  { widened: wider }: ColumnChanges,
): Promise<void> {
  const before = new Set(layout)
  const records = columns.all.map((column) => column.name)
  const own = layout.filter((one) => !records.includes(one))
  const values = columns.all.map((column) => {
    const change = wider.find((one) => one.column.name === column.name)
    const isEmpty = !before.has(column.name) || change?.wasUsed === false
    if (isEmpty) return `CAST(NULL AS ${physicalTypes[column.type]}) AS ${quoted(column.name)}`
    const value = quoted(column.name)
    return change === undefined ? value : `${widened(value, change.from, column.type)} AS ${value}`
  })
  const copy = handle.table('_turnleaf_copy')
  const { session } = handle
  await session.run(
    `${creating(handle)} ${copy} AS SELECT ${[...values, ...own.map((one) => quoted(one))].join(', ')} FROM ${handle.table(name)}`,
  )
  await dropTable(handle, name)
  await session.run(`ALTER TABLE ${copy} RENAME TO ${quoted(name)}`)
  layout.splice(0, layout.length, ...records, ...own)
}

export async function dropTable(handle: SchemaHandle, name: string): Promise<void> {
  await handle.session.run(`DROP TABLE IF EXISTS ${handle.table(name)}`)
  handle.session.lostRows.delete(handle.table(name))
}
