/** One long read; prints the seconds and the processor time of its second half, in which its code is compiled. Run by long-reads.ts in a process of its own. */
import { loadManifest, readPages, readRecords } from '../src/index.ts'
import { bareLoop } from './bare-loop.ts'
import { offsetManifest } from './manifests.ts'

const [url = '', way = '', pages = '10000'] = process.argv.slice(2)
const total = Number(pages) * 100

let count = 0
let half = { at: 0, cpu: process.cpuUsage() }

function take(records: number): void {
  const before = count
  count += records
  if (before < total / 2 && count >= total / 2) half = { at: performance.now(), cpu: process.cpuUsage() }
}

const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  bareLoop: () => bareLoop(url, { total, onPage: ({ length }) => take(length) }),
  readPages: () => takePages(1),
  'readPages, pages ahead': () => takePages('auto'),
  readRecords: () => takeRecords(1),
  'readRecords, pages ahead': () => takeRecords('auto'),
}

async function takePages(prefetch: 'auto' | 1): Promise<void> {
  for await (const { records } of readPages(loadManifest(offsetManifest(url, total)), { prefetch }))
    take(records.length)
}

async function takeRecords(prefetch: 'auto' | 1): Promise<void> {
  const records = readRecords(loadManifest(offsetManifest(url, total)), { stream: 'items', prefetch })
  for await (const _record of records) take(1)
}

await ways[way]?.()
if (count !== total) throw new Error(`${way} read ${count} records instead of ${total}`)
const { user, system } = process.cpuUsage(half.cpu)
console.log(JSON.stringify({ seconds: (performance.now() - half.at) / 1000, cpuSeconds: (user + system) / 1e6 }))
