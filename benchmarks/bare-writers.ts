/** What a sync does, by hand: the shortest programs that write the rows of a sync, as many in a commit, without proof or checkpoints. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BIGINT, BOOLEAN, DOUBLE, DuckDBConnection, DuckDBDataChunk, DuckDBInstance, VARCHAR } from '@duckdb/node-api'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { BareRecord } from './bare-loop.ts'

const recordsPerCommit = 5000

/** Hands over page after page, the next one when `onPage` has ended. @returns how many records there were */
export type Pages = (onPage: (records: readonly BareRecord[]) => unknown) => Promise<number>

type Commit = (records: readonly BareRecord[]) => Promise<void>

/** How many records it read, each of which is committed. */
async function readInto(pages: Pages, commit: Commit): Promise<number> {
  let waiting: BareRecord[] = []
  const flush = async () => {
    if (waiting.length > 0) await commit(waiting)
    waiting = []
  }
  const count = await pages((records) => {
    for (const record of records) waiting.push(record)
    return waiting.length >= recordsPerCommit ? flush() : undefined
  })
  await flush()
  return count
}

export async function writeJsonl(pages: Pages, folder: string): Promise<number> {
  const file = await open(join(folder, 'items.jsonl'), 'w')
  try {
    return await readInto(pages, async (records) => {
      await file.appendFile(`${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
      await file.datasync()
    })
  } finally {
    await file.close()
  }
}

const columns = 'id BIGINT, name VARCHAR, amount DOUBLE, active BOOLEAN, tags VARCHAR, note VARCHAR, nested VARCHAR'
const types = [BIGINT, VARCHAR, DOUBLE, BOOLEAN, VARCHAR, VARCHAR, VARCHAR]

function valuesOf(records: readonly BareRecord[]) {
  return [
    records.map(({ id }) => BigInt(id)),
    records.map(({ name }) => name),
    records.map(({ amount }) => amount),
    records.map(({ active }) => active),
    records.map(({ tags }) => JSON.stringify(tags)),
    records.map(({ note }) => note),
    records.map(({ nested }) => JSON.stringify(nested)),
  ]
}

async function commitRows(connection: DuckDBConnection, records: readonly BareRecord[]): Promise<void> {
  await connection.run('BEGIN')
  const appender = await connection.createAppender('items')
  for (let start = 0; start < records.length; start += 2048) {
    const some = records.slice(start, start + 2048)
    const chunk = DuckDBDataChunk.create(types, some.length)
    chunk.setColumns(valuesOf(some))
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
  await connection.run('COMMIT')
}

/** @param end what to run when all rows are there */
async function writeRows(pages: Pages, path: string, end: string): Promise<number> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  try {
    await connection.run(`CREATE TABLE items (${columns})`)
    const count = await readInto(pages, (records) => commitRows(connection, records))
    await connection.run(end)
    return count
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

export function writeDuckDb(pages: Pages, folder: string): Promise<number> {
  return writeRows(pages, join(folder, 'bare.duckdb'), 'CHECKPOINT')
}

/** Through a file of DuckDB, so that a commit survives a crash. */
export function writeParquet(pages: Pages, folder: string): Promise<number> {
  const end = `COPY items TO '${join(folder, 'items.parquet')}' (FORMAT parquet)`
  return writeRows(pages, join(folder, 'bare.duckdb'), end)
}

export async function writePostgres(pages: Pages, address: string): Promise<number> {
  const client = new Client({ connectionString: address })
  await client.connect()
  try {
    await client.query(
      'CREATE TABLE items (id bigint, name text, amount double precision, active boolean, tags jsonb, note text, nested jsonb)',
    )
    return await readInto(pages, async (records) => {
      const lines = Readable.from([records.map((record) => `${copyLine(record)}\n`).join('')])
      await pipeline(lines, client.query(copyFrom('COPY items FROM STDIN')))
    })
  } finally {
    await client.end()
  }
}

function copyLine({ id, name, amount, active, tags, note, nested }: BareRecord): string {
  const texts = [name, JSON.stringify(tags), note, JSON.stringify(nested)].map((text) =>
    text.replace(/[\\\t\n\r]/g, (character) => copyEscapes[character] as string),
  )
  return [id, texts[0], amount, active, ...texts.slice(1)].join('\t')
}

const copyEscapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
