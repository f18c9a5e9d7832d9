/** Rows of slices that are read again → gone from the files that were published with them. */
import { join } from 'node:path'
import type { RowsOfSlice } from '../destination.ts'
import type { KeptTable } from '../duckdb/kept-tables.ts'
import { literal } from '../duckdb/session.ts'
import { countRows } from '../duckdb/target.ts'
import type { Folder } from './publish-files.ts'
import type { TableFiles } from './table-files.ts'
import { rowsAs, rowsOfFiles, writeParquet } from './write-parquet.ts'

/** A file cannot be changed: one that has such rows is written anew without them. */
export async function rewindFiles(
  { place, moves }: Folder,
  { name, live }: KeptTable<TableFiles>,
  rows: readonly RowsOfSlice[],
): Promise<void> {
  if (live === null) return
  const goes = isOneOf(rows.filter(({ runs }) => runs.length > 0))
  if (goes === null) return
  for (const file of live.files) {
    const source = rowsOfFiles([await moves.current(join(name, file))])
    if ((await countRows(place, `${source} WHERE ${goes}`)) === 0) continue
    const select = rowsAs(live.columns, live.columns, `${source} WHERE NOT (${goes})`)
    await moves.put(join(name, file), (path) => writeParquet(place, select, path))
  }
}

/** As SQL; null where there are none. Slices of one read have the same runs, and mostly all their pages go. */
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
