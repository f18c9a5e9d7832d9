import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadManifest } from '../../src/connector/load-manifest.ts'
import { startLab } from '../../src/lab/lab.ts'
import { readPages } from '../../src/read-manifest.ts'
import { openApi } from './connectors/asking.ts'

describe('the sample', () => {
  test('reads every record of the lab, page by page, without a config', async () => {
    await using lab = await startLab()
    using api = openApi({ lab: lab.url })
    const { status, body } = await api.ask('GET', '/v1/sample')
    assert.equal(status, 200)
    assert.deepEqual([body.url, body.name], [lab.url, 'sample'])
    const manifest = loadManifest(body.text)
    assert.deepEqual(manifest.problems, [])
    const results: unknown[] = []
    for (const { name } of manifest.streams) {
      let [pages, records] = [0, 0]
      for await (const page of readPages(manifest, { stream: String(name) })) {
        pages++
        records += page.records.length
      }
      results.push([name, pages, records])
    }
    assert.deepEqual(results, [
      ['customers', 5, 250],
      ['orders', 5, 250],
      ['payments', 5, 250],
      ['reviews', 5, 250],
    ])
  })

  test('is a connector like any other: created, listed, with the address of the lab', async () => {
    await using lab = await startLab()
    using api = openApi({ lab: lab.url })
    const { name, text } = (await api.ask('GET', '/v1/sample')).body
    assert.equal((await api.ask('POST', '/v1/connectors', { name, text })).status, 201)
    const [listed] = (await api.ask('GET', '/v1/connectors')).body.connectors
    assert.deepEqual([listed.baseUrl, listed.errors], [lab.url, 0])
    assert.deepEqual(listed.streams, ['customers', 'orders', 'payments', 'reviews'])
  })

  test('is not found where there is no lab', async () => {
    using api = openApi()
    const { status, body } = await api.ask('GET', '/v1/sample')
    assert.deepEqual([status, body.code], [404, 'server/not-found'])
  })
})
