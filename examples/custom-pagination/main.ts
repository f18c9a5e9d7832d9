/** Reads a stream whose pages follow a class of the connector's own. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadManifest, readPages } from 'turnleaf'

const folder = 'examples/custom-pagination'

export async function main(labUrl: string): Promise<number> {
  const manifest = loadManifest(readFileSync(`${folder}/manifest.yaml`, 'utf8'), { folder })

  let count = 0
  for await (const page of readPages(manifest, { stream: 'events', config: { base_url: labUrl } })) {
    console.log(`${page.request.url} → ${page.records.length} events`)
    count += page.records.length
  }
  console.log(`${count} events`)
  return count
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2] ?? 'http://127.0.0.1:8082')
