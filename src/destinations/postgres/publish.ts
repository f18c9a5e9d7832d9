/** What is staged → the table, or part of it. */
import { openColumns } from '../columns/columns.ts'
import type { Table } from '../destination.ts'
import { createTable } from './alter.ts'
import { adoptStaged, mergeStaged } from './merge.ts'
import { replaceTable } from './replace.ts'
import { nameRules } from './sql.ts'
import type { Session } from './session.ts'
import type { StreamTables, Tables } from './tables.ts'

export async function publish(session: Session, tables: Tables, table: Table): Promise<void> {
  const before = await tables.of(table.name)
  await tables.keep(await published(session, tables, before, table))
}

async function published(session: Session, tables: Tables, before: StreamTables, table: Table): Promise<StreamTables> {
  const { live, staged } = before
  if (table.mode === 'overwrite') {
    const replacement = staged ?? (await createDeclared(session, tables.stagedName(before), table))
    return await replaceTable(session, tables, { ...before, staged: replacement })
  }
  if (table.mode === 'append' || staged === null)
    return { ...before, live: live ?? (await createDeclared(session, tables.liveName(before), table)) }
  return live === null
    ? await adoptStaged(session, tables, { ...before, staged }, table)
    : await mergeStaged(session, tables, { ...before, live, staged }, table)
}

/** A table without rows: what the schema declares is all there is to know. */
async function createDeclared(session: Session, place: string, { schema }: Table) {
  const columns = openColumns(null, schema, nameRules).all
  await createTable(session, place, columns, { isOrdered: false })
  return { columns, distinctBy: null, isOrdered: false }
}

export async function discard({ query }: Session, tables: Tables, table: Table): Promise<void> {
  const before = await tables.of(table.name)
  if (before.staged === null) return
  await query(`DROP TABLE IF EXISTS ${tables.stagedName(before)}`)
  await tables.keep({ ...before, staged: null })
}
