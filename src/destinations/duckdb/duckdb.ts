/** Records and notes → one DuckDB file, a transaction for each commit. */
import type { Destination } from '../destination.ts'
import { ask } from './ask.ts'
import { lookInto } from './database.ts'
import { nothingThere } from './failures.ts'
import { readAllNotes } from './notes.ts'
import { openPlace } from './place.ts'
import { openStore } from './store.ts'
import { tablesInFile } from './tables-in-file.ts'

/**
 * @param options `schema`: where in the file the tables stand; `main` unless given.
 *
 * @example await sync(manifest, { config, to: duckdbDestination('shop.duckdb') })
 */
export function duckdbDestination(
  file: string,
  { schema = 'main' }: { schema?: string | undefined } = {},
): Destination {
  const address = `duckdb:${file}`
  return {
    address,
    open: (connection) => openStore({ file, address, schema, connection, openShelf: tablesInFile }),
    async inspect(prefix) {
      const notes = await lookInto(file, address, async (session) =>
        readAllNotes(await openPlace(session, schema), prefix),
      )
      return notes ?? []
    },
    async query(sql, limit) {
      const answer = await lookInto(file, address, (session) => ask(session, sql, limit))
      if (answer === null) throw nothingThere(address)
      return answer
    },
  }
}
