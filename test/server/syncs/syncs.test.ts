/** Syncs and questions over HTTP: a real database, the real lab. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { startLab } from '../../../src/lab/lab.ts'
import { isWhole } from '../../helpers/proof.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { openApi } from '../connectors/asking.ts'

type Event = Record<string, unknown> & { kind: string }

const manifest = (url: string, path = '/offset') => `version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [orders] }
streams:
  - type: DeclarativeStream
    name: orders
    primary_key: id
    schema_loader: { type: InlineSchemaLoader, schema: { type: object, properties: {} } }
    retriever:
      type: SimpleRetriever
      requester: { type: HttpRequester, url_base: ${url}, path: ${path}, http_method: GET }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } }
      paginator:
        type: DefaultPaginator
        pagination_strategy: { type: OffsetIncrement, page_size: 100 }
        page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: offset }
        page_size_option: { type: RequestOption, inject_into: request_parameter, field_name: limit }
`

type TestApi = ReturnType<typeof openApi>

async function startSync(api: TestApi, body: object = {}): Promise<string> {
  const { status, body: value } = await api.ask('POST', '/v1/syncs', { connector: 'shop', ...body })
  assert.equal(status, 201, JSON.stringify(value))
  return String(value.id)
}

/** Without the signs of life of a machine that is slow to begin. */
async function eventsOf(api: TestApi, id: string): Promise<Event[]> {
  const reply = await api.app.request(`/v1/syncs/${id}/events`)
  return (await reply.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Event)
    .filter(({ kind }) => kind !== 'waiting')
}

