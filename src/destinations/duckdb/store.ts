/** A DuckDB file taken for one connection: every commit one transaction. */
import type { OpenDestination } from '../destination.ts'
import { openDatabase } from './database.ts'
import { duckdbFailure } from './failures.ts'
import { makeKeptTables, openKeptTables } from './kept-tables.ts'
import { makeNotes, openNotes } from './notes.ts'
import { makeSchema, openPlace, type Place } from './schema-handle.ts'
import type { Session } from './session.ts'
import type { Published, Shelf } from './published-tables.ts'
import { takeSteps } from './take-steps.ts'
import { countRows, sqlName } from './target.ts'

export type StoreOptions<Live extends Published> = {
  readonly file: string
  /** What the user calls it. */
  readonly address: string
  readonly schema: string
  readonly connection: string
  readonly openShelf: (place: Place) => Promise<Shelf<Live>> | Shelf<Live>
  /** Writes to no other file: questions asked meanwhile cannot either. */
  readonly isConfined?: boolean
}

export async function openStore<Live extends Published>({
  file,
  address,
  schema,
  connection,
  openShelf,
  isConfined = false,
}: StoreOptions<Live>): Promise<OpenDestination> {
  const database = await openDatabase(file, address, JSON.stringify([schema, connection]), { isConfined })
  let session: Session | undefined
  const close = async () => {
    session?.close()
    await database.release()
  }
  try {
    const opened = (session = await database.connect())
    const place = await openPlace(opened, schema)
    const shelf = await database.exclusively(async () => {
      await opened.transaction(() => makeOwnTables(place))
      const made = await openShelf(place)
      await made.settle()
      return made
    })
    const tables = openKeptTables(place, shelf, { connection, address })
    const notes = openNotes(place, connection)
    const commit = async (given: Parameters<OpenDestination['commit']>[0]) => {
      await opened.transaction(async () => {
        await takeSteps(given.steps, { place, tables, shelf })
        await tables.save()
        await notes.change(given.forget, given.notes)
      })
      await shelf.settle()
    }
    return {
      async notes(prefix) {
        try {
          return await notes.startingWith(prefix)
        } catch (error) {
          throw duckdbFailure(error, address)
        }
      },
      async commit(given) {
        try {
          await database.exclusively(() => commit(given))
        } catch (error) {
          tables.reset()
          notes.reset()
          throw duckdbFailure(error, address)
        }
      },
      async count(table) {
        try {
          return await database.exclusively(async () => {
            const kept = await tables.of(table)
            const { staged } = kept
            return {
              published: await shelf.countRows(kept),
              staged: staged === null ? 0 : await countRows(place, sqlName(staged)),
              stagedAs: staged?.name ?? null,
            }
          })
        } catch (error) {
          throw duckdbFailure(error, address)
        }
      },
      close,
    }
  } catch (error) {
    await close()
    throw duckdbFailure(error, address)
  }
}

/** Those that hold what is remembered, beside those that hold records. */
async function makeOwnTables(place: Place): Promise<void> {
  await makeSchema(place)
  await makeNotes(place)
  await makeKeptTables(place)
}
