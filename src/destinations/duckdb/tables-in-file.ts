/** Published tables in the DuckDB file itself. */
import { chooseName, foldName } from '../columns/column-name.ts'
import type { Column } from '../columns/columns.ts'
import type { Table } from '../destination.ts'
import { hasOneRowPerKey, keepWinners, keyMark, mergeStaged } from './merge.ts'
import type { KnownTable, PublishedTables } from './tables.ts'
import type { SchemaHandle } from './schema-handle.ts'
import { quoted } from './session.ts'
import {
  countRows,
  createTable,
  dropTable,
  nameRules,
  openTable,
  provideForRowsOf,
  settle,
  sqlName,
  type TargetTable,
} from './target.ts'

export function tablesInFile(handle: SchemaHandle): PublishedTables<TargetTable> {
  return {
    chooseName(stream, others) {
      const taken = new Set(others.map((name) => foldName(name, nameRules)))
      // Names that begin like internal tables get a prefix.
      const wanted = /^_turnleaf_/i.test(stream) ? `_${stream}` : stream
      return chooseName(wanted, nameRules, (folded) => taken.has(folded))
    },
    isTaken: (name) => handle.has(name),
    toStored: ({ columns }) => columns.all,
    open: (name, stored, schema) => openTable(handle, name, stored as readonly Column[], schema),
    provideForRows: provideForRowsOf,
    async appendTo(kept, { schema }, records) {
      kept.distinctBy = null
      kept.live ??= await createTable(handle, kept.name, null, schema, records)
      return kept.live
    },
    async publish(kept, table) {
      switch (table.mode) {
        case 'append':
          kept.live ??= await createTable(handle, kept.name, null, table.schema)
          return
        case 'overwrite':
          return replace(handle, kept, table)
        case 'dedup':
          return merge(handle, kept, table)
      }
    },
    countRows: ({ live }) => (live === null ? Promise.resolve(0) : countRows(handle, sqlName(live))),
    // Everything is part of the transaction.
    settle: async () => {},
  }
}

async function replace(handle: SchemaHandle, kept: KnownTable<TargetTable>, table: Table): Promise<void> {
  const staged = kept.staged ?? (await createTable(handle, kept.stagedName, null, table.schema))
  await settle(staged)
  await dropTable(handle, kept.name)
  await handle.session.run(`ALTER TABLE ${sqlName(staged)} RENAME TO ${quoted(kept.name)}`)
  kept.live = { ...staged, name: kept.name }
  kept.staged = null
  kept.distinctBy = null
}

async function merge(handle: SchemaHandle, kept: KnownTable<TargetTable>, table: Table): Promise<void> {
  const { live, staged } = kept
  if (live === null && staged !== null && (await hasOneRowPerKey(staged, table))) {
    await replace(handle, kept, table)
    kept.distinctBy = keyMark(table)
    return
  }
  kept.live = live ?? (await createTable(handle, kept.name, staged?.columns.all ?? null, table.schema))
  if (staged !== null) {
    kept.live = await mergeStaged(kept.live, staged, table)
    await dropTable(handle, staged.name)
    kept.staged = null
  }
  if (live !== null && kept.distinctBy !== keyMark(table)) await keepWinners(kept.live, table)
  kept.distinctBy = keyMark(table)
}
