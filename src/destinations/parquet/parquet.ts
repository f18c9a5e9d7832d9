/** Records → a folder of Parquet files, one folder for each table; what is not yet published waits in a DuckDB file. */
import { join } from 'node:path'
import type { Destination } from '../destination.ts'
import { lookInto } from '../duckdb/database.ts'
import { readAllNotes } from '../duckdb/notes.ts'
import { openPlace } from '../duckdb/place.ts'
import { openStore } from '../duckdb/store.ts'
import { askParquet } from './ask-files.ts'
import { filesInFolder } from './files-in-folder.ts'

/** @example await sync(manifest, { config, to: parquetDestination('shop') }) // then: SELECT * FROM 'shop/orders/*.parquet' */
export function parquetDestination(folder: string): Destination {
  const address = `parquet:${folder}`
  const file = join(folder, '_turnleaf', 'staging.duckdb')
  return {
    address,
    open: (connection) =>
      openStore({ file, address, schema: 'main', connection, openShelf: (place) => filesInFolder(place, folder) }),
    async inspect(prefix) {
      const notes = await lookInto(file, address, async (session) =>
        readAllNotes(await openPlace(session, 'main'), prefix),
      )
      return notes ?? []
    },
    query: (sql, limit) => askParquet(folder, sql, limit),
  }
}
