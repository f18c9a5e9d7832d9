/** Imports follow the order in ARCHITECTURE.md, and the docs name only what exists. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { hints } from '../src/std/errors.ts'
import { circlesAmong, sources } from './helpers/import-circles.ts'

/** Folder → folders it may import from. Types flow along the pipeline; only the spine calls every stage. */
const ground = ['std']
const stages = [
  'engine/custom',
  'engine/template',
  'engine/manifest',
  'engine/secrets/credential-names.ts',
  'engine/plan',
  'engine/auth/plan',
  'engine/slices',
  'engine/request',
  'engine/secrets',
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
  // Values, text and errors: they need no Node. What needs it has a folder of its own.
  std: [],
  'std/http': [],
  'std/hashing': ['std'],
  'std/disk': [],
  'engine/custom': ground,
  'engine/template': ground,
  'engine/manifest': [...ground, 'engine/template'],
  // One list of names and one mask, for the engine and for what writes manifests.
  'engine/secrets/credential-names.ts': [],
  // An authenticator may log in, and a login is a request that may be authenticated: the two plan each other.
  'engine/plan': [...ground, 'engine/custom', 'engine/template', 'engine/manifest', 'engine/auth/plan'],
  'engine/auth/plan': [...ground, 'engine/custom', 'engine/template', 'engine/manifest', 'engine/plan'],
  'engine/slices': [...ground, 'std/hashing', 'engine/custom', 'engine/template', 'engine/plan'],
  'engine/request': [
    ...ground,
    'engine/custom',
    'engine/template',
    'engine/secrets/credential-names.ts',
    'engine/plan',
    'engine/auth/plan',
    'engine/slices',
  ],
  'engine/secrets': [
    ...ground,
    'engine/template',
    'engine/manifest',
    'engine/secrets/credential-names.ts',
    'engine/plan',
    'engine/request',
  ],
  'engine/response': [...ground, 'engine/custom', 'engine/template', 'engine/plan', 'engine/request', 'engine/secrets'],
  'engine/records': [...ground, 'engine/custom', 'engine/template', 'engine/plan', 'engine/slices'],
  'engine/pagination': [...ground, 'std/hashing', 'engine/custom', 'engine/template', 'engine/plan', 'engine/request'],
  'engine/config': [
    ...ground,
    'engine/custom',
    'engine/template',
    'engine/manifest',
    'engine/plan',
    'engine/secrets',
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
    'engine/auth/plan',
    'engine/request',
    'engine/secrets',
    'engine/secrets/credential-names.ts',
    'engine/response',
    'engine/records',
    'engine/run',
  ],
  'engine/pages': [...ground, ...stages, 'engine/run'],
  'engine/opening': [...ground, ...stages, 'engine/run', 'engine/auth', 'engine/pages'],
  engine: [...ground, ...stages, ...joins],
  connector: [...ground, 'std/disk', ...stages, ...joins],
  'read.ts': [...ground, ...stages, ...joins, 'connector', 'proof'],
  'read-manifest.ts': ['std', 'connector', 'engine/plan', 'read.ts'],
  'load-when-called.ts': [
    'connector',
    'engine/plan',
    'engine/config',
    'read.ts',
    'proof/diagnosis',
    'proof/detection',
    'import',
    'sync',
    'recordings',
  ],
  'index.ts': [
    'load-when-called.ts',
    ...ground,
    ...stages,
    ...joins,
    'connector',
    'read.ts',
    'read-manifest.ts',
    'destinations',
    'proof',
    'proof/verdict/verdict-name.ts',
    'proof/diagnosis',
    'proof/detection',
    'import',
    'sync',
    'sync/mode-names.ts',
    'recordings',
  ],
  destinations: [...ground, 'std/disk', 'engine/plan'],
  document: [...ground, 'engine/manifest'],
  'from-request': [...ground, 'engine/secrets/credential-names.ts', 'proof/names'],
  // Words only.
  'proof/names': ground,
  // Words that people read and the API sends: the builder shows them, too.
  'proof/verdict/verdict-name.ts': [],
  // Types of what was read; what reads again to find something out comes after it.
  proof: [
    ...ground,
    'std/hashing',
    'engine/template',
    'engine/plan',
    'engine/slices',
    'engine/response',
    'engine/pagination',
    'engine/pages',
    'proof/names',
    'proof/verdict/verdict-name.ts',
  ],
  'proof/diagnosis': [
    ...ground,
    'std/hashing',
    ...stages,
    ...joins,
    'connector',
    'read.ts',
    'document',
    'proof',
    'proof/verdict/verdict-name.ts',
    'proof/names',
  ],
  'proof/detection': [
    ...ground,
    ...stages,
    ...joins,
    'connector',
    'read.ts',
    'read-manifest.ts',
    'document',
    'proof',
    'proof/names',
    'from-request',
  ],
  // The builder offers them, and the API accepts them.
  'sync/mode-names.ts': [],
  sync: [
    'sync/mode-names.ts',
    ...ground,
    ...stages,
    ...joins,
    'connector',
    'read.ts',
    'destinations',
    'proof',
    'proof/verdict/verdict-name.ts',
    'protocol',
  ],
  protocol: [...ground, ...stages, ...joins, 'connector', 'read.ts', 'proof', 'proof/verdict/verdict-name.ts'],
  connections: [
    ...ground,
    'std/disk',
    ...stages,
    ...joins,
    'connector',
    'read.ts',
    'destinations',
    'document',
    'proof',
    'proof/verdict/verdict-name.ts',
    'protocol',
    'sync',
  ],
  collections: [...ground, 'std/disk', 'engine/manifest', 'connector', 'destinations'],
  schedules: [
    ...ground,
    'std/disk',
    ...stages,
    'connector',
    'destinations',
    'document',
    'protocol',
    'sync',
    'connections',
  ],
  workers: [
    ...ground,
    ...stages,
    ...joins,
    'connector',
    'read.ts',
    'destinations',
    'proof',
    'proof/verdict/verdict-name.ts',
    'protocol',
    'sync',
    'connections',
    'schedules',
  ],
  // One description of an API → a connector; confirmed by detection.
  import: [
    ...ground,
    'std/disk',
    ...stages,
    ...joins,
    'connector',
    'read.ts',
    'read-manifest.ts',
    'from-request',
    'proof',
    'proof/names',
    'proof/detection',
  ],
  lab: [...ground, 'std/http'],
  'lab/mirror': [...ground, 'std/http', ...stages, ...joins, 'connector', 'read.ts', 'proof', 'proof/names'],
  'lab/survey': [
    ...ground,
    ...stages,
    ...joins,
    'connector',
    'read.ts',
    'proof',
    'proof/verdict/verdict-name.ts',
    'proof/diagnosis',
    'lab',
    'lab/mirror',
  ],
  recordings: [
    ...ground,
    'std/disk',
    ...stages,
    ...joins,
    'engine/secrets/credential-names.ts',
    'connector',
    'read.ts',
    'proof',
    'proof/verdict/verdict-name.ts',
    'lab/survey',
  ],
  site: [...ground, 'std/http'],
  validation: [...ground, ...stages, ...joins, 'connector', 'index.ts'],
  'server/wire': ['proof/verdict/verdict-name.ts', 'sync/mode-names.ts'],
  server: [
    ...ground,
    'std/disk',
    ...stages,
    ...joins,
    'connector',
    'read.ts',
    'destinations',
    'proof',
    'proof/verdict/verdict-name.ts',
    'proof/diagnosis',
    'proof/detection',
    'document',
    'sync',
    'protocol',
    'connections',
    'schedules',
    'lab/survey',
    'site',
    'validation',
    'import',
    'collections',
    'server/wire',
  ],
  mcp: [
    ...ground,
    ...stages,
    ...joins,
    'connector',
    'read.ts',
    'destinations',
    'proof',
    'proof/verdict/verdict-name.ts',
    'proof/diagnosis',
    'sync',
    'protocol',
    'connections',
    'import',
    'server/wire',
    'server',
  ],
  // Of the server only the shapes of what crosses the wire; of the engine what needs no Node, such as the links of a header; of
  // diagnosis the edit of a text; of the rest of the proof the names of paging parameters and of what responses say.
  builder: [
    ...ground,
    'document',
    'from-request',
    'engine/manifest',
    'engine/template',
    'engine/secrets/credential-names.ts',
    'engine/pagination',
    'proof/diagnosis',
    'proof/names',
    'proof/verdict/verdict-name.ts',
    'server/wire',
    'sync/mode-names.ts',
  ],
  cli: [
    'from-request',
    ...ground,
    'std/disk',
    ...stages,
    ...joins,
    'connector',
    'read.ts',
    'index.ts',
    'destinations',
    'proof',
    'proof/verdict/verdict-name.ts',
    'proof/diagnosis',
    'proof/detection',
    'document',
    'sync',
    'sync/mode-names.ts',
    'protocol',
    'connections',
    'collections',
    'schedules',
    'workers',
    'recordings',
    'import',
    'lab',
    'lab/survey',
    'site',
    'validation',
    'server',
    'mcp',
  ],
}

