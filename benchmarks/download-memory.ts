/** Reads one large body and prints seconds, records, peak heap after collection and peak resident memory (MB). Run by downloads.ts. */
import { loadManifest, readPages } from '../src/index.ts'
import { downloadManifest } from './manifests.ts'

const [url = '', packing = 'plain', format = 'jsonl', megabytes = '500'] = process.argv.slice(2)
const collect = (globalThis as { gc?: () => void }).gc ?? (() => {})

const started = performance.now()
let [records, heap, seen] = [0, 0, 0]
for await (const page of readPages(loadManifest(downloadManifest(url, packing, format, Number(megabytes))))) {
  records += page.records.length
  if (++seen % 50 !== 0) continue
  collect()
  heap = Math.max(heap, process.memoryUsage().heapUsed)
}
const seconds = (performance.now() - started) / 1000
console.log(JSON.stringify({ seconds, records, heap: heap / 2 ** 20, resident: process.resourceUsage().maxRSS / 1024 }))
