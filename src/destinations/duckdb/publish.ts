/** What is staged becomes the table, or part of it: for tables in the DuckDB file itself. */
import type { Table } from '../destination.ts'
import { keyMark } from './dedup.ts'
import type { KeptTable } from './kept-tables.ts'
import { keepWinners, mergeInto } from './merge.ts'
import type { Place } from './place.ts'
import { quoted } from './session.ts'
import { createTable, dropTable, settle, sqlName } from './target.ts'

/** What becomes of staged rows, and which rows are staged. */
export type Publishing = {
  /** Whether rows to be appended wait until they are published, as all others do. */
  readonly stagesAppended: boolean
  publish(place: Place, kept: KeptTable, table: Table): Promise<void>
}

export const tablesInTheFile: Publishing = {
  stagesAppended: false,
  async publish(place, kept, table) {
    switch (table.mode) {
      case 'append':
        kept.live ??= await createTable(place, kept.name, null, table.schema)
        return
      case 'overwrite':
        return replace(place, kept, table)
      case 'dedup':
        return merge(place, kept, table)
    }
  },
}

async function replace(place: Place, kept: KeptTable, table: Table): Promise<void> {
  const staged = kept.staged ?? (await createTable(place, kept.stagedName, null, table.schema))
  await settle(staged)
  await dropTable(place, kept.name)
  await place.session.run(`ALTER TABLE ${sqlName(staged)} RENAME TO ${quoted(kept.name)}`)
  kept.live = { ...staged, name: kept.name }
  kept.staged = null
  kept.distinctBy = null
}

async function merge(place: Place, kept: KeptTable, table: Table): Promise<void> {
  const { live, staged } = kept
  kept.live = live ?? (await createTable(place, kept.name, staged?.columns.all ?? null, table.schema))
  if (staged !== null) {
    kept.live = await mergeInto(kept.live, staged, table)
    await dropTable(place, staged.name)
    kept.staged = null
  }
  if (live !== null && kept.distinctBy !== keyMark(table)) await keepWinners(kept.live, table)
  kept.distinctBy = keyMark(table)
}
