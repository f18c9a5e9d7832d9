/** The checkpoints of a connection, in a table of the same file. */
import type { StoredCheckpoint } from '../destination.ts'
import { lookInto } from './database.ts'
import { openSchema, type SchemaHandle } from './schema-handle.ts'

export type Checkpoints = {
  startingWith(prefix: string): Promise<ReadonlyMap<string, string>>
  /** Within a transaction. */
  change(forget: readonly string[], notes: ReadonlyMap<string, string>): Promise<void>
  /** Call after a failed transaction: known keys are read again. */
  reset(): void
}

export async function createCheckpointsTable(handle: SchemaHandle): Promise<void> {
  await handle.session.run(
    `CREATE TABLE IF NOT EXISTS ${handle.table(checkpointsTable)} (connection VARCHAR, key VARCHAR, text VARCHAR)`,
  )
}

export function openCheckpoints(handle: SchemaHandle, connection: string): Checkpoints {
  const { session } = handle
  const kept = handle.table(checkpointsTable)
  let knownKeys: Set<string> | null = null

  const readKeys = async () => {
    const rows = await session.rows(`SELECT key FROM ${kept} WHERE connection = $connection`, { connection })
    return new Set(rows.map(({ key }) => String(key)))
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
    async startingWith(prefix) {
      const known = (knownKeys ??= await readKeys())
      if (![...known].some((key) => key.startsWith(prefix))) return new Map()
      const rows = await session.rows(
        `SELECT key, text FROM ${kept} WHERE connection = $connection AND starts_with(key, $prefix)`,
        { connection, prefix },
      )
      const texts = new Map(rows.map(({ key, text }) => [String(key), String(text)]))
      // Sorted here: for a few rows DuckDB takes longer.
      return new Map([...texts.keys()].toSorted().map((key) => [key, texts.get(key) ?? '']))
    },
    async change(prefixes, notes) {
      const known = (knownKeys ??= await readKeys())
      for (const prefix of prefixes) await forget(prefix, known)
      // Updated in place: rows that are deleted and inserted with every commit would make the file grow.
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

/** The checkpoints of every connection, read-only; empty where there are none. */
export async function inspectCheckpoints(file: string, address: string, schema: string, prefix: string) {
  const notes = await lookInto(file, address, async (session) =>
    readAllCheckpoints(await openSchema(session, schema), prefix),
  )
  return notes ?? []
}

async function readAllCheckpoints(handle: SchemaHandle, prefix: string): Promise<readonly StoredCheckpoint[]> {
  if (!(await handle.has(checkpointsTable))) return []
  const rows = await handle.session.rows(
    `SELECT connection, key, text FROM ${handle.table(checkpointsTable)} WHERE starts_with(key, $prefix) ORDER BY connection, key`,
    { prefix },
  )
  return rows.map(({ connection, key, text }) => ({
    connection: String(connection),
    key: String(key),
    text: String(text),
  }))
}

const checkpointsTable = '_turnleaf_notes'
