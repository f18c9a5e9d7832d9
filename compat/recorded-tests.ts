/**
 * `npm run compat:recordings -- DIR`: records streams of public manifests from a server that answers as their APIs would,
 * tests them, then breaks the pagination of each manifest in several ways and counts how many of the tests notice.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { load } from 'js-yaml'
import { loadManifest } from '../src/connector/load-manifest.ts'
import { configsFor } from '../src/lab/mirror/config.ts'
import { movingClock } from '../src/lab/mirror/calendar.ts'
import { answerOf } from '../src/lab/mirror/endpoint.ts'
import { endpointsOf } from '../src/lab/mirror/endpoints.ts'
import { findStreams } from '../src/lab/mirror/find-streams.ts'
import { type AnsweringServer, openAnsweringServer } from '../src/lab/mirror/server.ts'
import { recordConnector } from '../src/recordings/record-connector.ts'
import type { Recording } from '../src/recordings/recording.ts'
import { recordingPath } from '../src/recordings/recording-file.ts'
import { testConnector } from '../src/recordings/test-connector.ts'
import { isList, isObject } from '../src/std/values/objects.ts'

type Paginator = Record<string, unknown> & { pagination_strategy: Record<string, unknown> }

/** Returns false where the edit does not apply to this paginator. */
type Break = readonly [name: string, edit: (paginator: Paginator) => boolean]

const renamed =
  (option: string): Break[1] =>
  (paginator) => {
    const placed = paginator[option]
    // A link takes the place of the address, whatever its option is called.
    if (!isObject(placed) || placed.type !== 'RequestOption' || typeof placed.field_name !== 'string') return false
    placed.field_name += '_x'
    return true
  }

const breaks: readonly Break[] = [
  ['page size option renamed', renamed('page_size_option')],
  ['page token option renamed', renamed('page_token_option')],
  [
    'cursor path wrong',
    ({ pagination_strategy: strategy }) => {
      if (typeof strategy.cursor_value !== 'string') return false
      strategy.cursor_value = "{{ response['not_there'] }}"
      return true
    },
  ],
  [
    'stop condition always true',
    ({ pagination_strategy: strategy }) => {
      if (strategy.type !== 'CursorPagination') return false
      strategy.stop_condition = '{{ true }}'
      return true
    },
  ],
  [
    'first page one later',
    ({ pagination_strategy: strategy }) => {
      if (strategy.type !== 'PageIncrement') return false
      strategy.start_from_page = Number(strategy.start_from_page ?? 0) + 1
      return true
    },
  ],
  [
    'offset counted as pages',
    ({ pagination_strategy: strategy }) => {
      if (strategy.type !== 'OffsetIncrement') return false
      strategy.type = 'PageIncrement'
      return true
    },
  ],
  [
    'no pagination',
    (paginator) => {
      for (const name of Object.keys(paginator)) delete paginator[name]
      paginator.type = 'NoPagination'
      return true
    },
  ],
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string' }, streams: { type: 'string' }, only: { type: 'string' } },
})
const [folder = 'test/manifests'] = positionals
const mostManifests = Number(values.count ?? 20)
const mostStreams = Number(values.streams ?? 2)

type Tally = { made: number; noticed: number }
const tallies = new Map<string, Tally>(breaks.map(([name]) => [name, { made: 0, noticed: 0 }]))
const sums = { manifests: 0, recorded: 0, refused: 0, passed: 0 }

await using server = await openAnsweringServer()
for (const file of chosen(
  readdirSync(folder).filter((name) => /\.ya?ml$/.test(name) && name.includes(values.only ?? '')),
)) {
  const own = mkdtempSync(join(tmpdir(), 'turnleaf-recordings-'))
  try {
    await tryManifest(server, file, readFileSync(join(folder, file), 'utf8'), own)
  } catch (error) {
    console.log(`${file}: ${String(error)}`)
  } finally {
    rmSync(own, { recursive: true })
  }
}
console.log(
  `\n${sums.manifests} manifests, ${sums.recorded} streams recorded, ${sums.refused} not; ${sums.passed} pass their test`,
)
console.log('\n| edit | tests | noticed |\n| --- | ---: | ---: |')
for (const [name, { made, noticed }] of tallies) console.log(`| ${name} | ${made} | ${noticed} |`)
const all = [...tallies.values()]
console.log(`| all | ${sum(all.map(({ made }) => made))} | ${sum(all.map(({ noticed }) => noticed))} |`)
process.exitCode = sums.passed === sums.recorded ? 0 : 1

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0)
}

