/** Reads N pages and prints the largest heap seen after a collection, in MB. Run by read.ts in a process of its own. */
import { loadManifest, readPages } from '../src/index.ts'
import { offsetManifest } from './manifests.ts'

const [url = '', pages = '1000'] = process.argv.slice(2)
const collect = (globalThis as { gc?: () => void }).gc ?? (() => {})

let peak = 0
let seen = 0
for await (const _page of readPages(loadManifest(offsetManifest(url, Number(pages) * 100)))) {
  if (++seen % 100 !== 0) continue
  collect()
  peak = Math.max(peak, process.memoryUsage().heapUsed)
}
console.log(peak / 2 ** 20)
