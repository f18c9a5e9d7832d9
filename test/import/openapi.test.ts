import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { openDescription, importConnector } from '../../src/import/import-api.ts'
import { loadManifest, readRecords, sync } from '../../src/index.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { serveApi } from '../helpers/serve-api.ts'

const shop = await readFile('test/import/shop.openapi.yaml', 'utf8')

const orders = [1, 2, 3, 4, 5].map((id) => ({ id, total: id * 10 }))

async function serveShop() {
  return serveApi({
    'GET /v1/orders': (query) => {
      const start = Number(query.get('cursor') ?? 0)
      const next = start + 2 < orders.length ? String(start + 2) : null
      return { json: { data: orders.slice(start, start + 2), meta: { next_cursor: next, total: 5 } } }
    },
    'POST /v1/customers/search': (_, { body }) => {
      const { page } = JSON.parse(body) as { page: number }
      return { json: { results: page < 3 ? [{ id: `c${page}` }] : [], page } }
    },
    'GET /v1/regions/north/stores': () => ({ json: { stores: [{ id: 'n1' }] } }),
    '*': (_, { path }) => ({ json: [{ sku: `of ${path}` }] }),
  })
}

async function idsOf(manifest: string, stream: string, config: Record<string, unknown>): Promise<unknown[]> {
  const ids: unknown[] = []
  const options = { stream, config, prefetch: 'off' as const, streamsAtOnce: 1 }
  for await (const { id, sku } of readRecords(loadManifest(manifest), options)) ids.push(id ?? sku)
  return ids
}

describe('import openapi', () => {
  const { manifest, report } = importConnector(openDescription('openapi', shop, null), {})
  const stream = (name: string) => report.streams.find((one) => one.name === name) ?? assert.fail(`no ${name}`)

  test('one stream for each list of objects; things, lists of texts and changes are none', () => {
    assert.deepEqual(
      report.streams.map(({ name, method, path, recordPath }) => [name, method, path, recordPath.join('.')]),
      [
        ['orders', 'GET', '/orders', 'data'],
        ['orders_lines', 'GET', '/orders/{order_id}/lines', ''],
        ['customers_search', 'POST', '/customers/search', 'results'],
        ['regions_stores', 'GET', '/regions/{region}/stores', 'stores'],
      ],
    )
    assert.equal(report.otherOperations, 3)
  })

  test('reads every page of the API that it describes, children and searches included', async () => {
    await using api = await serveShop()
    const config = { host: api.url.slice('http://'.length), x_api_key: 'k-1' }
    assert.deepEqual(await idsOf(manifest, 'orders', config), [1, 2, 3, 4, 5])
    assert.deepEqual(
      api.requests.map(({ query }) => [query.get('limit'), query.get('sort'), query.get('cursor')]),
      [null, '2', '4'].map((cursor) => ['50', 'oldest', cursor]),
    )
    assert.ok(api.requests.every(({ headers }) => headers['x-api-key'] === 'k-1'))
    assert.deepEqual(
      await idsOf(manifest, 'orders_lines', config),
      [1, 2, 3, 4, 5].map((id) => `of /v1/orders/${id}/lines`),
    )
    assert.deepEqual(await idsOf(manifest, 'customers_search', config), ['c1', 'c2'])
    assert.deepEqual(await idsOf(manifest, 'regions_stores', { ...config, region: 'north' }), ['n1'])
  })

  test('keys, parents, pagination with its reason, and what may be incremental', () => {
    assert.deepEqual(stream('orders').pagination, {
      method: 'cursor',
      says: 'The value at meta.next_cursor goes into the query parameter cursor',
      because: 'the response has meta.next_cursor, and the request cursor',
      status: 'unconfirmed',
      evidence: [],
    })
    assert.equal(stream('orders').primaryKey, 'id')
    assert.deepEqual(stream('orders').incremental, [{ parameter: 'updated_since', field: 'updated_at' }])
    assert.equal(stream('orders_lines').parent, 'orders')
    assert.equal(stream('customers_search').pagination.says, 'Page number from 1 in the body at page')
    assert.match(manifest, /# Pagination not confirmed: The value at meta\.next_cursor goes into/)
  })

  test('a value that no list gives is an input of its stream alone; server variables have their defaults', () => {
    assert.deepEqual(
      report.inputs.map(({ name, isSecret, isRequired, fallback }) => [name, isSecret, isRequired, fallback]),
      [
        ['scheme', false, false, 'http'],
        ['host', false, false, 'shop.example'],
        ['x_api_key', true, true, undefined],
        ['region', false, false, undefined],
      ],
    )
    assert.match(manifest, /description: "Needed by regions_stores\."/)
  })

  test('schemas hold types and formats, end at circles, and allow null', () => {
    const root = loadManifest(manifest)
    const loader = (
      root.streams[0] as unknown as { schema_loader: { schema: { properties: Record<string, unknown> } } }
    ).schema_loader
    const { id, updated_at, customer } = loader.schema.properties
    assert.deepEqual(
      [id, updated_at],
      [{ type: ['integer', 'null'] }, { type: ['string', 'null'], format: 'date-time' }],
    )
    assert.ok(JSON.stringify(customer).length < 1000)
  })
})

test('a parameter that only filters is no primary key: merging by it would lose records', () => {
  const players = {
    type: 'array',
    items: { type: 'object', properties: { Team: { type: 'string' }, SeasonId: { type: 'integer' } } },
  }
  const get = {
    get: { responses: { 200: { description: 'ok', content: { 'application/json': { schema: players } } } } },
  }
  const text = JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'x', version: '1' },
    servers: [{ url: 'https://x.example' }],
    paths: { '/Players': get, '/Players/{Team}': get, '/SeasonTeams': get },
  })
  const { report } = importConnector(openDescription('openapi', text, null), {})
  assert.deepEqual(
    report.streams.map(({ primaryKey }) => primaryKey),
    [null, null, null],
  )
})

