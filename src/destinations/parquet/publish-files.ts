/** Publishes staged rows as files of a table, and deletes rows from published files. */
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Column, type ColumnChanges, type Columns, openColumns } from '../columns/columns.ts'
import { matchColumns } from '../columns/match-columns.ts'
import { type RowsOfSlice, sourceColumns, type Table } from '../destination.ts'
import { hasOneRowPerKey, keepWinners, keyMark, mergeStaged } from '../duckdb/merge.ts'
import type { KnownTable } from '../duckdb/tables.ts'
import { type SchemaHandle, temporarySchema } from '../duckdb/schema-handle.ts'
import { literal, quoted } from '../duckdb/session.ts'
import { rowsPerVector } from '../duckdb/write-vector.ts'
import {
  countRows,
  createTable,
  dropTable,
  nameRules,
  provideForRows,
  sqlName,
  type TargetTable,
} from '../duckdb/target.ts'
import { physicalTypes, widened } from '../duckdb/values.ts'
import { isThere } from '../../std/disk/is-there.ts'
import { errorCode } from '../../std/disk/disk-error.ts'
import { ChangedTable } from '../refused-data.ts'
import { isDraft, type Moves } from './moves.ts'

export type Folder = { readonly handle: SchemaHandle; readonly folder: string; readonly moves: Moves }

export async function publishFiles(folder: Folder, kept: KnownTable<ParquetFiles>, table: Table): Promise<void> {
  const { handle } = folder
  const { live, name } = kept
  await checkFiles(folder, kept, table)
  const mark = table.mode === 'dedup' ? keyMark(table) : null
  const isDone = kept.staged === null && live !== null && (table.mode === 'append' || kept.distinctBy === mark)
  if (table.mode !== 'overwrite' && isDone) return
  const known = table.mode === 'overwrite' ? null : (live?.columns.all ?? null)
  const staged = kept.staged ?? (await createTable(handle, kept.stagedName, known, table.schema))
  if (table.mode === 'dedup') {
    kept.live = await mergeFiles(folder, { name, live, isDistinct: kept.distinctBy === mark }, staged, table)
  } else if (table.mode === 'append' && live !== null) kept.live = await addFile(folder, { name, live }, staged)
  else kept.live = await replaceFiles(folder, { name, live }, staged)
  kept.distinctBy = mark
  await dropTable(handle, staged.name)
  kept.staged = null
}

/**
 * Refuses to add to files that were changed. Rows next to a file that no one can read would make a table that no one can
 * read; next to one that is gone, a table that lacks rows and looks complete.
 */
export async function checkFiles(
  { moves }: Pick<Folder, 'moves'>,
  { name, live }: Pick<KnownTable<ParquetFiles>, 'name' | 'live'>,
  { mode }: Pick<Table, 'mode'>,
): Promise<void> {
  if (mode === 'overwrite' || live === null) return
  for (const file of live.files) {
    const path = await moves.current(join(name, file))
    if (!(await isThere(path))) {
      throw new ChangedTable(`${join(name, file)} is gone: it was deleted or renamed by something else.`, 'live', {})
    }
    if (await isWholeParquet(path)) continue
    const message = `${join(name, file)} is no longer a Parquet file: it was cut or overwritten by something else.`
    throw new ChangedTable(message, 'live', {})
  }
}

/** Whether it ends as every Parquet file does; what was cut does not. */
export async function isWholeParquet(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const stat = await file.stat()
    // Both ends are marked, and a length comes before the mark of the last.
    if (!stat.isFile() || stat.size <= 12) return false
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, stat.size - 4)
    return buffer.toString('latin1') === 'PAR1'
  } finally {
    await file.close()
  }
}

type Named = { readonly name: string; readonly live: ParquetFiles | null }

/** Replaces all files of the table by one. */
async function replaceFiles({ moves }: Folder, { name, live }: Named, rows: TargetTable): Promise<ParquetFiles> {
  const { handle, columns } = rows
  const file = `${name}.parquet`
  const select = rowsAs(columns, columns, sqlName(rows))
  await moves.put(join(name, file), (path) => writeParquet(handle, select, path))
  for (const old of live?.files ?? []) if (old !== file) await moves.remove(join(name, old))
  return { columns, files: [file] }
}

/** Adds a file. Files that lack its columns, or have narrower ones, are written again: all files of a table have one schema. */
async function addFile(
  { handle, folder, moves }: Folder,
  { name, live }: Named & { readonly live: ParquetFiles },
  staged: TargetTable,
): Promise<ParquetFiles> {
  const { into, intoChanges } = matchColumns(live.columns.all, staged.columns.all, nameRules)
  const columns = openColumns(into, null, nameRules)
  if (changesRows(intoChanges)) {
    for (const file of live.files) {
      const select = rowsAs(
        columns,
        live.columns,
        await readFiles(handle, live, [await moves.current(join(name, file))]),
      )
      await moves.put(join(name, file), (path) => writeParquet(handle, select, path))
    }
  }
  const file = await freeFile(join(folder, name), name, live.files)
  const select = rowsAs(columns, staged.columns, sqlName(staged))
  await moves.put(join(name, file), (path) => writeParquet(handle, select, path))
  return { columns, files: [...live.files, file] }
}

