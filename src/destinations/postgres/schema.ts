/** The schema, and the checkpoints in it. */
import type { Commit, StoredCheckpoint } from '../destination.ts'
import { ConnectorError } from '../../std/errors.ts'
import { takeTurn } from './lock.ts'
import type { PostgresSession } from './session.ts'
import { quoted, storable } from './sql.ts'
import { createTables, tablesTable } from './tables.ts'
import { claimsTable, createClaims } from './claims.ts'

/** Creates the schema and the internal tables only where they are missing: the role may lack the right to create a schema. */
export async function prepareSchema(session: PostgresSession): Promise<void> {
  const { query, schema } = session
  await refuseEncoding(session)
  const [row] = await query(
    `SELECT ${internalTables.map((_, index) => `to_regclass($${index + 1}) IS NOT NULL`).join(' AND ')} AS there`,
    internalTables.map(({ name }) => name(schema)),
  )
  if (row?.there === true) return
  await session.transaction(async () => {
    // Two new connections must not create the same tables at the same time.
    await takeTurn(query, `turnleaf schema ${schema}`)
    const [found] = await query(`SELECT to_regnamespace($1) IS NULL AS missing`, [quoted(schema)])
    if (found?.missing === true) await query(`CREATE SCHEMA ${quoted(schema)}`)
    for (const { name, create } of internalTables) if (!(await exists(session, name(schema)))) await create(session)
  })
}

/** A schema of an earlier version lacks some of them. */
const internalTables = [
  { name: checkpointsTable, create: createCheckpoints },
  { name: tablesTable, create: createTables },
  { name: claimsTable, create: createClaims },
  { name: budgetsTable, create: createBudgets },
]

export function budgetsTable(schema: string): string {
  return `${quoted(schema)}."_turnleaf_budgets"`
}

async function createBudgets({ query, schema }: PostgresSession): Promise<void> {
  await query(`
    CREATE TABLE ${budgetsTable(schema)} (scope text COLLATE "C", key text COLLATE "C", state text NOT NULL);
    CREATE UNIQUE INDEX ON ${budgetsTable(schema)} (scope, (md5(key)))`)
}

/** Whether a sync has ever written to this schema. */
export async function hasSchema(session: PostgresSession): Promise<boolean> {
  return await exists(session, checkpointsTable(session.schema))
}

async function exists({ query }: PostgresSession, table: string): Promise<boolean> {
  const [row] = await query(`SELECT to_regclass($1) IS NOT NULL AS there`, [table])
  return row?.there === true
}

/** Fails early, not at the first character that the database cannot store. */
async function refuseEncoding({ query, address }: PostgresSession): Promise<void> {
  const [row] = await query(`SELECT current_setting('server_encoding') AS encoding`)
  if (row?.encoding === 'UTF8') return
  throw new ConnectorError(
    'destinations/write-refused',
    `${address} has the encoding ${String(row?.encoding)}, which cannot store every character.`,
    { hint: `Choose a database with the encoding UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.` },
  )
}

/** A key may be longer than an index allows: its first letters find it, its digest identifies it. */
const indexed = 'connection, (left(key, 200)), (md5(key))'

function checkpointsTable(schema: string): string {
  return `${quoted(schema)}."_turnleaf_notes"`
}

async function createCheckpoints({ query, schema }: PostgresSession): Promise<void> {
  await query(`
    CREATE TABLE ${checkpointsTable(schema)} (connection text COLLATE "C", key text COLLATE "C", text text NOT NULL);
    CREATE UNIQUE INDEX ON ${checkpointsTable(schema)} (${indexed})`)
}

export async function readCheckpoints({ query, schema }: PostgresSession, connection: string, prefix: string) {
  const rows = await query(
    `SELECT key, text FROM ${checkpointsTable(schema)} WHERE connection = $1 AND ${startsWith('$2')} ORDER BY key`,
    [connection, storable(prefix)],
  )
  return new Map(rows.map(({ key, text }) => [String(key), String(text)]))
}

export async function readAllCheckpoints(
  { query, schema }: PostgresSession,
  prefix: string,
): Promise<StoredCheckpoint[]> {
  const rows = await query(
    `SELECT connection, key, text FROM ${checkpointsTable(schema)} WHERE ${startsWith('$1')} ORDER BY connection, key`,
    [storable(prefix)],
  )
  return rows.map(({ connection, key, text }) => ({
    connection: String(connection),
    key: String(key),
    text: String(text),
  }))
}

export async function writeCheckpoints(
  { query, schema }: PostgresSession,
  connection: string,
  { forget, notes }: Commit,
) {
  for (const prefix of forget) {
    const sql = `DELETE FROM ${checkpointsTable(schema)} WHERE connection = $1 AND ${startsWith('$2')}`
    await query(sql, [connection, storable(prefix)])
  }
  if (notes.size === 0) return
  await query(
    `INSERT INTO ${checkpointsTable(schema)} (connection, key, text)
     SELECT $1, key, text FROM unnest($2::text[], $3::text[]) AS note (key, text)
     ON CONFLICT (${indexed}) DO UPDATE SET text = excluded.text`,
    [connection, [...notes.keys()].map(storable), [...notes.values()].map(storable)],
  )
}

/** The first condition is a range of the index; U+10FFFF sorts after every other character. */
function startsWith(prefix: string): string {
  return `left(key, 200) BETWEEN left(${prefix}, 200) AND left(${prefix}, 200) || U&'\\+10FFFF'
    AND left(key, length(${prefix})) = ${prefix}`
}
