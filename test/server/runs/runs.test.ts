/** Destinations, runs and held rows over HTTP: however a run was started, wherever it wrote. */
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadManifest } from '../../../src/connector/load-manifest.ts'
import { sync } from '../../../src/sync/sync.ts'
import type { ConnectorRuns, LatestRun } from '../../../src/server/wire/run.ts'
import { freshDatabase } from '../../helpers/postgres.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { until } from '../../helpers/until.ts'
import { openApi } from '../connectors/asking.ts'

const manifest = (url: string) => `version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [orders] }
streams:
  - type: DeclarativeStream
    name: orders
    primary_key: id
    schema_loader: { type: InlineSchemaLoader, schema: { type: object, properties: {} } }
    retriever:
      type: SimpleRetriever
      requester: { type: HttpRequester, url_base: ${url}, path: /orders, http_method: GET }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } }
      paginator:
        type: DefaultPaginator
        pagination_strategy: { type: OffsetIncrement, page_size: 3000 }
        page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: offset }
`

type Api = ReturnType<typeof openApi>

/** A shop whose number of orders can be changed, and whose third page can be held back: two pages are a commit. */
async function openShop() {
  const shop = { size: 7500, gate: null as Promise<void> | null }
  const api = await serveApi({
    'GET /orders': async (query) => {
      const offset = Number(query.get('offset') ?? 0)
      if (offset >= 6000) await shop.gate
      const length = Math.max(0, Math.min(3000, shop.size - offset))
      return { json: { data: Array.from({ length }, (_, index) => ({ id: offset + index })) } }
    },
  })
  return Object.assign(shop, { url: api.url, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() })
}

async function synced(api: Api, body: object): Promise<Record<string, unknown>> {
  const { status, body: run } = await api.ask('POST', '/v1/syncs', { connector: 'shop', ...body })
  assert.equal(status, 201, JSON.stringify(run))
  await (await api.app.request(`/v1/syncs/${run.id}/events`)).text()
  const { syncs } = (await api.ask('GET', '/v1/syncs')).body
  return syncs.find((one: { id: string }) => one.id === run.id)
}

const runsOf = async (api: Api) => (await api.ask<ConnectorRuns>('GET', '/v1/connectors/shop/runs')).body

test('a sync writes to the folder, file or mode that was chosen, and its runs are listed, also by a later server', async () => {
  await using shop = await openShop()
  await using api = openApi()
  await api.ask('POST', '/v1/connectors', { name: 'shop', text: manifest(shop.url) })
  assert.deepEqual(await runsOf(api), { runs: [], total: 0, unreadable: [] })
  assert.equal((await synced(api, { to: 'jsonl:data/shop' })).status, 'complete')
  await synced(api, { to: 'jsonl:data/shop', mode: { orders: 'full_refresh_append' } })
  const lines = readFileSync(join(api.home, 'data/shop/orders.jsonl'), 'utf8').trim().split('\n')
  assert.equal(lines.length, 15_000, 'appended once more')
  await synced(api, { to: 'duckdb:shop.duckdb' })
  await synced(api, { to: 'parquet:lake', require: 'complete' })
  await synced(api, {})

  const seen = await runsOf(api)
  assert.deepEqual(
    seen.runs.map(({ to, status, connection }) => [to.replace(api.home, ''), status, connection]),
    [
      ['duckdb:/turnleaf.duckdb', 'complete', 'shop'],
      ['parquet:/lake', 'incomplete', 'shop'],
      ['duckdb:/shop.duckdb', 'complete', 'shop'],
      ['jsonl:/data/shop', 'complete', 'shop'],
      ['jsonl:/data/shop', 'complete', 'shop'],
    ],
  )
  assert.equal(seen.runs[0]?.streams[0]?.records, 7500)
  assert.equal(
    seen.runs.every(({ sync: id }) => id !== null),
    true,
  )

  const { openSyncs } = await import('../../../src/server/syncs/syncs.ts')
  await using later = openSyncs({ home: api.home, egress: 'loopback-allowed' })
  const again = await later.history('shop', 2)
  assert.deepEqual([again.runs.length, again.total], [2, 5])
  assert.equal(again.runs[0]?.sync, null, 'another server ran it')
  assert.equal((await later.latest())[0]?.connector, 'shop')

  for (const to of ['jsonl:../out', 'jsonl:connectors/shop', 'postgres://me@169.254.169.254/db']) {
    const { status, body } = await api.ask('POST', '/v1/syncs', { connector: 'shop', to })
    assert.deepEqual([status, body.code], [422, 'server/destination'], to)
  }
})

