/** For how long `turnleaf serve`, as it ships, serves nobody else while it works on a manifest of 1.25 MB. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { stringify } from 'yaml'
import { referringManifest } from './manifests.ts'
import { median } from './median.ts'
import { startServer } from './processes.ts'

const rounds = 5
const stream = 'items_250'
const connector = 'large'

export async function benchmarkLoop(): Promise<void> {
  const apiOfStreams = await startServer('extreme-server.js')
  const served = await startServing()
  try {
    const text = stringify(referringManifest(500, apiOfStreams.url))
    await served.post('/v1/connectors', { name: connector, text })
    console.log('the server and a manifest of 1.25 MB: the longest turn of its loop, processor time')
    console.log(row('', 'first time', 'later', 'takes'))
    for (const [name, run] of Object.entries(operationsOn(served))) {
      const longest: number[] = []
      const took: number[] = []
      for (let round = 0; round < rounds; round++) {
        await served.longestTurn()
        const started = performance.now()
        await run(`${text}# ${name} ${round}\n`)
        took.push(performance.now() - started)
        longest.push(await served.longestTurn())
      }
      const [first = 0, ...later] = longest
      console.log(row(name, ...[first, median(later), median(took.slice(1))].map((value) => `${value.toFixed(0)} ms`)))
    }
  } finally {
    served.stop()
    apiOfStreams.stop()
  }
}

function row(name: string, ...figures: readonly string[]): string {
  return `  ${name.padEnd(32)}${figures.map((figure) => figure.padStart(12)).join('')}`
}

type Served = Awaited<ReturnType<typeof startServing>>

function operationsOn({ get, post }: Served): Readonly<Record<string, (text: string) => Promise<unknown>>> {
  return {
    'inspecting it': (changed) => post('/v1/inspections', { text: changed }),
    'the preview of a stream': (changed) => post('/v1/inspections', { text: changed, stream }),
    'a test read of a stream': (changed) => post('/v1/test-reads', { text: changed, stream, maxPages: 1 }),
    'exporting it as a program': (changed) =>
      post('/v1/exports', { name: connector, text: changed, format: 'typescript' }),
    'opening it': () => get(`/v1/connectors/${connector}`),
    'a sync of a stream': async () => {
      const { id } = JSON.parse(await post('/v1/syncs', { connector, streams: [stream] })) as { id: string }
      const isRunning = async () => {
        const { syncs } = JSON.parse(await get('/v1/syncs')) as { syncs: readonly { id: string; status: string }[] }
        return syncs.some((one) => one.id === id && one.status === 'running')
      }
      while (await isRunning()) await setTimeout(20)
    },
  }
}

async function startServing() {
  const home = mkdtempSync(join(tmpdir(), 'turnleaf-bench-'))
  const ports = ['--site-port', '0', '--api-port', '0', '--lab-port', '0']
  const child = fork('bin/turnleaf.js', ['serve', '--no-read', ...ports], {
    execArgv: ['--import', pathToFileURL(resolve('build/benchmarks/turn-length.js')).href],
    env: { ...process.env, TURNLEAF_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let words = ''
  for await (const chunk of child.stderr ?? []) if ((words += String(chunk)).includes('Try in another terminal')) break
  const [, url] = /^API +(http:\/\/\S+)/m.exec(words) ?? []
  const ask = async (path: string, init?: RequestInit): Promise<string> => {
    const response = await fetch(`${url}${path}`, init)
    const answer = await response.text()
    if (!response.ok) throw new Error(`${path}: ${answer.slice(0, 300)}`)
    return answer
  }
  const headers = { 'Content-Type': 'application/json' }
  return {
    get: (path: string) => ask(path),
    post: (path: string, body: object) => ask(path, { method: 'POST', headers, body: JSON.stringify(body) }),
    /** Since it was asked before (ms). */
    async longestTurn(): Promise<number> {
      child.send('longest?')
      const [longest] = (await once(child, 'message')) as [number]
      return longest
    },
    stop() {
      child.once('exit', () => rmSync(home, { recursive: true, force: true }))
      child.kill()
    },
  }
}
