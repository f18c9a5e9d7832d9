/** Syncs N records, collects garbage every 100 pages and prints the peak heap after that (MB). Run by sync.ts. */
import { loadManifest, sync, type SyncEvent } from '../src/index.ts'
import { offsetManifest } from './manifests.ts'

const [url = '', to = '', records = '100000'] = process.argv.slice(2)
const collect = (globalThis as { gc?: () => void }).gc ?? (() => {})

let [heap, pages] = [0, 0]
function onEvent({ kind }: SyncEvent): void {
  if (kind !== 'page' || ++pages % 100 !== 0) return
  collect()
  heap = Math.max(heap, process.memoryUsage().heapUsed)
}
const { ending, receipts } = await sync(loadManifest(offsetManifest(url, Number(records))), { to, onEvent })
if (ending !== 'complete' || receipts[0]?.records !== Number(records)) throw new Error(JSON.stringify(receipts))
console.log(heap / 2 ** 20)
