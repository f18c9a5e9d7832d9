/** The tables of a folder of JSONL files, asked in SQL. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { QueryResult } from '../destination.ts'
import { askFiles, reading } from '../duckdb/ask.ts'
import { extension } from './places.ts'

export async function askLines(folder: string, sql: string, limit: number): Promise<QueryResult> {
  const files = await readdir(folder).catch(() => [])
  const tables = files
    .filter((file) => file.endsWith(extension))
    .map((file) => {
      const lines = reading('read_json', join(folder, file), ", format = 'newline_delimited', sample_size = -1")
      return [file.slice(0, -extension.length), lines] as const
    })
  return askFiles(new Map(tables), sql, limit)
}
