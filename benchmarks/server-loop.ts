/** Operations on a manifest of 1.25 MB: how long each takes, and for how long the server serves nobody else meanwhile. Run by loop.ts. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { stringify } from 'yaml'
import { createApi } from '../src/server/server.ts'
import { openSchedules } from '../src/server/schedules/schedules.ts'
import { openSyncs } from '../src/server/syncs/syncs.ts'
import { referringManifest } from './manifests.ts'
import { median } from './median.ts'
import { threadMs } from './thread-time.ts'

const apiOfStreams = process.argv[2] ?? ''
const rounds = 5
const home = mkdtempSync(join(tmpdir(), 'turnleaf-bench-'))
const egress = 'loopback-allowed'
await using syncs = openSyncs({ home, egress })
await using schedules = openSchedules({ home, egress })
const facts = { baseUrl: 'http://127.0.0.1:1', apiUrl: 'http://127.0.0.1:2', version: '0' }
const app = createApi(facts, { home, pages: 'dist/builder', lab: null, token: null, egress, syncs, schedules })
const text = stringify(referringManifest(500, apiOfStreams))

const stream = 'items_250'
const connector = 'large'

const operations: Readonly<Record<string, (text: string) => Promise<unknown>>> = {
  'inspecting it': (changed) => post('/v1/inspections', { text: changed }),
  'the preview of a stream': (changed) => post('/v1/inspections', { text: changed, stream }),
  'a test read of a stream': (changed) => post('/v1/test-reads', { text: changed, stream, maxPages: 1 }),
  'exporting it as a program': (changed) =>
    post('/v1/exports', { name: connector, text: changed, format: 'typescript' }),
  'opening it': async () => (await app.request(`${facts.apiUrl}/v1/connectors/${connector}`)).text(),
  'a sync of a stream': async () => {
    const { id } = JSON.parse(await post('/v1/syncs', { connector, streams: [stream] })) as { id: string }
    while (syncs.list().some((run) => run.id === id && run.status === 'running')) await setTimeout(5)
  },
}

await post('/v1/connectors', { name: connector, text })
const results: Record<string, { first: number; later: number; took: number }> = {}
for (const [name, run] of Object.entries(operations)) {
  const longest: number[] = []
  const took: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    longest.push(await longestTurn(() => run(`${text}# ${name} ${round}\n`)))
    took.push(performance.now() - started)
  }
  results[name] = { first: longest[0] ?? 0, later: median(longest.slice(1)), took: median(took.slice(1)) }
}
console.log(JSON.stringify(results))
rmSync(home, { recursive: true, force: true })

async function post(path: string, body: object): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await app.request(`${facts.apiUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${path}: ${answer.slice(0, 300)}`)
  return answer
}

/** The most processor time that the main thread spent between two turns of a timer (ms). */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let last = threadMs()
  let longest = 0
  const beat = () => {
    const now = threadMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(beat, 1)
  await work()
  beat()
  clearInterval(timer)
  return longest
}