const owners = Object.keys(mayImport).toSorted((one, other) => other.length - one.length)
const owner = (file: string) => owners.find((folder) => file === folder || file.startsWith(`${folder}/`)) ?? '(nobody)'

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

test('files import each other in circles only where what they do is recursive', () => {
  const surprises = circlesAmong(sources).filter(
    (circle) => !recursions.some((known) => circle.every((file) => known.test(file))),
  )
  assert.deepEqual(surprises, [])
})

const recursions = [
  // Expressions hold expressions, blocks hold blocks.
  /^engine\/template\/syntax\/(expressions|primaries|arguments|filters-and-tests)\.ts$/,
  /^engine\/template\/compile\/(expressions|calls|comparisons)\.ts$/,
  /^engine\/template\/compile\/(statements|loops|macros)\.ts$/,
  // Values hold values, are compared member by member, and may be functions, which get the variables of a run.
  /^engine\/template\/(host|template-run|values\/(value|containers|callable))\.ts$/,
  /^engine\/template\/values\/(equality|dict|iterate|undefined)\.ts$/,
  // `format` is a method, and `{0.name}` in its text asks for an attribute, which may be a method.
  /^engine\/template\/(values\/access|methods\/(attributes|string-methods|text-format))\.ts$/,
  // `map` and `select` are filters that call filters and tests by their names, and `filter` is a test.
  /^engine\/template\/(tests|filters\/(all-filters|item-filters))\.ts$/,
  // An authenticator may log in, and a login is a request that may be authenticated.
  /^engine\/(plan\/requester|auth\/plan\/authenticator)\.ts$/,
  /^builder\/settings\/authentication\/(auth-fields|auth-form|session-token-fields)\.tsx$/,
  // A stream may have a slice for each record of another stream.
  /^engine\/plan\/(slicing|stream)\.ts$/,
]

