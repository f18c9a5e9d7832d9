/** Where the time goes, by part of the program: of a page against the bare loop, and of syncs into each destination. */
import { loadManifest, readPages } from '../src/index.ts'
import { bareLoop, type BareRecord } from './bare-loop.ts'
import type { Pages } from './bare-writers.ts'
import { offsetManifest } from './manifests.ts'
import { startServer } from './processes.ts'
import { type Profile, printRow, printTable, profileOf, type Used } from './profiler.ts'
import { availablePlaces, placeOf, readAlone, records, syncTo } from './sync-places.ts'
import { threadMs } from './thread-time.ts'

const pages = records / 100
const rounds = 5

export async function benchmarkProfile(): Promise<void> {
  const server = await startServer('page-server.js')
  try {
    await profileReading(server.url)
    await profileWriting(server.url)
  } finally {
    server.stop()
  }
}

async function profileReading(url: string): Promise<void> {
  const manifest = loadManifest(offsetManifest(url, records))
  const bare = await profileOfReads(() => bareLoop(url, { total: records }))
  const engine = await profileOfReads(async () => {
    let count = 0
    for await (const page of readPages(manifest, { prefetch: 1 })) count += page.records.length
    return count
  })
  console.log(`µs a page of 100 records, ${pages * rounds} pages, by the profiler, which itself slows both down`)
  const aPage = (used: Used) => new Map([...used].map(([name, ms]) => [name, (ms * 1000) / pages / rounds]))
  printTable('parts', { 'bare loop': aPage(bare.parts), readPages: aPage(engine.parts) }, 14)
  printTable('functions', { 'bare loop': aPage(bare.functions), readPages: aPage(engine.functions) }, 14)
}

async function profileOfReads(read: () => Promise<number>): Promise<Profile> {
  // The compiler is at work in the first rounds.
  for (let round = 0; round < 3; round++) await read()
  return profileOf(async () => {
    for (let round = 0; round < rounds; round++) checkCount(await read())
  })
}

function checkCount(count: number): void {
  if (count !== records) throw new Error(`${count} records instead of ${records}`)
}

/** Milliseconds. */
type Times = { readonly main: number; readonly others: number; readonly took: number }

type Writing = { readonly name: string; readonly parts: Used; readonly times: Times }

/** Against writing alone, by hand: what nothing that writes the same rows in the same way goes below. */
async function profileWriting(url: string): Promise<void> {
  const reading = async () => checkCount(await readAlone(url))
  await reading()
  const syncs: Writing[] = [{ name: 'reading', times: await timesOf(reading), parts: (await profileOf(reading)).parts }]
  const names = await availablePlaces()
  for (const name of names) {
    const into = async <Result>(measure: (work: () => Promise<void>) => Promise<Result>) => {
      await using place = await placeOf(name)
      return await measure(async () => checkCount(await syncTo(place.to, url)))
    }
    for (let round = 0; round < 2; round++) await into((work) => work())
    syncs.push({ name, times: await into(timesOf), parts: (await into(profileOf)).parts })
  }
  // Not before: what is in memory is collected with the rest.
  const kept = await inMemory(url)
  const alone = new Map<string, Times>()
  for (const name of names) {
    for (let round = 0; round < 3; round++) {
      await using place = await placeOf(name)
      const times = await timesOf(async () => checkCount(await place.writeBare(kept)))
      alone.set(name, times)
    }
  }
  console.log(`ms for ${records.toLocaleString('en')} records`)
  printTable('main thread, by the profiler', Object.fromEntries(syncs.map(({ name, parts }) => [name, parts])), 16)
  printTimes('without the profiler', new Map(syncs.map(({ name, times }) => [name, times])))
  printTimes('writing alone, by hand', new Map([['', null], ...alone]))
}

function printTimes(title: string, columns: ReadonlyMap<string, Times | null>): void {
  printRow(title, [...columns.keys()])
  const row = (name: string, of: (times: Times) => number) =>
    printRow(
      name,
      [...columns.values()].map((times) => (times === null ? '' : of(times).toFixed(0))),
    )
  row('main thread', ({ main }) => main)
  row('other threads', ({ others }) => others)
  row('took', ({ took }) => took)
}

async function timesOf(work: () => Promise<unknown>): Promise<Times> {
  const [started, main, cpu] = [performance.now(), threadMs(), process.cpuUsage()]
  await work()
  const took = performance.now() - started
  const mainTook = threadMs() - main
  const { user, system } = process.cpuUsage(cpu)
  return { main: mainTook, others: (user + system) / 1000 - mainTook, took }
}

async function inMemory(url: string): Promise<Pages> {
  const kept: (readonly BareRecord[])[] = []
  await bareLoop(url, { total: records, onPage: (page) => kept.push(page) })
  return async (onPage) => {
    for (const page of kept) await onPage(page)
    return records
  }
}
