/** A folder of Parquet files, read by a DuckDB that knows nothing of it. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { readRelation } from './duckdb.ts'
import { type PlaceKind, tablesNamed, tempFolder } from './place.ts'

export const parquet: PlaceKind = {
  name: 'Parquet',
  isShared: true,
  fileLimit: 100,
  make: async () => {
    const folder = await tempFolder()
    return {
      address: `parquet:${folder.path}`,
      read: async (names) => {
        const instance = await DuckDBInstance.create(':memory:')
        const connection = await instance.connect()
        try {
          return await tablesNamed(names, async (name) => {
            const files = join(folder.path, name)
            const isThere = existsSync(files) && readdirSync(files).some((file) => file.endsWith('.parquet'))
            return isThere ? await readRelation(connection, `'${join(files, '*.parquet')}'`) : null
          })
        } finally {
          connection.closeSync()
          instance.closeSync()
        }
      },
      [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
    }
  },
}
