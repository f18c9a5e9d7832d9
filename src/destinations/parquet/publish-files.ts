/** What is staged becomes the files of a table, or one more of them. */
import { join } from 'node:path'
import { openColumns } from '../columns/columns.ts'
import { matchColumns } from '../columns/match-columns.ts'
import type { Table } from '../destination.ts'
import { keyMark } from '../duckdb/dedup.ts'
import type { KeptTable } from '../duckdb/kept-tables.ts'
import { keepWinners, mergeInto } from '../duckdb/merge.ts'
import { type Place, temporaryPlace } from '../duckdb/schema-handle.ts'
import { createTable, dropTable, nameRules, sqlName, type Target } from '../duckdb/target.ts'
import { changesRows, rowsAs, rowsOfFiles, writeParquet } from './write-parquet.ts'
import type { Moves } from './moves.ts'
import { isThere, type TableFiles } from './table-files.ts'

export type Folder = { readonly place: Place; readonly folder: string; readonly moves: Moves }

export async function publishFiles(folder: Folder, kept: KeptTable<TableFiles>, table: Table): Promise<void> {
  const { place } = folder
  const { live, name } = kept
  const mark = table.mode === 'dedup' ? keyMark(table) : null
  const isDone = kept.staged === null && live !== null && (table.mode === 'append' || kept.distinctBy === mark)
  if (table.mode !== 'overwrite' && isDone) return
  const known = table.mode === 'overwrite' ? null : (live?.columns.all ?? null)
  const staged = kept.staged ?? (await createTable(place, kept.stagedName, known, table.schema))
  if (table.mode === 'dedup') {
    kept.live = await mergeFiles(folder, { name, live, isDistinct: kept.distinctBy === mark }, staged, table)
  } else if (table.mode === 'append' && live !== null) kept.live = await addFile(folder, { name, live }, staged)
  else kept.live = await replaceFiles(folder, { name, live }, staged)
  kept.distinctBy = mark
  await dropTable(place, staged.name)
  kept.staged = null
}

type Named = { readonly name: string; readonly live: TableFiles | null }

/** One file of its rows in the place of all that the table had. */
async function replaceFiles({ moves }: Folder, { name, live }: Named, rows: Target): Promise<TableFiles> {
  const { place, columns } = rows
  const file = `${name}.parquet`
  const select = rowsAs(columns, columns, sqlName(rows))
  await moves.put(join(name, file), (path) => writeParquet(place, select, path))
  for (const old of live?.files ?? []) if (old !== file) await moves.remove(join(name, old))
  return { columns, files: [file] }
}

/** One more file. Those that lack its columns, or have narrower ones, are written again: a table has one schema. */
async function addFile(
  { place, folder, moves }: Folder,
  { name, live }: Named & { readonly live: TableFiles },
  staged: Target,
): Promise<TableFiles> {
  const { into, intoChanges } = matchColumns(live.columns.all, staged.columns.all, nameRules)
  const columns = openColumns(into, null, nameRules)
  if (changesRows(intoChanges)) {
    for (const file of live.files) {
      const select = rowsAs(columns, live.columns, rowsOfFiles([await moves.current(join(name, file))]))
      await moves.put(join(name, file), (path) => writeParquet(place, select, path))
    }
  }
  const file = await freeFile(join(folder, name), name, live.files)
  const select = rowsAs(columns, staged.columns, sqlName(staged))
  await moves.put(join(name, file), (path) => writeParquet(place, select, path))
  return { columns, files: [...live.files, file] }
}

/** The rows of all files and those staged, of each key the one that wins, in one file. */
async function mergeFiles(
  all: Folder,
  { name, live, isDistinct }: Named & { readonly isDistinct: boolean },
  staged: Target,
  table: Table,
): Promise<TableFiles> {
  const { place, moves } = all
  const temporary = temporaryPlace(place)
  const columns = live?.columns ?? staged.columns
  const rows = await createTable(temporary, 'merged', columns.all, null)
  if (live !== null) {
    const paths = await Promise.all(live.files.map((file) => moves.current(join(name, file))))
    const files = rowsOfFiles(paths)
    await place.session.run(`INSERT INTO ${sqlName(rows)} ${rowsAs(columns, columns, files)}`)
  }
  const merged = await mergeInto(rows, staged, table)
  if (live !== null && !isDistinct) await keepWinners(merged, table)
  const files = await replaceFiles(all, { name, live }, merged)
  await dropTable(temporary, rows.name)
  return files
}

async function freeFile(folder: string, name: string, taken: readonly string[]): Promise<string> {
  for (let number = taken.length + 1; ; number++) {
    const file = `${name}-${number}.parquet`
    // Also not one that somebody else has put there.
    if (!taken.includes(file) && !(await isThere(join(folder, file)))) return file
  }
}
