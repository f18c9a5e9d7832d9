/** A schema of a Postgres database, where the tables of a sync stand. */
import type { Commit, Destination, OpenDestination, Step } from '../destination.ts'
import { parseAddress } from './address.ts'
import { ask } from './ask.ts'
import { countRows } from './count-rows.ts'
import { takeLock } from './lock.ts'
import { readAllNotes, readNotes, writeNotes } from './notes.ts'
import { discard, publish } from './publish.ts'
import { hasSchema, prepareSchema } from './schema.ts'
import { connect, type Session } from './session.ts'
import { storable } from './sql.ts'
import { openTables, type Tables } from './tables.ts'
import { rewindRows, writePages } from './write.ts'

export type PostgresOptions = {
  /** Where tables go: `public`, or what the address says (`?schema=`). Made if it is missing. */
  readonly schema?: string | undefined
  /** How long to wait for a killed sync to be gone from the server, or for readers of a table: 5 s unless given. */
  readonly lockWaitMs?: number
}

/** @example postgresDestination('postgres://loader:secret@localhost/shop?sslmode=require', { schema: 'crm' }) */
export function postgresDestination(url: string, options: PostgresOptions = {}): Destination {
  const address = parseAddress(url, options.schema)
  // To the server, 0 is for ever.
  const lockWaitMs = Math.max(1, options.lockWaitMs ?? 5000)
  return {
    address: address.shown,
    async open(connection) {
      const session = await connect(address, lockWaitMs)
      try {
        await takeLock(session, storable(connection))
        await prepareSchema(session)
        return openFor(session, storable(connection))
      } catch (error) {
        await session.close()
        throw error
      }
    },
    async inspect(prefix) {
      const session = await connect(address, lockWaitMs)
      try {
        return (await hasSchema(session)) ? await readAllNotes(session, prefix) : []
      } finally {
        await session.close()
      }
    },
    async query(sql, limit) {
      const session = await connect(address, lockWaitMs)
      try {
        return await ask(session, sql, limit)
      } finally {
        await session.close()
      }
    },
  }
}

function openFor(session: Session, connection: string): OpenDestination {
  const tables = openTables(session, connection)
  return {
    notes: (prefix) => readNotes(session, connection, prefix),
    async commit(commit: Commit) {
      try {
        await session.transaction(async () => {
          for (const step of commit.steps) await take(session, tables, step)
          await writeNotes(session, connection, commit)
        })
      } catch (error) {
        tables.reset()
        throw error
      }
    },
    count: ({ name }) => session.transaction(() => countRows(session, tables, name)),
    close: () => session.close(),
  }
}

async function take(session: Session, tables: Tables, step: Step): Promise<void> {
  switch (step.kind) {
    case 'write':
      return await writePages(session, tables, step.table, step.pages)
    case 'rewind':
      return await rewindRows(session, tables, step.table, step.rows)
    case 'publish':
      return await publish(session, tables, step.table)
    case 'discard':
      return await discard(session, tables, step.table)
  }
}
