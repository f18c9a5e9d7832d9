import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { openApi } from '../connectors/asking.ts'

const files = {
  LICENSE: 'The Example Licence\n',
  'source-shop/manifest.yaml': 'version: 6.0.0\ntype: DeclarativeSource\n# shop\n',
  'source-shop/metadata.yaml': 'data:\n  name: Shop API\n  license: ELv2\n',
  'source-bills/source_bills/manifest.yaml': 'version: 6.0.0\ntype: DeclarativeSource\n# bills\n',
  'source-bills/source_bills/schemas/bills.json': '{}',
}

function collection() {
  const folder = mkdtempSync(join(tmpdir(), 'turnleaf-collection-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

describe('public connectors', () => {
  test('are searched by name and title, and copied with licence and schemas', async () => {
    using from = collection()
    using api = openApi({ collection: from.folder })
    const all = (await api.ask('GET', '/v1/collection')).body
    assert.deepEqual([all.total, all.matching], [2, 2])
    assert.ok(!all.from.includes('/'), 'no path of the machine')
    const { connectors } = (await api.ask('GET', '/v1/collection?search=shop+api')).body
    assert.deepEqual(connectors, [{ name: 'shop', title: 'Shop API', licence: 'ELv2', documentation: null }])
    assert.deepEqual((await api.ask('GET', '/v1/collection?search=zebra')).body.connectors, [])

    const copied = await api.ask('POST', '/v1/collection/copies', { of: 'bills', name: 'my-bills' })
    assert.equal(copied.status, 201)
    assert.match(readFileSync(api.at('my-bills/manifest.yaml'), 'utf8'), /# bills/)
    assert.match(readFileSync(api.at('my-bills/README.md'), 'utf8'), /The Example Licence/)
    assert.ok(existsSync(api.at('my-bills/schemas/bills.json')))
    const again = await api.ask('POST', '/v1/collection/copies', { of: 'bills', name: 'my-bills' })
    assert.deepEqual([again.status, again.body.code], [409, 'server/exists'])
    const unknown = await api.ask('POST', '/v1/collection/copies', { of: 'bils', name: 'other' })
    assert.deepEqual([unknown.status, unknown.body.code], [422, 'collections/unknown'])
    assert.match(unknown.body.hint, /bills/)
  })

  test('a server without a collection says so', async () => {
    using api = openApi()
    assert.deepEqual((await api.ask('GET', '/v1/collection')).body, {
      from: null,
      total: 0,
      matching: 0,
      connectors: [],
    })
    const refused = await api.ask('POST', '/v1/collection/copies', { of: 'shop', name: 'shop' })
    assert.deepEqual([refused.status, refused.body.code], [422, 'collections/none'])
  })

  test('a folder that is not there is an error, and is looked for again', async () => {
    using from = collection()
    const later = join(from.folder, 'later')
    using api = openApi({ collection: later })
    assert.equal((await api.ask('GET', '/v1/collection')).body.code, 'collections/none')
    mkdirSync(join(later, 'source-new'), { recursive: true })
    writeFileSync(join(later, 'source-new/manifest.yaml'), 'version: 6.0.0\n')
    assert.equal((await api.ask('GET', '/v1/collection')).body.total, 1)
  })
})

describe('the docs', () => {
  test('are searched with the index of the site, or found nowhere', async () => {
    using api = openApi()
    const { results } = (await api.ask('GET', '/v1/docs?search=detect+pagination')).body
    assert.ok(results.length > 0 && results.length <= 8)
    assert.ok(results.every(({ url }: { url: string }) => /^\/docs[/#][a-z-]+/.test(url)))
    using none = openApi({ docsIndex: '/nowhere.json' })
    assert.deepEqual((await none.ask('GET', '/v1/docs?search=pagination')).body, { results: [] })
  })
})
