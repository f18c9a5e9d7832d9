/**
 * `npm run bench:peers`: Turnleaf next to others, from the same server with the same data. `-- read latency` only these workloads,
 * `-- --quick` everything with small counts; both print and write nothing. `-- --write` makes tables and pictures again from the
 * results of the last whole run.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir, type as systemName, release } from 'node:os'
import { join } from 'node:path'
import { end, endAllWhenInterrupted, start } from './children.ts'
import { type Environment, MissingTool, prepare } from './environment.ts'
import { measureReading, type Place, type Rounds } from './measure.ts'
import { measureStarts } from './measure-start.ts'
import { openReader, programsOf, type Reader } from './readers.ts'
import { readResults, type Results, type WorkloadResult, writeResults } from './results.ts'
import { tablesOf } from './tables.ts'
import { expectedRecords, quick, readerNames, type Workload, workloads } from './workloads.ts'
import { writeFiles } from './write.ts'

const cache = 'node_modules/.cache/turnleaf/peers'

/** @returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const options = args.filter((arg) => arg.startsWith('--'))
  const chosen = args.filter((arg) => !arg.startsWith('--'))
  const groups = new Set(workloads.map(({ group }) => group))
  const unknown = [
    ...chosen.filter((name) => !groups.has(name)),
    ...options.filter((one) => one !== '--quick' && one !== '--write'),
  ]
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(', ')}: choose from ${[...groups].join(', ')}, --quick and --write.`)
    return 2
  }
  if (options.includes('--write')) {
    writeFiles(readResults())
    return 0
  }
  endAllWhenInterrupted()
  try {
    const environment = await prepare(cache)
    const isQuick = options.includes('--quick')
    const wanted = workloads.filter(({ group }) => chosen.length === 0 || chosen.includes(group))
    const read = isQuick ? wanted.map(quick) : wanted
    const results = await measureAll(read, environment)
    console.log(`\n${tablesOf(results, read)}`)
    if (isQuick || chosen.length > 0) return 0
    writeResults(results)
    writeFiles(readResults())
    return 0
  } catch (error) {
    console.error((error as Error).message)
    return error instanceof MissingTool ? 2 : 1
  }
}

async function measureAll(wanted: readonly Workload[], environment: Environment): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), 'turnleaf-peers-'))
  const server = start([process.execPath, 'build/benchmarks/peers/server.js'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)
  const readers = new Map<string, Reader>()
  try {
    const url = await new Promise<string>((resolve) =>
      server.stdout?.once('data', (line) => resolve(String(line).trim())),
    )
    const place = { url, folder, report: console.log }
    const measured: WorkloadResult[] = []
    for (const workload of wanted) {
      console.log(workload.title)
      const seconds = await measure(workload, environment, place, readers)
      measured.push({ name: workload.name, records: expectedRecords(workload), seconds })
    }
    return { ...circumstances(environment), workloads: measured }
  } finally {
    for (const reader of readers.values()) await reader[Symbol.asyncDispose]()
    await end(server)
    removeFolder()
    process.off('exit', removeFolder)
  }
}

async function measure(
  workload: Workload,
  environment: Environment,
  place: Place,
  readers: Map<string, Reader>,
): Promise<Rounds> {
  if (workload.goal === 'start') return measureStarts(workload, environment, place)
  const programs = programsOf(environment)
  const missing = workload.readers.filter((name) => !readers.has(name))
  await Promise.all(missing.map(async (name) => readers.set(name, await openReader(name, programs[name]))))
  const inTurn = readerNames.filter((name) => workload.readers.includes(name))
  return measureReading(
    workload,
    inTurn.map((name) => readers.get(name) as Reader),
    place,
  )
}

function circumstances({ python, got }: Environment): Omit<Results, 'workloads'> {
  const versionIn = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
  const code =
    'import importlib.metadata as m, platform, sys; print(platform.python_version(), *map(m.version, sys.argv[1:]))'
  const packages = ['airbyte-cdk', 'dlt', 'singer-sdk', 'duckdb', 'pyarrow']
  const printed = execFileSync(python, ['-c', code, ...packages], { encoding: 'utf8' })
    .trim()
    .split(' ')
  const [pythonVersion = '', ...theirs] = printed
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: {
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      system: `${systemName()} ${release()}`,
    },
    versions: {
      Turnleaf: versionIn('package.json'),
      ...Object.fromEntries(packages.slice(0, 3).map((name, index) => [name, theirs[index] ?? ''])),
      got: versionIn(join(got, '../../../package.json')),
      undici: versionIn('node_modules/undici/package.json'),
      'DuckDB of Turnleaf': versionIn('node_modules/@duckdb/node-api/package.json'),
      'DuckDB of dlt': theirs[3] ?? '',
      pyarrow: theirs[4] ?? '',
      Node: process.versions.node,
      Python: pythonVersion,
    },
  }
}