test('Postgres: the password is kept in memory, held rows are accepted where they are, and a run elsewhere is seen while it commits', async () => {
  await using database = await freshDatabase()
  await using shop = await openShop()
  await using api = openApi()
  await api.ask('POST', '/v1/connectors', { name: 'shop', text: manifest(shop.url) })
  const url = new URL(database.url)
  // A server that wants none ignores it.
  if (url.password === '') url.password = 'typed-in-the-page'
  const { href: to, password } = url
  await synced(api, { to })
  const count = async () => (await database.query('select count(*)::int as n from shop.orders'))[0]?.n
  assert.equal(await count(), 7500)
  shop.size = 500
  assert.equal((await synced(api, { to })).status, 'held')
  const { held } = (await api.ask('GET', '/v1/connectors/shop/held')).body
  assert.deepEqual([held.length, held[0].existing, held[0].staged, held[0].isEmbedded], [1, 7500, 500, false])
  const { destination } = held[0]
  const wrong = await api.ask('POST', '/v1/connectors/shop/publish', { stream: 'orders', destination: 'none' })
  assert.equal(wrong.status, 404)
  const done = await api.ask('POST', '/v1/connectors/shop/publish', { stream: 'orders', destination })
  assert.deepEqual([done.body.before, done.body.after], [7500, 500])
  assert.equal(await count(), 500)

  // As `turnleaf sync` does, in another process as far as the server knows.
  shop.size = 7500
  let release = () => {}
  shop.gate = new Promise((resolve) => (release = resolve))
  const elsewhere = sync(loadManifest(manifest(shop.url)), {
    config: {},
    to,
    schema: 'shop',
    connection: 'shop',
    prefetch: 'off',
  })
  const running = await until('the other run commits', async () => {
    const [first] = (await runsOf(api)).runs
    return first?.status === 'unfinished' && (first.progress[0]?.records ?? 0) > 0 ? first : undefined
  })
  assert.deepEqual(running.progress, [{ stream: 'orders', pages: 2, records: 6000 }])
  assert.equal(running.sync, null)
  release()
  await elsewhere
  assert.deepEqual(
    (await runsOf(api)).runs.map(({ status }) => status),
    ['complete', 'held', 'complete'],
  )
  for (const path of ['/v1/syncs', '/v1/connectors/shop/runs', '/v1/connectors/shop/held', '/v1/runs/latest']) {
    assert.ok(!(await (await api.app.request(path)).text()).includes(`:${password}@`), path)
  }
  assert.equal(statSync(join(api.home, '.turnleaf/destinations.json'), { throwIfNoEntry: false }), undefined)
})

test('the latest run of each connector is known however it was started, and shows what runs now', async () => {
  await using shop = await openShop()
  await using api = openApi()
  await api.ask('POST', '/v1/connectors', { name: 'shop', text: manifest(shop.url) })
  const latest = async () => (await api.ask<{ runs: LatestRun[] }>('GET', '/v1/runs/latest')).body.runs
  assert.deepEqual(await latest(), [])
  // As `turnleaf sync` does in TURNLEAF_HOME: in the schema `main`, under the name of the folder.
  const to = `duckdb:${join(api.home, 'turnleaf.duckdb')}`
  await sync(loadManifest(manifest(shop.url)), { config: {}, to, connection: 'shop', prefetch: 'off' })
  const [first] = await latest()
  assert.deepEqual(
    [first?.connector, first?.status, first?.verdict, first?.records],
    ['shop', 'complete', 'unproven', 7500],
  )
  assert.equal((await runsOf(api)).runs.length, 1, 'what the command line wrote')

  let release = () => {}
  shop.gate = new Promise((resolve) => (release = resolve))
  const { body: started } = await api.ask('POST', '/v1/syncs', { connector: 'shop' })
  assert.equal((await latest())[0]?.status, 'running')
  release()
  await (await api.app.request(`/v1/syncs/${started.id}/events`)).text()
  await until('it ends', async () => ((await latest())[0]?.status === 'complete' ? true : undefined))
  assert.equal((await latest()).length, 1)
})
