/** Syncs a stream of the lab to a custom destination, is interrupted after six pages, and resumes. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadManifest, sync, type SyncEvent } from 'turnleaf'
import { jsonFiles } from './json-files.ts'

const manifest = loadManifest(readFileSync('connectors/lab/manifest.yaml', 'utf8'))

export async function main(labUrl: string, folder = 'data'): Promise<string[]> {
  const to = jsonFiles(folder)
  const config = { base_url: labUrl, page_size: 10 }
  const lines: string[] = []
  for (const lastPage of [6, Infinity]) {
    const stop = new AbortController()
    const onEvent = (event: SyncEvent) => {
      if (event.kind === 'stream-started') lines.push(`${event.stream} → begins after ${event.before.records} records`)
      if (event.kind === 'page' && event.page === lastPage) stop.abort()
    }
    const { ending, receipts } = await sync(manifest, { config, to, streams: ['cursor'], signal: stop.signal, onEvent })
    for (const { stream, records } of receipts) lines.push(`${stream} → ${ending}, ${records} records`)
  }
  console.log(lines.join('\n'))
  return lines
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2] ?? 'http://127.0.0.1:8082')
