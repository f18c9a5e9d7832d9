/** The live and staged tables of each stream of a connection. */
import { chooseName } from '../columns/column-name.ts'
import type { Column, ColumnChanges } from '../columns/columns.ts'
import { ConnectorError } from '../../std/errors.ts'
import { lockKey } from './lock.ts'
import type { PostgresSession } from './session.ts'
import { converted, nameRules, orderColumn, internalName, quoted, sqlTypes, storable } from './sql.ts'

/** Stored as JSON, in the transaction that changes the tables. */
export type StreamTables = {
  readonly stream: string
  /** The table's name, chosen once. */
  readonly name: string
  readonly live: LiveTable | null
  readonly staged: StagedTable | null
}

export type LiveTable = {
  readonly columns: readonly Column[]
  /** The primary key that is unique in the table, as JSON; null where uniqueness is not known. */
  readonly distinctBy: string | null
}

export type StagedTable = {
  readonly columns: readonly Column[]
  /** Whether it has a column with the order of its rows. */
  readonly isOrdered: boolean
}

export type Tables = {
  /**
   * First thing in a transaction. Where several processes write to the connection, waits for those that change tables;
   * `mayChange`: for all of them, and they wait for this one.
   */
  begin(mayChange: boolean): Promise<void>
  of(stream: string): Promise<StreamTables>
  /** Throws where the table that the stream would get is not this connection's. */
  refuseTaken(stream: string): Promise<void>
  /** Whether its live table was dropped or renamed since the last `keep`. */
  isGone(stream: string): Promise<boolean>
  /** The same of its staged table. */
  isStagedGone(stream: string): Promise<boolean>
  /** Within the current transaction, before the tables are changed. Throws `ChangesTables` where that must not be. */
  keep(tables: StreamTables): Promise<void>
  /** Call when a transaction was rolled back, or its outcome is unknown: everything is read again. */
  reset(): void
  liveName(tables: StreamTables): string
  stagedName(tables: StreamTables): string
  /** The same without schema and quotes. */
  stagedLabel(tables: StreamTables): string
  /** The index on the key columns. */
  indexName(tables: StreamTables): string
}

/** A transaction that began without the right to change tables has to: it must be rolled back, and begin again. */
export class ChangesTables extends Error {}

export function tablesTable(schema: string): string {
  return `${quoted(schema)}."_turnleaf_tables"`
}

export async function createTables({ query, schema }: PostgresSession): Promise<void> {
  await query(`
    CREATE TABLE ${tablesTable(schema)} (connection text COLLATE "C", stream text COLLATE "C", tables text NOT NULL);
    CREATE UNIQUE INDEX ON ${tablesTable(schema)} (connection, (md5(stream)))`)
}

/** `isShared`: other processes write to the connection, and may change its tables between two transactions. */
export function openTables(session: PostgresSession, connection: string, isShared: boolean): Tables {
  const { query, schema } = session
  const lock = lockKey(schema, connection, 'tables')
  let known: Map<string, StreamTables> | null = null
  let gone = new Set<string>()
  let isFixed = false

  const load = async () => {
    const rows = await query(`SELECT tables FROM ${tablesTable(schema)} WHERE connection = $1`, [connection])
    const all = rows.map(({ tables }) => JSON.parse(String(tables)) as StreamTables)
    const standing = await relations(
      session,
      all.map(({ name }) => name),
    )
    // A dropped table is created again.
    const present = all.map((tables) => (standing.has(tables.name) ? tables : { ...tables, live: null }))
    gone = new Set(all.flatMap(({ stream, name, live }) => (live === null || standing.has(name) ? [] : [stream])))
    return new Map(present.map((tables) => [tables.stream, tables]))
  }
  const of = async (stream: string): Promise<StreamTables> => {
    known ??= await load()
    const tables = known.get(stream)
    if (tables !== undefined) return tables
    const taken = new Set([...known.values()].map(({ name }) => name))
    const name = chooseName(stream, tableRules, (folded) => taken.has(folded))
    if ((await relations(session, [name])).has(name)) throw tableTaken(session, name, stream)
    return { stream, name, live: null, staged: null }
  }
  return {
    async begin(mayChange) {
      if (!isShared) return
      isFixed = !mayChange
      known = null
      // Never both in one transaction: two that hold the first and want the second would wait for each other.
      await query(`SELECT pg_advisory_xact_lock${mayChange ? '' : '_shared'}($1)`, [lock])
    },
    of,
    async refuseTaken(stream) {
      const { name, live } = await of(stream)
      // Known, but not published yet: another connection may have been faster.
      if (live === null && (await relations(session, [name])).has(name)) throw tableTaken(session, name, stream)
    },
    async isGone(stream) {
      known ??= await load()
      return gone.has(stream)
    },
    async isStagedGone(stream) {
      known ??= await load()
      if ((known.get(stream)?.staged ?? null) === null) return false
      const name = internalName('staged', connection, stream)
      return !(await relations(session, [name])).has(name)
    },
    async keep(tables) {
      const text = JSON.stringify(tables)
      if (text === JSON.stringify(known?.get(tables.stream)) && !gone.has(tables.stream)) return
      if (isFixed) throw new ChangesTables()
      await query(
        `INSERT INTO ${tablesTable(schema)} (connection, stream, tables) VALUES ($1, $2, $3)
         ON CONFLICT (connection, md5(stream)) DO UPDATE SET tables = excluded.tables`,
        [connection, storable(tables.stream), text],
      )
      known?.set(tables.stream, tables)
      gone.delete(tables.stream)
    },
    reset: () => (known = null),
    liveName: ({ name }) => `${quoted(schema)}.${quoted(name)}`,
    stagedName: ({ stream }) => `${quoted(schema)}.${quoted(internalName('staged', connection, stream))}`,
    stagedLabel: ({ stream }) => internalName('staged', connection, stream),
    indexName: ({ stream }) => `${quoted(schema)}.${quoted(internalName('key', connection, stream))}`,
  }
}

