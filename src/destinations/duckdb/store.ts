/** A DuckDB file taken for one connection: every commit one transaction. */
import type { OpenDestination } from '../destination.ts'
import { openDatabase } from './database.ts'
import { duckdbFailure } from './failures.ts'
import { makeKeptTables, openKeptTables } from './kept-tables.ts'
import { makeNotes, openNotes } from './notes.ts'
import { makeSchema, openPlace, type Place } from './place.ts'
import type { Publishing } from './publish.ts'
import { takeSteps } from './take-steps.ts'

export type StoreOptions = {
  readonly connection: string
  readonly schema: string
  readonly publishing: Publishing
}

export async function openStore(
  file: string,
  address: string,
  { connection, schema, publishing }: StoreOptions,
): Promise<OpenDestination> {
  const database = await openDatabase(file, address, JSON.stringify([schema, connection]))
  try {
    const session = await database.connect()
    const place = await openPlace(session, schema)
    const inTransaction = (work: () => Promise<void>) => database.exclusively(() => session.transaction(work))
    await inTransaction(() => furnish(place))
    const tables = openKeptTables(place, connection, address)
    const notes = openNotes(place, connection)
    return {
      notes: (prefix) => notes.startingWith(prefix),
      async commit(commit) {
        try {
          await inTransaction(async () => {
            await takeSteps(commit.steps, { place, tables, publishing })
            await tables.save()
            await notes.change(commit.forget, commit.notes)
          })
        } catch (error) {
          tables.reset()
          notes.reset()
          throw duckdbFailure(error, address)
        }
      },
      async close() {
        session.close()
        await database.release()
      },
    }
  } catch (error) {
    await database.release()
    throw duckdbFailure(error, address)
  }
}

async function furnish(place: Place): Promise<void> {
  await makeSchema(place)
  await makeNotes(place)
  await makeKeptTables(place)
}
