/** Every TypeScript and YAML block of README.md and docs/ is complete: it compiles, or is (part of) a manifest without problems. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { load } from 'js-yaml'
import { parseConnection } from '../src/connections/connection.ts'
import { checkManifest } from '../src/engine/manifest/check.ts'
import { connectorFolder } from './helpers/connector-folder.ts'
import { blocksIn, page, programOf, runMain } from './helpers/docs.ts'
import { manifestOf, option, sourceOf, streamOf } from './helpers/manifests.ts'
import { serveApi } from './helpers/serve-api.ts'

const files = ['README.md', ...readdirSync('docs').map((name) => join('docs', name))].filter((name) =>
  name.endsWith('.md'),
)

const blocks = (language: string) =>
  files.flatMap((file) =>
    blocksIn(readFileSync(file, 'utf8'), language).map((code, index) => ({ name: `${file}, ${index + 1}`, code })),
  )

test('every TypeScript block compiles by itself: its imports and names are there', async () => {
  const shown = blocks('ts')
  assert.ok(shown.length >= 12)
  const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as { compilerOptions: object }
  const options = {
    ...compilerOptions,
    noEmit: true,
    typeRoots: [resolve('node_modules/@types')],
    // A file that only exports is read by the connector that names it.
    noUnusedLocals: false,
    rootDir: '/',
    paths: { turnleaf: [resolve('dist/index.d.ts')] },
  }
  const named = shown.map(({ name, code }) => [`${name.replaceAll(/\W+/g, '-')}.ts`, code])
  await using own = await connectorFolder({
    ...Object.fromEntries(named),
    'package.json': '{"type":"module"}',
    'tsconfig.json': JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
  })
  const { stdout } = await promisify(execFile)(resolve('node_modules/.bin/tsc'), ['-p', own.folder], {
    cwd: own.folder,
  }).catch((error: { stdout: string }) => error)
  assert.equal(stdout, '')
})

const pageParameter = option('request_parameter', 'page')

const paginated = (paginator: object) => ({
  retriever: { paginator: { type: 'DefaultPaginator', page_token_option: pageParameter, ...paginator } },
})

/** Warnings that an example is there to show, by a part of its text. */
const shownOnPurpose: readonly (readonly [part: string, warning: RegExp])[] = [
  ['inject_into: body,', /^`inject_into: body` does not say which kind of body/],
]

/** Where parts of a manifest belong, by their first key. */
const places: Readonly<Record<string, (part: Record<string, unknown>) => object>> = {
  paginator: (retriever) => ({ retriever }),
  partition_router: (retriever) => ({ retriever }),
  record_selector: ({ requester = {}, ...retriever }) => ({ requester, retriever }),
  requester: ({ requester, ...retriever }) => ({ requester, retriever }),
  error_handler: (requester) => ({ requester }),
  authenticator: (requester) => ({ requester }),
  extractor: (selector) => ({ selector }),
  pagination_strategy: paginated,
  // docs/templates.md: one field of a requester and two of a strategy.
  path: ({ path, ...strategy }) => ({
    requester: { path },
    ...paginated({ pagination_strategy: { type: 'CursorPagination', ...strategy } }),
  }),
}

/** A comment alone says which address is read without any pagination. */
const isEmpty = (code: string) => /^(#.*\n)*$/.test(code)

/** Its YAML is for other programs, and tested in deploy.test.ts. */
const isForOthers = (name: string) => /^docs\/(running|recorded-tests)\.md/.test(name)

for (const { name, code } of blocks('yaml').filter((block) => !isEmpty(block.code) && !isForOthers(block.name))) {
  test(`${name}: the YAML is a manifest, or a part of one, without problems`, () => {
    if (code.startsWith('connector:')) return void parseConnection(code, 'connections/shop/connection.yaml')
    const part = load(code) as Record<string, unknown>
    const [first = ''] = Object.keys(part)
    const isWhole = first === 'version'
    assert.ok(isWhole || places[first], `Where does \`${first}\` belong?`)
    // A first stream for parts that refer to a parent.
    const others = [streamOf({ name: 'parents' })]
    const text = isWhole ? code : JSON.stringify(sourceOf([...others, streamOf(places[first]?.(part) ?? {})]))
    const expected = shownOnPurpose.flatMap(([shown, warning]) => (code.includes(shown) ? [warning] : []))
    const problems = checkManifest(text).problems.map(({ message }) => message)
    assert.deepEqual(
      problems.filter((message) => !expected.some((warning) => warning.test(message))),
      [],
    )
  })
}

test('docs/library.md: its first programs run', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 7 }], total: 2 } }) })
  const [read = '', calls = '', receipts = ''] = blocksIn(page('library'), 'ts')
  const manifest = JSON.stringify(manifestOf({ url: api.url, name: 'orders' }))
  await using own = await connectorFolder({ 'manifest.yaml': manifest, 'main.mjs': await programOf(read) })
  assert.equal(await runMain(own.folder), '{ id: 7 }\n')
  await using calling = await connectorFolder({ 'manifest.yaml': manifest, 'main.mjs': await programOf(calls) })
  assert.match(await runMain(calling.folder), /^\[[\s\S]*\]\n\{[\s\S]*name: 'orders'/)
  await using other = await connectorFolder({ 'manifest.yaml': manifest, 'main.mjs': await programOf(receipts) })
  await assert.rejects(runMain(other.folder), { code: 1, stdout: /^incomplete the API counts 2, received 1 total\n$/ })
})

test('docs/templates.md: its calls return what the comments say', async () => {
  const [code = ''] = blocksIn(page('templates'), 'ts')
  const values = [...code.matchAll(/^evaluateTemplate\(.*\) \/\/ (\w+)/gm)].map(([, value]) => value)
  assert.ok(values.length >= 2)
  const printing = code.replaceAll(/^(evaluateTemplate\(.*\)) \/\/.*$/gm, 'console.log($1)')
  await using own = await connectorFolder({ 'main.mjs': await programOf(printing) })
  assert.equal(await runMain(own.folder), `${values.join('\n')}\n`)
})
