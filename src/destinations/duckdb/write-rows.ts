/** Records → rows of a table, by column: the fastest way to write to DuckDB. */
import type { DuckDBType, DuckDBValue } from '@duckdb/node-api'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import type { TablePage, sourceColumns, RowsOfSlice } from '../destination.ts'
import { type DuckSession, rowsPerVector } from './session.ts'
import { sqlName, type TargetTable } from './target.ts'
import { toDuckDB, vectorType } from './values.ts'

type Row = { readonly record: JsonRecord; readonly page: TablePage }

/** The values of a column. */
type Filling = {
  readonly valueOf: (row: Row) => DuckDBValue
  /** The type of the values; that of the column unless given. */
  readonly type?: DuckDBType | undefined
}

export async function writeRows(target: TargetTable, pages: readonly TablePage[]): Promise<void> {
  const rows = pages.flatMap((page) => page.records.map((record) => ({ record, page })))
  if (rows.length === 0) return
  const { name, handle } = target
  const { connection, duckdb } = handle.session
  const fillings = fillingsOf(target, pages, handle.session)
  const appender = await connection.createAppender(name, handle.schema, handle.database)
  try {
    const types = fillings.map(({ type }, index) => type ?? appender.columnType(index))
    const chunk = duckdb.DuckDBDataChunk.create(types)
    for (let start = 0; start < rows.length; start += rowsPerVector) {
      const some = rows.slice(start, start + rowsPerVector)
      const columns = fillings.map(({ valueOf }) => some.map(valueOf))
      await handle.session.provideFor({ columns: columns.length, rowBytes: bytesOf(columns) / some.length })
      chunk.rowCount = some.length
      columns.forEach((values, index) => chunk.setColumnValues(index, values))
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
function bytesOf(columns: readonly (readonly DuckDBValue[])[]): number {
  let bytes = 0
  for (const values of columns) for (const value of values) if (typeof value === 'string') bytes += bytesOfText(value)
  return bytes
}

/** Only long texts matter, and only of those it is worth the time to count exactly. */
function bytesOfText(text: string): number {
  return text.length < 1000 ? text.length : Buffer.byteLength(text)
}

/** For each column of the table, in order. */
function fillingsOf(
  { columns, layout }: TargetTable,
  pages: readonly TablePage[],
  { duckdb }: DuckSession,
): readonly Filling[] {
  const extractedAt = new Map(
    pages.map((page) => [page, new duckdb.DuckDBTimestampTZValue(BigInt(page.extractedAt) * 1000n)]),
  )
  // Strings are passed to DuckDB one by one; an ENUM passes each string once, and a number per row.
  const oneOf = (textOf: (page: TablePage) => string): Filling => ({
    type: duckdb.ENUM([...new Set(pages.map(textOf))]),
    valueOf: ({ page }) => textOf(page),
  })
  const own: Record<(typeof sourceColumns)[number], Filling> = {
    _turnleaf_extracted_at: { valueOf: ({ page }) => extractedAt.get(page) ?? null },
    _turnleaf_run: oneOf(({ run }) => run),
    _turnleaf_slice: oneOf(({ slice }) => slice),
    _turnleaf_page: { valueOf: ({ page }) => page.page },
  }
  const fillings = new Map<string, Filling>(Object.entries(own))
  for (const column of columns.all) {
    const { key, name } = column
    const convert = toDuckDB(column, duckdb)
    // Inherited properties such as `constructor` are not fields of the record.
    const isInherited = key in Object.prototype
    const valueOf = ({ record }: Row) => {
      const value = isInherited && !Object.hasOwn(record, key) ? null : record[key]
      return value === null || value === undefined ? null : convert(value)
    }
    fillings.set(name, { valueOf, type: vectorType(column.type, duckdb) })
  }
  // A column that a user added stays empty.
  return layout.map((name) => fillings.get(name) ?? { valueOf: () => null })
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
