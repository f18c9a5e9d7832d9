/** A DuckDB file: one process at a time has it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { TableContents, Tables } from '../compare.ts'
import { type PlaceKind, tablesNamed, tempFolder } from './place.ts'

export const duckdb: PlaceKind = {
  name: 'DuckDB',
  isShared: false,
  fileLimit: 60,
  diskSize: '60k',
  make: async () => {
    const folder = await tempFolder()
    const file = join(folder.path, 'chaos.duckdb')
    return {
      address: `duckdb:${file}`,
      read: async (names) => await readFile(file, names),
      [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
    }
  },
}

/** As a reader opens it who finds what a killed process left: nothing is repaired by looking. */
async function readFile(file: string, names: readonly string[]): Promise<Tables> {
  if (!existsSync(file)) return new Map()
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    const tables = await connection.runAndReadAll('SELECT table_name FROM duckdb_tables()')
    const existing = new Set(tables.getRows().map(([name]) => String(name)))
    return await tablesNamed(names, async (name) =>
      existing.has(name) ? await readRelation(connection, `"${name}"`) : null,
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** Which column comes first depends on which slice answered first: they are compared by name. */
export async function readRelation(connection: DuckDBConnection, relation: string): Promise<TableContents> {
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${relation}`)
  const columns = described.getRows().map(([name, type]) => `${String(name)} ${String(type)}`)
  const fields = described.getRows().map(([name]) => `"${String(name)}": "${String(name)}"`)
  const rows = await connection.runAndReadAll(
    `SELECT to_json({${fields.toSorted().join(', ')}})::VARCHAR FROM ${relation}`,
  )
  return { columns: columns.toSorted(), rows: rows.getRows().map(([row]) => String(row)) }
}
