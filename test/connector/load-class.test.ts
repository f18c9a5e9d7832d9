/** A connector's own class: found, checked, run; and each way it can be wrong. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { loadManifest, readRecords } from '../../src/index.ts'
import { manifestOf, option } from '../helpers/manifests.ts'
import { serveApi } from '../helpers/serve-api.ts'

const strategy = `
import { PaginationStrategy, type PageContext } from 'turnleaf'
import { following } from './next.ts'

export class NextLetter extends PaginationStrategy {
  override get pageSize(): number { return 2 }
  nextPageToken({ response, lastPageSize }: PageContext) {
    const { letter } = response as { letter: string }
    return lastPageSize === 0 ? null : following(letter, this.parameters['step'] as number)
  }
}
export class Failing extends PaginationStrategy {
  nextPageToken(): string { throw new Error('no idea') }
}
export class Stray {}
`
const files = {
  'source_letters/paging.ts': strategy,
  'source_letters/next.ts':
    'export const following = (letter: string, step: number) => String.fromCharCode(letter.charCodeAt(0) + step)',
  'source_letters/plain.js':
    "import { PaginationStrategy } from 'turnleaf'\nexport class Once extends PaginationStrategy { nextPageToken() {} }",
  'source_letters/broken.ts': 'export class {',
  'source_letters/outside.ts': "import '../../stray.ts'\nexport class Outside {}",
}

async function connector(more: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-connector-'))
  for (const [name, text] of Object.entries({ ...files, ...more })) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

function manifest(class_name: string, url = 'http://127.0.0.1:1') {
  const pagination_strategy = { type: 'CustomPaginationStrategy', class_name, step: 2 }
  const paginator = {
    pagination_strategy,
    page_token_option: option('request_parameter', 'letter'),
    page_size_option: option('request_parameter', 'size'),
  }
  return manifestOf({ url, paginator })
}

async function read(class_name: string, folder?: string, url?: string): Promise<unknown[]> {
  const ids: unknown[] = []
  const loaded = loadManifest(manifest(class_name, url), folder === undefined ? {} : { folder })
  for await (const record of readRecords(loaded, { prefetch: 'off' })) ids.push(record.id)
  return ids
}

test('TypeScript, with a file of its own folder, gets context, fields and config', async () => {
  await using own = await connector()
  await using api = await serveApi({
    'GET /items': (query) => {
      const letter = query.get('letter') ?? 'a'
      return { json: { letter, data: letter > 'e' ? [] : [{ id: letter }] } }
    },
  })
  assert.deepEqual(await read('source_letters.paging.NextLetter', own.folder, api.url), ['a', 'c', 'e'])
  assert.deepEqual(api.asked[1], 'GET /items?letter=c&size=2')
})

test('a folder given relative to where the program runs', async () => {
  await using own = await connector()
  await using api = await serveApi({ 'GET /items': () => ({ json: { letter: 'a', data: [] } }) })
  assert.deepEqual(await read('source_letters.paging.NextLetter', relative('.', own.folder), api.url), [])
})

test('JavaScript', async () => {
  await using own = await connector()
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 1 }] } }) })
  assert.deepEqual(await read('source_letters.plain.Once', own.folder, api.url), [1])
})

/** A class that reads two pages, the second one with the letter `last`, which the given lines declare. */
const toLast = (lines: string) => `
import { PaginationStrategy } from 'turnleaf'
${lines}
export class ToLast extends PaginationStrategy {
  nextPageToken({ token }) { return token === last ? null : last }
}`

async function readLetters(file: string, folder: string): Promise<unknown[]> {
  await using api = await serveApi({ 'GET /items': (query) => ({ json: { data: [{ id: query.get('letter') }] } }) })
  return await read(`source_letters.${file}.ToLast`, folder, api.url)
}

test('a package is found as `import` finds it, also one that cannot be required', async () => {
  await using own = await connector({
    'node_modules/letters/package.json': JSON.stringify({ exports: { import: './letters.mjs' } }),
    'node_modules/letters/letters.mjs': "export const last = 'z'",
    'source_letters/packaged.ts': toLast("import { last } from 'letters'"),
  })
  assert.deepEqual(await readLetters('packaged', own.folder), [null, 'z'])
})

