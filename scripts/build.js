/**
 * src → dist. Runs after `npm ci`, so that `npx turnleaf` works in a fresh checkout; `--if-stale` leaves a dist alone
 * that was made from these very sources.
 * The programs are bundled, because loading some 800 small modules would take longer than reading the first page, and
 * so are the types. Splitting keeps one copy of each class, whichever entry it is reached through.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { buildBuilder } from './build-builder.js'
import { buildSite } from './build-site.js'
import { lazyLibraries } from './lazy-libraries.js'
import { isYamlParser, steadyYaml } from './steady-yaml.js'

const entries = {
  index: 'src/index.ts',
  'engine/index': 'src/engine/index.ts',
  'cli/main': 'src/cli/main.ts',
  // For tests, which run many commands in one process.
  'cli/run': 'src/cli/run.ts',
  'destinations/duckdb/query-process': 'src/destinations/duckdb/query-process.ts',
  'server/manifest-thread': 'src/server/manifest-thread.ts',
}

/** What must start fast, and needs little. */
const light = [
  'src/cli/main.ts',
  'src/cli/commands/lab.ts',
  'src/cli/commands/jobs.ts',
  'src/destinations/duckdb/query-process.ts',
]

/** Each adds to those before it. */
const heavy = [
  ['core', 'src/index.ts'],
  ['engine', 'src/engine/index.ts'],
  ['read', 'src/cli/commands/read.ts'],
  ['sync', 'src/cli/commands/sync.ts'],
]

const sources = sourceHash()
if (process.argv.includes('--if-stale') && builtFrom() === sources) process.exit(0)

// A build that is stopped half-way leaves the last one as it was.
const made = `node_modules/.cache/turnleaf/${process.pid}`
mkdirSync(made, { recursive: true })
try {
  await buildTypes()
  await buildPrograms()
  await buildBuilder(join(made, 'dist/builder'))
  await buildSite(join(made, 'dist/site'))
  writeFileSync(join(made, 'dist/.built-from'), sources)
  if (existsSync('dist')) renameSync('dist', join(made, 'before'))
  renameSync(join(made, 'dist'), 'dist')
} finally {
  rmSync(made, { recursive: true, force: true })
}

async function buildPrograms() {
  const bundle = await rolldown({
    input: entries,
    platform: 'node',
    tsconfig: false,
    plugins: [
      { name: 'steady-yaml', transform: (code, id) => (isYamlParser(id) ? steadyYaml(code) : undefined) },
      lazyLibraries,
    ],
    // Native, or loaded only by what needs it.
    external: ['rolldown', '@duckdb/node-bindings', 'pg', 'pg-copy-streams', 'pg-boss'],
    transform: { target: 'node20' },
    logLevel: 'warn',
    checks: { bundlerTimings: false },
  })
  const format = { format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' }
  const { output } = await bundle.generate(format)
  await bundle.write({
    ...format,
    dir: join(made, 'dist'),
    comments: { annotation: true, jsdoc: false, legal: true },
    codeSplitting: { groups: layersOf(output) },
  })
}

/**
 * What is loaded together is one file: by itself the bundler makes a file of all modules that the same set of entries needs, a
 * hundred for the command line, and Node takes a millisecond to find and open each. Importing the package takes a third less time so.
 * Modules that light programs need stay out of the large files.
 */
function layersOf(output) {
  const ofLight = modulesOf(output, light)
  const ofHeavy = heavy.map(([name, entry]) => ({ name, modules: modulesOf(output, [entry]) }))
  const own = new Set(Object.values(entries).map((file) => resolve(file)))
  return [
    { name: 'shared', modules: new Set([...ofLight].filter((id) => ofHeavy.some(({ modules }) => modules.has(id)))) },
    ...ofHeavy,
  ].map(({ name, modules }) => ({ name, test: (id) => modules.has(id) && !own.has(id) }))
}

/** Every module that is loaded with these files, but not what they load later. */
function modulesOf(output, files) {
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]))
  const loaded = new Set(
    files.map((file) => {
      const chunk = output.find(({ facadeModuleId }) => facadeModuleId === resolve(file))
      if (chunk === undefined) throw new Error(`${file} is not loaded by itself any more.`)
      return chunk.fileName
    }),
  )
  for (const name of loaded) for (const next of chunks.get(name)?.imports ?? []) loaded.add(next)
  return new Set([...loaded].flatMap((name) => Object.keys(chunks.get(name)?.modules ?? {})))
}

async function buildTypes() {
  const typed = spawnSync('node_modules/.bin/tsc', ['-p', 'tsconfig.dist.json', '--outDir', join(made, 'types')], {
    stdio: 'inherit',
  })
  if (typed.status !== 0) process.exit(typed.status ?? 1)
  const bundle = await rolldown({
    input: { index: join(made, 'types/index.d.ts'), 'engine/index': join(made, 'types/engine/index.d.ts') },
    plugins: [dts({ dtsInput: true, tsconfig: false })],
    external: (id) => !/^[./]/.test(id),
    logLevel: 'warn',
  })
  await bundle.write({ dir: join(made, 'dist'), format: 'esm', chunkFileNames: 'types/[name].js' })
}

function builtFrom() {
  return existsSync('dist/.built-from') ? readFileSync('dist/.built-from', 'utf8') : null
}

/** Of everything a build reads. The docs too: their dates, and their index for search. */
function sourceHash() {
  const hash = createHash('sha256')
  const scripts = ['build', 'lazy-libraries', 'steady-yaml', 'build-builder', 'build-site'].map(
    (name) => `scripts/${name}.js`,
  )
  for (const file of [
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.dist.json',
    ...scripts,
    ...filesIn('src'),
    ...filesIn('docs'),
  ]) {
    hash.update(`${file}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
}
