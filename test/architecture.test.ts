/** Imports follow the order in ARCHITECTURE.md, and the docs name only what exists. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { hints } from '../src/errors.ts'

/** Folder → folders it may import from. Types flow along the pipeline; only the spine calls every stage. */
const ground = [
  'errors.ts',
  'json.ts',
  'members.ts',
  'near-miss.ts',
  'follow-path.ts',
  'list-at.ts',
  'sleep.ts',
  'is-url.ts',
  'plain-letters.ts',
  'words.ts',
]
const stages = [
  'engine/custom',
  'engine/template',
  'engine/manifest',
  'engine/plan',
  'engine/slices',
  'engine/request',
  'engine/response',
  'engine/records',
  'engine/pagination',
  'engine/config',
  'engine/streams',
  'engine/jobs',
]
/** Where the stages are joined, in the order in which one builds on the other. */
const joins = ['engine/run', 'engine/auth', 'engine/pages', 'engine/opening', 'engine']
const mayImport: Record<string, string[]> = {
  'errors.ts': [],
  json: [],
  'json.ts': ['json'],
  'members.ts': ['json.ts'],
  'near-miss.ts': [],
  'follow-path.ts': ['members.ts'],
  'list-at.ts': ['follow-path.ts', 'members.ts'],
  'sleep.ts': [],
  'is-url.ts': [],
  'plain-letters.ts': [],
  'words.ts': [],
  'local-server.ts': [],
  memory: ['json.ts'],
  disk: [],
  'engine/custom': ground,
  'engine/template': ground,
  'engine/manifest': [...ground, 'engine/template'],
  'engine/plan': [...ground, 'engine/custom', 'engine/template', 'engine/manifest'],
  'engine/slices': [...ground, 'engine/custom', 'engine/template', 'engine/plan'],
  'engine/request': [...ground, 'engine/custom', 'engine/template', 'engine/plan', 'engine/slices'],
  'engine/response': [...ground, 'engine/custom', 'engine/template', 'engine/plan', 'engine/request'],
  'engine/records': [...ground, 'engine/custom', 'engine/template', 'engine/plan', 'engine/slices'],
  'engine/pagination': [...ground, 'memory', 'engine/custom', 'engine/template', 'engine/plan', 'engine/request'],
  'engine/config': [
    ...ground,
    'engine/custom',
    'engine/template',
    'engine/manifest',
    'engine/plan',
    'engine/response',
    'engine/records',
  ],
  'engine/streams': [...ground, 'engine/template', 'engine/manifest', 'engine/plan', 'engine/slices', 'engine/records'],
  'engine/jobs': [
    ...ground,
    'engine/custom',
    'engine/template',
    'engine/plan',
    'engine/slices',
    'engine/request',
    'engine/response',
    'engine/records',
  ],
  'engine/run': [...ground, ...stages],
  'engine/auth': [
    ...ground,
    'engine/custom',
    'engine/template',
    'engine/plan',
    'engine/request',
    'engine/response',
    'engine/records',
    'engine/run',
  ],
  'engine/pages': [...ground, ...stages, 'engine/run'],
  'engine/opening': [...ground, ...stages, 'engine/run', 'engine/auth', 'engine/pages'],
  engine: [...ground, ...stages, ...joins],
  connector: [...ground, ...stages, ...joins],
  'read.ts': [...ground, ...stages, ...joins, 'connector', 'insight'],
  'index.ts': [
    ...ground,
    ...stages,
    ...joins,
    'connector',
    'read.ts',
    'destinations',
    'insight',
    'insight/diagnosis',
    'insight/detection',
    'sync',
  ],
  destinations: [...ground, 'disk', 'engine/plan'],
  document: [...ground, 'engine/manifest'],
  'from-request': ground,
  // Types of what was read; what reads again to find something out comes after it.
  insight: [
    ...ground,
    'memory',
    'engine/template',
    'engine/plan',
    'engine/slices',
    'engine/response',
    'engine/pagination',
    'engine/pages',
  ],
  'insight/diagnosis': [...ground, 'memory', ...stages, ...joins, 'connector', 'read.ts', 'document', 'insight'],
  'insight/detection': [...ground, ...stages, ...joins, 'connector', 'read.ts', 'document', 'insight', 'from-request'],
  sync: [...ground, ...stages, ...joins, 'connector', 'read.ts', 'destinations', 'insight', 'protocol'],
  protocol: [...ground, ...stages, ...joins, 'connector', 'read.ts', 'insight'],
  lab: [...ground, 'local-server.ts'],
  'lab/mirror': [...ground, 'local-server.ts', ...stages, ...joins, 'connector', 'read.ts', 'insight'],
  'lab/survey': [
    ...ground,
    ...stages,
    ...joins,
    'connector',
    'read.ts',
    'insight',
    'insight/diagnosis',
    'lab',
    'lab/mirror',
  ],
  site: [...ground, 'local-server.ts'],
  validation: [...ground, ...stages, ...joins, 'connector', 'index.ts'],
  'server/wire': [],
  server: [
    ...ground,
    'disk',
    ...stages,
    ...joins,
    'connector',
    'read.ts',
    'destinations',
    'insight',
    'insight/diagnosis',
    'insight/detection',
    'document',
    'sync',
    'protocol',
    'lab/survey',
    'site',
    'validation',
    'server/wire',
  ],
  // Of the server only the shapes of what crosses the wire; of the engine what needs no Node; of diagnosis the edit of a text.
  builder: [
    ...ground,
    'document',
    'from-request',
    'engine/manifest',
    'engine/template',
    'insight/diagnosis',
    'server/wire',
  ],
  cli: [
    ...ground,
    'disk',
    ...stages,
    ...joins,
    'connector',
    'read.ts',
    'index.ts',
    'destinations',
    'insight',
    'insight/diagnosis',
    'insight/detection',
    'document',
    'sync',
    'protocol',
    'lab',
    'lab/survey',
    'site',
    'validation',
    'server',
  ],
}

