/** Columns → the statements that make a table, or make it wide enough. */
import type { Column, ColumnChanges } from '../columns/columns.ts'
import { converted, orderColumn, quoted, sqlTypes } from './sql.ts'
import type { Session } from './session.ts'
import type { StagedTable, StreamTables, Tables } from './tables.ts'

const ownColumnTypes = [
  '"_turnleaf_extracted_at" timestamptz',
  '"_turnleaf_run" text',
  '"_turnleaf_slice" text',
  '"_turnleaf_page" integer',
]

export async function createTable(
  { query }: Session,
  table: string,
  columns: readonly Column[],
  { isOrdered }: { isOrdered: boolean },
): Promise<void> {
  const order = isOrdered ? [`${quoted(orderColumn)} bigint GENERATED ALWAYS AS IDENTITY`] : []
  await query(`CREATE TABLE ${table} (${[...columns.map(definition), ...ownColumnTypes, ...order].join(', ')})`)
}

/** One statement, so that the rows are written anew once at most. */
export async function alterTable({ query }: Session, table: string, { added, widened }: ColumnChanges): Promise<void> {
  const actions = [
    ...added.map((column) => `ADD COLUMN ${definition(column)}`),
    ...widened
      .filter(({ column, from }) => sqlTypes[from] !== sqlTypes[column.type])
      .map(({ column: { name, type }, from, wasUsed }) => {
        const value = wasUsed ? converted(quoted(name), from, type) : 'NULL'
        return `ALTER COLUMN ${quoted(name)} TYPE ${sqlTypes[type]} USING ${value}`
      }),
  ]
  if (actions.length > 0) await query(`ALTER TABLE ${table} ${actions.join(', ')}`)
}

/** The staged table under the name of the live one, as which it is returned. */
export async function renameStaged(
  { query }: Session,
  tables: Tables,
  known: StreamTables & { readonly staged: StagedTable },
): Promise<string> {
  const staged = tables.stagedName(known)
  if (known.staged.isOrdered) await query(`ALTER TABLE ${staged} DROP COLUMN ${quoted(orderColumn)}`)
  await query(`ALTER TABLE ${staged} RENAME TO ${quoted(known.name)}`)
  return tables.liveName(known)
}

function definition({ name, type }: Column): string {
  return `${quoted(name)} ${sqlTypes[type]}`
}
