/**
 * Makes small changes in the sources at random, one at a time, and runs the tests near each: do they notice? Works in a
 * copy of the tree, which is removed at the end. What the compiler refuses is never run.
 *
 * `npm run test:mutations -- --seed 7 --count 40` draws 40 changes by the seed 7. `--only src/sync` draws from there,
 * `--limit 90` gives the tests of a change 90 seconds of a core, `--jobs 2` runs two at a time, `--built` takes
 * build/ as it is. `--docs mutations` writes the table between the marks of that name in docs/reliability-tests.md. `--save FILE`
 * adds a line of JSON per change to a file; what it has as noticed already is not run again, so that a second run, after
 * tests were added, is short.
 */
import { fork, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { transformSync } from 'rolldown/utils'
import { changesOf, storyOf } from './mutations/changes.js'
import { testsNear } from './mutations/tests-near.js'
import { writeTable } from './mutations/write-table.js'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    count: { type: 'string', default: '20' },
    only: { type: 'string', multiple: true, default: [] },
    limit: { type: 'string', default: '40' },
    jobs: { type: 'string', default: '1' },
    save: { type: 'string' },
    built: { type: 'boolean', default: false },
    docs: { type: 'string' },
  },
})
const limitMs = Number(options.limit) * 1000

const folders = [
  'src/engine/pagination',
  'src/engine/request',
  'src/engine/response',
  'src/engine/secrets',
  'src/proof/verdict',
  'src/proof/claims',
  'src/sync',
  'src/destinations',
]

/** Tests that need a browser, or take minutes: what they would notice, smaller ones should. */
const tooLarge =
  /^build\/test\/(chaos\/(?!given-up)|(site|builder|cli|examples|docs|package)\b)|(kill|killed|crash|architecture)\.test\.js$/

/** Changes that were read, and that alter nothing observable: file, the line, what it becomes, why. */
const harmless = JSON.parse(readFileSync('scripts/mutations/harmless.json', 'utf8'))

/** What tells one change from another, also after lines elsewhere have moved. */
const sameBy = ['file', 'before', 'after', 'nth']

const scratch = mkdtempSync(join(tmpdir(), 'turnleaf-mutations-'))
const running = new Set()

/** Test file → whether it passes without any change, and how long it takes. */
const soundTests = new Map()
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of running) child.kill('SIGKILL')
    process.exit(1)
  })
}

const roots = makeCopies(Number(options.jobs))
const near = testsNear(roots[0])
const databaseUrl = process.env.DATABASE_URL ?? (await ownDatabase())
const changes = drawChanges()
const saved = resultsSaved()
const results = saved.filter(({ outcome }) => outcome === 'noticed' || outcome === 'refused')
const isIn = (those, change) => those.some((one) => isSame(one, change))
console.log(`seed ${options.seed}, ${changes.length} changes; ${results.length} are known from an earlier run`)
const unseen = changes.filter((change) => !isIn(saved, change))
for (const change of refusedByCompiler(unseen)) add({ ...change, outcome: 'refused' })
for (const change of unseen) if (!isIn(results, change)) save({ ...change, outcome: 'compiles' })
// Those that took long the last time, or wait for databases, come last.
const isSlow = (change) =>
  /^src\/(destinations|sync)/.test(change.file) ||
  saved.some((one) => one.outcome === 'NOT NOTICED' && isSame(one, change))
const queue = changes
  .filter((change) => !isIn(results, change))
  .toSorted((one, other) => Number(isSlow(one)) - Number(isSlow(other)))
await Promise.all(roots.map(work))
summarize()
// The server of the databases ends with the process.
process.exit()

function makeCopies(count) {
  const first = join(scratch, '1')
  mkdirSync(first)
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8', maxBuffer: 1e8 })
  for (const file of listed.stdout.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(first, file)), { recursive: true })
    // A file that was deleted is still listed until that is committed.
    try {
      cpSync(file, join(first, file))
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
  }
  for (const shared of ['node_modules', 'dist']) symlinkSync(resolve(shared), join(first, shared))
  if (options.built) cpSync('build', join(first, 'build'), { recursive: true })
  const compiler = options.built ? 'true' : 'node_modules/.bin/tsc'
  const compiled = spawnSync(compiler, ['-p', 'tsconfig.json'], { cwd: first, stdio: 'inherit' })
  if (compiled.status !== 0) process.exit(1)
  const others = Array.from({ length: count - 1 }, (_, index) => join(scratch, String(index + 2)))
  // Links to the same files: a change replaces its file, and leaves those of the others.
  for (const other of others) spawnSync('cp', ['-al', first, other], { stdio: 'inherit' })
  return [first, ...others]
}

