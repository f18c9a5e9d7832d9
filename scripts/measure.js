/**
 * What the sources and the package weigh: files and lines, files that run for a page, import circles, import time, what an
 * install brings. `npm run measure` prints one line each; run it on two commits to compare them.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { Session } from 'node:inspector'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const imports = 15

for (const [command, args] of [
  [process.execPath, ['scripts/build.js']],
  ['node_modules/.bin/tsc', ['-p', 'tsconfig.json']],
]) {
  const made = spawnSync(command, args, { stdio: 'inherit' })
  if (made.status !== 0) process.exit(made.status ?? 1)
}
for (const measure of [sizes, circles, filesThatRun, importTimes, install]) {
  for (const [what, value] of await measure()) console.log(`${what.padEnd(52)}${value}`)
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

/** Files that import each other, directly or not; types count, since a reader follows them, too. */
function circles() {
  const files = filesIn('src')
  const known = new Set(files)
  const importsOf = new Map(files.map((file) => [file, importsIn(file).filter((one) => known.has(one))]))
  const found = stronglyConnected(importsOf).filter((circle) => circle.length > 1)
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
  await post('Profiler.enable')
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const server = createServer((request, response) => {
    const offset = Number(new URL(request.url, 'http://api').searchParams.get('offset') ?? 0)
    const data = Array.from({ length: 100 }, (_, index) => ({ id: offset + index })).filter(({ id }) => id < 1000)
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data, total: 1000 }))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  await taken()
  const manifest = loadManifest(manifestOf(`http://127.0.0.1:${server.address().port}`))
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

function manifestOf(url) {
  const option = (field_name) => ({ type: 'RequestOption', inject_into: 'request_parameter', field_name })
  return JSON.stringify({
    version: '6.0.0',
    type: 'DeclarativeSource',
    check: { type: 'CheckStream', stream_names: ['items'] },
    streams: [
      {
        type: 'DeclarativeStream',
        name: 'items',
        primary_key: 'id',
        schema_loader: { type: 'InlineSchemaLoader', schema: { properties: { id: { type: 'integer' } } } },
        retriever: {
          type: 'SimpleRetriever',
          requester: { type: 'HttpRequester', url_base: url, path: '/items' },
          record_selector: { type: 'RecordSelector', extractor: { type: 'DpathExtractor', field_path: ['data'] } },
          paginator: {
            type: 'DefaultPaginator',
            pagination_strategy: { type: 'OffsetIncrement', page_size: 100 },
            page_token_option: option('offset'),
            page_size_option: option('limit'),
          },
        },
      },
    ],
  })
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

function importsIn(file) {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^(?:import|export)\b[^'"]*?\bfrom '(\.[^']+)'/gm)].map(([, path]) =>
    relative('.', resolve(dirname(file), path)),
  )
}

/** Tarjan's algorithm. */
function stronglyConnected(importsOf) {
  const found = []
  const order = new Map()
  const lowest = new Map()
  const stack = []
  const visit = (file) => {
    order.set(file, order.size)
    lowest.set(file, order.get(file))
    stack.push(file)
    for (const next of importsOf.get(file)) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)))
    }
    if (lowest.get(file) === order.get(file)) found.push(stack.splice(stack.indexOf(file)))
  }
  for (const file of importsOf.keys()) if (!order.has(file)) visit(file)
  return found
}

function outputOf([command, ...args]) {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}
