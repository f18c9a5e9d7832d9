/** The Parquet destination: a folder of files per table; rows are staged in a DuckDB file. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Column, openColumns } from '../columns/columns.ts'
import type { Destination, QueryResult } from '../destination.ts'
import { lookInto } from '../duckdb/database.ts'
import { inspectCheckpoints } from '../duckdb/checkpoints.ts'
import type { PublishedTables } from '../duckdb/tables.ts'
import { queryFiles, queryViews, filesAs } from '../duckdb/query.ts'
import type { SchemaHandle } from '../duckdb/schema-handle.ts'
import { openStore } from '../duckdb/store.ts'
import { countRows, nameRules } from '../duckdb/target.ts'
import { isThere } from '../../std/disk/is-there.ts'
import { chooseFileName, foldFileName } from '../file-name.ts'
import { openMoves } from './moves.ts'
import {
  checkFiles,
  holdsAnything,
  isWholeParquet,
  publishFiles,
  rewindFiles,
  rowsOfFiles,
  type ParquetFiles,
} from './publish-files.ts'

/** @example await sync(manifest, { config, to: parquetDestination('shop') }) // then: SELECT * FROM 'shop/orders/*.parquet' */
export function parquetDestination(folder: string): Required<Destination> {
  const address = `parquet:${folder}`
  const file = join(folder, '_turnleaf', 'staging.duckdb')
  const schema = 'main'
  return {
    address,
    canShare: false,
    open: (connection) =>
      openStore({ file, address, schema, connection, openPublished: (handle) => filesInFolder(handle, folder) }),
    inspect: (prefix) => inspectCheckpoints(file, address, schema, prefix),
    query: (sql, limit) => queryParquet({ folder, file, address }, sql, limit),
  }
}

type StoredFiles = { readonly columns: readonly Column[]; readonly files: readonly string[] }

async function filesInFolder(handle: SchemaHandle, folder: string): Promise<PublishedTables<ParquetFiles>> {
  const moves = await openMoves(handle, folder)
  return {
    chooseName(stream, others) {
      const taken = new Set(others.map(foldFileName))
      return chooseFileName(stream, (folded) => taken.has(folded))
    },
    isTaken: (name) => holdsAnything(join(folder, name)),
    toStored: ({ columns, files }): StoredFiles => ({ columns: columns.all, files }),
    async open(name, stored, schema) {
      const { columns, files } = stored as StoredFiles
      const areThere = await Promise.all(files.map((file) => isThere(join(folder, name, file))))
      // Where some are left it is a changed table, which is refused as soon as rows are to be added to it.
      return areThere.includes(true) ? { columns: openColumns(columns, schema, nameRules), files } : null
    },
    // A Parquet file cannot be appended to: rows are staged until they are published.
    appendTo: () => Promise.resolve(null),
    publish: (kept, table) => publishFiles({ handle, folder, moves }, kept, table),
    rewind: (kept, rows) => rewindFiles({ handle, folder, moves }, kept, rows),
    async countRows({ name, live }) {
      if (live === null) return 0
      const paths = live.files.map((file) => join(folder, name, file))
      // What is gone or was cut has no rows that could be kept.
      const areWhole = await Promise.all(
        paths.map(async (path) => (await isThere(path)) && (await isWholeParquet(path))),
      )
      const whole = paths.filter((_, index) => areWhole[index])
      return whole.length === 0 ? 0 : await countRows(handle, rowsOfFiles(whole))
    },
    check: (kept, table) => checkFiles({ moves }, kept, table),
    settle: () => moves.finish(),
  }
}

export type ParquetFolder = {
  readonly folder: string
  /** The DuckDB file in which rows are staged. */
  readonly file: string
  readonly address: string
}

async function queryParquet(handle: ParquetFolder, sql: string, limit: number): Promise<QueryResult> {
  const tables = await tablesIn(handle.folder)
  // Only on request: while a sync runs, the file with staged rows is locked.
  const answer = /_turnleaf_staged_/i.test(sql) ? await queryStaged(handle, tables, sql, limit) : null
  return answer ?? (await queryFiles(tables, sql, limit))
}

async function tablesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const tables = new Map<string, string>()
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isDirectory() || entry.name.startsWith('_turnleaf')) continue
    const files = await readdir(join(folder, entry.name))
    if (!files.some((file) => file.endsWith('.parquet'))) continue
    tables.set(entry.name, filesAs('read_parquet', join(folder, entry.name, '*.parquet'), ', union_by_name = true'))
  }
  return tables
}

/** Null where there is no staging file. */
function queryStaged(
  { file, address }: ParquetFolder,
  tables: ReadonlyMap<string, string>,
  sql: string,
  limit: number,
): Promise<QueryResult | null> {
  return lookInto(file, address, (session) => queryViews(session, tables, sql, limit))
}
