/** Where the time of the main thread goes, by part of the program: the sampling profiler of V8. */
import { type Profiler, Session } from 'node:inspector/promises'

type Node = Profiler.ProfileNode

/** Time, by whatever a sample is counted for. */
export type Used = ReadonlyMap<string, number>

/** What V8 gives a name of its own. */
const ofV8: Readonly<Record<string, string>> = {
  '(garbage collector)': 'collecting garbage',
  '(idle)': 'waiting',
  '(program)': 'other native code',
}

/** Native functions have no address: they count for the caller, as null says. */
function partOf(node: Node): string | null {
  const { functionName, url } = node.callFrame
  if (Object.hasOwn(ofV8, functionName)) return String(ofV8[functionName])
  if (/std\/json\/parse-json|bare-loop/.test(url)) return 'JSON.parse, and what looks at its text'
  if (/node_modules\/undici|wasm|^node:(net|stream|internal\/(stream|net))/.test(url)) return 'undici and sockets'
  const [, part] = /(?:build\/src|node_modules)\/((?:(?:engine|destinations|@[^/]+)\/)?[^/]+)/.exec(url) ?? []
  if (part !== undefined) return part
  return fileOf(node) === null ? null : 'the rest'
}

function functionOf({ callFrame: { functionName, url } }: Node): string {
  return `${functionName || '(anonymous)'} ${url.split('/').slice(-2).join('/')}`
}

/** @param nameOf null: the caller's name counts. */
function usedBy(
  { nodes, samples = [], timeDeltas = [] }: Profiler.Profile,
  nameOf: (node: Node) => string | null,
): Used {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const firstOf = (from: number, of: (node: Node) => string | null): string | null => {
    for (let id: number | undefined = from; id !== undefined; id = callers.get(id)) {
      const found = of(byId.get(id) as Node)
      if (found !== null) return found
    }
    return null
  }
  const used = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    if (firstOf(id, fileOf)?.endsWith('benchmarks/profiler.js')) continue
    const name = firstOf(id, nameOf) ?? 'other native code'
    used.set(name, (used.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1000)
  }
  return used
}

/** Of native functions and those of Node: null. */
function fileOf({ callFrame: { url } }: Node): string | null {
  return url === '' || url.startsWith('node:') ? null : url
}

export type Profile = { readonly parts: Used; readonly functions: Used }

/** Of all that runs meanwhile. */
export async function profileOf(work: () => Promise<unknown>): Promise<Profile> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  await session.post('Profiler.start')
  await work()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return { parts: usedBy(profile, partOf), functions: usedBy(profile, functionOf) }
}

/** A line for each name that one of the columns has, the largest first. */
export function printTable(title: string, columns: Readonly<Record<string, Used>>, most: number): void {
  const used = Object.values(columns)
  const size = (name: string) => Math.max(...used.map((one) => one.get(name) ?? 0))
  const names = [...new Set(used.flatMap((one) => [...one.keys()]))]
  printRow(title, Object.keys(columns))
  for (const name of names.toSorted((one, other) => size(other) - size(one)).slice(0, most)) {
    printRow(
      name,
      used.map((one) => (one.get(name) ?? 0).toFixed(0)),
    )
  }
}

export function printRow(name: string, figures: readonly string[]): void {
  console.log(`  ${name.padEnd(52)}${figures.map((figure) => figure.padStart(11)).join('')}`)
}
