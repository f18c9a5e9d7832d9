/** A folder of Parquet files, read by a DuckDB that knows nothing of it. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { TableContents } from '../compare.ts'
import { readRelation } from './duckdb.ts'
import { type PlaceKind, tablesNamed, tempFolder } from './place.ts'

export const parquet: PlaceKind = {
  name: 'Parquet',
  isShared: true,
  fileLimit: 100,
  diskSize: '80k',
  make: async () => {
    const folder = await tempFolder()
    return {
      address: `parquet:${folder.path}`,
      read: async (names) => await tablesNamed(names, async (name) => await readTable(join(folder.path, name))),
      [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
    }
  },
}

/** DuckDB opens a file more than once: when it was replaced in between, whatever came of it is no reading of one file. */
async function readTable(folder: string): Promise<TableContents | null> {
  for (;;) {
    const before = filesIn(folder)
    if (before === '') return null
    const read = await readFiles(join(folder, '*.parquet')).catch((error: unknown) => ({ error }))
    if (before !== filesIn(folder)) continue
    if ('error' in read) throw read.error
    return read
  }
}

async function readFiles(files: string): Promise<TableContents> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    return await readRelation(connection, `'${files}'`)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** Their names, and what identifies each file; empty where there are none. */
function filesIn(folder: string): string {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.parquet')) : []
  return names.map((name) => `${name} ${statSync(join(folder, name)).ino}`).join('\n')
}
