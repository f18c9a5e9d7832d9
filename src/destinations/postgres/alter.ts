/** Columns → the statements that make a table, or make it wide enough. */
import type { Column, ColumnChanges } from '../columns/columns.ts'
import { converted, orderColumn, quoted, sqlTypes } from './sql.ts'
import type { Session } from './session.ts'

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

function definition({ name, type }: Column): string {
  return `${quoted(name)} ${sqlTypes[type]}`
}
