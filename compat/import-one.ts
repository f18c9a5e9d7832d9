/** A process that imports the documents it is sent, one after the other, and says how each went. */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { connectorOf, openDescription } from '../src/import/import-api.ts'
import { loadManifest } from '../src/connector/load-manifest.ts'
import { openAnsweringServer } from '../src/lab/mirror/server.ts'
import { ConnectorError } from '../src/std/errors.ts'
import { problemsOf, streamSupport } from '../src/validation/stream-support.ts'
import { runConnector } from './connector.ts'

export type ImportOutcome = {
  readonly file: string
  readonly bytes: number
  /** `no-lists`: nothing in it gives a list of records. `refused`: an error that says why. */
  readonly outcome: 'imported' | 'no-lists' | 'refused' | 'crash' | 'hang'
  readonly why: string
  /** Time of the processor. */
  readonly ms: number
  /** The most that the process held so far. */
  readonly memoryMb: number
  readonly lists: number
  readonly written: number
  readonly paging: Readonly<Record<string, number>>
  readonly problems: readonly string[]
  readonly reads: readonly { readonly name: string; readonly status: string; readonly reasons: readonly string[] }[]
}

type Task = { readonly file: string; readonly bytes: number; readonly reads?: boolean; readonly folder: string }

const mostStreams = 200

process.on('message', (task: Task) => {
  work(task).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) =>
      process.send?.({
        ...nothing(task),
        outcome: 'crash',
        why: String((error as Error)?.stack ?? error).slice(0, 300),
      }),
  )
})

function nothing({ file, bytes }: Task) {
  return { file, bytes, ms: 0, memoryMb: memory(), lists: 0, written: 0, paging: {}, problems: [], reads: [] }
}

/** Of the processor: other programs on the machine do not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function memory(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024)
}

async function work(task: Task): Promise<ImportOutcome> {
  const start = cpuMs()
  try {
    const opened = openDescription('openapi', readFileSync(task.file, 'utf8'), null)
    const chosen = withParents(opened.streams)
    const { manifest, report } = connectorOf(opened, chosen)
    const ms = Math.round(cpuMs() - start)
    const memoryMb = memory()
    // As `turnleaf validate` does it; errors of the form were thrown before.
    const problems = problemsOf(await streamSupport(loadManifest(manifest), null))
    const paging: Record<string, number> = {}
    for (const { pagination } of report.streams) paging[pagination.method] = (paging[pagination.method] ?? 0) + 1
    return {
      ...nothing(task),
      outcome: 'imported',
      why: '',
      ms,
      memoryMb,
      lists: opened.streams.length,
      written: chosen.length,
      paging,
      problems: problems
        .filter(({ severity }) => severity === 'error')
        .map(({ code, message }) => `${code}: ${message}`),
      reads: task.reads === true ? await readAll(task, manifest) : [],
    }
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    const ms = Math.round(cpuMs() - start)
    const outcome = error.code === 'import/no-streams' ? 'no-lists' : 'refused'
    return { ...nothing(task), ms, outcome, why: `${error.code}: ${error.message}` }
  }
}

type Streams = ReturnType<typeof openDescription>['streams']

/** As many as are written without being asked, and the parents they need. */
function withParents(streams: Streams): Streams {
  const wanted = new Set(streams.slice(0, mostStreams).map(({ name }) => name))
  for (const { parent } of streams.slice(0, mostStreams))
    for (let at = parent; at !== null; at = streams.find(({ name }) => name === at?.stream)?.parent ?? null)
      wanted.add(at.stream)
  return streams.filter(({ name }) => wanted.has(name))
}

async function readAll({ file, folder }: Task, manifest: string): Promise<ImportOutcome['reads']> {
  const path = join(folder, `${basename(file, '.json')}-${process.pid}.yaml`)
  writeFileSync(path, manifest)
  await using server = await openAnsweringServer()
  const { fault, streams } = await runConnector(server, path)
  if (fault !== null) return [{ name: '(all)', status: 'fails', reasons: [fault] }]
  return streams.map(({ name, status, reasons }) => ({ name, status, reasons }))
}