test('a sync writes every record, reports its progress, and its tables can be queried', async () => {
  await using lab = await startLab()
  await using api = openApi()
  await api.ask('POST', '/v1/connectors', { name: 'shop', text: manifest(lab.url) })
  assert.deepEqual((await api.ask('GET', '/v1/tables')).body, { tables: [] })
  const id = await startSync(api)
  const events = await eventsOf(api, id)
  assert.equal(events[0]?.kind, 'run-started')
  assert.equal(events.at(-1)?.kind, 'run-ended')
  const far = events.filter(({ kind }) => kind === 'progress').at(-1)
  assert.deepEqual([far?.stream, far?.records], ['orders', 250])
  assert.deepEqual((await eventsOf(api, id)).at(-1), events.at(-1), 'a later reader gets it again')

  const answer = await api.ask('POST', '/v1/queries', {
    sql: 'select count(*) as n, max(big_id) as big from shop.orders',
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.deepEqual(answer.body.columns, ['n', 'big'])
  const { reply } = await api.ask('POST', '/v1/queries', { sql: 'select max(big_id) as big from shop.orders' })
  assert.match(await reply.text(), /"rows":\[\[\d{19}\]\]/, 'every digit')
  const { body: value } = await api.ask('GET', '/v1/tables')
  const [table] = value.tables as unknown as { name: string; rows: number; columns: { name: string }[] }[]
  assert.deepEqual([table?.name, table?.rows], ['orders', 250])
  assert.ok(table?.columns.some(({ name }) => name === 'big_id'))
  const { syncs } = (await api.ask('GET', '/v1/syncs')).body
  assert.equal((syncs as unknown as { status: string }[])[0]?.status, 'complete')
})

test('streams of the same name in two connectors land side by side', async () => {
  await using lab = await startLab()
  await using api = openApi()
  for (const name of ['shop', 'other-shop']) {
    await api.ask('POST', '/v1/connectors', { name, text: manifest(lab.url) })
    const events = await eventsOf(api, await startSync(api, { connector: name }))
    assert.equal((events.at(-1)?.result as { ending: string } | undefined)?.ending, 'complete')
  }
  const sql = 'select (select count(*) from shop.orders), (select count(*) from "other-shop".orders)'
  assert.deepEqual((await api.ask('POST', '/v1/queries', { sql })).body.rows, [[250, 250]])
})

test('a sync that is cancelled keeps what it read, and the next one resumes from there', async () => {
  let isHeld = true
  const held = new EventTarget()
  await using shop = await serveApi({
    'GET /orders': async (query) => {
      const offset = Number(query.get('offset') ?? 0)
      if (offset === 300 && isHeld) {
        held.dispatchEvent(new Event('reached'))
        await new Promise<void>((resolve) => held.addEventListener('release', () => resolve()))
      }
      const count = offset < 400 ? 100 : 20
      return { json: { data: Array.from({ length: count }, (_, index) => ({ id: offset + index })) } }
    },
  })
  await using api = openApi()
  await api.ask('POST', '/v1/connectors', { name: 'shop', text: manifest(shop.url, '/orders') })
  const reached = once(held, 'reached')
  const id = await startSync(api)
  await reached
  const second = await api.ask('POST', '/v1/syncs', { connector: 'shop' })
  assert.equal(second.status, 429, 'one sync of a connector at a time')
  const { body: value } = await api.ask('DELETE', `/v1/syncs/${id}`)
  assert.equal(value.status, 'interrupted')
  isHeld = false
  held.dispatchEvent(new Event('release'))
  const askedBefore = shop.asked.length
  await eventsOf(api, await startSync(api))
  assert.ok(shop.asked.length - askedBefore < 5, 'what was committed is not requested again')
  const answer = await api.ask('POST', '/v1/queries', { sql: 'select count(*), count(distinct id) from shop.orders' })
  assert.deepEqual(answer.body.rows, [[420, 420]])
})

test('what cannot start is reported at once; a later failure is reported by the run, without secrets', async () => {
  await using shop = await serveApi({ 'GET /orders': () => ({ status: 401, json: { error: 'no' } }) })
  await using api = openApi()
  assert.equal((await api.ask('POST', '/v1/syncs', { connector: 'nobody' })).status, 404)
  await api.ask('POST', '/v1/connectors', { name: 'broken', text: 'version: [' })
  assert.equal((await api.ask('POST', '/v1/syncs', { connector: 'broken' })).status, 422)
  const secured = manifest(shop.url, '/orders').replace(
    'http_method: GET }',
    `http_method: GET, authenticator: { type: BearerAuthenticator, api_token: "{{ config['key'] }}" } }`,
  )
  await api.ask('POST', '/v1/connectors', { name: 'shop', text: secured })
  const events = await eventsOf(api, await startSync(api, { config: { key: 'very-secret-key' } }))
  const ended = events.find(({ kind }) => kind === 'stream-ended') as unknown as {
    receipt: { error: { code: string } }
  }
  assert.equal(ended.receipt.error.code, 'response/rejected')
  const everything = JSON.stringify([events, (await api.ask('GET', '/v1/syncs')).body])
  assert.doesNotMatch(everything, /very-secret-key/)
})

/** Some of each kind: all that is refused is in destinations/duckdb/confined-query.test.ts. */
const hostile = [
  "select * from read_csv('/etc/passwd')",
  'install httpfs',
  "export database '/tmp/turnleaf-stolen'",
  'select 1; select 2',
  "from query_table('shop.orders')",
  '-- nothing',
]

test('a question sees the tables and nothing else, while a sync runs and when none does', async () => {
  await using lab = await startLab()
  await using api = openApi()
  await api.ask('POST', '/v1/connectors', { name: 'shop', text: manifest(lab.url) })
  await eventsOf(api, await startSync(api))
  const held = new EventTarget()
  await using slow = await serveApi({
    '*': async () => {
      held.dispatchEvent(new Event('reached'))
      await new Promise<void>((resolve) => held.addEventListener('release', () => resolve()))
      return { json: { data: [] } }
    },
  })
  await api.ask('POST', '/v1/connectors', { name: 'slow', text: manifest(slow.url).replaceAll('orders', 'others') })
  for (const isRunning of [false, true]) {
    const reached = once(held, 'reached')
    const id = isRunning ? await startSync(api, { connector: 'slow' }) : null
    if (isRunning) await reached
    // While one runs, one of each kind of refusal is enough, unless all is requested.
    for (const sql of isRunning && !isWhole ? hostile.slice(0, 2) : hostile) {
      const { status, body: value } = await api.ask('POST', '/v1/queries', { sql })
      assert.equal(status, 422, `${sql} ${JSON.stringify(value)}`)
      assert.match(String(value.code), /^destinations\/(?:query-refused|not-one-select)$/, sql)
    }
    const { body: value } = await api.ask('POST', '/v1/queries', { sql: 'select count(*) from shop.orders' })
    assert.deepEqual(value.rows, [[250]])
    if (id !== null) await api.ask('DELETE', `/v1/syncs/${id}`)
  }
  held.dispatchEvent(new Event('release'))
})

test('a question ends with its client, and a server has only so many at a time', async () => {
  await using lab = await startLab()
  await using api = openApi()
  await api.ask('POST', '/v1/connectors', { name: 'shop', text: manifest(lab.url) })
  await eventsOf(api, await startSync(api))
  const clients = [1, 2, 3, 4].map(() => new AbortController())
  const sql = 'select count(*) from range(1000000000) a, range(1000000000) b where a.range * b.range % 7 = 3'
  const headers = { 'Content-Type': 'application/json' }
  const endless = clients.map(async ({ signal }) =>
    api.app.request('/v1/queries', { method: 'POST', headers, body: JSON.stringify({ sql }), signal }),
  )
  const refused = await api.ask('POST', '/v1/queries', { sql: 'select 1' })
  assert.deepEqual([refused.status, refused.body.code], [429, 'server/busy'])
  for (const client of clients) client.abort()
  await Promise.allSettled(endless)
  assert.deepEqual((await api.ask('POST', '/v1/queries', { sql: 'select 1' })).body.rows, [[1]])
})

test('a question is cut at its limit, and says so', async () => {
  await using lab = await startLab()
  await using api = openApi()
  await api.ask('POST', '/v1/connectors', { name: 'shop', text: manifest(lab.url) })
  await eventsOf(api, await startSync(api))
  const { body: value } = await api.ask('POST', '/v1/queries', { sql: 'select id from shop.orders', limit: 3 })
  assert.deepEqual([(value.rows as unknown as unknown[]).length, value.isCut], [3, true])
})

test('a table that has rows is not emptied: what came is held with its reason, queried, and published on request', async () => {
  let size = 250
  await using shop = await serveApi({
    'GET /orders': (query) => {
      const offset = Number(query.get('offset') ?? 0)
      const data = Array.from({ length: size }, (_, id) => ({ id })).slice(offset, offset + 100)
      return { json: { data } }
    },
  })
  await using api = openApi()
  await api.ask('POST', '/v1/connectors', { name: 'shop', text: manifest(shop.url, '/orders') })
  const statusAfter = async (body: object = {}) => {
    await eventsOf(api, await startSync(api, body))
    const { syncs } = (await api.ask('GET', '/v1/syncs')).body
    return (syncs as unknown as { status: string }[])[0]?.status
  }
  const count = async (table: string) => {
    const { body } = await api.ask('POST', '/v1/queries', { sql: `select count(*) from shop."${table}"` })
    return (body.rows as unknown as number[][])[0]?.[0]
  }
  assert.equal(await statusAfter(), 'complete')
  size = 100
  assert.equal(await statusAfter(), 'held')
  assert.equal(await count('orders'), 250)
  const { held } = (await api.ask('GET', '/v1/connectors/shop/held')).body as unknown as {
    held: { stream: string; reason: string; staged: number; existing: number; stagedAs: string }[]
  }
  assert.deepEqual(
    held.map(({ stream, staged, existing }) => [stream, staged, existing]),
    [['orders', 100, 250]],
  )
  assert.match(held[0]?.reason ?? '', /less than half/)
  assert.equal(await count(held[0]?.stagedAs ?? ''), 100)

  const { status, body } = await api.ask('POST', '/v1/connectors/shop/publish', { stream: 'orders' })
  assert.deepEqual([status, body.before, body.after], [200, 250, 100])
  assert.equal(await count('orders'), 100)
  assert.deepEqual((await api.ask('GET', '/v1/connectors/shop/held')).body, { held: [] })
  const again = await api.ask('POST', '/v1/connectors/shop/publish', { stream: 'orders' })
  assert.deepEqual([again.status, again.body.code], [404, 'sync/nothing-held'])

  assert.equal(await statusAfter({ require: 'complete' }), 'held')
  size = 7
  assert.equal(await statusAfter({ acceptDrop: true }), 'complete')
  assert.equal(await count('orders'), 7)
})
