/** Turnleaf as it ships: the package's own entries, whose code is in dist/. `off` as an argument: without pages ahead. */
import { readFile } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { loadManifest, readRecords, sync } from 'turnleaf'
import { openNetwork, openRun } from 'turnleaf/engine'
import { type Counted, type ReadRecord, serve, type Take } from './read-jobs.ts'
import type { Job } from './workloads.ts'

const prefetch = process.argv[2] === 'off' ? 'off' : 'auto'

/** Several streams share one run, and with it the 16 requests that may be under way at a time. */
async function read({ manifest: file, streams }: Job, take: Take): Promise<void> {
  const manifest = loadManifest(await readFile(file, 'utf8'))
  if (streams.length === 1) {
    for await (const record of readRecords(manifest, { prefetch })) take(record as ReadRecord)
    return
  }
  const network = openNetwork({})
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  const tools = { network, now: Date.now, sleep, random: Math.random, report() {} }
  const run = openRun(manifest, { config: {} }, tools)
  const readOne = async (stream: string) => {
    for await (const record of readRecords(manifest, { run, stream, prefetch })) take(record as ReadRecord)
  }
  await Promise.all(streams.map(readOne))
  await network.close()
}

async function write({ manifest: file, database }: Job): Promise<() => Promise<Counted>> {
  const manifest = loadManifest(await readFile(file, 'utf8'))
  const { ending } = await sync(manifest, { to: `duckdb:${database}`, prefetch })
  if (ending !== 'complete') throw new Error(`the sync ended ${ending}`)
  return () => countIn(String(database))
}

async function countIn(database: string): Promise<Counted> {
  const instance = await DuckDBInstance.create(database)
  const connection = await instance.connect()
  const result = await connection.runAndReadAll('SELECT count(*)::INT, count(DISTINCT id)::INT FROM items')
  const [[records, distinct] = []] = result.getRows() as number[][]
  connection.closeSync()
  instance.closeSync()
  return { records: Number(records), distinct: Number(distinct), changed: 0 }
}

await serve(read, write, [])