const packages: [name: string, manifest: object, files: Readonly<Record<string, string>>][] = [
  ['only a file to require', { exports: { require: './l.cjs' } }, { 'l.cjs': "exports.last = 'z'" }],
  [
    'a file for bundlers that Node cannot run',
    { exports: { module: './m.js', import: './l.mjs' } },
    { 'm.js': "export { last } from './l'", 'l.mjs': "export const last = 'z'" },
  ],
]
for (const [name, manifestOfPackage, filesOfPackage] of packages) {
  test(`a package that has ${name}`, async () => {
    const inPackage = Object.entries(filesOfPackage).map(([file, text]) => [`node_modules/letters/${file}`, text])
    await using own = await connector({
      ...Object.fromEntries(inPackage),
      'node_modules/letters/package.json': JSON.stringify(manifestOfPackage),
      'source_letters/packaged.ts': toLast("import { last } from 'letters'"),
    })
    assert.deepEqual(await readLetters('packaged', own.folder), [null, 'z'])
  })
}

test('files of the connector in CommonJS, which require each other', async () => {
  await using own = await connector({
    'source_letters/one.cjs': "exports.last = require('./two.cjs').last + require('./three.json').more",
    'source_letters/two.cjs': "exports.last = 'y'",
    'source_letters/three.json': '{ "more": "z" }',
    'source_letters/common.js': toLast("import one from './one.cjs'\nconst { last } = one"),
  })
  assert.deepEqual(await readLetters('common', own.folder), [null, 'yz'])
})

test('each file finds what is next to it', async () => {
  await using own = await connector({
    'source_letters/more/last.txt': 'z',
    'source_letters/more/last.ts': `
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import note from './note.json'
const { url } = import.meta
if (note.text !== "import.meta.url" || 'import.meta.url' !== note.text || !/import.meta.url/.test(note.text)) throw new Error(note.text)
export const last = readFileSync(new URL('last.txt', url), 'utf8')
export const again = readFileSync(join(import.meta['dirname'], 'last.txt'), 'utf8')`,
    'source_letters/more/note.json': '{ "text": "import.meta.url" }',
    'source_letters/reading.ts': `
import { PaginationStrategy, type PageContext } from 'turnleaf'
import { again, last } from './more/last.ts'
export class ToLast extends PaginationStrategy {
  nextPageToken({ token }: PageContext) { return token === again ? null : last }
}`,
  })
  await using api = await serveApi({ 'GET /items': (query) => ({ json: { data: [{ id: query.get('letter') }] } }) })
  assert.deepEqual(await read('source_letters.reading.ToLast', own.folder, api.url), [null, 'z'])
})

test('what cannot be imported is named, with what to write', async () => {
  await using own = await connector({
    'source_letters/required.js':
      "const { PaginationStrategy } = require('turnleaf')\nexports.X = class extends PaginationStrategy {}",
    'source_letters/uninstalled.ts': "import { last } from 'letters'\nexport class X { last = last }",
    'source_letters/deep.js': "import './helper.js'\nexport class X {}",
    'source_letters/helper.js': "import 'letters/more.js'",
    'source_letters/shallow.js': "import './wrong.js'\nexport class X {}",
    'source_letters/wrong.js': '\nconst = 1',
  })
  await assert.rejects(read('source_letters.required.X', own.folder), {
    code: 'plan/class-not-loadable',
    message: "source_letters/required.js: write `import … from 'turnleaf'` in place of `require('turnleaf')`",
  })
  await assert.rejects(read('source_letters.uninstalled.X', own.folder), {
    code: 'plan/class-not-loadable',
    message: "source_letters/uninstalled.ts: the package 'letters' is not installed",
  })
  await assert.rejects(read('source_letters.deep.X', own.folder), {
    code: 'plan/class-not-loadable',
    message: "source_letters/helper.js: Cannot find module 'letters/more.js'",
  })
  await assert.rejects(read('source_letters.shallow.X', own.folder), {
    code: 'plan/class-not-loadable',
    message: /^source_letters\/wrong\.js:2: /,
  })
})

