/** What is written where, for the benchmarks of syncs: 100,000 records into each kind of destination. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadManifest, readPages, sync } from '../src/index.ts'
import { freshDatabase } from '../test/helpers/postgres.ts'
import { bareLoop } from './bare-loop.ts'
import { type Pages, writeDuckDb, writeJsonl, writeParquet, writePostgres } from './bare-writers.ts'
import { offsetManifest } from './manifests.ts'

export const records = 100_000

/** An empty destination, deleted when it is measured. */
type Place = AsyncDisposable & {
  readonly to: string
  /** The shortest program that writes there; returns how many records there were. */
  readonly writeBare: (pages: Pages) => Promise<number>
}

async function folderFor(
  addressIn: (folder: string) => string,
  write: (pages: Pages, folder: string) => Promise<number>,
): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-bench-'))
  return {
    to: addressIn(folder),
    writeBare: (pages) => write(pages, folder),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

const places: Readonly<Record<string, () => Promise<Place>>> = {
  JSONL: () => folderFor((folder) => `jsonl:${folder}`, writeJsonl),
  DuckDB: () => folderFor((folder) => `duckdb:${join(folder, 'bench.duckdb')}`, writeDuckDb),
  Parquet: () => folderFor((folder) => `parquet:${folder}`, writeParquet),
  Postgres: async () => {
    const database = await freshDatabase()
    return {
      to: database.url,
      writeBare: (pages) => writePostgres(pages, database.url),
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    }
  },
}

export function placeOf(name: string): Promise<Place> {
  return (places[name] as () => Promise<Place>)()
}

/** Postgres is the only one that may be missing: the others come with the package. */
export async function availablePlaces(): Promise<string[]> {
  const names = Object.keys(places)
  try {
    await using _ = await freshDatabase()
    return names
  } catch (error) {
    console.log(`  Postgres is not measured: ${(error as Error).message}`)
    return names.filter((name) => name !== 'Postgres')
  }
}

export async function readAlone(url: string): Promise<number> {
  let count = 0
  for await (const page of readPages(loadManifest(offsetManifest(url, records)))) count += page.records.length
  return count
}

export async function syncTo(to: string, url: string): Promise<number> {
  const { receipts } = await sync(loadManifest(offsetManifest(url, records)), { to })
  return receipts.reduce((sum, receipt) => sum + receipt.records, 0)
}

export const pagesOf =
  (url: string): Pages =>
  (onPage) =>
    bareLoop(url, { total: records, onPage })
