/** Records → rows of a table, a column at a time: DuckDB's fastest way in. */
import type { DuckDBValue } from '@duckdb/node-api'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import type { LandedPage, ownColumns, RowsOfSlice } from '../destination.ts'
import type { Session } from './session.ts'
import { sqlName, type Target } from './target.ts'
import { toDuckDB } from './values.ts'

type Row = { readonly record: JsonRecord; readonly page: LandedPage }
type Cell = (row: Row) => DuckDBValue

export async function writeRows(target: Target, pages: readonly LandedPage[]): Promise<void> {
  const rows = pages.flatMap((page) => page.records.map((record) => ({ record, page })))
  if (rows.length === 0) return
  const { name, place } = target
  const { connection, duckdb } = place.session
  const cells = cellsOf(target, place.session)
  const appender = await connection.createAppender(name, place.schema, place.database)
  try {
    const types = cells.map((_, index) => appender.columnType(index))
    for (let start = 0; start < rows.length; start += rowsPerChunk) {
      const some = rows.slice(start, start + rowsPerChunk)
      const chunk = duckdb.DuckDBDataChunk.create(types, some.length)
      cells.forEach((cell, index) => chunk.setColumnValues(index, some.map(cell)))
      appender.appendDataChunk(chunk)
    }
    appender.closeSync()
  } catch (error) {
    // Or it would write them when it is collected as garbage, after the transaction was rolled back.
    appender.clear()
    throw error
  }
}

/** As many as a chunk holds. */
const rowsPerChunk = 2048

/** How each column of the table, in its order, is filled. */
function cellsOf({ columns, layout }: Target, { duckdb }: Session): readonly Cell[] {
  const extractedAt = new Map<LandedPage, DuckDBValue>()
  const own: Record<(typeof ownColumns)[number], Cell> = {
    _turnleaf_extracted_at({ page }) {
      const known = extractedAt.get(page)
      if (known !== undefined) return known
      const value = new duckdb.DuckDBTimestampTZValue(BigInt(page.extractedAt) * 1000n)
      extractedAt.set(page, value)
      return value
    },
    _turnleaf_run: ({ page }) => page.run,
    _turnleaf_slice: ({ page }) => page.slice,
    _turnleaf_page: ({ page }) => page.page,
  }
  const cells = new Map<string, Cell>(Object.entries(own))
  for (const { key, name, type } of columns.all) {
    const convert = toDuckDB(type, duckdb)
    // What every object inherits is no field of the record: `constructor`.
    const isInherited = key in Object.prototype
    cells.set(name, ({ record }) => {
      const value = isInherited && !Object.hasOwn(record, key) ? null : record[key]
      return value === null || value === undefined ? null : convert(value)
    })
  }
  // A column that somebody else added stays empty.
  return layout.map((name) => cells.get(name) ?? (() => null))
}

export async function rewindRows(target: Target, rows: RowsOfSlice): Promise<void> {
  if (rows.runs.length === 0) return
  const { session } = target.place
  await session.run(
    `DELETE FROM ${sqlName(target)} WHERE _turnleaf_slice = $slice
     AND list_contains($runs::VARCHAR[], _turnleaf_run) AND _turnleaf_page >= $fromPage`,
    { slice: rows.slice, runs: session.duckdb.listValue([...rows.runs]), fromPage: rows.fromPage },
  )
  session.lostRows.add(sqlName(target))
}