const owners = Object.keys(mayImport).toSorted((one, other) => other.length - one.length)
const owner = (file: string) => owners.find((folder) => file === folder || file.startsWith(`${folder}/`)) ?? '(nobody)'

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
const importsOf = (file: string) =>
  [...readFileSync(join('src', file), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(
    ([, path]) => path as string,
  )

test('imports follow the order in ARCHITECTURE.md', () => {
  const strays = sources.flatMap((file) =>
    importsOf(file)
      .filter((path) => path.startsWith('.'))
      .map((path) => normalize(join(dirname(file), path)))
      .filter((target) => owner(target) !== owner(file) && !mayImport[owner(file)]?.includes(owner(target)))
      .map((target) => `${file} → ${target}`),
  )
  assert.deepEqual(strays, [])
})

/** The files whose code a file runs; imports of types alone vanish, and may go both ways. */
const runsCodeOf = (file: string) =>
  [...readFileSync(join('src', file), 'utf8').matchAll(/^(?:import|export) (?!type )([^;']*?)from '(\.[^']+)'/gm)]
    .filter(([, names]) => !/^\{(\s*type [\w ]+,?)+\s*\}\s*$/.test(names as string))
    .map(([, , path]) => normalize(join(dirname(file), path as string)))

/** Groups of files each of which leads, import by import, to every other: Tarjan's strongly connected components. */
function circlesAmong(files: readonly string[]): string[][] {
  const order = new Map<string, number>()
  const path: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    order.set(file, order.size)
    let low = order.get(file) as number
    path.push(file)
    for (const next of runsCodeOf(file)) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (path.includes(next)) low = Math.min(low, order.get(next) as number)
    }
    if (low === order.get(file)) {
      const circle = path.splice(path.indexOf(file))
      if (circle.length > 1) circles.push(circle.toSorted())
    }
    return low
  }
  for (const file of files) if (!order.has(file)) visit(file)
  return circles
}

test('files run each other’s code in circles only where what they do is recursive', () => {
  const surprises = circlesAmong(sources).filter(
    (circle) => !recursions.some((known) => circle.every((file) => known.test(file))),
  )
  assert.deepEqual(surprises, [])
})

const recursions = [
  // Expressions hold expressions, and values hold values.
  /^engine\/template\//,
  // An authenticator may log in, and a login is a request that may be authenticated.
  /^engine\/plan\/(authenticator|requester)\.ts$/,
  /^builder\/settings\/authentication\/(auth-fields|auth-form|session-token-fields)\.tsx$/,
]

test('of the engine, only the response stage knows Node: the rest may run in a browser', () => {
  const strays = sources
    .filter((file) => file.startsWith('engine/') && !file.startsWith('engine/response/'))
    .flatMap((file) =>
      importsOf(file)
        .filter((path) => path.startsWith('node:') || path === 'undici')
        .map((path) => `${file} → ${path}`),
    )
  assert.deepEqual(strays, [])
})

test('only the response stage reaches the network; lab and site are what answers', () => {
  const networks = new Set(['undici', 'node:http', 'node:https', 'node:http2', 'node:net', 'node:tls', 'node:dgram'])
  const users = sources.filter((file) => importsOf(file).some((path) => networks.has(path)))
  assert.deepEqual(
    users.filter((file) => !file.startsWith('engine/response/')),
    ['local-server.ts', 'lab/lab.ts', 'site/listen.ts', 'lab/mirror/server.ts'],
  )
})

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
]

test('paths named in the docs exist', () => {
  const missing = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/`((?:src|test|docs|examples|connectors|benchmarks|scripts)\/[\w./-]+)`/g)]
      .map(([, path]) => path as string)
      .filter((path) => !existsSync(path))
      .map((path) => `${page} → ${path}`),
  )
  assert.deepEqual(missing, [])
})

test('links in the docs lead somewhere', () => {
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map(([, path]) => join(dirname(page), path as string))
      .filter((path) => !existsSync(path))
      .map((path) => `${page} → ${path}`),
  )
  assert.deepEqual(broken, [])
})

test('docs/errors.md has a section for every code, and no other', () => {
  const sections = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^### `([a-z-]+\/[a-z-]+)`$/gm)].map(
    ([, code]) => code,
  )
  assert.deepEqual(new Set(sections), new Set(Object.keys(hints)))
})
