/** The tables of a connection: their names and columns, stored in `_turnleaf_tables`, and where published ones are. */
import { chooseName } from '../columns/column-name.ts'
import type { Column, Columns } from '../columns/columns.ts'
import type { RowsOfSlice, Table } from '../destination.ts'
import type { JsonRecord, JsonSchema } from '../../engine/plan/plan.ts'
import { tableTaken } from './failures.ts'
import type { SchemaHandle } from './schema-handle.ts'
import { nameRules, openTable, provideForRowsOf, type TargetTable } from './target.ts'

export type KnownTable<Live extends PublishedTable> = {
  readonly stream: string
  readonly name: string
  readonly stagedName: string
  live: Live | null
  staged: TargetTable | null
  /** The key that is unique in the table, as `keyMark` writes it; null where uniqueness is not known. */
  distinctBy: string | null
}

export type KnownTables<Live extends PublishedTable> = {
  of(table: Table): Promise<KnownTable<Live>>
  /** Throws where it cannot be written. Remembers nothing: another connection may take its name until it is. */
  check(table: Table): Promise<void>
  /** Whether its published table was deleted since the last `save`. */
  isGone(stream: string): Promise<boolean>
  /** The same of its staged table. */
  isStagedGone(stream: string): Promise<boolean>
  /** Stores what has changed, within the transaction. */
  save(): Promise<void>
  /** Call after a failed commit: everything is read again. */
  reset(): void
}

export async function createTablesTable(handle: SchemaHandle): Promise<void> {
  await handle.session.run(
    `CREATE TABLE IF NOT EXISTS ${handle.table(tablesTable)} (connection VARCHAR, stream VARCHAR, name VARCHAR,
     staged_name VARCHAR, live VARCHAR, staged VARCHAR, distinct_by VARCHAR)`,
  )
}

export function openKnownTables<Live extends PublishedTable>(
  handle: SchemaHandle,
  published: PublishedTables<Live>,
  { connection, address }: { readonly connection: string; readonly address: string },
): KnownTables<Live> {
  const all = new Map<string, KnownTable<Live>>()
  const saved = new Map<string, string>()

  const readAll = async () => {
    const rows = await handle.session.rows(
      `SELECT * FROM ${handle.table(tablesTable)} WHERE connection = $connection`,
      {
        connection,
      },
    )
    return rows as readonly StoredTable[]
  }
  const openLive = (name: string, stored: string | null, schema: JsonSchema | null) =>
    stored === null ? null : published.open(name, JSON.parse(stored), schema)
  const openStaged = (name: string, stored: string | null, schema: JsonSchema | null) =>
    stored === null ? null : openTable(handle, name, JSON.parse(stored) as readonly Column[], schema)

  const load = async ({ name: stream, schema }: Table) => {
    const stored = await readAll()
    const row = stored.find((other) => other.stream === stream)
    const name =
      row?.name ??
      published.chooseName(
        stream,
        [...stored, ...all.values()].map((other) => other.name),
      )
    const stagedName = row?.staged_name ?? chooseName(`_turnleaf_staged_${name}`, nameRules, () => false)
    const live = await openLive(name, row?.live ?? null, schema)
    if (live === null && (await published.isTaken(name))) throw tableTaken(name, address)
    const staged = await openStaged(stagedName, row?.staged ?? null, schema)
    const table: KnownTable<Live> = { stream, name, stagedName, live, staged, distinctBy: row?.distinct_by ?? null }
    return { table, row }
  }

  return {
    async of(given) {
      const { name: stream } = given
      const known = all.get(stream)
      if (known !== undefined) return known
      const { table, row } = await load(given)
      all.set(stream, table)
      // As it is stored, which differs where the table was deleted.
      if (row !== undefined) saved.set(stream, storedText(row))
      if (table.staged !== null) await provideForRowsOf(table.staged)
      // An overwrite drops the published rows unread.
      if (table.live !== null && given.mode !== 'overwrite') await published.provideForRows?.(table.live)
      return table
    },

    async check(given) {
      const { table } = await load(given)
      await published.check?.(table, given)
    },

    async isGone(stream) {
      const row = (await readAll()).find((other) => other.stream === stream)
      return row !== undefined && row.live !== null && (await openLive(row.name, row.live, null)) === null
    },

    async isStagedGone(stream) {
      const row = (await readAll()).find((other) => other.stream === stream)
      return row !== undefined && row.staged !== null && !(await handle.has(row.staged_name))
    },

    async save() {
      for (const [stream, table] of all) {
        const stored = toStored(table, published)
        const text = JSON.stringify(stored)
        if (saved.get(stream) === text) continue
        await handle.session.run(saved.has(stream) ? updateRow(handle) : insertRow(handle), {
          connection,
          stream,
          ...stored,
        })
        saved.set(stream, text)
      }
    },

    reset() {
      all.clear()
      saved.clear()
    },
  }
}

