/** DuckDB, loaded when it is first needed. */
import type * as DuckDB from '@duckdb/node-api'

/** Node loads a native library in one turn: what is around it gets another, so that a server can serve others in between. */
export async function loadDuckDb(): Promise<typeof DuckDB> {
  await import('@duckdb/node-bindings')
  return import('@duckdb/node-api')
}