/** Evenly over the folder, always the same ones. */
function chosen(files: readonly string[]): string[] {
  const step = Math.max(1, files.length / mostManifests)
  return Array.from(
    { length: Math.min(files.length, mostManifests) },
    (_, index) => files[Math.floor(index * step)] ?? '',
  )
}

async function tryManifest(answering: AnsweringServer, file: string, text: string, own: string): Promise<void> {
  const path = join(own, 'manifest.yaml')
  mkdirSync(own, { recursive: true })
  writeFileSync(path, text)
  const manifest = loadManifest(text, { file, folder: own })
  const [config = {}] = configsFor(manifest)
  const found = await findStreams(answering, manifest, config)
  const endpoints = [...found.before, ...found.streams.flatMap(({ stream }) => endpointsOf(stream, found.config))]
  const paginated = found.streams.filter(({ stream }) => paginatorsIn(stream).length > 0).slice(0, mostStreams)
  if (paginated.length === 0) return
  sums.manifests++
  const network = answering.network((asked) => answerOf(endpoints, asked))
  const streams = paginated.map(({ name }) => name)
  const clock = movingClock()
  const results = await recordConnector(own, { config, streams, network, ...clock, survey: false })
  await network.close()
  const recorded = results.filter(({ error }) => error === null).map(({ stream }) => stream)
  for (const { stream, error } of results)
    if (error !== null) console.log(`${file} ${stream}: ${error.code}: ${error.message}`)
  sums.recorded += recorded.length
  sums.refused += results.length - recorded.length
  if (recorded.length === 0) return
  const tested = await testConnector(own, { survey: false })
  sums.passed += tested.results.filter(({ outcome }) => outcome === 'passed').length
  for (const { stream, outcome, differences } of tested.results)
    if (outcome === 'failed') console.log(`${file} ${stream}: ${JSON.stringify(differences)}`)
  for (const one of breaks) await tryBreak(one, { file, text, own, path, recorded })
}

type Recorded = {
  readonly file: string
  readonly text: string
  readonly own: string
  readonly path: string
  readonly recorded: readonly string[]
}

async function tryBreak([name, edit]: Break, { file, text, own, path, recorded }: Recorded): Promise<void> {
  const tally = tallies.get(name) as Tally
  for (const stream of recorded) {
    const tree = load(text)
    if (!breakStream(tree, stream, edit)) continue
    writeFileSync(path, JSON.stringify(tree))
    tally.made++
    const tested = await testConnector(own, { streams: [stream], survey: false }).catch(() => null)
    const [result] = tested?.results ?? []
    if (result?.outcome === 'passed') console.log(`${file} ${stream}: not noticed in ${pagesIn(own, stream)}: ${name}`)
    else tally.noticed++
  }
}

/** `slices of 1, 1, 2 pages` */
function pagesIn(own: string, stream: string): string {
  const { expected } = JSON.parse(readFileSync(recordingPath(own, stream), 'utf8')) as Recording
  return `slices of ${expected.slices.map(({ pages }) => pages).join(', ')} pages`
}

/** Edits every paginator of the manifest, since streams share them; false where none of the stream's is among them. */
function breakStream(tree: unknown, stream: string, edit: Break[1]): boolean {
  const isBroken = (manifest: unknown) => {
    const { streams } = loadManifest(manifest as object)
    const own = streams.find((one) => one.name === stream)
    return JSON.stringify(paginatorsIn(own))
  }
  try {
    const before = isBroken(structuredClone(tree))
    for (const paginator of new Set(paginatorsIn(tree))) edit(paginator)
    return isBroken(structuredClone(tree)) !== before
  } catch {
    // An edit that no longer loads is noticed by any command.
    return false
  }
}

function paginatorsIn(node: unknown): Paginator[] {
  if (isList(node)) return node.flatMap(paginatorsIn)
  if (!isObject(node)) return []
  const own = node.type === 'DefaultPaginator' && isObject(node.pagination_strategy) ? [node as Paginator] : []
  return [...own, ...Object.values(node).flatMap(paginatorsIn)]
}
