/** The notes of a connection, in a table beside the records. */
import type { StoredNote } from '../destination.ts'
import type { Place } from './place.ts'

export async function makeNotes(place: Place): Promise<void> {
  await place.session.run(
    `CREATE TABLE IF NOT EXISTS ${place.table(notesTable)} (connection VARCHAR, key VARCHAR, text VARCHAR)`,
  )
}

export async function readNotes(
  place: Place,
  connection: string,
  prefix: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await place.session.rows(
    `SELECT key, text FROM ${place.table(notesTable)} WHERE connection = $connection AND starts_with(key, $prefix) ORDER BY key`,
    { connection, prefix },
  )
  return new Map(rows.map(({ key, text }) => [String(key), String(text)]))
}

/** The notes of every connection; none where nobody ever kept any. */
export async function readAllNotes(place: Place, prefix: string): Promise<readonly StoredNote[]> {
  if (!(await place.has(notesTable))) return []
  const rows = await place.session.rows(
    `SELECT connection, key, text FROM ${place.table(notesTable)} WHERE starts_with(key, $prefix) ORDER BY connection, key`,
    { prefix },
  )
  return rows.map(({ connection, key, text }) => ({
    connection: String(connection),
    key: String(key),
    text: String(text),
  }))
}

export async function forgetNotes(place: Place, connection: string, prefix: string): Promise<void> {
  await place.session.run(
    `DELETE FROM ${place.table(notesTable)} WHERE connection = $connection AND starts_with(key, $prefix)`,
    { connection, prefix },
  )
}

/** A note that is there is changed in its place: rows deleted and inserted with every commit would pile up. */
export async function writeNotes(place: Place, connection: string, notes: ReadonlyMap<string, string>): Promise<void> {
  if (notes.size === 0) return
  const { listValue } = place.session.duckdb
  const parameters = { connection, keys: listValue([...notes.keys()]), texts: listValue([...notes.values()]) }
  const given = 'SELECT unnest($keys::VARCHAR[]) AS key, unnest($texts::VARCHAR[]) AS text'
  const kept = place.table(notesTable)
  await place.session.run(
    `UPDATE ${kept} AS kept SET text = given.text FROM (${given}) AS given
     WHERE kept.connection = $connection AND kept.key = given.key`,
    parameters,
  )
  await place.session.run(
    `INSERT INTO ${kept} SELECT $connection, key, text FROM (${given}) AS given
     WHERE NOT EXISTS (FROM ${kept} AS kept WHERE kept.connection = $connection AND kept.key = given.key)`,
    parameters,
  )
}

const notesTable = '_turnleaf_notes'