/** `/customers/{customer_id}/events/{event_id}/notes`, where ids are `id`. */
function nested(id: object, more: object = {}): string {
  const list = { type: 'array', items: { type: 'object', properties: { id, ...more } } }
  const get = { get: { responses: { 200: { description: 'ok', content: { 'application/json': { schema: list } } } } } }
  const paths = {
    '/customers': get,
    '/customers/{customer_id}/events': get,
    '/customers/{customer_id}/events/{event_id}/notes': get,
  }
  const servers = [{ url: '{host}', variables: { host: { default: 'http://x.example' } } }]
  return JSON.stringify({ openapi: '3.0.0', info: { title: 'x', version: '1' }, servers, paths })
}

const keysOf = (text: string) =>
  importConnector(openDescription('openapi', text, null), {}).report.streams.map(({ primaryKey }) => primaryKey)

test('ids that begin anew for each parent lose no record of a child when rows are merged', async () => {
  const { manifest } = importConnector(openDescription('openapi', nested({ type: 'integer' }), null), {})
  await using api = await serveApi({ '*': (_, { path }) => ({ json: [1, 2, 3].map((id) => ({ id, of: path })) }) })
  const to = memoryDestination()
  const options = { to, config: { host: api.url }, mode: 'full_refresh_dedup' } as const
  const { receipts } = await sync(loadManifest(manifest), options)
  assert.deepEqual(
    receipts.map(({ stream, records }) => [stream, records, to.tables.get(stream)?.length]),
    [
      ['customers', 3, 3],
      ['customers_events', 9, 9],
      ['events_notes', 27, 27],
    ],
  )
  const [first] = to.tables.get('events_notes') ?? []
  assert.deepEqual([first?.['customer_id'], first?.['event_id'], first?.['id']], [1, 1, 1])
})

test('the key of a child has those of its parents, unless its own is another everywhere', () => {
  assert.deepEqual(keysOf(nested({ type: 'integer' })), [
    'id',
    ['customer_id', 'id'],
    ['customer_id', 'event_id', 'id'],
  ])
  assert.deepEqual(keysOf(nested({ type: 'string', format: 'uuid' })), ['id', 'id', 'id'])
  // A field of the record stays as it is.
  const own = nested({ type: 'string' }, { customer_id: { type: 'string' } })
  assert.deepEqual(keysOf(own)[1], ['customers_customer_id', 'id'])
})

test('a key of a parent that is a text stays one', async () => {
  const { manifest } = importConnector(openDescription('openapi', nested({ type: 'string' }), null), {})
  await using api = await serveApi({
    '*': (_, { path }) => ({ json: (path === '/customers' ? ['1e2', '100.0'] : ['a']).map((id) => ({ id })) }),
  })
  const found: unknown[] = []
  const options = { stream: 'customers_events', config: { host: api.url }, concurrency: 1 }
  for await (const { customer_id } of readRecords(loadManifest(manifest), options)) found.push(customer_id)
  assert.deepEqual(found, ['1e2', '100.0'])
})

test('the way to authenticate is the one that opens the most, and what it does not open is reported', () => {
  const list = { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } }
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema: list } } } }
  const described = (security: Record<string, unknown>[]) => ({ get: { security, responses } })
  const schemes = {
    login: { type: 'http', scheme: 'basic' },
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  }
  const imported = (...ofPaths: Record<string, unknown>[][]) => {
    const paths = Object.fromEntries(ofPaths.map((security, index) => [`/list${index}`, described(security)]))
    const text = JSON.stringify({ openapi: '3.0.0', info: {}, components: { securitySchemes: schemes }, paths })
    const { authentication, notes } = importConnector(openDescription('openapi', text, null), {}).report
    return [authentication, notes.filter((note) => note.includes('authenticate'))]
  }
  const [login, key] = [{ login: [] }, { key: [] }]
  assert.deepEqual(imported([login], [login], [key]), [
    'user and password (basic)',
    ['1 of 3 operations authenticate in another way: give their streams an authenticator of their own.'],
  ])
  assert.deepEqual(imported([login, key], [key, login], [{}, login, key]), [
    'an API key in the header X-Key',
    ['The description allows 1 other way to authenticate.'],
  ])
})

test('tokens are fetched from the server that the variables name, whether their address is whole or begins with a slash', async () => {
  await using api = await serveApi({
    'POST /oauth/tokens': () => ({ json: { access_token: 'granted', expires_in: 3600 } }),
    'GET /api/orders': () => ({ json: orders }),
  })
  const { port } = new URL(api.url)
  const response = { description: 'ok', content: { 'application/json': { schema: { type: 'array', items: {} } } } }
  const server = { url: `http://{place}:${port}/api`, variables: { place: { default: 'nowhere.invalid' } } }
  for (const tokenUrl of ['/oauth/tokens', `http://{place}:${port}/oauth/tokens`]) {
    const login = { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: {} } } }
    const text = JSON.stringify({
      openapi: '3.0.0',
      info: {},
      servers: [server],
      security: [{ login: [] }],
      components: { securitySchemes: { login } },
      paths: { '/orders': { get: { responses: { 200: response } } } },
    })
    const { manifest } = importConnector(openDescription('openapi', text, null), {})
    const config = { place: '127.0.0.1', client_id: 'leaf', client_secret: 's3cret-9' }
    assert.deepEqual(await idsOf(manifest, 'orders', config), [1, 2, 3, 4, 5])
  }
  assert.deepEqual(
    api.requests.filter(({ path }) => path === '/api/orders').map(({ headers }) => headers.authorization),
    ['Bearer granted', 'Bearer granted'],
  )
})
