/** Records and notes → one DuckDB file, a transaction for each commit. */
import type { Destination } from '../destination.ts'
import { askApart } from './apart/ask-apart.ts'
import { ask } from './query.ts'
import { isOpenHere, lookInto } from './database.ts'
import { nothingThere } from './failures.ts'
import { inspectNotes } from './notes.ts'
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
    open: (connection) => openStore({ file, address, schema, connection, openShelf: tablesInFile, isConfined: true }),
    inspect: (prefix) => inspectNotes(file, address, schema, prefix),
    async query(sql, limit, options = {}) {
      // What this program asks itself needs no copy of a file that it has open.
      const isOpen = options.isOwn === true && (await isOpenHere(file))
      if (options.isConfined === true && !isOpen) return askApart(file, address, sql, limit, options)
      const answer = await lookInto(file, address, (session) => ask(session, sql, limit, options))
      if (answer === null) throw nothingThere(address)
      return answer
    },
  }
}
