/** Published tables that stand in the DuckDB file itself. */
import { chooseName, foldName } from '../columns/column-name.ts'
import type { Column } from '../columns/columns.ts'
import type { Table } from '../destination.ts'
import { keyMark } from './dedup.ts'
import type { KeptTable } from './kept-tables.ts'
import { keepWinners, mergeInto } from './merge.ts'
import type { Place } from './schema-handle.ts'
import { quoted } from './session.ts'
import type { Shelf } from './published-tables.ts'
import { countRows, createTable, dropTable, nameRules, openTable, settle, sqlName, type Target } from './target.ts'

export function tablesInFile(place: Place): Shelf<Target> {
  return {
    chooseName(stream, others) {
      const taken = new Set(others.map((name) => foldName(name, nameRules)))
      // Names that begin as those of our own tables make way for them.
      const wanted = /^_turnleaf_/i.test(stream) ? `_${stream}` : stream
      return chooseName(wanted, nameRules, (folded) => taken.has(folded))
    },
    isTaken: (name) => place.has(name),
    toStored: ({ columns }) => columns.all,
    open: (name, stored, schema) => openTable(place, name, stored as readonly Column[], schema),
    async appendTo(kept, { schema }, records) {
      kept.distinctBy = null
      kept.live ??= await createTable(place, kept.name, null, schema, records)
      return kept.live
    },
    async publish(kept, table) {
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
    countRows: ({ live }) => (live === null ? Promise.resolve(0) : countRows(place, sqlName(live))),
    // Everything is in the file, and in the transaction.
    settle: async () => {},
  }
}

async function replace(place: Place, kept: KeptTable<Target>, table: Table): Promise<void> {
  const staged = kept.staged ?? (await createTable(place, kept.stagedName, null, table.schema))
  await settle(staged)
  await dropTable(place, kept.name)
  await place.session.run(`ALTER TABLE ${sqlName(staged)} RENAME TO ${quoted(kept.name)}`)
  kept.live = { ...staged, name: kept.name }
  kept.staged = null
  kept.distinctBy = null
}

async function merge(place: Place, kept: KeptTable<Target>, table: Table): Promise<void> {
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
