/** The whole job through the protocol only: detected, made, tested, broken, diagnosed, fixed, synced, queried, complete. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OpenedMcp, openHttp, openStdio } from './mcp-clients.ts'
import { serveShop, shopInjection, type ShopApi, shopToken } from './shop-api.ts'

type Secrets = { readonly secrets: Readonly<Record<string, { value: string; origin: string }>> }

async function tellStory(opened: OpenedMcp, api: ShopApi): Promise<void> {
  await using one = await opened.open()
  const { call } = one
  const headers = { Authorization: 'Bearer ${SHOP_TOKEN}' }
  const found = await call<{ answer: string; method: string; fromApi: { manifest: string } }>('detect_api', {
    url: `${api.url}/orders`,
    headers,
  })
  assert.equal(found.answer, 'paginated')
  assert.equal(found.method, 'offset')

  const made = await call<{
    version: string
    errors: number
    streams: { name: string }[]
    inputs: { name: string; isSecret: boolean }[]
  }>('create_connector', { connector: 'shop', text: found.fromApi.manifest })
  assert.equal(made.errors, 0)
  const stream = made.streams[0]?.name
  const secret = made.inputs.find(({ isSecret }) => isSecret)?.name
  assert.ok(stream !== undefined && secret !== undefined, JSON.stringify(made))
  const config = { [secret]: '${SHOP_TOKEN}' }
  const shop = { connector: 'shop', stream, config }

  assert.deepEqual(await call('check_connection', { connector: 'shop', config }), { isConnected: true, problem: null })
  const preview = await call<{ requests: { url: string }[] }>('preview_requests', shop)
  assert.ok(preview.requests.length > 1)
  const whole = { ...shop, maxPages: 50 }
  type Tested = {
    read: string
    verdict: string
    received: number
    pages: number
    shown: { status: number; received: number; fromApi: { tokenIn: unknown; tokenOut: unknown; records: unknown[] } }[]
  }
  const tested = await call<Tested>('test_read', { ...whole, showRecords: 2 })
  assert.equal(tested.verdict, 'complete')
  assert.equal(tested.received, 250)
  assert.equal(tested.shown.length, tested.pages)
  assert.ok(tested.shown.every(({ status }) => status === 200))
  assert.equal(tested.shown[0]?.fromApi.records.length, 2)
  assert.notEqual(tested.shown[0]?.fromApi.tokenOut, null)

  const more = await call<{ total: number; fromApi: { records: { id: number }[] } }>('read_page', {
    read: tested.read,
    page: 1,
    count: 3,
  })
  assert.equal(more.fromApi.records.length, 3)
  const evaluated = await call<{ type: string; fromApi: { value: unknown } }>('evaluate_template', {
    template: "{{ response['meta']['total'] }}",
    on: { read: tested.read, page: 0 },
  })
  assert.deepEqual([evaluated.type, evaluated.fromApi.value], ['int', 250])

  // Broken on purpose: pages are taken from where nothing reads it.
  const before = await call<{ text: string; version: string }>('read_manifest', { connector: 'shop' })
  const [, field] = /field_name: (offset)\b/.exec(before.text) ?? []
  assert.equal(field, 'offset', before.text)
  await call('edit_manifest', {
    connector: 'shop',
    basedOn: before.version,
    changes: [{ find: 'field_name: offset', replace: 'field_name: start_at' }],
  })
  const broken = await call<{ verdict: string | null; problem: { code: string } | null }>('test_read', whole)
  assert.notEqual(broken.verdict, 'complete')

  type Diagnosed = {
    diagnosis: string
    findings: { finding: number; code: string; fix: { isFixed: boolean } | null }[]
  }
  const { diagnosis, findings } = await call<Diagnosed>('diagnose_stream', shop)
  const fixable = findings.find(({ fix }) => fix?.isFixed === true)
  assert.ok(fixable !== undefined, JSON.stringify(findings))
  await call('apply_fix', { diagnosis, finding: fixable.finding })
  assert.equal((await call<Tested>('test_read', whole)).verdict, 'complete')

  type Receipt = { verdict: string; records: number; claimedTotal: number }
  type Synced = { sync: string; status: string; fromApi: { receipts: Receipt[] } }
  let synced = await call<Synced>('sync', { connector: 'shop', config, require: 'complete' })
  while (synced.status === 'running') synced = await call<Synced>('follow_sync', { sync: synced.sync })
  assert.equal(synced.status, 'complete')
  assert.deepEqual(
    synced.fromApi.receipts.map(({ verdict, records, claimedTotal }) => ({ verdict, records, claimedTotal })),
    [{ verdict: 'complete', records: 250, claimedTotal: 250 }],
  )

  const tables = await call<{ fromApi: { tables: { schema: string; name: string }[] } }>('list_tables')
  assert.deepEqual(
    tables.fromApi.tables.map(({ schema, name }) => `${schema}.${name}`),
    [`shop.${stream}`],
  )
  const asked = await call<{ fromApi: { rows: unknown[][] } }>('query_tables', {
    sql: `select count(*), min(id), max(id), max(note) from "shop"."${stream}"`,
  })
  assert.deepEqual(asked.fromApi.rows, [[250, 1, 250, shopInjection]])

  const { runs } = await call<{ runs: { status: string; fromApi: { receipts: Receipt[] } }[] }>('list_runs', {
    connector: 'shop',
  })
  assert.deepEqual(
    runs.map(({ status, fromApi }) => [status, ...fromApi.receipts.map(({ verdict }) => verdict)]),
    [['complete', 'complete']],
  )
  assert.ok(!one.received().includes(shopToken), 'the value of the token reached the client')
}

test('the story over stdio, with the built package', async () => {
  await using api = await serveShop()
  const secrets: Secrets = { secrets: { SHOP_TOKEN: { value: shopToken, origin: api.url } } }
  await using opened = await openStdio(secrets)
  await tellStory(opened, api)
  assert.ok(!opened.stderr().includes(shopToken), 'the value of the token was logged')
})

test('the story over HTTP', async () => {
  await using api = await serveShop()
  const secrets: Secrets = { secrets: { SHOP_TOKEN: { value: shopToken, origin: api.url } } }
  await using opened = await openHttp(secrets)
  await tellStory(opened, api)
})
