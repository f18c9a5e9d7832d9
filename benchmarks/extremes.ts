/** Pages of 200 MB and of one record, fifty slices under one rate limit, a manifest of 1.25 MB. */
import { loadManifest, readPages, readRecords } from '../src/index.ts'
import { bareLoop } from './bare-loop.ts'
import { offsetManifest, slicesManifest } from './manifests.ts'
import { median } from './median.ts'
import type { OpeningTimes } from './open-manifest.ts'
import { measureApart, startServer } from './processes.ts'

const rows = 3000

/** A page of one record, one request at a time. */
async function smallPages(url: string): Promise<void> {
  const manifest = () => loadManifest(offsetManifest(url, rows, { pageSize: 1 }))
  const ways: Record<string, () => Promise<number>> = {
    'bare loop': () => bareLoop(url, { total: rows, pageSize: 1 }),
    readPages: async () => {
      let count = 0
      for await (const { records } of readPages(manifest(), { prefetch: 1 })) count += records.length
      return count
    },
    readRecords: async () => {
      let count = 0
      for await (const _ of readRecords(manifest(), { prefetch: 1 })) count++
      return count
    },
  }
  const taken = new Map(Object.keys(ways).map((name): [string, number[]] => [name, []]))
  for (let round = 0; round < 8; round++) {
    for (const [name, read] of Object.entries(ways)) {
      const started = performance.now()
      if ((await read()) !== rows) throw new Error(`${name} missed records`)
      if (round > 0) taken.get(name)?.push(((performance.now() - started) * 1000) / rows)
    }
  }
  for (const [name, times] of taken)
    console.log(`  a page of one record, ${name.padEnd(12)}${median(times).toFixed(0)} µs`)
}

async function slicesUnderOneLimit(url: string): Promise<void> {
  const started = performance.now()
  let records = 0
  for await (const page of readPages(loadManifest(slicesManifest(url, 50)), { concurrency: 50 }))
    records += page.records.length
  if (records !== 50) throw new Error(`${records} records of 50 slices`)
  console.log(`  50 slices, all refused with Retry-After: 1   ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

export async function benchmarkExtremes(): Promise<void> {
  const { url, stop } = await startServer('extreme-server.js')
  try {
    console.log('very large and very small')
    for (const letters of ['ascii', 'other']) {
      const resident = Number(await measureApart('large-page.js', url, `/large/${letters}`, '200'))
      console.log(
        `  a page of 200 MB, ${letters === 'ascii' ? 'ASCII' : 'other letters'}: ${resident.toFixed(0)} MB resident at most`,
      )
    }
    await smallPages(url)
    await slicesUnderOneLimit(url)
    const { characters, first, later } = JSON.parse(await measureApart('open-manifest.js')) as {
      characters: number
      first: OpeningTimes
      later: OpeningTimes
    }
    const shown = ({ main, all }: OpeningTimes) => `${main.toFixed(0)} ms (all threads ${all.toFixed(0)} ms)`
    console.log(
      `  a manifest of ${(characters / 1e6).toFixed(2)} MB opens in ${shown(first)} at first, then in ${shown(later)}`,
    )
  } finally {
    stop()
  }
}
