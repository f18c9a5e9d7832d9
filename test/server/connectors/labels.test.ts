import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { PastVersion } from '../../../src/server/wire/connector.ts'
import { openApi } from './asking.ts'

async function versionsOf(api: ReturnType<typeof openApi>): Promise<PastVersion[]> {
  return (await api.ask('GET', '/v1/connectors/shop/versions')).body.versions
}

describe('labels of versions', () => {
  test('are given, changed and removed, and a broken file of them hides no version', async () => {
    using api = openApi()
    const { version } = (await api.ask('POST', '/v1/connectors', { name: 'shop', text: 'one' })).body
    await api.ask('PUT', '/v1/connectors/shop', { text: 'two', basedOn: version })
    const put = (label: string, of = version) => api.ask('PUT', `/v1/connectors/shop/versions/${of}/label`, { label })
    const shown = async () => (await versionsOf(api)).map(({ label }) => label)
    assert.deepEqual(await shown(), [null, null])
    assert.equal((await put(' works with\nAPI v2 ')).status, 204)
    assert.deepEqual(await shown(), [null, 'works with API v2'])
    await put('works with API v3')
    assert.deepEqual(await shown(), [null, 'works with API v3'])
    assert.equal((await put('x', '0000000000000000')).status, 404)
    assert.equal((await put('x'.repeat(121))).status, 400)
    await put('')
    assert.deepEqual(await shown(), [null, null])
    writeFileSync(api.at('shop/.history/labels.json'), '{ "half')
    assert.deepEqual(await shown(), [null, null])
  })

  test('keep their version, however many follow it', async () => {
    using api = openApi()
    let { version } = (await api.ask('POST', '/v1/connectors', { name: 'shop', text: 'first' })).body
    const first = version
    await api.ask('PUT', `/v1/connectors/shop/versions/${first}/label`, { label: 'the first' })
    for (let count = 0; count < 102; count += 1) {
      const change = { text: `version ${count}`, basedOn: version }
      ;({ version } = (await api.ask('PUT', '/v1/connectors/shop', change)).body)
    }
    const versions = await versionsOf(api)
    assert.equal(versions.length, 101)
    assert.deepEqual([versions.at(-1)?.version, versions.at(-1)?.label], [first, 'the first'])
    assert.equal((await api.ask('GET', `/v1/connectors/shop/versions/${first}`)).body.text, 'first')
  })
})
