/** Records → rows of a table, by column: the fastest way to write to DuckDB. */
import type { DuckDBType } from '@duckdb/node-api'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import type { TablePage, sourceColumns, RowsOfSlice } from '../destination.ts'
import type { DuckSession } from './session.ts'
import { sqlName, type TargetTable } from './target.ts'
import { toDuckDB, vectorType } from './values.ts'
import { rowsPerVector, type VectorValue } from './write-vector.ts'

/** The values of a column. */
type Filling = {
  readonly valueOf: (record: JsonRecord, page: TablePage) => VectorValue | null
  /** The type of the values, by that of the column. */
  readonly typeFor: (column: DuckDBType) => DuckDBType
}

export async function writeRows(target: TargetTable, pages: readonly TablePage[]): Promise<void> {
  const records = pages.flatMap((page) => page.records)
  if (records.length === 0) return
  const pageOf = pages.flatMap((page) => page.records.map(() => page))
  const { name, handle } = target
  const { connection, duckdb, vectors } = handle.session
  const fillings = fillingsOf(target, handle.session)
  const appender = await connection.createAppender(name, handle.schema, handle.database)
  try {
    const types = fillings.map(({ typeFor }, index) => typeFor(appender.columnType(index)))
    const chunk = duckdb.DuckDBDataChunk.create(types)
    for (let start = 0; start < records.length; start += rowsPerVector) {
      const some = records.slice(start, start + rowsPerVector)
      const columns = fillings.map(({ valueOf }) =>
        some.map((record, index) => valueOf(record, pageOf[start + index] as TablePage)),
      )
      await handle.session.provideFor({ columns: columns.length, rowBytes: bytesOf(columns) / some.length })
      chunk.rowCount = some.length
      columns.forEach((values, index) => {
        // A column of a user's own type.
        if (!vectors.write(chunk, index, types[index] as DuckDBType, values)) chunk.setColumnValues(index, values)
      })
      appender.appendDataChunk(chunk)
      // Frees its texts. Those of a chunk that is not used again stay until garbage is collected.
      chunk.reset()
    }
    appender.closeSync()
  } catch (error) {
    // Otherwise the garbage collector would write them after the transaction was rolled back.
    appender.clear()
    throw error
  }
}

/** Of all texts. */
function bytesOf(columns: readonly (readonly (VectorValue | null)[])[]): number {
  let bytes = 0
  for (const values of columns) for (const value of values) if (typeof value === 'string') bytes += bytesOfText(value)
  return bytes
}

/** Only long texts matter, and only of those it is worth the time to count exactly. */
function bytesOfText(text: string): number {
  return text.length < 1000 ? text.length : Buffer.byteLength(text)
}

/** For each column of the table, in order. */
function fillingsOf({ columns, layout }: TargetTable, { duckdb }: DuckSession): readonly Filling[] {
  const own: Record<(typeof sourceColumns)[number], Filling> = {
    _turnleaf_extracted_at: {
      typeFor: () => duckdb.TIMESTAMPTZ,
      valueOf: (_, { extractedAt }) => extractedAt * 1000,
    },
    _turnleaf_run: { typeFor: () => duckdb.VARCHAR, valueOf: (_, { run }) => run },
    _turnleaf_slice: { typeFor: () => duckdb.VARCHAR, valueOf: (_, { slice }) => slice },
    _turnleaf_page: { typeFor: () => duckdb.INTEGER, valueOf: (_, { page }) => page },
  }
  const fillings = new Map<string, Filling>(Object.entries(own))
  for (const column of columns.all) {
    const { key, name } = column
    const convert = toDuckDB(column)
    // Inherited properties such as `constructor` are not fields of the record.
    const isInherited = key in Object.prototype
    const valueOf = (record: JsonRecord) => {
      const value = isInherited && !Object.hasOwn(record, key) ? null : record[key]
      return value === null || value === undefined ? null : convert(value)
    }
    fillings.set(name, { valueOf, typeFor: (type) => vectorType(column.type, type, duckdb) })
  }
  // A column that a user added stays empty.
  return layout.map((name) => fillings.get(name) ?? { valueOf: () => null, typeFor: (type) => type })
}

export async function rewindRows(target: TargetTable, rows: RowsOfSlice): Promise<void> {
  if (rows.runs.length === 0) return
  const { session } = target.handle
  await session.run(
    `DELETE FROM ${sqlName(target)} WHERE _turnleaf_slice = $slice
     AND list_contains($runs::VARCHAR[], _turnleaf_run) AND _turnleaf_page >= $fromPage`,
    { slice: rows.slice, runs: session.duckdb.listValue([...rows.runs]), fromPage: rows.fromPage },
  )
  session.lostRows.add(sqlName(target))
}
