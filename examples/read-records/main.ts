/** Reads every record of one stream and counts them. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadManifest, readRecords } from 'turnleaf'

export async function main(labUrl: string): Promise<number> {
  const manifest = loadManifest(readFileSync('connectors/lab/manifest.yaml', 'utf8'))
  const config = { base_url: labUrl, page_size: 100 }

  let count = 0
  for await (const record of readRecords(manifest, { stream: 'cursor', config })) {
    if (count === 0) console.log('The first one:', record)
    count++
  }
  console.log(`${count} records`)
  return count
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2] ?? 'http://127.0.0.1:8082')
