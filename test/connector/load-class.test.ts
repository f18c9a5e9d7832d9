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

async function connector() {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-connector-'))
  for (const [name, text] of Object.entries(files)) {
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
