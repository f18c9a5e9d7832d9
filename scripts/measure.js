/**
 * What the sources and the package weigh: files and lines, files that run for a page, import circles, import time, what an
 * install brings. `npm run measure` prints one line each; run it on two commits to compare them.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { Session } from 'node:inspector'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compile } from './compile.js'

const imports = 15

compile({ dist: 'always' })
for (const measure of [sizes, circles, filesThatRun, importTimes, install]) {
  for (const [what, value] of await measure()) console.log(`${what.padEnd(58)}${value}`)
}

function sizes() {
  const lines = filesIn('src').map((file) => readFileSync(file, 'utf8').split('\n').length - 1)
  lines.sort((a, b) => a - b)
  const sum = lines.reduce((all, one) => all + one, 0)
  return [
    ['source files', lines.length],
    ['lines', sum],
    ['lines in a file, mean', (sum / lines.length).toFixed(0)],
    ['lines in a file, median', lines[lines.length >> 1]],
    ['lines in the longest file', lines.at(-1)],
  ]
}

async function circles() {
  const { circlesAmong, sources } = await import(pathToFileURL(resolve('build/test/helpers/import-circles.js')).href)
  const found = circlesAmong(sources)
  const across = found.filter((circle) => new Set(circle.map(dirname)).size > 1)
  return [
    ['import circles', found.length],
    ['  across folders', across.length],
    ['  files in the largest', Math.max(0, ...found.map((circle) => circle.length))],
  ]
}

/** What ran, by coverage: a stream of an API with a thousand records, read by offset. */
async function filesThatRun() {
  const session = new Session()
  session.connect()
  const post = (method, options) =>
    new Promise((done, failed) =>
      session.post(method, options, (error, result) => (error === null ? done(result) : failed(error))),
    )
  const root = pathToFileURL(resolve('build/src')).href
  const taken = async () => {
    const { result } = await post('Profiler.takePreciseCoverage')
    const ran = ({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0)
    return result.filter((script) => script.url.startsWith(root) && ran(script)).length
  }
  const { loadManifest, readRecords } = await import(`${root}/index.js`)
  const { offsetManifest } = await import(pathToFileURL(resolve('build/benchmarks/manifests.js')).href)
  await post('Profiler.enable')
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const server = createServer((request, response) => {
    const offset = Number(new URL(request.url, 'http://api').searchParams.get('offset') ?? 0)
    const data = Array.from({ length: 100 }, (_, index) => ({ id: offset + index })).filter(({ id }) => id < 1000)
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data, total: 1000 }))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const loaded = () => loadManifest(JSON.stringify(offsetManifest(`http://127.0.0.1:${server.address().port}`, 1000)))
  // What is loaded with the first read is loaded then: only what runs is counted.
  for await (const _ of readRecords(loaded())) continue
  await taken()
  const manifest = loaded()
  const toLoad = await taken()
  let records = 0
  let first = 0
  let further = 0
  for await (const _ of readRecords(manifest)) {
    records++
    if (records === 101) first = await taken()
    if (records === 601) further = await taken()
  }
  if (records !== 1000) throw new Error(`${records} records instead of 1000`)
  server.close()
  server.closeAllConnections()
  session.disconnect()
  return [
    ['files that run to load a manifest', toLoad],
    ['files that run to open a stream and read its first page', first],
    ['files that run for further pages', further],
  ]
}

/** CPU time, median of several processes, without what an empty program takes. */
function importTimes() {
  const median = (program) => {
    const times = Array.from({ length: imports }, () => Number(outputOf([process.execPath, '-e', program])))
    return times.toSorted((a, b) => a - b)[imports >> 1]
  }
  const taking = (what) =>
    `${what}.then(() => { const { user, system } = process.cpuUsage(); console.log((user + system) / 1000) })`
  const empty = median(taking('Promise.resolve()'))
  const timeOf = (file) =>
    `${(median(taking(`import(${JSON.stringify(pathToFileURL(resolve(file)).href)})`)) - empty).toFixed(0)} ms`
  return [
    ['CPU time of importing turnleaf', timeOf('dist/index.js')],
    ['CPU time of importing turnleaf/engine', timeOf('dist/engine/index.js')],
  ]
}

function install() {
  const [pack] = JSON.parse(outputOf(['npm', 'pack', '--dry-run', '--json', '--ignore-scripts']))
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const { dependencies } = packages['']
  const needed = Object.keys(packages).filter((path) => path !== '' && !packages[path].dev && existsSync(path))
  const bytes = needed.reduce((sum, path) => sum + bytesIn(path), 0)
  return [
    ['files in the package', pack.entryCount],
    ['package, unpacked', megabytes(pack.unpackedSize)],
    ['direct dependencies', Object.keys(dependencies).length],
    ['packages that an install brings', needed.length],
    ['  on disk', megabytes(bytes)],
  ]
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** Packages within a package are counted themselves. */
function bytesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + bytesIn(path)
    return entry.isFile() ? sum + statSync(path).size : sum
  }, 0)
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))
}

function outputOf([command, ...args]) {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}
