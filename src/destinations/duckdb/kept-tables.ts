/** What is remembered of the tables of a connection, in a table beside them: their names, their columns. */
import { chooseName, foldName } from '../columns/column-name.ts'
import type { Column } from '../columns/columns.ts'
import type { JsonSchema } from '../../engine/plan/plan.ts'
import type { Table } from '../destination.ts'
import { type Place, tableTaken } from './place.ts'
import { nameRules, openTable, type Target } from './target.ts'

export type KeptTable = {
  readonly stream: string
  readonly name: string
  readonly stagedName: string
  live: Target | null
  staged: Target | null
  /** The key by which the rows of the table differ, as `keyMark` writes it; null where nobody saw to it. */
  distinctBy: string | null
}

export type KeptTables = {
  of(table: Table): Promise<KeptTable>
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

export function openKeptTables(place: Place, connection: string, address: string): KeptTables {
  const all = new Map<string, KeptTable>()
  const saved = new Map<string, string>()

  const read = async (): Promise<readonly StoredTable[]> => {
    const rows = await place.session.rows(`SELECT * FROM ${place.table(keptTable)} WHERE connection = $connection`, {
      connection,
    })
    return rows as readonly StoredTable[]
  }

  const openTarget = (name: string, columns: string | null, schema: JsonSchema | null) =>
    columns === null ? null : openTable(place, name, JSON.parse(columns) as readonly Column[], schema)

  return {
    async of({ name: stream, schema }) {
      const known = all.get(stream)
      if (known !== undefined) return known
      const stored = await read()
      const row = stored.find((other) => other.stream === stream)
      const name = row?.name ?? freeName(stream, stored)
      const stagedName = row?.staged_name ?? chooseName(`_turnleaf_staged_${name}`, nameRules, () => false)
      const table: KeptTable = {
        stream,
        name,
        stagedName,
        live: await openTarget(name, row?.live ?? null, schema),
        staged: await openTarget(stagedName, row?.staged ?? null, schema),
        distinctBy: row?.distinct_by ?? null,
      }
      if (table.live === null && (await place.has(name))) throw tableTaken(name, address)
      all.set(stream, table)
      if (row !== undefined) saved.set(stream, JSON.stringify(toStored(table)))
      return table
    },

    async save() {
      for (const [stream, table] of all) {
        for (const target of [table.live, table.staged]) if (target !== null) target.hasDeletions = false
        const stored = toStored(table)
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

function toStored({ name, stagedName, live, staged, distinctBy }: KeptTable): Omit<StoredTable, 'stream'> {
  const columnsOf = (target: Target | null) => (target === null ? null : JSON.stringify(target.columns.all))
  return { name, staged_name: stagedName, live: columnsOf(live), staged: columnsOf(staged), distinct_by: distinctBy }
}

function insertRow(place: Place): string {
  return `INSERT INTO ${place.table(keptTable)} BY NAME SELECT $connection AS connection, $stream AS stream,
          $name AS name, $staged_name AS staged_name, $live AS live, $staged AS staged, $distinct_by AS distinct_by`
}

function updateRow(place: Place): string {
  return `UPDATE ${place.table(keptTable)} SET name = $name, staged_name = $staged_name, live = $live,
          staged = $staged, distinct_by = $distinct_by WHERE connection = $connection AND stream = $stream`
}

/** The name of a stream's table, once and for all; names that begin as our own tables' do make way. */
function freeName(stream: string, others: readonly StoredTable[]): string {
  const taken = new Set(others.map((other) => foldName(other.name, nameRules)))
  const wanted = /^_turnleaf_/i.test(stream) ? `_${stream}` : stream
  return chooseName(wanted, nameRules, (folded) => taken.has(folded))
}
