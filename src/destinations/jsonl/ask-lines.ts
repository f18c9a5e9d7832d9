/** The tables of a folder of JSONL files, asked in SQL. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { QueryResult } from '../destination.ts'
import { askFiles, reading } from '../duckdb/query.ts'
import { replay } from './ledger-entry.ts'
import { connectionsIn, extension, ledgerName, stagedFolder, stagedTable } from './places.ts'

export async function askLines(folder: string, sql: string, limit: number): Promise<QueryResult> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith(extension))
  const tables = new Map(files.map((file) => [file.slice(0, -extension.length), linesOf(join(folder, file))]))
  // Only for those who ask: the files that a running sync writes to may end in the middle of a line.
  const staged = /_turnleaf_staged_/i.test(sql) ? await stagedIn(folder) : []
  return askFiles(new Map([...tables, ...staged]), sql, limit)
}

function linesOf(path: string): string {
  return reading('read_json', path, ", format = 'newline_delimited', sample_size = -1")
}

/** Rows that wait to be published, of every connection; each table belongs to one. */
async function stagedIn(folder: string): Promise<(readonly [string, string])[]> {
  const found: (readonly [string, string])[] = []
  for (const name of await readdir(connectionsIn(folder)).catch(() => [])) {
    const own = join(connectionsIn(folder), name)
    const path = join(own, ledgerName)
    const bytes = await readFile(path).catch(() => null)
    if (bytes === null) continue
    for (const { file, staged } of replay(bytes, path).state.tables.values()) {
      if (staged !== null) found.push([stagedTable(file), linesOf(join(own, stagedFolder, staged.file))])
    }
  }
  return found
}
