/** The tables of a folder of Parquet files, asked in SQL. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { QueryResult } from '../destination.ts'
import { askFiles, askViews, reading } from '../duckdb/query.ts'
import { lookInto } from '../duckdb/database.ts'

export type ParquetFolder = {
  readonly folder: string
  /** The DuckDB file in which rows are staged. */
  readonly file: string
  readonly address: string
}

export async function askParquet(place: ParquetFolder, sql: string, limit: number): Promise<QueryResult> {
  const tables = await tablesIn(place.folder)
  // Only for those who ask: while a sync runs, the file with staged rows is locked.
  const answer = /_turnleaf_staged_/i.test(sql) ? await askStaged(place, tables, sql, limit) : null
  return answer ?? (await askFiles(tables, sql, limit))
}

async function tablesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const tables = new Map<string, string>()
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isDirectory() || entry.name.startsWith('_turnleaf')) continue
    const files = await readdir(join(folder, entry.name))
    if (!files.some((file) => file.endsWith('.parquet'))) continue
    tables.set(entry.name, reading('read_parquet', join(folder, entry.name, '*.parquet'), ', union_by_name = true'))
  }
  return tables
}

/** Null where nothing was ever staged. */
function askStaged(
  { file, address }: ParquetFolder,
  tables: ReadonlyMap<string, string>,
  sql: string,
  limit: number,
): Promise<QueryResult | null> {
  return lookInto(file, address, (session) => askViews(session, tables, sql, limit))
}
