/** Reads one page of so many megabytes and prints peak resident memory (MB). Run by extremes.ts. */
import { loadManifest, readPages } from '../src/index.ts'
import { onePageManifest } from './manifests.ts'

const [url = '', path = '', megabytes = '200'] = process.argv.slice(2)
let records = 0
for await (const page of readPages(loadManifest(onePageManifest(url, path, { mb: megabytes }))))
  records += page.records.length
if (records < Number(megabytes) * 900) throw new Error(`${records} records`)
console.log(process.resourceUsage().maxRSS / 1024)
