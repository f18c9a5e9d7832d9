/** What is remembered of the tables of a connection, in a table beside them: their names, their columns. */
import type { JsonSchema } from '../../engine/plan/plan.ts'
import { chooseName } from '../columns/column-name.ts'
import type { Column } from '../columns/columns.ts'
import type { Table } from '../destination.ts'
import { tableTaken } from './failures.ts'
import type { Place } from './schema-handle.ts'
import type { Published, Shelf } from './published-tables.ts'
import { nameRules, openTable, type Target } from './target.ts'

export type KeptTable<Live extends Published> = {
  readonly stream: string
  readonly name: string
  readonly stagedName: string
  live: Live | null
  staged: Target | null
  /** The key by which the rows of the table differ, as `keyMark` writes it; null where nobody saw to it. */
  distinctBy: string | null
}

export type KeptTables<Live extends Published> = {
  of(table: Table): Promise<KeptTable<Live>>
  /** Writes down what has changed, within the transaction. */
  save(): Promise<void>
  /** What is remembered is read again: a commit has failed. */
  reset(): void
}

export async function makeKeptTables(place: Place): Promise<void> {
  await place.session.run(
    `CREATE TABLE IF NOT EXISTS ${place.table(keptTable)} (connection VARCHAR, stream VARCHAR, name VARCHAR,
     staged_name VARCHAR, live VARCHAR, staged VARCHAR, distinct_by VARCHAR)`,
  )
}

export function openKeptTables<Live extends Published>(
  place: Place,
  shelf: Shelf<Live>,
  { connection, address }: { readonly connection: string; readonly address: string },
): KeptTables<Live> {
  const all = new Map<string, KeptTable<Live>>()
  const saved = new Map<string, string>()

  const readAll = async () => {
    const rows = await place.session.rows(`SELECT * FROM ${place.table(keptTable)} WHERE connection = $connection`, {
      connection,
    })
    return rows as readonly StoredTable[]
  }
  const openLive = (name: string, stored: string | null, schema: JsonSchema | null) =>
    stored === null ? null : shelf.open(name, JSON.parse(stored), schema)
  const openStaged = (name: string, stored: string | null, schema: JsonSchema | null) =>
    stored === null ? null : openTable(place, name, JSON.parse(stored) as readonly Column[], schema)

  return {
    async of({ name: stream, schema }) {
      const known = all.get(stream)
      if (known !== undefined) return known
      const stored = await readAll()
      const row = stored.find((other) => other.stream === stream)
      const name =
        row?.name ??
        shelf.chooseName(
          stream,
          [...stored, ...all.values()].map((other) => other.name),
        )
      const stagedName = row?.staged_name ?? chooseName(`_turnleaf_staged_${name}`, nameRules, () => false)
      const live = await openLive(name, row?.live ?? null, schema)
      if (live === null && (await shelf.isTaken(name))) throw tableTaken(name, address)
      const staged = await openStaged(stagedName, row?.staged ?? null, schema)
      const table = { stream, name, stagedName, live, staged, distinctBy: row?.distinct_by ?? null }
      all.set(stream, table)
      if (row !== undefined) saved.set(stream, JSON.stringify(toStored(table, shelf)))
      return table
    },

    async save() {
      for (const [stream, table] of all) {
        const stored = toStored(table, shelf)
        const text = JSON.stringify(stored)
        if (saved.get(stream) === text) continue
        await place.session.run(saved.has(stream) ? updateRow(place) : insertRow(place), {
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

const keptTable = '_turnleaf_tables'

type StoredTable = {
  readonly stream: string
  readonly name: string
  readonly staged_name: string
  readonly live: string | null
  readonly staged: string | null
  readonly distinct_by: string | null
}

function toStored<Live extends Published>(
  { name, stagedName, live, staged, distinctBy }: KeptTable<Live>,
  shelf: Shelf<Live>,
): Omit<StoredTable, 'stream'> {
  return {
    name,
    staged_name: stagedName,
    live: live === null ? null : JSON.stringify(shelf.toStored(live)),
    staged: staged === null ? null : JSON.stringify(staged.columns.all),
    distinct_by: distinctBy,
  }
}

function insertRow(place: Place): string {
  return `INSERT INTO ${place.table(keptTable)} (connection, stream, name, staged_name, live, staged, distinct_by)
          VALUES ($connection, $stream, $name, $staged_name, $live, $staged, $distinct_by)`
}

function updateRow(place: Place): string {
  return `UPDATE ${place.table(keptTable)} SET name = $name, staged_name = $staged_name, live = $live,
          staged = $staged, distinct_by = $distinct_by WHERE connection = $connection AND stream = $stream`
}
