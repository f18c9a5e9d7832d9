/** Rows → a Parquet file, in the columns that its table has. */
import type { Column, ColumnChanges, Columns } from '../columns/columns.ts'
import { sourceColumns } from '../destination.ts'
import type { Place } from '../duckdb/schema-handle.ts'
import { literal, quoted } from '../duckdb/session.ts'
import { physicalTypes, widened } from '../duckdb/values.ts'

export async function writeParquet({ session }: Place, select: string, path: string): Promise<void> {
  await session.run(`COPY (${select}) TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`)
}

/** SQL for the rows of `source`, which has the columns `from`, in the columns `into`: the record's first, then our own. */
export function rowsAs(into: Columns, from: Columns, source: string): string {
  const values = into.all.map((column) => `${valueOf(column, from.of(column.key))} AS ${quoted(column.name)}`)
  return `SELECT ${[...values, ...sourceColumns].join(', ')} FROM ${source}`
}

function valueOf({ type }: Column, from: Column | undefined): string {
  if (from?.isUsed !== true) return `CAST(NULL AS ${physicalTypes[type]})`
  return widened(quoted(from.name), from.type, type)
}

export function rowsOfFiles(paths: readonly string[]): string {
  return `read_parquet([${paths.map(literal).join(', ')}])`
}

/** Whether files written before lack something, or hold it in another type. */
export function changesRows({ added, widened: wider }: ColumnChanges): boolean {
  return added.length > 0 || wider.some(({ column, from }) => physicalTypes[column.type] !== physicalTypes[from])
}
