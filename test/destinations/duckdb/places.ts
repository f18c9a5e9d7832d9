/** A DuckDB file or a folder of Parquet files, read by a DuckDB that knows nothing of the destination. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
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
import { parquetDestination } from '../../../src/destinations/parquet/parquet.ts'
import type { JsonRecord } from '../../../src/engine/plan/plan.ts'
import { integer, parseJson } from '../../../src/std/json.ts'
import type { Place } from '../behaviours.ts'

export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'turnleaf-duckdb-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

/** One for a single test, in a folder that goes with it. */
export async function temporarySchema(kind: string): Promise<Place & { readonly folder: string }> {
  const temporary = await temporaryFolder()
  const folder = join(temporary.path, 'it’s a "shop"')
  await mkdir(folder)
  return { ...placeAt(kind, folder), folder, [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose]() }
}

export function placeAt(kind: string, folder: string): Omit<Place, keyof AsyncDisposable> {
  return kind === 'parquet' ? parquetAt(folder) : duckdbAt(join(folder, 'shop.duckdb'))
}

function duckdbAt(file: string): Omit<Place, keyof AsyncDisposable> {
  return {
    destination: duckdbDestination(file),
    tables: async () => (await query(file, tablesOf)).filter((name) => !name.startsWith('_turnleaf_')),
    rows: (table) =>
      query(file, async (connection) =>
        (await tablesOf(connection)).includes(table) ? await readRows(connection, quoted(table)) : null,
      ),
    makeForeign: (table) =>
      query(file, async (connection) => {
        await connection.run(`CREATE TABLE ${quoted(table)} (x INTEGER)`)
      }),
    drop: (table) =>
      query(file, async (connection) => {
        await connection.run(`DROP TABLE ${quoted(table)}`)
      }),
    dropStaged: (table) => dropStagedIn(file, table),
  }
}

const dropStagedIn = (file: string, table: string) =>
  query(file, async (connection) => {
    await connection.run(`DROP TABLE ${quoted(`_turnleaf_staged_${table}`)}`)
  })

async function tablesOf(connection: DuckDBConnection): Promise<readonly string[]> {
  const found = await connection.runAndReadAll('SELECT table_name FROM duckdb_tables()')
  return found.getRows().map(([name]) => String(name))
}

function parquetAt(folder: string): Omit<Place, keyof AsyncDisposable> {
  return {
    destination: parquetDestination(folder),
    tables: async () => (await readdir(folder)).filter((name) => name !== '_turnleaf'),
    async rows(table) {
      const path = join(folder, table)
      const files = existsSync(path) ? (await readdir(path)).filter((name) => name.endsWith('.parquet')) : []
      if (files.length === 0) return null
      const glob = join(path, '*.parquet').replaceAll("'", "''")
      return await query(':memory:', (connection) => readRows(connection, `'${glob}'`))
    },
    async makeForeign(table) {
      await mkdir(join(folder, table), { recursive: true })
      await writeFile(join(folder, table, 'mine.parquet'), '')
    },
    drop: (table) => rm(join(folder, table), { recursive: true }),
    dropStaged: (table) => dropStagedIn(join(folder, '_turnleaf', 'staging.duckdb'), table),
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
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

async function readRows(connection: DuckDBConnection, from: string): Promise<readonly JsonRecord[]> {
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
