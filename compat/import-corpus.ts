/**
 * `node scripts/import-corpus.js`: imports every OpenAPI document of public collections in processes of their own, validates each
 * manifest, reads drawn connectors from a local API to their end, and prints the tables of docs/import.md.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { ImportOutcome } from './import-one.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '18' },
    mirror: { type: 'string', default: '200' },
    drawn: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
  },
})

const processes = 2
const limitMs = 60_000
/** Documents above it get a process of their own, so that its memory is theirs. */
const largeBytes = 2 * 2 ** 20
const batch = 60

const files = positionals
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .filter((file) => file.endsWith('.json') && file.includes(values.only ?? ''))
  .map((file) => ({ file, bytes: statSync(file).size }))
  .toSorted((one, other) => (one.file < other.file ? -1 : 1))

const dice = seeded(Number(values.seed))
const shuffled = files.map((one) => ({ one, order: dice() })).toSorted((one, other) => one.order - other.order)
const forMirror = new Set<string>()
const folder = mkdtempSync(join(tmpdir(), 'turnleaf-corpus-'))
try {
  const outcomes = await importAll(files, {})
  const imported = new Set(outcomes.filter(({ outcome }) => outcome === 'imported').map(({ file }) => file))
  const drawn = shuffled.map(({ one }) => one)
  for (const { file } of drawn.filter((one) => imported.has(one.file)).slice(0, Number(values.mirror)))
    forMirror.add(file)
  const mirrored = await importAll(
    files.filter(({ file }) => forMirror.has(file)),
    { reads: true },
  )
  print(outcomes, mirrored)
  console.log(`\nDrawn by the seed ${values.seed}:`)
  for (const { file } of drawn.slice(0, Number(values.drawn))) console.log(`  ${file}`)
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ outcomes, mirrored }, null, 1))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

type File = { readonly file: string; readonly bytes: number }
type Task = { readonly reads?: boolean }

async function importAll(all: readonly File[], task: Task): Promise<ImportOutcome[]> {
  // The largest first, so that none is left for the end.
  const queue = all.toSorted((one, other) => other.bytes - one.bytes)
  const found: ImportOutcome[] = []
  await Promise.all(
    Array.from({ length: processes }, async () => {
      let child: ChildProcess | null = null
      let served = 0
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        if (child === null || served >= batch || next.bytes > largeBytes) {
          child?.kill()
          child = fork(new URL('./import-one.js', import.meta.url), { execArgv: ['--max-old-space-size=2000'] })
          served = 0
        }
        served++
        const outcome = await askChild(child, next, task)
        found.push(outcome)
        if (outcome.outcome === 'hang' || outcome.outcome === 'crash') child = null
        if (found.length % 200 === 0) console.error(`${found.length} of ${all.length}`)
      }
      child?.kill()
    }),
  )
  return found
}

async function askChild(child: ChildProcess, { file, bytes }: File, task: Task): Promise<ImportOutcome> {
  const lost = (outcome: 'hang' | 'crash'): ImportOutcome => ({
    file,
    bytes,
    outcome,
    why: outcome,
    ms: limitMs,
    memoryMb: 0,
    lists: 0,
    written: 0,
    paging: {},
    problems: [],
    reads: [],
  })
  const stopping = new AbortController()
  const { signal } = stopping
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs * (task.reads === true ? 5 : 1))
  try {
    child.send({ file, bytes, ...task, folder })
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as ImportOutcome),
      once(child, 'exit', { signal }).then(([, ended]) => lost(ended === 'SIGKILL' ? 'hang' : 'crash')),
    ])
  } finally {
    clearTimeout(timer)
    stopping.abort()
  }
}

function print(outcomes: readonly ImportOutcome[], mirrored: readonly ImportOutcome[]): void {
  const row = (what: string, value: string | number) => console.log(`| ${what} | ${value} |`)
  const by = (outcome: ImportOutcome['outcome']) => outcomes.filter((one) => one.outcome === outcome)
  const most = (of: (one: ImportOutcome) => number) => outcomes.toSorted((one, other) => of(other) - of(one))[0]
  const sum = (of: (one: ImportOutcome) => number) => outcomes.reduce((all, one) => all + of(one), 0)
  const name = (one: ImportOutcome | undefined) => (one?.file ?? '').split('/').slice(-2).join('/')
  console.log('| | |\n| --- | --- |')
  row('documents', outcomes.length)
  row('imported', by('imported').length)
  row('without a list of records, and said so', by('no-lists').length)
  row('refused with a typed error', by('refused').length)
  row('crashes', by('crash').length)
  row('hangs', by('hang').length)
  const slowest = most(({ ms }) => ms)
  row('slowest, time of the processor', `${((slowest?.ms ?? 0) / 1000).toFixed(1)} s (${name(slowest)})`)
  const largest = most(({ memoryMb }) => memoryMb)
  row('largest memory', `${largest?.memoryMb ?? 0} MB (${name(largest)})`)
  row('longer than 10 s', outcomes.filter(({ ms }) => ms > 10_000).length)
  row('more than 500 MB', outcomes.filter(({ memoryMb }) => memoryMb > 500).length)
  row(
    'lists of records found',
    sum(({ lists }) => lists),
  )
  row(
    'streams written (at most 200 of a document)',
    sum(({ written }) => written),
  )
  row('manifests with a problem', outcomes.filter(({ problems }) => problems.length > 0).length)
  const kinds = new Map<string, number>()
  for (const { paging } of outcomes)
    for (const [kind, count] of Object.entries(paging)) kinds.set(kind, (kinds.get(kind) ?? 0) + count)
  for (const [kind, count] of [...kinds].toSorted(([, one], [, other]) => other - one))
    row(`pagination proposed: ${kind}`, count)
  const reads = mirrored.flatMap((one) => one.reads)
  row('connectors read from a local API', mirrored.length)
  row('their streams', reads.length)
  row('read to their end', reads.filter(({ status }) => status === 'runs').length)
  for (const one of by('refused')) console.log(`refused: ${name(one)} ${one.why}`)
  for (const one of [...by('crash'), ...by('hang')]) console.log(`failed: ${name(one)} ${one.why}`)
  for (const one of outcomes.filter(({ problems }) => problems.length > 0))
    console.log(`problem: ${name(one)} ${one.problems[0]}`)
  for (const one of mirrored)
    for (const read of one.reads.filter(({ status }) => status !== 'runs').slice(0, 3))
      console.log(`read: ${name(one)} ${read.name}: ${read.reasons.join('; ')}`)
}

/** The same draws for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