/** Names of internal tables are reserved. */
const tableRules = {
  ...nameRules,
  reserved: new Set(['_turnleaf_notes', '_turnleaf_tables', '_turnleaf_claims', '_turnleaf_budgets']),
}

/** The names that exist in the schema: also views and indexes take a name. */
async function relations({ query, schema }: PostgresSession, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await query(
    `SELECT relname::text AS name FROM pg_catalog.pg_class
     WHERE relnamespace = to_regnamespace($1) AND relname = ANY ($2::text[])`,
    [quoted(schema), names],
  )
  return new Set(rows.map(({ name }) => String(name)))
}

function tableTaken({ address, schema }: PostgresSession, name: string, stream: string): ConnectorError {
  return new ConnectorError(
    'destinations/table-taken',
    `${address} has a table ${quoted(schema)}.${quoted(name)} that this connection did not make; the stream "${stream}" would use it.`,
  )
}

const sourceColumnTypes = [
  '"_turnleaf_extracted_at" timestamptz',
  '"_turnleaf_run" text',
  '"_turnleaf_slice" text',
  '"_turnleaf_page" integer',
]

export async function createTable(
  { query }: PostgresSession,
  table: string,
  columns: readonly Column[],
  { isOrdered }: { isOrdered: boolean },
): Promise<void> {
  const order = isOrdered ? [`${quoted(orderColumn)} bigint GENERATED ALWAYS AS IDENTITY`] : []
  await query(`CREATE TABLE ${table} (${[...columns.map(definition), ...sourceColumnTypes, ...order].join(', ')})`)
}

/** One statement, so that the rows are rewritten at most once. */
export async function alterTable(
  { query }: PostgresSession,
  table: string,
  { added, widened }: ColumnChanges,
): Promise<void> {
  const actions = [
    ...added.map((column) => `ADD COLUMN ${definition(column)}`),
    ...widened
      .filter(({ column, from }) => sqlTypes[from] !== sqlTypes[column.type])
      .map(({ column: { name, type }, from, wasUsed }) => {
        const value = wasUsed ? converted(quoted(name), from, type) : 'NULL'
        return `ALTER COLUMN ${quoted(name)} TYPE ${sqlTypes[type]} USING ${value}`
      }),
  ]
  if (actions.length > 0) await query(`ALTER TABLE ${table} ${actions.join(', ')}`)
}

/** Renames the staged table to the live name, which it returns. */
export async function renameStaged(
  { query }: PostgresSession,
  tables: Tables,
  known: StreamTables & { readonly staged: StagedTable },
): Promise<string> {
  const staged = tables.stagedName(known)
  if (known.staged.isOrdered) await query(`ALTER TABLE ${staged} DROP COLUMN ${quoted(orderColumn)}`)
  await query(`ALTER TABLE ${staged} RENAME TO ${quoted(known.name)}`)
  return tables.liveName(known)
}

function definition({ name, type }: Column): string {
  return `${quoted(name)} ${sqlTypes[type]}`
}
