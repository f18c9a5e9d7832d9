/** What each stream of a connection has in the schema: its table, and the one that is not published yet. */
import { ConnectorError } from '../../std/errors.ts'
import { chooseName } from '../columns/column-name.ts'
import type { Column } from '../columns/columns.ts'
import { nameRules, ownName, quoted, storable } from './sql.ts'
import type { Session } from './session.ts'

/** Kept as JSON in the transaction that changes what it speaks of. */
export type StreamTables = {
  readonly stream: string
  /** What the table is called, chosen once. */
  readonly name: string
  readonly live: LiveTable | null
  readonly staged: StagedTable | null
}

export type LiveTable = {
  readonly columns: readonly Column[]
  /** The primary key by which its rows are known to differ, as JSON; null where nobody has seen to it. */
  readonly distinctBy: string | null
}

export type StagedTable = {
  readonly columns: readonly Column[]
  /** Whether it has a column that tells in which order its rows came. */
  readonly isOrdered: boolean
}

export type Tables = {
  of(stream: string): Promise<StreamTables>
  /** In the transaction under way. */
  keep(tables: StreamTables): Promise<void>
  /** The transaction was rolled back, or its fate is unknown: what is known of it must be read again. */
  reset(): void
  liveName(tables: StreamTables): string
  stagedName(tables: StreamTables): string
  /** The same without its schema and quotes. */
  stagedLabel(tables: StreamTables): string
  /** The index on the key columns, where they can have one. */
  indexName(tables: StreamTables): string
}

export function tablesTable(schema: string): string {
  return `${quoted(schema)}."_turnleaf_tables"`
}

export async function createTables({ query, schema }: Session): Promise<void> {
  await query(`
    CREATE TABLE ${tablesTable(schema)} (connection text COLLATE "C", stream text COLLATE "C", tables text NOT NULL);
    CREATE UNIQUE INDEX ON ${tablesTable(schema)} (connection, (md5(stream)))`)
}

export function openTables(session: Session, connection: string): Tables {
  const { query, schema } = session
  let known: Map<string, StreamTables> | null = null

  const load = async () => {
    const rows = await query(`SELECT tables FROM ${tablesTable(schema)} WHERE connection = $1`, [connection])
    const all = rows.map(({ tables }) => JSON.parse(String(tables)) as StreamTables)
    const standing = await relations(
      session,
      all.map(({ name }) => name),
    )
    // A table that somebody dropped is made anew.
    const present = all.map((tables) => (standing.has(tables.name) ? tables : { ...tables, live: null }))
    return new Map(present.map((tables) => [tables.stream, tables]))
  }
  return {
    async of(stream) {
      known ??= await load()
      const tables = known.get(stream)
      if (tables !== undefined) return tables
      const taken = new Set([...known.values()].map(({ name }) => name))
      const name = chooseName(stream, tableRules, (folded) => taken.has(folded))
      if ((await relations(session, [name])).has(name)) throw tableTaken(session, name, stream)
      return { stream, name, live: null, staged: null }
    },
    async keep(tables) {
      await query(
        `INSERT INTO ${tablesTable(schema)} (connection, stream, tables) VALUES ($1, $2, $3)
         ON CONFLICT (connection, md5(stream)) DO UPDATE SET tables = excluded.tables`,
        [connection, storable(tables.stream), JSON.stringify(tables)],
      )
      known?.set(tables.stream, tables)
    },
    reset: () => (known = null),
    liveName: ({ name }) => `${quoted(schema)}.${quoted(name)}`,
    stagedName: ({ stream }) => `${quoted(schema)}.${quoted(ownName('staged', connection, stream))}`,
    stagedLabel: ({ stream }) => ownName('staged', connection, stream),
    indexName: ({ stream }) => `${quoted(schema)}.${quoted(ownName('key', connection, stream))}`,
  }
}

/** Names that begin like ours are ours. */
const tableRules = { ...nameRules, reserved: new Set(['_turnleaf_notes', '_turnleaf_tables']) }

/** Which of the names stand for something in the schema: a view or an index takes a name as a table does. */
async function relations({ query, schema }: Session, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await query(
    `SELECT relname::text AS name FROM pg_catalog.pg_class
     WHERE relnamespace = to_regnamespace($1) AND relname = ANY ($2::text[])`,
    [quoted(schema), names],
  )
  return new Set(rows.map(({ name }) => String(name)))
}

function tableTaken({ address, schema }: Session, name: string, stream: string): ConnectorError {
  return new ConnectorError(
    'destinations/table-taken',
    `${address} has a table ${quoted(schema)}.${quoted(name)} that this connection did not make; the stream "${stream}" would land there.`,
  )
}
