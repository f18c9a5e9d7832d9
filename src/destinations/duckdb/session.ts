/** One connection to an open DuckDB file: statements, rows, transactions. */
import type * as DuckDB from '@duckdb/node-api'
import { loadBindings, loadDuckDb } from './load.ts'
import { openVectorWriter, type VectorWriter } from './write-vector.ts'

export type QueryParameters = Readonly<Record<string, DuckDB.DuckDBValue>>

/** What rows take memory for, as far as it is known. */
export type RowShape = {
  readonly columns: number
  /** What the texts of a row come to, on average. */
  readonly rowBytes?: number
  /** How many rows are compared by their keys at a time. */
  readonly keys?: number
}

export type DuckSession = {
  readonly duckdb: typeof DuckDB
  readonly connection: DuckDB.DuckDBConnection
  readonly vectors: VectorWriter
  run(sql: string, parameters?: QueryParameters): Promise<void>
  rows(sql: string, parameters?: QueryParameters): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** The names of the columns of its result. */
  columns(sql: string): Promise<readonly string[]>
  /** Full names of the tables that lost rows in the current transaction: see `settle`. */
  readonly lostRows: Set<string>
  /** Call before rows of such a shape are written or read. */
  provideFor(shape: RowShape): Promise<void>
  /** Doubles the memory that DuckDB may use; false where it may use all there is. Call between transactions. */
  provideMore(): Promise<boolean>
  /** The largest rows so far, bytes. */
  rowBytes(): number
  /** Runs with as much memory as DuckDB wants: for rows of unknown size. */
  withAllMemory<Result>(work: () => Promise<Result>): Promise<Result>
  /** Rolls back when the work fails. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>
  close(): void
}

export async function openDuckSession(instance: DuckDB.DuckDBInstance): Promise<DuckSession> {
  const duckdb = await loadDuckDb()
  const connection = await instance.connect()
  const lostRows = new Set<string>()
  const run = async (sql: string, parameters?: QueryParameters) => {
    await connection.run(sql, parameters === undefined ? undefined : { ...parameters })
  }
  return {
    duckdb,
    connection,
    vectors: openVectorWriter(await loadBindings(), duckdb),
    run,
    lostRows,
    async provideFor() {},
    provideMore: () => Promise.resolve(false),
    rowBytes: () => 0,
    withAllMemory: (work) => work(),
    async rows(sql, parameters) {
      const reader = await connection.runAndReadAll(sql, parameters === undefined ? undefined : { ...parameters })
      return reader.getRowObjects()
    },
    async columns(sql) {
      return (await connection.run(sql)).columnNames()
    },
    async transaction(work) {
      lostRows.clear()
      await run('BEGIN')
      try {
        const result = await work()
        await run('COMMIT')
        return result
      } catch (error) {
        // A failed statement does not end DuckDB's transaction, a failed COMMIT does; roll back in both cases.
        await run('ROLLBACK').catch(() => {})
        throw error
      }
    },
    close: () => connection.closeSync(),
  }
}

/** A quoted SQL name. */
export function quoted(...names: readonly string[]): string {
  return names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')
}

/** A quoted SQL string. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
