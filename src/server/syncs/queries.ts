/** The tables of syncs, and queries of them: few at once, each with an end. */
import type { Destination } from '../../destinations/destination.ts'
import { ConnectorError } from '../../std/errors.ts'
import { openReadLimit } from '../read-limit.ts'
import type { LandedTable, QueryAnswer } from '../wire/sync.ts'
import type { Syncs } from './syncs.ts'

export type Queries = {
  /** One SELECT, confined to the tables. */
  readonly run: (sql: string, limit: number, signal: AbortSignal) => Promise<QueryAnswer>
  /** Empty before the first sync. */
  readonly tables: (signal: AbortSignal) => Promise<LandedTable[]>
}

/** Longer queries belong on the command line. */
const longestQueryMs = 60_000

/** Each has its own process and memory. */
const mostQueries = 4

export function openQueries(syncs: Syncs): Queries {
  const queryLimit = openReadLimit(mostQueries, 'queries')
  const until = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(longestQueryMs)])
  return {
    async run(sql, limit, signal) {
      using _slot = queryLimit.take()
      const result = await syncs.destination.query?.(sql, limit, { signal: until(signal), isConfined: true })
      if (result === undefined) throw new ConnectorError('server/not-found', 'The database does not support queries.')
      return result as QueryAnswer
    },
    tables: async (signal) => (syncs.hasTables() ? await tablesOf(syncs.destination, until(signal)) : []),
  }
}

/** Enough for any schema that is shown. */
const mostColumns = 10_000

const tablesQuery = `
select t.schema_name, t.table_name, t.estimated_size, c.column_name, c.data_type
from duckdb_tables() t join duckdb_columns() c using (database_name, schema_name, table_name)
where not t.internal and t.table_name not like '\\_turnleaf%' escape '\\'
order by t.schema_name, t.table_name, c.column_index`

async function tablesOf(destination: Destination, signal: AbortSignal): Promise<LandedTable[]> {
  const tables = new Map<string, LandedTable>()
  const result = await destination.query?.(tablesQuery, mostColumns, { isConfined: true, isOwn: true, signal })
  for (const [schema, name, rows, column, type] of result?.rows ?? []) {
    const key = JSON.stringify([schema, name])
    const known = tables.get(key) ?? { schema: String(schema), name: String(name), rows: Number(rows), columns: [] }
    known.columns.push({ name: String(column), type: String(type) })
    tables.set(key, known)
  }
  return [...tables.values()]
}