const tablesTable = '_turnleaf_tables'

type StoredTable = {
  readonly stream: string
  readonly name: string
  readonly staged_name: string
  readonly live: string | null
  readonly staged: string | null
  readonly distinct_by: string | null
}

function toStored<Live extends PublishedTable>(
  { name, stagedName, live, staged, distinctBy }: KnownTable<Live>,
  published: PublishedTables<Live>,
): Omit<StoredTable, 'stream'> {
  return {
    name,
    staged_name: stagedName,
    live: live === null ? null : JSON.stringify(published.toStored(live)),
    staged: staged === null ? null : JSON.stringify(staged.columns.all),
    distinct_by: distinctBy,
  }
}

/** In the order of `toStored`. */
function storedText({ name, staged_name, live, staged, distinct_by }: StoredTable): string {
  return JSON.stringify({ name, staged_name, live, staged, distinct_by })
}

function insertRow(handle: SchemaHandle): string {
  return `INSERT INTO ${handle.table(tablesTable)} (connection, stream, name, staged_name, live, staged, distinct_by)
          VALUES ($connection, $stream, $name, $staged_name, $live, $staged, $distinct_by)`
}

function updateRow(handle: SchemaHandle): string {
  return `UPDATE ${handle.table(tablesTable)} SET name = $name, staged_name = $staged_name, live = $live,
          staged = $staged, distinct_by = $distinct_by WHERE connection = $connection AND stream = $stream`
}

export type PublishedTable = { readonly columns: Columns }

/** All but `settle` is called within the transaction of a commit. */
export type PublishedTables<Live extends PublishedTable> = {
  /** A name for the table of a stream, other than those of the connection's other streams. */
  chooseName(stream: string, others: readonly string[]): string
  /** Whether a table, file or folder of that name exists. */
  isTaken(name: string): Promise<boolean>
  /** What is stored about a table, as JSON. */
  toStored(live: Live): unknown
  /** The table as it was left; null when it was deleted. */
  open(name: string, stored: unknown, schema: JsonSchema | null): Promise<Live | null>
  /** The table that rows are appended to directly, created if needed; null where they are staged. */
  appendTo(kept: KnownTable<Live>, table: Table, records?: readonly JsonRecord[]): Promise<TargetTable | null>
  publish(kept: KnownTable<Live>, table: Table): Promise<void>
  /** Deletes published rows where `appendTo` returns null. */
  rewind?(kept: KnownTable<Live>, rows: readonly RowsOfSlice[]): Promise<void>
  /** Call before rows of an earlier sync are read. */
  provideForRows?(live: Live): Promise<void>
  /** Throws where nothing can be added to what is published. */
  check?(kept: KnownTable<Live>, table: Table): Promise<void>
  /** Number of published rows; 0 where there is no table. */
  countRows(kept: KnownTable<Live>): Promise<number>
  /** Does what cannot be part of a transaction. Called after each one, and before the first, since a crash may have left some undone. */
  settle(): Promise<void>
}