test('of the engine, only the response stage and the signing of tokens know Node: the rest may run in a browser', () => {
  const strays = sources
    .filter((file) => file.startsWith('engine/') && !file.startsWith('engine/response/'))
    .filter((file) => file !== 'engine/auth/sign-jwt.ts')
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
    ['lab/lab.ts', 'site/listen.ts', 'lab/mirror/server.ts', 'std/http/local-server.ts'],
  )
})

test('folders are made in one place, which knows the reason when a disk refuses them', () => {
  const makers = sources.filter((file) => /\bmkdir\([^)]*recursive/.test(readFileSync(join('src', file), 'utf8')))
  assert.deepEqual(makers, ['std/disk/make-folder.ts'])
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

/** Where the files of the project are. */
const folders = 'src|test|docs|examples|connectors|benchmarks|scripts|compat|bin'

test('paths named in the docs exist', () => {
  const missing = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(new RegExp(`\`((?:${folders})/[\\w./-]*)\``, 'g'))]
      .map(([, path]) => path as string)
      .filter((path) => !existsSync(path))
      .map((path) => `${page} → ${path}`),
  )
  assert.deepEqual(missing, [])
})

/** Without code blocks, where `#` begins a comment. */
const proseOf = (page: string) => readFileSync(page, 'utf8').replaceAll(/^```.*?^```$/gms, '')

const anchorsOf = (page: string) =>
  [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )

test('links in the docs lead to a file, and to a heading where they name one', () => {
  const broken = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path = '', anchor]) => {
        const target = path === '' ? page : join(dirname(page), path)
        return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
      })
      .map(([link]) => `${page} ${link}`),
  )
  assert.deepEqual(broken, [])
})

