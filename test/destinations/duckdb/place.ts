/** A DuckDB file of its own for one test, read by connections of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type DuckDBConnection,
  DuckDBDateValue,
  DuckDBInstance,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
} from '@duckdb/node-api'
import { duckdbDestination } from '../../../src/destinations/duckdb/duckdb.ts'
import type { JsonRecord } from '../../../src/engine/plan/plan.ts'
import { integer, parseJson } from '../../../src/json.ts'
import type { Place } from '../behaviours.ts'

export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'turnleaf-duckdb-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

export async function duckdbPlace(): Promise<Place> {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'shop.duckdb')
  return {
    destination: duckdbDestination(file),
    tables: () =>
      query(file, async (connection) => {
        const rows = await connection.runAndReadAll('SELECT table_name FROM duckdb_tables()')
        return rows
          .getRows()
          .map(([name]) => String(name))
          .filter((name) => !name.startsWith('_turnleaf_'))
      }),
    rows: (table) =>
      query(file, async (connection) => {
        const found = await connection.runAndReadAll('SELECT 1 FROM duckdb_tables() WHERE table_name = $table', {
          table,
        })
        return found.currentRowCount === 0 ? null : readRows(connection, `"${table.replaceAll('"', '""')}"`)
      }),
    makeForeign: (table) =>
      query(file, async (connection) => void (await connection.run(`CREATE TABLE "${table}" (x INTEGER)`))),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

/** Only while no destination is open: closing a file that is open twice in a process drops its lock. */
export async function query<Result>(
  file: string,
  look: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  try {
    return await look(connection)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

export async function readRows(connection: DuckDBConnection, from: string): Promise<readonly JsonRecord[]> {
  const reader = await connection.runAndReadAll(`SELECT * FROM ${from}`)
  const types = reader.columnTypes().map((type) => type.alias ?? String(type))
  const names = reader.columnNames()
  return reader
    .getRows()
    .map((row) =>
      Object.fromEntries(
        row.flatMap((value, index) => (value === null ? [] : [[names[index], plain(value, types[index] ?? '')]])),
      ),
    )
}

function plain(value: unknown, type: string): unknown {
  if (typeof value === 'bigint') return integer(value)
  if (type === 'JSON') return parseJson(value as string).value
  if (value instanceof DuckDBTimestampTZValue) {
    const utc = String(new DuckDBTimestampValue(value.micros))
    return `${utc.replace(' ', 'T')}Z`
  }
  return value instanceof DuckDBDateValue || value instanceof DuckDBTimestampValue ? value.toString() : value
}
