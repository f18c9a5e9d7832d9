/** Syncs N records and prints seconds, peak resident memory and, where it is told to collect garbage, peak heap after that (MB). Run by sync.ts. */
import { loadManifest, sync, type SyncEvent } from '../src/index.ts'
import { offsetManifest } from './manifests.ts'

const [url = '', to = '', records = '100000', collects = ''] = process.argv.slice(2)
const collect = (globalThis as { gc?: () => void }).gc ?? (() => {})

const started = performance.now()
let [heap, pages] = [0, 0]
function onEvent({ kind }: SyncEvent): void {
  if (collects === '' || kind !== 'page' || ++pages % 100 !== 0) return
  collect()
  heap = Math.max(heap, process.memoryUsage().heapUsed)
}
const { ending, receipts } = await sync(loadManifest(offsetManifest(url, Number(records))), { to, onEvent })
if (ending !== 'complete' || receipts[0]?.records !== Number(records)) throw new Error(JSON.stringify(receipts))
const seconds = (performance.now() - started) / 1000
console.log(JSON.stringify({ seconds, heap: heap / 2 ** 20, resident: process.resourceUsage().maxRSS / 1024 }))
