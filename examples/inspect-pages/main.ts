/** Prints the request and the number of records of each page. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadManifest, readPages } from 'turnleaf'

export async function main(labUrl: string): Promise<string[]> {
  const manifest = loadManifest(readFileSync('connectors/lab/manifest.yaml', 'utf8'))
  const config = { base_url: labUrl, page_size: 50 }

  const lines: string[] = []
  for await (const page of readPages(manifest, { stream: 'link', config, maxPages: 3 })) {
    lines.push(`${page.request.method} ${page.request.url} → ${page.records.length} records`)
  }
  console.log(lines.join('\n'))
  return lines
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2] ?? 'http://127.0.0.1:8082')
