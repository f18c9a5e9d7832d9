/** A destination → the tables in it, with their columns; what syncs keep for themselves is left out. */
import type { Destination } from '../../destinations/destination.ts'
import type { LandedTable } from '../wire/sync.ts'

/** More than that nobody looks through. */
const mostColumns = 10_000

const question = `
select t.schema_name, t.table_name, t.estimated_size, c.column_name, c.data_type
from duckdb_tables() t join duckdb_columns() c using (database_name, schema_name, table_name)
where not t.internal and t.table_name not like '\\_turnleaf%' escape '\\'
order by t.schema_name, t.table_name, c.column_index`

export async function tablesOf(destination: Destination, signal: AbortSignal): Promise<LandedTable[]> {
  const tables = new Map<string, LandedTable>()
  const answer = await destination.query?.(question, mostColumns, { isConfined: true, isOwn: true, signal })
  for (const [schema, name, rows, column, type] of answer?.rows ?? []) {
    const key = JSON.stringify([schema, name])
    const known = tables.get(key) ?? { schema: String(schema), name: String(name), rows: Number(rows), columns: [] }
    known.columns.push({ name: String(column), type: String(type) })
    tables.set(key, known)
  }
  return [...tables.values()]
}