test('the scripts that CONTRIBUTING.md mentions exist', () => {
  const text = readFileSync('CONTRIBUTING.md', 'utf8')
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const named = [...text.matchAll(/`(?:[A-Z_]+=\S+ )?npm run ([\w:]+)/g)].map(([, name]) => name as string)
  assert.deepEqual(
    named.filter((name) => !Object.hasOwn(scripts, name)),
    [],
  )
})

/** Where people look up what to change: also the end of a path (`causes/`, `gate.ts`) and the names of functions and types must exist. */
const maps = ['ARCHITECTURE.md', 'CONTRIBUTING.md']

test('files, folders and names of code in ARCHITECTURE.md and CONTRIBUTING.md exist, also when abbreviated', () => {
  const roots = ['src', 'test', 'docs', 'connectors', 'compat', 'scripts']
  const known = roots.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => join(root, path)),
  )
  const code = ['src', 'test'].flatMap((root) =>
    known.filter((path) => path.startsWith(`${root}/`) && /\.tsx?$/.test(path)),
  )
  const words = new Set(code.flatMap((path) => readFileSync(path, 'utf8').match(/\w+/g) ?? []))
  const exists = (path: string) =>
    existsSync(path) || known.some((one) => `/${one}`.endsWith(`/${path.replace(/\/$/, '')}`))

  for (const page of maps) {
    const named = [...readFileSync(page, 'utf8').matchAll(/`([^`\n]+)`/g)].map(([, name]) => name as string)
    const paths = named.filter(
      (name) => /^[\w./-]+(?:\/|\.(?:tsx?|md|yaml|json))$/.test(name) && !name.startsWith('/') && !untracked.has(name),
    )
    const identifiers = named.filter((name) => /^[a-zA-Z]+[A-Z][a-zA-Z]*$/.test(name))
    assert.ok(paths.length > 20 && identifiers.length > 5, page)
    assert.deepEqual(
      [...paths.filter((path) => !exists(path)), ...identifiers.filter((name) => !words.has(name))],
      [],
      page,
    )
  }
})

/** Written by a build or by the builder, so not among the sources. */
const untracked = new Set(['build/', '.history/'])

test('docs/errors.md has a section for every code, and no other', () => {
  const sections = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^### `([a-z-]+\/[a-z-]+)`$/gm)].map(
    ([, code]) => code,
  )
  assert.deepEqual(new Set(sections), new Set(Object.keys(hints)))
})

/**
 * What the wire describes is what it carries, the library's own pages are the engine's with a receipt, and functions that load their
 * code when called have the names of what they load.
 */
const mayShareNames = [/^server\/wire\//, /^read(?:-manifest)?\.ts$/, /^load-when-called\.ts$/]

/** The kinds of destinations have the same parts: `createTable` means the same in each of them. */
const destinationKind = /^destinations\/(?:duckdb|jsonl|postgres)\//

/** The names that the pattern finds, with their files; at least as many as given, since a pattern that finds none would prove nothing. */
function sharedNames(pattern: RegExp, atLeast: number): [name: string, files: string[]][] {
  const declared = new Map<string, string[]>()
  for (const file of sources.filter((one) => !mayShareNames.some((allowed) => allowed.test(one)))) {
    for (const [, name = ''] of readFileSync(join('src', file), 'utf8').matchAll(pattern)) {
      declared.set(name, [...(declared.get(name) ?? []), file])
    }
  }
  assert.ok(declared.size >= atLeast, `${declared.size} names`)
  return [...declared].filter(([, files]) => files.length > 1)
}

test('no exported type has two meanings', () => {
  assert.deepEqual(sharedNames(/^export (?:abstract )?(?:type|interface|class) (\w+)/gm, 500), [])
})

test('no exported function or constant has two meanings', () => {
  const shared = sharedNames(/^export (?:async )?(?:function\*?|const|let) (\w+)/gm, 1000)
  assert.deepEqual(
    shared.filter(([, files]) => !files.every((file) => destinationKind.test(file))),
    [],
  )
})

test('what a file exports is used by another one: in src/, in a test or in a script', () => {
  const users = ['src', 'test', 'scripts', 'compat', 'benchmarks'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:tsx?|js)$/.test(path))
      .map((path) => join(root, path)),
  )
  const usedIn = new Map<string, number>()
  for (const path of users) {
    for (const word of new Set(readFileSync(path, 'utf8').match(/\w+/g))) usedIn.set(word, (usedIn.get(word) ?? 0) + 1)
  }
  const unused = sources
    // The schemas of the wire are a vocabulary: all of them are exported, also those that only their neighbours use.
    .filter((file) => !file.startsWith('server/wire/'))
    .flatMap((file) =>
      [
        ...readFileSync(join('src', file), 'utf8').matchAll(
          /^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm,
        ),
      ]
        .filter(([, name = '']) => usedIn.get(name) === 1)
        .map(([, name]) => `${file}: ${name}`),
    )
  assert.deepEqual(unused, [])
})
