/** Another name for a connector: what follows it, who is told, and when it is refused. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { startLab } from '../../../src/lab/lab.ts'
import { sampleText } from '../../../src/server/sample.ts'
import { openApi } from './asking.ts'

type Api = ReturnType<typeof openApi>

const rename = (api: Api, name: string, to: string) => api.ask('POST', `/v1/connectors/${name}/rename`, { to })

async function syncCustomers(api: Api, connector: string): Promise<void> {
  const { body } = await api.ask('POST', '/v1/syncs', { connector, streams: ['customers'] })
  await (await api.app.request(`/v1/syncs/${body.id}/events`)).text()
}

describe('a connector with another name', () => {
  test('has its folder, its versions and its files, and listeners are told', async () => {
    using api = openApi()
    const made = (await api.ask('POST', '/v1/connectors', { name: 'shop', text: 'one' })).body
    await api.ask('PUT', '/v1/connectors/shop', { text: 'two', basedOn: made.version })
    api.put('shop/source_shop/paging.ts', 'class')
    const events = (await api.app.request('/v1/changes')).body?.pipeThrough(new TextDecoderStream()).getReader()
    const { status, body } = await rename(api, 'shop', 'store')
    assert.deepEqual([status, body.name], [200, 'store'])
    let heard = ''
    while ((heard.match(/^data:/gm) ?? []).length < 2) heard += (await events?.read())?.value ?? ''
    await events?.cancel()
    const told = [...heard.matchAll(/^data: (.*)$/gm)].map(([, text = '']) => JSON.parse(text))
    assert.deepEqual(told, [
      { kind: 'connector', name: 'shop', version: null, renamedTo: 'store' },
      { kind: 'connector', name: 'store', version: body.version },
    ])
    assert.ok(!existsSync(api.at('shop')))
    const opened = (await api.ask('GET', '/v1/connectors/store')).body
    assert.deepEqual([opened.text, opened.files], ['two', ['source_shop/paging.ts']])
    assert.equal((await api.ask('GET', '/v1/connectors/store/versions')).body.versions.length, 2)
    assert.equal((await api.ask('GET', '/v1/connectors/shop')).status, 404)
  })

  test('continues where its last sync stopped, and a new connector of the old name has tables of its own', async () => {
    await using lab = await startLab()
    await using api = openApi()
    await api.ask('POST', '/v1/connectors', { name: 'shop', text: sampleText(lab.url) })
    await syncCustomers(api, 'shop')
    await rename(api, 'shop', 'store')
    const { syncs } = (await api.ask('GET', '/v1/syncs')).body
    assert.deepEqual(
      syncs.map(({ connector }: { connector: string }) => connector),
      ['store'],
    )
    await syncCustomers(api, 'store')
    await api.ask('POST', '/v1/connectors', { name: 'shop', text: sampleText(lab.url) })
    await syncCustomers(api, 'shop')
    const { tables } = (await api.ask('GET', '/v1/tables')).body
    const schemas = tables.map(({ schema }: { schema: string }) => schema)
    assert.deepEqual(schemas.toSorted(), ['shop', 'shop_2'])
    // Back again: its tables are still those of its first name.
    await rename(api, 'store', 'market')
    assert.equal(readFileSync(api.at('market/.history/schema'), 'utf8'), 'shop\n')
  })

  test('is refused where the name is taken or no name, and while a sync runs', async () => {
    await using lab = await startLab()
    await using api = openApi()
    for (const name of ['shop', 'other']) {
      await api.ask('POST', '/v1/connectors', { name, text: sampleText(lab.url) })
    }
    assert.deepEqual((await rename(api, 'shop', 'other')).body.code, 'server/exists')
    assert.deepEqual((await rename(api, 'shop', 'shop')).body.code, 'server/exists')
    assert.equal((await rename(api, 'shop', '../x')).status, 400)
    assert.equal((await rename(api, 'none', 'new')).status, 404)
    mkdirSync(api.at('Store'))
    assert.equal((await rename(api, 'shop', 'store')).body.code, 'server/exists')
    const { body } = await api.ask('POST', '/v1/syncs', { connector: 'shop' })
    const busy = await rename(api, 'shop', 'market')
    assert.deepEqual([busy.status, busy.body.code], [429, 'server/busy'])
    await api.ask('DELETE', `/v1/syncs/${body.id}`)
    assert.equal((await rename(api, 'shop', 'market')).status, 200)
  })

  test('two renames that cross each other do not wait for each other', async () => {
    using api = openApi()
    for (const name of ['one', 'two']) await api.ask('POST', '/v1/connectors', { name, text: name })
    const both = await Promise.all([rename(api, 'one', 'two'), rename(api, 'two', 'one')])
    assert.deepEqual(
      both.map(({ status }) => status),
      [409, 409],
    )
  })

  test('is named so in connections that use it, unless they use its path', async () => {
    using api = openApi()
    await api.ask('POST', '/v1/connectors', { name: 'shop', text: 'one' })
    const file = join(api.home, 'connections/nightly/connection.yaml')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '# mine\nconnector: shop # the shop\nconfig: { key: a }\n')
    await rename(api, 'shop', 'store')
    assert.equal(readFileSync(file, 'utf8'), '# mine\nconnector: store # the shop\nconfig: { key: a }\n')
    writeFileSync(file, 'connector: ../../connectors/store\n')
    const refused = await rename(api, 'store', 'market')
    assert.deepEqual([refused.status, refused.body.code], [409, 'server/in-use'])
    assert.ok(existsSync(api.at('store')))
  })
})
