/** A table that holds records: made, widened, taken away. */
import type { JsonRecord, JsonSchema } from '../../engine/plan/plan.ts'
import type { NameRules } from '../columns/column-name.ts'
import { type Column, type ColumnChanges, type Columns, openColumns } from '../columns/columns.ts'
import type { Place } from './schema-handle.ts'
import { quoted } from './session.ts'
import { physicalTypes, widened } from './values.ts'

/** Names need no more: DuckDB sets no limit. `rowid` is a column that every table has. */
export const nameRules: NameRules = { maxBytes: 1000, tellsCaseApart: false, reserved: new Set(['rowid']) }

export type Target = {
  readonly place: Place
  readonly name: string
  readonly columns: Columns
  /** All columns of the table, in its order: what is added later stands behind the table's own. */
  readonly layout: string[]
}

/** The whole name of the table, as SQL takes it. */
export function sqlName({ place, name }: Pick<Target, 'place' | 'name'>): string {
  return place.table(name)
}

/**
 * @param known the columns to start with; null starts with those of the schema.
 * @param records what will be written first: its fields have columns from the start, before the table's own.
 */
export async function createTable(
  place: Place,
  name: string,
  known: readonly Column[] | null,
  schema: JsonSchema | null,
  records: Iterable<JsonRecord> = [],
): Promise<Target> {
  const columns = openColumns(known, schema, nameRules)
  columns.makeRoom(records)
  const defined = [
    ...columns.all.map((column) => `${quoted(column.name)} ${physicalTypes[column.type]}`),
    '_turnleaf_extracted_at TIMESTAMPTZ',
    '_turnleaf_run VARCHAR',
    '_turnleaf_slice VARCHAR',
    '_turnleaf_page INTEGER',
  ]
  await place.session.run(`${creating(place)} ${place.table(name)} (${defined.join(', ')})`)
  return { place, name, columns, layout: [...(await place.columnsOf(name))] }
}

function creating({ isTemporary }: Place): string {
  return isTemporary ? 'CREATE TEMP TABLE' : 'CREATE TABLE'
}

/** The table as it was left; null when somebody has dropped it. */
export async function openTable(
  place: Place,
  name: string,
  known: readonly Column[],
  schema: JsonSchema | null,
): Promise<Target | null> {
  const layout = [...(await place.columnsOf(name))]
  if (layout.length === 0) return null
  // A column that somebody has dropped is made again when a record has it.
  const present = known.filter((column) => layout.includes(column.name))
  return { place, name, columns: openColumns(present, schema, nameRules), layout }
}

/** @param source what SQL reads rows from: the whole name of a table, or files. */
export async function countRows({ session }: Place, source: string): Promise<number> {
  const [row] = await session.rows(`SELECT count(*) AS rows FROM ${source}`)
  return Number(row?.rows ?? 0)
}

export async function makeRoom(target: Target, records: Iterable<JsonRecord>): Promise<void> {
  await alterTable(target, target.columns.makeRoom(records))
}

/** @param target with the columns that it is to have. */
export async function alterTable(target: Target, { added, widened: wider }: ColumnChanges): Promise<void> {
  const { place, layout } = target
  const retyped = wider.filter(({ column, from }) => physicalTypes[column.type] !== physicalTypes[from])
  // A copy has the added columns, too.
  const isCopied = retyped.length > 0 || (added.length > 0 && hasLostRows(target))
  if (isCopied) return copyTable(target, { added, widened: retyped })
  for (const { name, type } of added) {
    await place.session.run(`ALTER TABLE ${sqlName(target)} ADD COLUMN ${quoted(name)} ${physicalTypes[type]}`)
    layout.push(name)
  }
}

/**
 * To be called before a table is altered or renamed: one that lost rows in the same transaction becomes a copy of
 * itself. DuckDB 1.5.5 would refuse the commit or, worse, write a log that it cannot replay after a crash.
 */
export async function settle(target: Target): Promise<void> {
  if (hasLostRows(target)) await copyTable(target, { added: [], widened: [] })
}

function hasLostRows(target: Target): boolean {
  return target.place.session.lostRows.has(sqlName(target))
}

/**
 * A copy takes the place of the table. `ALTER … TYPE … USING` would be less to write, but the log then holds the
 * expression, and DuckDB 1.5.5 cannot replay one that calls a function: the file could not be opened any more.
 */
async function copyTable({ place, name, layout, columns }: Target, { widened: wider }: ColumnChanges): Promise<void> {
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
  const copy = place.table('_turnleaf_copy')
  const { session } = place
  await session.run(
    `${creating(place)} ${copy} AS SELECT ${[...values, ...own.map((one) => quoted(one))].join(', ')} FROM ${place.table(name)}`,
  )
  await dropTable(place, name)
  await session.run(`ALTER TABLE ${copy} RENAME TO ${quoted(name)}`)
  layout.splice(0, layout.length, ...records, ...own)
}

export async function dropTable(place: Place, name: string): Promise<void> {
  await place.session.run(`DROP TABLE IF EXISTS ${place.table(name)}`)
  place.session.lostRows.delete(place.table(name))
}
