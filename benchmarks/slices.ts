/** Slices side by side, parents asked once, and states that cost the same per slice however many partitions there are. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Network } from '../src/engine/index.ts'
import { loadManifest, readPages, type ReadOptions, type StreamState } from '../src/index.ts'
import { openRunOf } from '../src/read.ts'
import { childrenManifest, cursorsManifest, slicesManifest } from './manifests.ts'

type Reading = { readonly seconds: number; readonly cpuMs: number; readonly pages: number }

async function readWhole(manifest: object, options: ReadOptions = {}): Promise<Reading> {
  const loaded = loadManifest(manifest)
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  let pages = 0
  for await (const _page of readPages(loaded, options)) pages++
  const { user, system } = process.cpuUsage(cpu)
  return { seconds: (performance.now() - started) / 1000, cpuMs: (user + system) / 1000, pages }
}

const latencyMs = 20

/** Time for 200 slices of one page from a server that takes its time. */
async function sideBySide(): Promise<void> {
  const server = createServer((_, response) => {
    setTimeout(() => response.end('{"data":[{"id":1}]}'), latencyMs)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const manifest = slicesManifest(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 200)
  console.log(`200 slices of one page, answers after ${latencyMs} ms`)
  try {
    await readWhole(manifest, { concurrency: 16 })
    const { seconds: alone } = await readWhole(manifest, { concurrency: 1 })
    for (const concurrency of [1, 4, 16]) {
      const { seconds } = concurrency === 1 ? { seconds: alone } : await readWhole(manifest, { concurrency })
      const share = `${(seconds / alone).toFixed(3)} of the time alone, ${(1 / concurrency).toFixed(3)} at best`
      console.log(`  concurrency ${String(concurrency).padEnd(4)}${seconds.toFixed(2)} s   ${share}`)
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Responses without a socket, so that only the engine is measured. */
function answering(bodyOf: (url: string) => string): Network & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    async send({ url }) {
      asked.push(url)
      return { status: 200, url, headers: {}, body: new TextEncoder().encode(bodyOf(url)) }
    },
    close: async () => {},
    maxBodyBytes: 2 ** 28,
  }
}

const children = 3
const parentPages = 20

/** Three streams whose slices come from the same twenty pages. */
async function parentsReused(): Promise<void> {
  const network = answering((url) => {
    const page = Number(new URL(url).searchParams.get('page') ?? 1)
    if (!url.includes('/parents')) return '{"data":[{"id":1}]}'
    const count = page < parentPages ? 10 : 9
    const data = Array.from({ length: count }, (_, index) => ({ id: page * 10 + index }))
    return JSON.stringify({ data })
  })
  const manifest = loadManifest(childrenManifest('http://api.invalid', children))
  const { run, close } = await openRunOf(manifest, { network })
  for (let child = 0; child < children; child++) {
    for await (const _page of readPages(manifest, { run, stream: `child${child}` }));
  }
  await close()
  const ofParent = network.asked.filter((url) => url.includes('/parents')).length
  const saved = `${children * parentPages - ofParent} of ${children * parentPages} saved`
  console.log(`${children} streams of one parent of ${parentPages} pages: ${ofParent} requests to the parent, ${saved}`)
}

/** A first read of so many partitions, and a second that resumes from its state. */
async function partitions(count: number): Promise<void> {
  const manifest = cursorsManifest('http://api.invalid', count)
  let state: StreamState = {}
  let states = 0
  const onState = (latest: StreamState) => {
    state = latest
    states++
  }
  const told = ({ cpuMs, pages }: Reading) => `${((cpuMs * 1000) / pages).toFixed(0)} µs a slice, ${states} states`
  const network = answering(() => '{"data":[{"id":1,"updated":"2026-01-15"}]}')
  const first = told(await readWhole(manifest, { network, onState }))
  states = 0
  const second = told(await readWhole(manifest, { network, onState, state }))
  console.log(`  ${count.toLocaleString('en').padStart(7)} partitions: ${first}; resuming from its state ${second}`)
}

export async function benchmarkSlices(): Promise<void> {
  await sideBySide()
  await parentsReused()
  console.log('a cursor for each partition, processor time without the network')
  await partitions(1_000)
  for (const count of [1_000, 10_000, 50_000]) await partitions(count)
}
