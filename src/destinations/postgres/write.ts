/** Pages → rows of the table, or of the one that is staged; and rows taken back. */
import { type Columns, openColumns } from '../columns/columns.ts'
import { type TablePage, sourceColumns, type RowsOfSlice, type Table } from '../destination.ts'
import { alterTable, createTable } from './alter.ts'
import { copyChunks } from './copy-text.ts'
import { nameRules, quoted, storable } from './sql.ts'
import type { Session } from './session.ts'
import type { StreamTables, Tables } from './tables.ts'

export async function writePages(session: Session, tables: Tables, table: Table, pages: readonly TablePage[]) {
  const before = await tables.of(table.name)
  const isAppended = table.mode === 'append'
  const standing = isAppended ? before.live : before.staged
  const place = isAppended ? tables.liveName(before) : tables.stagedName(before)

  const columns = openColumns(standing?.columns ?? null, table.schema, nameRules)
  const changes = columns.makeRoom(recordsOf(pages))
  const isOrdered = table.mode === 'dedup'
  if (standing === null) await createTable(session, place, columns.all, { isOrdered })
  else await alterTable(session, place, changes)
  await copyPages(session, place, columns, pages)

  await tables.keep(
    isAppended
      ? { ...before, live: { columns: columns.all, distinctBy: null } }
      : { ...before, staged: { columns: columns.all, isOrdered: before.staged?.isOrdered ?? isOrdered } },
  )
}

function* recordsOf(pages: readonly TablePage[]) {
  for (const { records } of pages) yield* records
}

async function copyPages({ copyIn }: Session, place: string, { all }: Columns, pages: readonly TablePage[]) {
  if (pages.every(({ records }) => records.length === 0)) return
  const names = [...all.map(({ name }) => name), ...sourceColumns].map(quoted).join(', ')
  await copyIn(`COPY ${place} (${names}) FROM STDIN`, copyChunks(all, pages))
}

export async function rewindRows({ query }: Session, tables: Tables, table: Table, rows: RowsOfSlice) {
  const known: StreamTables = await tables.of(table.name)
  const places = [
    ...(known.staged === null ? [] : [tables.stagedName(known)]),
    ...(known.live === null || table.mode !== 'append' ? [] : [tables.liveName(known)]),
  ]
  for (const place of places) {
    await query(
      `DELETE FROM ${place} WHERE "_turnleaf_slice" = $1 AND "_turnleaf_run" = ANY ($2::text[]) AND "_turnleaf_page" >= $3`,
      [storable(rows.slice), rows.runs.map(storable), rows.fromPage],
    )
  }
}
