/** Inspects a manifest of 1.25 MB again and again; prints how long each took, and how long the server did nothing else at most (ms). Run by extremes.ts. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { createApi } from '../src/server/server.ts'
import { openSchedules } from '../src/server/schedules/schedules.ts'
import { openSyncs } from '../src/server/syncs/syncs.ts'
import { manyStreamsManifest } from './manifests.ts'

const home = mkdtempSync(join(tmpdir(), 'turnleaf-bench-'))
const egress = 'loopback-allowed'
await using syncs = openSyncs({ home, egress })
await using schedules = openSchedules({ home, egress })
const facts = { baseUrl: 'http://127.0.0.1:1', apiUrl: 'http://127.0.0.1:2', version: '0' }
const app = createApi(facts, { home, pages: 'dist/builder', lab: null, token: null, egress, syncs, schedules })
const text = stringify(manyStreamsManifest(830_000))

let last = performance.now()
let longest = 0
const watching = setInterval(() => {
  longest = Math.max(longest, performance.now() - last)
  last = performance.now()
}, 1)

const times: number[] = []
for (let round = 0; round < 5; round++) {
  const body = JSON.stringify({ text: `${text}\n# ${round}` })
  const headers = { 'Content-Type': 'application/json' }
  if (round === 2) longest = 0
  const started = performance.now()
  const response = await app.request(`${facts.apiUrl}/v1/inspections`, { method: 'POST', headers, body })
  await response.text()
  times.push(performance.now() - started)
}
clearInterval(watching)
console.log(JSON.stringify({ longest, took: Math.min(...times) }))
rmSync(home, { recursive: true, force: true })
