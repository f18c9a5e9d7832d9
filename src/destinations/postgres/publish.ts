/** What is staged → the table, or part of it. */
import { openColumns } from '../columns/columns.ts'
import type { Table } from '../destination.ts'
import { createTable } from './alter.ts'
import { mergeStaged } from './merge.ts'
import { replaceTable } from './replace.ts'
import { nameRules } from './sql.ts'
import type { Session } from './session.ts'
import type { Tables } from './tables.ts'

export async function publish(session: Session, tables: Tables, table: Table): Promise<void> {
  const before = await tables.of(table.name)
  if (table.mode === 'overwrite') {
    const staged = before.staged ?? { columns: declared(table), isOrdered: false }
    if (before.staged === null) await createTable(session, tables.stagedName(before), staged.columns, staged)
    await tables.keep(await replaceTable(session, tables, { ...before, staged }))
    return
  }
  const live = before.live ?? { columns: declared(table), uniqueBy: null }
  if (before.live === null) await createTable(session, tables.liveName(before), live.columns, { isOrdered: false })
  const { staged } = before
  const isMerged = table.mode === 'dedup' && staged !== null
  await tables.keep(
    isMerged ? await mergeStaged(session, tables, { ...before, live, staged }, table) : { ...before, live },
  )
}

export async function discard({ query }: Session, tables: Tables, table: Table): Promise<void> {
  const before = await tables.of(table.name)
  if (before.staged === null) return
  await query(`DROP TABLE IF EXISTS ${tables.stagedName(before)}`)
  await tables.keep({ ...before, staged: null })
}

function declared({ schema }: Table) {
  return openColumns(null, schema, nameRules).all
}