test('a file that never finishes loading does not keep a reader that cancels', { timeout: 20_000 }, async () => {
  const endless = (base: string, method: string) =>
    `import { ${base} } from 'turnleaf'\nawait new Promise(() => {})\nexport class X extends ${base} { ${method}() {} }`
  await using own = await connector({
    'source_letters/strategy.ts': endless('PaginationStrategy', 'nextPageToken'),
    'source_letters/auth.ts': endless('Authenticator', 'authenticate'),
    'source_letters/backoff.ts': endless('BackoffStrategy', 'waitSeconds'),
  })
  await using api = await serveApi({})
  const { folder } = own
  const authenticator = { type: 'CustomAuthenticator', class_name: 'source_letters.auth.X' }
  const byAuthenticator = manifestOf({ url: api.url, requester: { authenticator } })
  const backoff_strategies = [{ type: 'CustomBackoffStrategy', class_name: 'source_letters.backoff.X' }]
  const error_handler = { type: 'DefaultErrorHandler', backoff_strategies }
  const byBackoff = manifestOf({ url: api.url, requester: { error_handler } })
  for (const source of [manifest('source_letters.strategy.X', api.url), byAuthenticator, byBackoff]) {
    const reading = readRecords(loadManifest(source, { folder }), { signal: AbortSignal.timeout(100) })
    await assert.rejects(reading.next(), { code: 'response/aborted' })
  }
})

const faults: [name: string, className: string, code: string][] = [
  ['a name of the wrong form', 'components.NextLetter', 'plan/class-name-form'],
  ['a path in the name', 'source_letters/../x.Y', 'plan/class-name-form'],
  ['a missing file', 'source_letters.nowhere.NextLetter', 'plan/class-file-missing'],
  ['a missing class', 'source_letters.paging.Nobody', 'plan/class-missing'],
  ['a class of another kind', 'source_letters.paging.Stray', 'plan/class-wrong-base'],
  ['a file with an error of its own', 'source_letters.broken.X', 'plan/class-not-loadable'],
  ['an import from outside', 'source_letters.outside.Outside', 'plan/class-file-outside'],
]
for (const [name, className, code] of faults) {
  test(`${name}: ${code}, before any request`, async () => {
    await using own = await connector()
    await using api = await serveApi({ '*': () => ({ json: { data: [] } }) })
    await assert.rejects(read(className, own.folder, api.url), { code })
    assert.deepEqual(api.asked, [])
  })
}

test('a link that leads out of the folder is refused', async () => {
  await using own = await connector()
  await using other = await connector()
  await symlink(join(other.folder, 'source_letters'), join(own.folder, 'source_linked'))
  await assert.rejects(read('source_linked.paging.NextLetter', own.folder), { code: 'plan/class-file-outside' })
})

test('neither an absolute path nor a linked file leads out of the folder', async () => {
  await using own = await connector()
  await using other = await connector()
  const elsewhere = join(other.folder, 'source_letters/next.ts')
  await writeFile(
    join(own.folder, 'source_letters/absolute.ts'),
    `import ${JSON.stringify(elsewhere)}\nexport class X {}`,
  )
  await symlink(elsewhere, join(own.folder, 'source_letters/linked.ts'))
  await writeFile(join(own.folder, 'source_letters/byLink.ts'), "import './linked.ts'\nexport class X {}")
  for (const name of ['absolute', 'byLink']) {
    await assert.rejects(read(`source_letters.${name}.X`, own.folder), { code: 'plan/class-file-outside' })
  }
})

test('a class that gives a promise, or fails before the first page, is named', async () => {
  await using own = await connector()
  await using api = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }] } }) })
  const code = (body: string) =>
    `import { PaginationStrategy } from 'turnleaf'\nexport class X extends PaginationStrategy { ${body} }`
  await writeFile(join(own.folder, 'source_letters/later.js'), code('async nextPageToken() { return 1 }'))
  await writeFile(
    join(own.folder, 'source_letters/early.js'),
    code("nextPageToken() {} initialToken() { throw new Error('too early') }"),
  )
  await assert.rejects(read('source_letters.later.X', own.folder, api.url), {
    code: 'custom/class-failed',
    message: /promise/,
  })
  await assert.rejects(read('source_letters.early.X', own.folder, api.url), {
    code: 'custom/class-failed',
    message: /too early/,
  })
})

test('without a folder no custom code runs', async () => {
  await assert.rejects(read('source_letters.paging.NextLetter'), { code: 'plan/no-folder' })
})

test('an error in the class names it', async () => {
  await using own = await connector()
  await using api = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }] } }) })
  await assert.rejects(read('source_letters.paging.Failing', own.folder, api.url), {
    code: 'custom/class-failed',
    message: /Failing.*no idea/,
  })
})
