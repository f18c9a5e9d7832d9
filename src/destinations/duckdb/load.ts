/** DuckDB, loaded when it is first needed. */
import type * as DuckDB from '@duckdb/node-api'
import type Bindings from '@duckdb/node-bindings'

/** Node loads a native library in one turn: what is around it gets another, so that a server can serve others in between. */
export async function loadDuckDb(): Promise<typeof DuckDB> {
  await loadBindings()
  return import('@duckdb/node-api')
}

/** The native library itself. */
export async function loadBindings(): Promise<typeof Bindings> {
  return (await import('@duckdb/node-bindings')).default
}
