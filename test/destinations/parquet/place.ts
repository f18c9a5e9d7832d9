/** A folder of Parquet files of its own for one test, read by a DuckDB that knows nothing of it. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parquetDestination } from '../../../src/destinations/parquet/parquet.ts'
import type { Place } from '../behaviours.ts'
import { query, readRows, temporaryFolder } from '../duckdb/place.ts'

export async function parquetPlace(): Promise<Place & { readonly folder: string }> {
  const temporary = await temporaryFolder()
  const folder = join(temporary.path, 'it’s a shop')
  return {
    folder,
    destination: parquetDestination(folder),
    tables: async () => (await readdir(folder)).filter((name) => name !== '_turnleaf'),
    async rows(table) {
      if (!existsSync(join(folder, table))) return null
      const files = join(folder, table, '*.parquet').replaceAll("'", "''")
      return await query(':memory:', (connection) => readRows(connection, `'${files}'`))
    },
    async makeForeign(table) {
      await mkdir(join(folder, table), { recursive: true })
      await writeFile(join(folder, table, 'mine.parquet'), '')
    },
    [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
  }
}