function drawChanges() {
  const from = options.only.length > 0 ? options.only : folders
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((file) => join('src', file))
    .filter((file) => file.endsWith('.ts') && from.some((start) => file.startsWith(start)))
    .toSorted()
  return sources
    .flatMap((file) => {
      const source = readFileSync(file, 'utf8')
      return withNumbers(
        changesOf(file, source).map((change) => ({ file, source, ...change, ...storyOf(source, change) })),
      )
    })
    .map((change) => ({ change, lot: lotOf(change) }))
    .toSorted((one, other) => (one.lot < other.lot ? -1 : 1))
    .slice(0, Number(options.count))
    .map(({ change }) => change)
}

/** Lines that read the same are told apart by how many of them come before. */
function withNumbers(possible) {
  const seen = new Map()
  return possible.map((change) => {
    const story = `${change.before}\n${change.after}`
    const nth = seen.get(story) ?? 0
    seen.set(story, nth + 1)
    return { ...change, nth }
  })
}

/** By the seed and the words of a change alone: when a line of the sources changes, the same seed still draws the others. */
function lotOf(change) {
  const words = sameBy.map((field) => change[field])
  return createHash('sha256')
    .update(JSON.stringify([options.seed, ...words]))
    .digest('hex')
}

/** One server for all changes: to make one takes longer than most tests. */
async function ownDatabase() {
  const { startPostgres } = await import(pathToFileURL(join(roots[0], 'build/test/helpers/postgres-server.js')).href)
  return (await startPostgres()).url
}

async function work(root) {
  for (let change = queue.shift(); change !== undefined; change = queue.shift()) {
    add({ ...change, ...(await judge(root, change)) })
  }
}

function add(result) {
  results.push(result)
  print(result)
  save(result)
}

function save({ source: _source, ...result }) {
  if (options.save !== undefined) appendFileSync(options.save, `${JSON.stringify(result)}\n`)
}

/** What a run before found out: the last line of a change is the newest. */
function resultsSaved() {
  if (options.save === undefined || !existsSync(options.save)) return []
  const lines = readFileSync(options.save, 'utf8').trim().split('\n')
  const all = lines.map((line) => JSON.parse(line)).filter((one) => changes.some((change) => isSame(one, change)))
  return all.filter((one, index) => all.findLastIndex((other) => isSame(one, other)) === index)
}

function isSame(one, other) {
  return sameBy.every((field) => one[field] === other[field])
}

function print({ outcome, by, file, line, before, after }) {
  console.log(`${outcome.padEnd(11)} ${file}:${line}  ${before}  →  ${after}${by === undefined ? '' : `  (${by})`}`)
}

async function judge(root, change) {
  const { file, source, start, end, text } = change
  const known = harmless.find((one) => one.file === file && one.before === change.before && one.after === change.after)
  if (known !== undefined) return { outcome: 'harmless', by: known.why }
  const mutated = source.slice(0, start) + text + source.slice(end)
  const built = join(root, 'build', file.replace(/\.ts$/, '.js'))
  const original = readFileSync(built)
  const { code, errors } = transformSync(file, mutated, {
    target: 'es2022',
    typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' },
  })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  let ran
  try {
    replaceFile(built, code)
    const restore = () => replaceFile(built, original)
    ran = await testThatNotices(root, file, restore, () => replaceFile(built, code))
    if (ran.by !== undefined) return { outcome: 'noticed', by: ran.by }
  } finally {
    replaceFile(built, original)
  }
  return { outcome: 'NOT NOTICED', by: `${ran.passed} of ${ran.near} test files ran` }
}

function replaceFile(path, text) {
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

/** A test that fails with the change and passes without it; else how many of the files near were run. */
async function testThatNotices(root, file, restore, change) {
  for (;;) {
    const files = near(file).filter((one) => !tooLarge.test(one) && soundTests.get(one)?.isSound !== false)
    const ran = await runTests(root, files, limitMs)
    const unnoticed = { passed: ran.outcome === 'passed' ? files.length : files.indexOf(ran.file), near: files.length }
    if (ran.outcome === 'passed') return unnoticed
    // The time is over, and the file that ran had not had much of it.
    if (ran.outcome === 'timeout' && ran.lastedMs < limitMs / 2) return unnoticed
    if (!soundTests.has(ran.file)) {
      restore()
      const without = await runTests(root, [ran.file], limitMs * 2)
      soundTests.set(ran.file, { isSound: without.outcome === 'passed', lastedMs: without.lastedMs })
      change()
    }
    const { isSound, lastedMs } = soundTests.get(ran.file)
    if (!isSound) continue
    const name = ran.file.replace(/^build\/|\.js$/g, '')
    if (ran.outcome === 'failed') {
      // On a busy machine a test may fail by chance, and pass the next time: it says nothing.
      const again = await runTests(root, [ran.file], limitMs * 2)
      if (again.outcome !== 'passed') return { by: `${name}: ${ran.failed ?? 'it cannot be loaded'}` }
      soundTests.set(ran.file, { isSound: false, lastedMs: 0 })
      continue
    }
    return ran.lastedMs > lastedMs * 4 ? { by: `${name} does not end` } : unnoticed
  }
}

/** What a process used of the cores, where Linux says so. */
function cpuMs(pid) {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
      .slice(11, 13)
    return (Number(user) + Number(system)) * 10
  } catch {
    return undefined
  }
}

