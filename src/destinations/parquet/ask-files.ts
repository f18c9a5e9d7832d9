/** The tables of a folder of Parquet files, asked in SQL. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { QueryResult } from '../destination.ts'
import { askFiles, reading } from '../duckdb/ask.ts'

export async function askParquet(folder: string, sql: string, limit: number): Promise<QueryResult> {
  const tables = new Map<string, string>()
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isDirectory() || entry.name.startsWith('_turnleaf')) continue
    const files = await readdir(join(folder, entry.name))
    if (!files.some((file) => file.endsWith('.parquet'))) continue
    tables.set(entry.name, reading('read_parquet', join(folder, entry.name, '*.parquet'), ', union_by_name = true'))
  }
  return askFiles(tables, sql, limit)
}
