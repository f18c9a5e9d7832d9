/** The notes of a connection, in a table beside the records. */
import type { StoredCheckpoint } from '../destination.ts'
import { lookInto } from './database.ts'
import { openPlace, type Place } from './schema-handle.ts'

export type Notes = {
  startingWith(prefix: string): Promise<ReadonlyMap<string, string>>
  /** Within a transaction. */
  change(forget: readonly string[], notes: ReadonlyMap<string, string>): Promise<void>
  /** A transaction has failed: what is there is looked up again. */
  reset(): void
}

export async function makeNotes(place: Place): Promise<void> {
  await place.session.run(
    `CREATE TABLE IF NOT EXISTS ${place.table(notesTable)} (connection VARCHAR, key VARCHAR, text VARCHAR)`,
  )
}

export function openNotes(place: Place, connection: string): Notes {
  const { session } = place
  const kept = place.table(notesTable)
  let knownKeys: Set<string> | null = null

  const startingWith = async (prefix: string) => {
    const rows = await session.rows(
      `SELECT key, text FROM ${kept} WHERE connection = $connection AND starts_with(key, $prefix) ORDER BY key`,
      { connection, prefix },
    )
    return new Map(rows.map(({ key, text }) => [String(key), String(text)]))
  }

  const forget = async (prefix: string, known: Set<string>) => {
    const gone = [...known].filter((key) => key.startsWith(prefix))
    if (gone.length === 0) return
    await session.run(`DELETE FROM ${kept} WHERE connection = $connection AND starts_with(key, $prefix)`, {
      connection,
      prefix,
    })
    for (const key of gone) known.delete(key)
  }

  const writeWith = async (sql: string, notes: readonly (readonly [string, string])[]) => {
    if (notes.length === 0) return
    const { listValue } = session.duckdb
    const keys = listValue(notes.map(([key]) => key))
    const texts = listValue(notes.map(([, text]) => text))
    await session.run(sql, { connection, keys, texts })
  }

  return {
    startingWith,
    async change(prefixes, notes) {
      const known = (knownKeys ??= new Set((await startingWith('')).keys()))
      for (const prefix of prefixes) await forget(prefix, known)
      // Changed in their places: rows deleted and inserted with every commit would pile up.
      await writeWith(
        `UPDATE ${kept} SET text = list_extract($texts::VARCHAR[], list_position($keys::VARCHAR[], key))
         WHERE connection = $connection AND list_contains($keys::VARCHAR[], key)`,
        [...notes].filter(([key]) => known.has(key)),
      )
      await writeWith(
        `INSERT INTO ${kept} SELECT $connection, unnest($keys::VARCHAR[]), unnest($texts::VARCHAR[])`,
        [...notes].filter(([key]) => !known.has(key)),
      )
      for (const key of notes.keys()) known.add(key)
    },
    reset() {
      knownKeys = null
    },
  }
}

/** The notes of every connection, for whoever only looks; none where nobody ever kept any. */
export async function inspectNotes(file: string, address: string, schema: string, prefix: string) {
  const notes = await lookInto(file, address, async (session) => readAllNotes(await openPlace(session, schema), prefix))
  return notes ?? []
}

async function readAllNotes(place: Place, prefix: string): Promise<readonly StoredCheckpoint[]> {
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

const notesTable = '_turnleaf_notes'
