import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { loadManifest } from '../../../src/index.ts'
import type { ImportResult } from '../../../src/server/wire/import.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { jsonOf, testApi } from '../api.ts'

const document = readFileSync('test/import/shop.openapi.yaml', 'utf8')

describe('/v1/imports', () => {
  test('lists streams, and writes those that are named', async () => {
    using api = testApi()
    const listed = await jsonOf<ImportResult>(await api.post('/v1/imports', { source: document }))
    assert.equal(listed.kind, 'openapi')
    assert.equal(listed.manifest, null)
    const [first] = listed.streams.filter(({ parent }) => parent === null)
    assert.ok(first)
    const { manifest } = await jsonOf<ImportResult>(
      await api.post('/v1/imports', { source: document, only: [first.name] }),
    )
    assert.deepEqual(
      loadManifest(manifest ?? '').streams.map(({ name }) => name),
      [first.name],
    )
  })

  test('a Postman collection and a HAR file are recognized', async () => {
    using api = testApi()
    const url = 'https://api.example.com/v1/orders'
    const body = '[{"id":1,"name":"a"}]'
    const collection = {
      info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      item: [{ name: 'orders', request: { method: 'GET', url }, response: [{ name: 'ok', code: 200, body }] }],
    }
    const har = {
      log: {
        version: '1.2',
        entries: [
          {
            request: { method: 'GET', url, headers: [], queryString: [] },
            response: { status: 200, content: { mimeType: 'application/json', text: body } },
          },
        ],
      },
    }
    for (const [kind, file] of Object.entries({ postman: collection, har })) {
      const reply = await api.post('/v1/imports', { source: JSON.stringify(file) })
      const found = await jsonOf<ImportResult>(reply)
      assert.equal(reply.status, 200, JSON.stringify(found))
      assert.deepEqual([found.kind, found.streams.map(({ path }) => path.split('/').at(-1))], [kind, ['orders']])
    }
  })

  test('what is no description, and an unknown stream, are refused with the reason', async () => {
    using api = testApi()
    const words = await api.post('/v1/imports', { source: 'just words' })
    assert.equal(words.status, 422)
    assert.match(await words.text(), /import\/(?:not-openapi|unreadable)/)
    const unknown = await api.post('/v1/imports', { source: document, only: ['no-such-stream'] })
    assert.equal(unknown.status, 422)
    assert.match(await unknown.text(), /import\/unknown-stream/)
  })

  test('a URL is fetched under the rules of the server; a file is not read', async () => {
    await using files = await serveApi({ 'GET /openapi.yaml': () => ({ text: document }) })
    using open = testApi()
    assert.equal((await open.post('/v1/imports', { source: `${files.url}/openapi.yaml` })).status, 200)
    using closed = testApi({ egress: 'public-only' })
    const refused = await closed.post('/v1/imports', { source: `${files.url}/openapi.yaml` })
    assert.notEqual(refused.status, 200)
    assert.equal(files.asked.length, 1)
    assert.equal((await open.post('/v1/imports', { source: '/etc/hostname' })).status, 422)
  })
})