/** A machine that others use as well gives a process a part of its time: the clock counts for a quarter. */
function spentMs(from, to) {
  const waitedMs = to.clock - from.clock
  return to.cpu === undefined ? waitedMs : Math.max(to.cpu - from.cpu, waitedMs / 4)
}

async function runTests(root, files, mostMs) {
  if (files.length === 0) return { outcome: 'passed', lastedMs: 0 }
  const child = fork(resolve('scripts/mutations/run-files.js'), files, {
    cwd: root,
    env: { ...process.env, DATABASE_URL: databaseUrl },
    execArgv: [`--test-reporter=${resolve('scripts/mutations/stop-at-failure.js')}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  running.add(child)
  const began = { clock: performance.now(), cpu: 0 }
  let [file, since, last, failed, isWhole, isLate] = [files[0], began, began, undefined, false, false]
  const look = () => (last = { clock: performance.now(), cpu: cpuMs(child.pid) })
  child.on('message', (message) => {
    look()
    if (message.file !== undefined) [file, since] = [message.file, last]
    failed ??= message.failed
    isWhole ||= message.isWhole === true
  })
  const timer = setInterval(() => {
    if (spentMs(began, look()) < mostMs) return
    isLate = true
    child.kill('SIGKILL')
  }, 500)
  await once(child, 'exit')
  clearInterval(timer)
  running.delete(child)
  const lastedMs = spentMs(since, last)
  if (isLate) return { outcome: 'timeout', file, lastedMs }
  return { outcome: isWhole && failed === undefined ? 'passed' : 'failed', file, failed, lastedMs }
}

/** A run of the compiler takes long: one is for a change in each of several files, and the errors say in which. */
function refusedByCompiler(drawn) {
  const refused = []
  for (let left = drawn; left.length > 0; ) {
    const round = left.filter(({ file }, index) => left.findIndex((one) => one.file === file) === index)
    left = left.filter((one) => !round.includes(one))
    refused.push(...refusedOf(round))
  }
  return refused
}

function refusedOf(round) {
  const wrong = filesWithErrors(round)
  const clear = round.filter(({ file }) => wrong.includes(file))
  // An error elsewhere, and which of the others is its cause?
  if (wrong.length === clear.length) return clear
  const others = round.filter((one) => !clear.includes(one))
  if (others.length <= 1) return filesWithErrors(others).length > 0 ? [...clear, ...others] : clear
  const middle = Math.ceil(others.length / 2)
  return [...clear, ...refusedOf(others.slice(0, middle)), ...refusedOf(others.slice(middle))]
}

function filesWithErrors(these) {
  const [root] = roots
  for (const { file, source, start, end, text } of these) {
    replaceFile(join(root, file), source.slice(0, start) + text + source.slice(end))
  }
  // What it knows of the files that did not change, it need not find out again.
  const memory = ['--incremental', '--tsBuildInfoFile', join(scratch, 'compiler.json')]
  const args = ['-p', 'tsconfig.json', '--noEmit', '--pretty', 'false', ...memory]
  const { stdout } = spawnSync('node_modules/.bin/tsc', args, { cwd: root, encoding: 'utf8' })
  for (const { file, source } of these) replaceFile(join(root, file), source)
  return [...new Set([...stdout.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, file]) => file))]
}

function summarize() {
  const count = (outcome) => results.filter((one) => one.outcome === outcome).length
  const [noticed, unnoticed] = [count('noticed'), count('NOT NOTICED')]
  const percent = Math.floor((noticed / Math.max(1, noticed + unnoticed)) * 100)
  console.log(
    `\n${count('refused')} refused by the compiler, ${count('harmless')} change nothing; of the others, tests noticed ${noticed} of ${noticed + unnoticed}: ${percent} %`,
  )
  if (options.docs !== undefined) writeTable(results, { seed: options.seed, block: options.docs })
  if (unnoticed > 0) process.exitCode = 1
}
