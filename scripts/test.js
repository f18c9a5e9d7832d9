/**
 * Compiles src, test and examples to build/, then runs every test file. Several processes take files from one queue, the
 * slowest first: each waits for browsers, servers or databases most of the time, and the others use the cores meanwhile.
 * `npm test -- pagination` runs only the files whose path contains "pagination".
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { chromium } from './chromium.js'
import { compile } from './compile.js'
import { temporaryFolder } from './test-temp.js'

// What a deleted test was compiled to must not run.
rmSync('build', { recursive: true, force: true })

// Examples and the command line are tested as they ship, in dist/.
compile()

const wanted = process.argv.slice(2)
const files = readdirSync('build/test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js'))
  .filter((file) => wanted.length === 0 || wanted.some((word) => file.includes(word)))
if (files.length === 0) {
  console.error(`No test file has ${wanted.join(' or ')} in its path.`)
  process.exit(2)
}

const browser = chromium()
if (browser === undefined) {
  console.error('No Chromium, so what needs a browser is skipped: install it, or name it in CHROMIUM.')
}

// Tests run most code a few times: less of it is worth a second compilation. An eighth of what tests of `proof` take
// (500,000 against the usual 67,584, in turn, three times each). Later versions of V8 count in another way.
const optimizeLater = process.versions.v8.startsWith('11.') ? ['--interrupt-budget=500000'] : []

// The cores have other test processes to run, and most garbage is gone before it would be moved. A tenth of what tests of
// `proof`, `engine` and `sync` take (in turn, twice each).
const collectSeldom = ['--single-threaded-gc', '--max-semi-space-size=64']

// Every process that starts would read these certificates, and nothing here needs them.
const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env

const temp = temporaryFolder()
const queue = slowestFirst(files)
const seconds = new Map()
const cpuSeconds = new Map()
const processes = Math.min(queue.length, Math.max(4, availableParallelism()))
const ends = await Promise.all(Array.from({ length: processes }, run))

keepTimes()
if (files.length > 10) printSlowest()
const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((kind) =>
  ends.reduce((sum, { counts }) => sum + (counts?.[kind] ?? 0), 0),
)
if (wanted.length === 0) {
  console.log(
    'Left out: the whole of the random suites (npm run test:proof), tools of others over site, API and MCP (npm run test:outside).',
  )
}
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exit(ends.every(({ isWhole }) => isWhole) && failed === 0 ? 0 : 1)

/** One process for many files: starting one per file costs more than the tests. */
async function run() {
  const child = fork('scripts/test-files.js', {
    execArgv: [
      ...optimizeLater,
      ...collectSeldom,
      // A warning of a leak names its place only once.
      '--trace-warnings',
      '--import=./scripts/light-tests.js',
      '--test-reporter=./scripts/test-reporter.js',
    ],
    env: { ...environment, CHROMIUM: browser ?? '', ...(temp && { TMPDIR: temp, TURNLEAF_TEST_TEMP: temp }) },
  })
  let [file, since, counts] = [undefined, 0, undefined]
  child.on('message', (message) => {
    if (message.counts !== undefined) counts = message.counts
    if (message.next === undefined) return
    if (file !== undefined) {
      seconds.set(file, (performance.now() - since) / 1000)
      cpuSeconds.set(file, message.cpu)
    }
    ;[file, since] = [queue.shift(), performance.now()]
    child.send({ file })
  })
  const [status] = await once(child, 'exit')
  const isWhole = status === 0 && file === undefined && counts !== undefined
  if (!isWhole && file !== undefined) console.error(`\n✖ The process that ran ${file} ended with ${status}.`)
  return { counts, isWhole }
}

/** By what the last run on this machine measured; of a file that is new, by its length. */
function slowestFirst(all) {
  const known = timesKept()
  const guess = (file) => known[file] ?? statSync(`build/test/${file}`).size / 5_000
  return all.toSorted((one, other) => guess(other) - guess(one))
}

function timesKept() {
  for (const place of ['node_modules/.cache/turnleaf/test-times.json', 'scripts/test-times.json']) {
    try {
      return JSON.parse(readFileSync(place, 'utf8'))
    } catch {
      // A first run has none.
    }
  }
  return {}
}

/** For the next run, and for finding out where the time goes. */
function keepTimes() {
  const folder = 'node_modules/.cache/turnleaf'
  const rounded = (times) => Object.fromEntries([...times].map(([file, took]) => [file, Math.round(took)]))
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/test-times.json`, JSON.stringify({ ...timesKept(), ...rounded(seconds) }, null, 1))
  writeFileSync(`${folder}/test-cpu.json`, JSON.stringify(rounded(cpuSeconds), null, 1))
}

function printSlowest() {
  const slowest = [...seconds].toSorted(([, one], [, other]) => other - one).slice(0, 10)
  console.log('\nThe ten slowest files, and what each used of the cores:')
  for (const [file, took] of slowest) {
    const columns = [took, cpuSeconds.get(file)].map((one) => `${one.toFixed(1).padStart(7)} s`)
    console.log(`${columns.join('')}  ${file.replace(/\.js$/, '.ts')}`)
  }
  const whole = [...cpuSeconds.values()].reduce((sum, one) => sum + one, 0)
  console.log(`${whole.toFixed(0).padStart(16)} s  all files`)
}
