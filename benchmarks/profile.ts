/** Where the time of a page goes, by part of the program: the sampling profiler of V8 over the bare loop and over the engine. */
import { type Profiler, Session } from 'node:inspector/promises'
import { loadManifest, readPages } from '../src/index.ts'
import { bareLoop } from './bare-loop.ts'
import { offsetManifest } from './manifests.ts'
import { startServer } from './processes.ts'

const pages = 1000
const total = pages * 100
const rounds = 5

type Node = Profiler.ProfileNode

/** What V8 gives a name of its own. */
const ofV8: Readonly<Record<string, string>> = {
  '(garbage collector)': 'collecting garbage',
  '(idle)': 'waiting for the server',
  '(program)': 'other native code',
}

/** Native functions have no address: they count for the caller, as null says. */
function partOf({ callFrame: { functionName, url } }: Node): string | null {
  if (Object.hasOwn(ofV8, functionName)) return String(ofV8[functionName])
  if (/std\/json\/parse-json|bare-loop/.test(url)) return 'JSON.parse, and what looks at its text'
  if (/node_modules\/undici|wasm|^node:(net|stream|internal\/(stream|net))/.test(url)) return 'undici and sockets'
  const [, part] = /build\/src\/((?:engine\/)?[^/]+)/.exec(url) ?? []
  if (part !== undefined) return part
  return url.startsWith('node:') || url === '' ? null : 'the rest'
}

function functionOf({ callFrame: { functionName, url } }: Node): string {
  return `${functionName || '(anonymous)'} ${url.split('/').slice(-2).join('/')}`
}

/** µs a page, by whatever a sample is counted for. */
type Used = ReadonlyMap<string, number>

/** @param nameOf null: the caller's name counts. */
function usedBy(
  { nodes, samples = [], timeDeltas = [] }: Profiler.Profile,
  nameOf: (node: Node) => string | null,
): Used {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const used = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    let name: string | null = null
    for (let at: number | undefined = id; name === null && at !== undefined; at = callers.get(at))
      name = nameOf(byId.get(at) as Node)
    const key = name ?? 'other native code'
    used.set(key, (used.get(key) ?? 0) + (timeDeltas[index] ?? 0) / pages / rounds)
  }
  return used
}

async function profileOf(read: () => Promise<number>): Promise<Profiler.Profile> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  // The compiler is at work in the first rounds.
  for (let round = 0; round < 3; round++) await read()
  await session.post('Profiler.start')
  for (let round = 0; round < rounds; round++) if ((await read()) !== total) throw new Error('Records are missing.')
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return profile
}

function printTable(title: string, [bare, engine]: readonly [Used, Used], most: number): void {
  console.log(`  ${title.padEnd(52)}bare loop  readPages`)
  const size = (name: string) => Math.max(bare.get(name) ?? 0, engine.get(name) ?? 0)
  const names = [...new Set([...bare.keys(), ...engine.keys()])]
  for (const name of names.toSorted((one, other) => size(other) - size(one)).slice(0, most)) {
    const [one, other] = [bare, engine].map((used) => (used.get(name) ?? 0).toFixed(0))
    console.log(`  ${name.padEnd(52)}${one?.padStart(9)}${other?.padStart(11)}`)
  }
}

export async function benchmarkProfile(): Promise<void> {
  const server = await startServer('page-server.js')
  const manifest = loadManifest(offsetManifest(server.url, total))
  const bare = await profileOf(() => bareLoop(server.url, { total }))
  const engine = await profileOf(async () => {
    let count = 0
    for await (const { records } of readPages(manifest, { prefetch: 1 })) count += records.length
    return count
  })
  server.stop()
  console.log(`µs a page of 100 records, ${pages * rounds} pages, by the profiler, which itself slows both down`)
  printTable('parts', [usedBy(bare, partOf), usedBy(engine, partOf)], 14)
  printTable('functions', [usedBy(bare, functionOf), usedBy(engine, functionOf)], 14)
}