/** Merges the rows of all files and the staged ones by key, into one file. */
async function mergeFiles(
  all: Folder,
  { name, live, isDistinct }: Named & { readonly isDistinct: boolean },
  staged: TargetTable,
  table: Table,
): Promise<ParquetFiles> {
  if (live === null && (await hasOneRowPerKey(staged, table))) return replaceFiles(all, { name, live }, staged)
  const { handle, moves } = all
  const temporary = temporarySchema(handle)
  const columns = live?.columns ?? staged.columns
  const rows = await createTable(temporary, 'merged', columns.all, null)
  if (live !== null) {
    const paths = await Promise.all(live.files.map((file) => moves.current(join(name, file))))
    const files = await readFiles(handle, live, paths)
    await handle.session.run(`INSERT INTO ${sqlName(rows)} ${rowsAs(columns, columns, files)}`)
  }
  const merged = await mergeStaged(rows, staged, table)
  if (live !== null && !isDistinct) await keepWinners(merged, table)
  const files = await replaceFiles(all, { name, live }, merged)
  await dropTable(temporary, rows.name)
  return files
}

async function freeFile(folder: string, name: string, taken: readonly string[]): Promise<string> {
  for (let number = taken.length + 1; ; number++) {
    const file = `${name}-${number}.parquet`
    // Nor a file that a user has put there.
    if (!taken.includes(file) && !(await isThere(join(folder, file)))) return file
  }
}

/** A Parquet file cannot be changed: one that has such rows is written again without them. */
export async function rewindFiles(
  { handle, moves }: Folder,
  { name, live }: KnownTable<ParquetFiles>,
  rows: readonly RowsOfSlice[],
): Promise<void> {
  if (live === null) return
  // Rows are only deleted to be appended again.
  await checkFiles({ moves }, { name, live }, { mode: 'append' })
  const goes = isOneOf(rows.filter(({ runs }) => runs.length > 0))
  if (goes === null) return
  for (const file of live.files) {
    const source = await readFiles(handle, live, [await moves.current(join(name, file))])
    if ((await countRows(handle, `${source} WHERE ${goes}`)) === 0) continue
    const select = rowsAs(live.columns, live.columns, `${source} WHERE NOT (${goes})`)
    await moves.put(join(name, file), (path) => writeParquet(handle, select, path))
  }
}

/** A SQL condition; null where there are no rows. Grouped, since slices of one read have the same runs. */
function isOneOf(rows: readonly RowsOfSlice[]): string | null {
  const groups = new Map<string, { readonly one: RowsOfSlice; readonly slices: string[] }>()
  for (const one of rows) {
    const key = JSON.stringify([one.runs, one.fromPage])
    const group = groups.get(key) ?? { one, slices: [] }
    group.slices.push(one.slice)
    groups.set(key, group)
  }
  const listed = (texts: readonly string[]) => texts.map(literal).join(', ')
  const conditions = [...groups.values()].map(
    ({ one: { runs, fromPage }, slices }) =>
      `(_turnleaf_run IN (${listed(runs)}) AND _turnleaf_page >= ${fromPage} AND _turnleaf_slice IN (${listed(slices)}))`,
  )
  return conditions.length === 0 ? null : conditions.join(' OR ')
}

async function writeParquet({ session }: SchemaHandle, select: string, path: string): Promise<void> {
  const options = `FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false, ROW_GROUP_SIZE ${rowsPerGroup(session.rowBytes())}`
  await session.run(`COPY (${select}) TO ${literal(path)} (${options})`)
}

/** DuckDB holds a group of rows in memory until it is written: of large rows fewer than its usual 122,880. */
function rowsPerGroup(rowBytes: number): number {
  const vectors = Math.floor((16 * 2 ** 20) / rowBytes / rowsPerVector)
  return rowsPerVector * Math.min(60, Math.max(1, vectors))
}

/** SQL for the rows of `source`, which has the columns `from`, as the columns `into`, then the columns `_turnleaf_…`. */
function rowsAs(into: Columns, from: Columns, source: string): string {
  const values = into.all.map((column) => `${valueOf(column, from.of(column.key))} AS ${quoted(column.name)}`)
  return `SELECT ${[...values, ...sourceColumns].join(', ')} FROM ${source}`
}

function valueOf({ type }: Column, from: Column | undefined): string {
  if (from?.isUsed !== true) return `CAST(NULL AS ${physicalTypes[type]})`
  return widened(quoted(from.name), from.type, type)
}

/** The SQL source of their rows, which may be of any size. */
async function readFiles(handle: SchemaHandle, { columns }: ParquetFiles, paths: readonly string[]): Promise<string> {
  const source = rowsOfFiles(paths)
  await provideForRows(handle, source, columns.all.length + sourceColumns.length)
  return source
}

export function rowsOfFiles(paths: readonly string[]): string {
  return `read_parquet([${paths.map(literal).join(', ')}])`
}

/** Whether earlier files lack a column, or have it in another type. */
function changesRows({ added, widened: wider }: ColumnChanges): boolean {
  return added.length > 0 || wider.some(({ column, from }) => physicalTypes[column.type] !== physicalTypes[from])
}

/** File names in the order of creation; all have the columns of the table. */
export type ParquetFiles = { readonly columns: Columns; readonly files: readonly string[] }

/** A folder with nothing but drafts, left by a crash, counts as empty. */
export async function holdsAnything(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).some((name) => !isDraft(name))
  } catch (error) {
    return errorCode(error) !== 'ENOENT'
  }
}
