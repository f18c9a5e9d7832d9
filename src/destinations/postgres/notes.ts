/** The notes of connections: a table of keys and texts in the schema of the tables they speak of. */
import type { Commit, StoredCheckpoint } from '../destination.ts'
import { quoted, storable } from './sql.ts'
import type { Session } from './session.ts'

/** A key may be longer than an index takes: its beginning finds it, its digest tells it apart. */
const indexed = 'connection, (left(key, 200)), (md5(key))'

export function notesTable(schema: string): string {
  return `${quoted(schema)}."_turnleaf_notes"`
}

export async function createNotes({ query, schema }: Session): Promise<void> {
  await query(`
    CREATE TABLE ${notesTable(schema)} (connection text COLLATE "C", key text COLLATE "C", text text NOT NULL);
    CREATE UNIQUE INDEX ON ${notesTable(schema)} (${indexed})`)
}

export async function readNotes({ query, schema }: Session, connection: string, prefix: string) {
  const rows = await query(
    `SELECT key, text FROM ${notesTable(schema)} WHERE connection = $1 AND ${startsWith('$2')} ORDER BY key`,
    [connection, storable(prefix)],
  )
  return new Map(rows.map(({ key, text }) => [String(key), String(text)]))
}

export async function readAllNotes({ query, schema }: Session, prefix: string): Promise<StoredCheckpoint[]> {
  const rows = await query(
    `SELECT connection, key, text FROM ${notesTable(schema)} WHERE ${startsWith('$1')} ORDER BY connection, key`,
    [storable(prefix)],
  )
  return rows.map(({ connection, key, text }) => ({
    connection: String(connection),
    key: String(key),
    text: String(text),
  }))
}

export async function writeNotes({ query, schema }: Session, connection: string, { forget, notes }: Commit) {
  for (const prefix of forget) {
    const sql = `DELETE FROM ${notesTable(schema)} WHERE connection = $1 AND ${startsWith('$2')}`
    await query(sql, [connection, storable(prefix)])
  }
  if (notes.size === 0) return
  await query(
    `INSERT INTO ${notesTable(schema)} (connection, key, text)
     SELECT $1, key, text FROM unnest($2::text[], $3::text[]) AS note (key, text)
     ON CONFLICT (${indexed}) DO UPDATE SET text = excluded.text`,
    [connection, [...notes.keys()].map(storable), [...notes.values()].map(storable)],
  )
}

/** The first condition is a range of the index; U+10FFFF sorts behind every other letter. */
function startsWith(prefix: string): string {
  return `left(key, 200) BETWEEN left(${prefix}, 200) AND left(${prefix}, 200) || U&'\\+10FFFF'
    AND left(key, length(${prefix})) = ${prefix}`
}
