/** Records → a folder of Parquet files, one folder for each table; what is not yet published waits in a DuckDB file. */
import { join } from 'node:path'
import type { Destination } from '../destination.ts'
import { inspectNotes } from '../duckdb/notes.ts'
import { openStore } from '../duckdb/store.ts'
import { askParquet } from './ask-files.ts'
import { filesInFolder } from './files-in-folder.ts'

/** @example await sync(manifest, { config, to: parquetDestination('shop') }) // then: SELECT * FROM 'shop/orders/*.parquet' */
export function parquetDestination(folder: string): Destination {
  const address = `parquet:${folder}`
  const file = join(folder, '_turnleaf', 'staging.duckdb')
  const schema = 'main'
  return {
    address,
    open: (connection) =>
      openStore({ file, address, schema, connection, openShelf: (place) => filesInFolder(place, folder) }),
    inspect: (prefix) => inspectNotes(file, address, schema, prefix),
    query: (sql, limit) => askParquet({ folder, file, address }, sql, limit),
  }
}
