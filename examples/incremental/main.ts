/** Reads the events of every customer twice: the second time only what is new. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadManifest, readPages, type StreamState } from 'turnleaf'

const manifest = loadManifest(readFileSync('examples/incremental/manifest.yaml', 'utf8'))

export async function main(labUrl: string): Promise<string[]> {
  const first = await read(labUrl, '2024-04')
  // Keep the state where you like: it is plain JSON, in the shape that Airbyte stores.
  const saved = JSON.stringify(first.state)
  console.log(saved)

  const second = await read(labUrl, '2024-06', JSON.parse(saved) as StreamState)
  return [...first.asked, ...second.asked]
}

async function read(labUrl: string, until: string, state?: StreamState) {
  const asked: string[] = []
  let reached = state
  const config = { base_url: labUrl, until }
  const onState = (next: StreamState) => (reached = next)
  for await (const page of readPages(manifest, { stream: 'events', config, state, onState, concurrency: 1 })) {
    const { partition, window } = page.slice
    const slice = `customer ${String(partition['customer_id'])}, ${String(window['start_time'])}`
    asked.push(`${slice} → ${page.records.length} events`)
  }
  console.log(asked.join('\n'))
  return { asked, state: reached }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2] ?? 'http://127.0.0.1:8082')
