/** Postman collections and HAR files → connectors without a secret. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDescription, importConnector } from '../../src/import/import-api.ts'
import { connectorReadme } from '../../src/import/connector-readme.ts'
import { loadManifest, readRecords } from '../../src/index.ts'
import { serveApi } from '../helpers/serve-api.ts'

const all = [1, 2, 3, 4, 5].map((id) => ({ id, name: `n${id}` }))

function pageOf(query: URLSearchParams) {
  const page = Number(query.get('page') ?? 1)
  return { json: { data: all.slice((page - 1) * 2, page * 2), page, total: all.length } }
}

function connectorFrom(kind: 'postman' | 'har', file: unknown) {
  return importConnector(openDescription(kind, JSON.stringify(file), null), {})
}

async function idsOf(manifest: string, stream: string, config: Record<string, unknown>) {
  const ids: unknown[] = []
  for await (const { id } of readRecords(loadManifest(manifest), { stream, config, prefetch: 'off' })) ids.push(id)
  return ids
}

const example = (body: unknown) => [{ code: 200, body: JSON.stringify(body) }]

function collection(extra: Record<string, unknown> = {}) {
  return {
    info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: 'tok-in-the-file-123' }] },
    variable: [
      { key: 'version', value: 'v1' },
      { key: 'baseUrl', value: '' },
      { key: 'apiSecret', value: 'hush-hush-77' },
    ],
    item: [
      {
        name: 'Orders',
        item: [
          {
            name: 'List orders',
            request: {
              method: 'GET',
              header: [{ key: 'X-Trace', value: '{{apiSecret}}' }],
              url: {
                raw: '{{baseUrl}}/{{version}}/orders?page=1&state=open',
                query: [
                  { key: 'page', value: '1' },
                  { key: 'state', value: 'open' },
                  { key: 'per_page', value: '', disabled: true },
                ],
              },
            },
            response: example({ data: all.slice(0, 2), page: 1, total: 5 }),
          },
          {
            name: 'One order',
            request: { method: 'GET', url: '{{baseUrl}}/{{version}}/orders/:order_id' },
            response: example(all[0]),
          },
          {
            name: 'Notes',
            request: { method: 'GET', url: '{{baseUrl}}/{{version}}/orders/{{orderId}}/notes' },
            response: example([{ id: 1 }]),
          },
          {
            name: 'Make',
            request: {
              method: 'POST',
              url: '{{baseUrl}}/{{version}}/orders',
              body: { mode: 'raw', raw: '{"password":"pw-1234567"}' },
            },
          },
        ],
      },
    ],
    ...extra,
  }
}

describe('import postman', () => {
  const { manifest, report } = connectorFrom('postman', collection())

  test('reads the API of the collection; variables without a value are inputs', async () => {
    await using api = await serveApi({
      'GET /v1/orders': pageOf,
      '*': (_, { path }) => ({ json: [{ id: path }] }),
    })
    const config = { base_url: api.url, api_token: 't', api_secret: 's', x_trace: 's' }
    assert.deepEqual(await idsOf(manifest, 'orders', config), [1, 2, 3, 4, 5])
    assert.deepEqual(
      await idsOf(manifest, 'orders_notes', config),
      all.map(({ id }) => `/v1/orders/${id}/notes`),
    )
    assert.ok(api.requests.every(({ headers }) => headers.authorization === 'Bearer t'))
    assert.ok(
      api.requests.filter(({ path }) => path === '/v1/orders').every(({ query }) => query.get('state') === 'open'),
    )
  })

  test('streams, keys and parents; what changes something is none', () => {
    assert.deepEqual(
      report.streams.map(({ name, primaryKey, parent, pagination }) => [name, primaryKey, parent, pagination.method]),
      [
        ['orders', 'id', null, 'page'],
        ['orders_notes', ['order_id', 'id'], 'orders', 'none'],
      ],
    )
    assert.match(report.notes.join('\n'), /Variables without a value became inputs: `baseUrl`/)
  })

  test('no secret of the file is written', () => {
    const written = manifest + connectorReadme('postman', report)
    for (const secret of ['tok-in-the-file-123', 'hush-hush-77', 'pw-1234567'])
      assert.ok(!written.includes(secret), secret)
    assert.ok(report.inputs.some(({ name, isSecret }) => name === 'api_token' && isSecret))
  })

  test('an address with a digit is no secret; one with a password or a key is', () => {
    const withBase = (value: string) => connectorFrom('postman', collection({ variable: [{ key: 'baseUrl', value }] }))
    const plain = withBase('https://api.shop-1.example.com/v1')
    assert.match(plain.manifest, /url_base: https:\/\/api\.shop-1\.example\.com\n/)
    assert.ok(!plain.report.inputs.some(({ name }) => name === 'base_url'))
    for (const secret of [
      'https://me:pw1@api.example.com/v1',
      'https://api.example.com/v1/T0k3nT0k3nT0k3nT0k3nT0k3n',
    ]) {
      const { manifest: written, report: made } = withBase(secret)
      assert.ok(!written.includes(secret), secret)
      assert.ok(made.inputs.some(({ name, isSecret }) => name === 'base_url' && isSecret))
    }
  })

  test('of several values of a parameter the one that is not disabled is sent', async () => {
    await using api = await serveApi({ 'GET /orders': pageOf })
    const query = [
      { key: 'state', value: 'open' },
      { key: 'state', value: 'closed', disabled: true },
      { key: 'page', value: '1' },
      { key: 'per_page', value: '2', disabled: true },
    ]
    const request = { method: 'GET', url: { raw: `${api.url}/orders?state=open&page=1`, query } }
    const response = example({ data: all.slice(0, 2), page: 1, total: 5 })
    const item = [{ name: 'Orders', request, response }]
    const written = connectorFrom('postman', collection({ item })).manifest
    await idsOf(written, 'orders', { api_token: 't' })
    assert.ok(api.requests.length > 1)
    for (const { query: sent } of api.requests) assert.equal(sent.get('state'), 'open')
  })

  test('an address that is written in parts only keeps its port and its query', async () => {
    await using api = await serveApi({ 'GET /v1/orders': pageOf })
    const { port } = new URL(api.url)
    const query = [
      { key: 'page', value: '1' },
      { key: 'state', value: 'open' },
      { key: 'sort', value: 'id', disabled: true },
    ]
    const url = { protocol: 'http', host: ['127', '0', '0', '1'], port, path: ['v1', 'orders'], query }
    const response = example({ data: all.slice(0, 2), page: 1, total: 5 })
    const item = [{ name: 'Orders', request: { method: 'GET', url }, response }]
    const written = connectorFrom('postman', collection({ item })).manifest
    assert.deepEqual(await idsOf(written, 'orders', { api_token: 't' }), [1, 2, 3, 4, 5])
    for (const { query: sent } of api.requests) assert.deepEqual([sent.get('state'), sent.get('sort')], ['open', null])
  })

  test('tokens are fetched from the account that an input names', () => {
    const oauth2 = [
      { key: 'accessTokenUrl', value: 'https://{{account}}.shop.example/token' },
      { key: 'grant_type', value: 'client_credentials' },
    ]
    const { manifest: written, report: made } = connectorFrom(
      'postman',
      collection({ auth: { type: 'oauth2', oauth2 } }),
    )
    assert.match(written, /token_refresh_endpoint: "https:\/\/\{\{ config\['account'\] \}\}\.shop\.example\/token"/)
    assert.ok(made.inputs.some(({ name, isSecret }) => name === 'account' && !isSecret))
  })

  test('a variable that stands for itself many times is refused, and braces that never close take no time', () => {
    const address = { method: 'GET', url: 'https://shop.example/orders?page={{a}}' }
    const variable = [{ key: 'a', value: '{{a}}'.repeat(100) }]
    assert.throws(
      () => connectorFrom('postman', collection({ item: [{ name: 'Orders', request: address }], variable })),
      /its variable `a` has too much text/,
    )
    const header = [{ key: 'X-Open', value: `{{${' '.repeat(100_000)}!` }]
    const request = { method: 'GET', url: 'https://shop.example/orders?page=1', header }
    const began = performance.now()
    connectorFrom('postman', collection({ item: [{ name: 'Orders', request }], variable: [] }))
    assert.ok(performance.now() - began < 5000)
  })

  test('other files are refused in words', () => {
    for (const [file, words] of [
      [{ openapi: '3.0.0', paths: {} }, /is an OpenAPI document/],
      [{ id: 'x', requests: [] }, /format 1/],
      [[], /not an object/],
    ] as const) {
      assert.throws(() => openDescription('postman', JSON.stringify(file), null), words)
    }
  })
})

const jsonEntry = (method: string, url: string, body: unknown, more: Record<string, unknown> = {}) => ({
  request: {
    method,
    url,
    headers: [
      { name: 'Cookie', value: 'sid=cookie-value-9' },
      { name: 'Authorization', value: 'Bearer bearer-value-8' },
    ],
    ...more,
  },
  response: { status: 200, headers: [], content: { mimeType: 'application/json', text: JSON.stringify(body) } },
})

function recording(origin: string) {
  const login = {
    mimeType: 'application/json',
    text: JSON.stringify({ email: 'ann@example.com', password: 'correct-horse-7' }),
  }
  const search = { mimeType: 'application/json', text: JSON.stringify({ query: '*', pin: 'correct-horse-7' }) }
  return {
    log: {
      entries: [
        jsonEntry('POST', `${origin}/login`, { ok: true, token: 'bearer-value-8' }, { postData: login }),
        jsonEntry('GET', `${origin}/v1/orders?page=1&session=sess-value-6`, {
          data: all.slice(0, 2),
          page: 1,
          total: 5,
        }),
        jsonEntry('GET', `${origin}/v1/orders?page=2&session=sess-value-6`, {
          data: all.slice(2, 4),
          page: 2,
          total: 5,
        }),
        jsonEntry('GET', `${origin}/v1/orders/17/notes`, [{ id: 1, 'ann@example.com': 3 }]),
        jsonEntry('POST', `${origin}/v1/customers/search`, { results: [{ id: 1 }] }, { postData: search }),
        jsonEntry('GET', `${origin}/v1/of/sess-value-6/visits`, [{ id: 1 }]),
        jsonEntry('GET', 'https://tracker.example/events', { events: [{ id: 1 }] }),
        {
          request: { method: 'GET', url: `${origin}/logo.png`, headers: [] },
          response: { status: 200, content: { mimeType: 'image/png', text: 'x' } },
        },
        { request: { method: 'GET', url: 'not an address', headers: [] }, response: { status: 200 } },
      ],
    },
  }
}

describe('import har', () => {
  test('reads the lists that the page asked for, ids of paths from the list that has them', async () => {
    await using api = await serveApi({ 'GET /v1/orders': pageOf, '*': (_, { path }) => ({ json: [{ id: path }] }) })
    const { manifest, report } = connectorFrom('har', recording(api.url))
    assert.deepEqual(
      report.streams.map(({ name, path, parent }) => [name, path, parent]),
      [
        ['orders', '/v1/orders', null],
        ['orders_notes', '/v1/orders/{order_id}/notes', 'orders'],
        ['customers_search', '/v1/customers/search', null],
        ['of_visits', '/v1/of/{secret}/visits', null],
      ],
    )
    const config = Object.fromEntries(report.inputs.map(({ name }) => [name, `v-${name}`]))
    assert.deepEqual(await idsOf(manifest, 'orders', config), [1, 2, 3, 4, 5])
    assert.equal((await idsOf(manifest, 'orders_notes', config)).length, 5)
    assert.match(report.notes.join('\n'), /tracker\.example/)
  })

  test('counts an operation whose response is no JSON among those that give no list', () => {
    const csv = { mimeType: 'text/csv', text: 'id\n1\n' }
    const request = { method: 'GET', url: 'https://shop.example/v1/rates.csv', headers: [] }
    const { log } = recording('https://shop.example')
    const more = { log: { entries: [...log.entries, { request, response: { status: 200, content: csv } }] } }
    const before = connectorFrom('har', { log }).report.otherOperations
    assert.equal(connectorFrom('har', more).report.otherOperations, before + 1)
  })

  test('passwords in bodies, cookies, tokens and addresses of people are not written', () => {
    const { manifest, report } = connectorFrom('har', recording('https://shop.example'))
    const written = manifest + connectorReadme('har', report) + JSON.stringify(report)
    for (const secret of [
      'correct-horse-7',
      'cookie-value-9',
      'bearer-value-8',
      'sess-value-6',
      'ann@example.com',
      '/17/',
    ])
      assert.ok(!written.includes(secret), secret)
    assert.ok(report.inputs.every(({ isSecret }) => isSecret))
  })

  test('a password that is a word of templates is not written, and not taken for one', () => {
    const login = {
      request: {
        method: 'POST',
        url: 'https://shop.example/login',
        postData: { mimeType: 'application/json', text: JSON.stringify({ user: 'me', password: 'secret' }) },
      },
      response: { status: 200, content: { mimeType: 'application/json', text: '{"ok":true}' } },
    }
    const list = {
      request: { method: 'GET', url: 'https://shop.example/orders?page=1&q=topsecret&client_secret=abc-12345-xyz' },
      response: { status: 200, content: { mimeType: 'application/json', text: JSON.stringify({ data: all }) } },
    }
    const { manifest: written } = connectorFrom('har', { log: { entries: [login, list] } })
    assert.match(written, /q: "?top\{\{ config\['secret'\] \}\}/)
    assert.ok(!written.includes('topsecret') && !written.includes("config['client_{{"), written)
    assert.equal(loadManifest(written).problems.filter(({ severity }) => severity === 'error').length, 0)
  })

  test('a body that nests without end is an error in words', () => {
    const text = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
    const entry = {
      request: { method: 'POST', url: 'https://shop.example/search', postData: { mimeType: 'application/json', text } },
      response: { status: 200, content: { mimeType: 'application/json', text: JSON.stringify({ data: all }) } },
    }
    assert.throws(() => connectorFrom('har', { log: { entries: [entry] } }), /nests too deeply/)
  })

  test('a body that is no JSON is left out, and said', () => {
    const entry = jsonEntry(
      'POST',
      'https://shop.example/search',
      { results: [{ id: 1 }] },
      { postData: { mimeType: 'text/plain', text: 'password=hunter22' } },
    )
    const other = jsonEntry('GET', 'https://shop.example/things', [{ id: 1 }])
    const { manifest, report } = connectorFrom('har', { log: { entries: [entry, other] } })
    assert.ok(!manifest.includes('hunter22'))
    assert.match(report.notes.join('\n'), /1 request with a body/)
  })

  test('other files are refused in words', () => {
    assert.throws(() => openDescription('har', '{"openapi":"3.0.0"}', null), /import openapi/)
    assert.throws(() => openDescription('har', '{"log":{"entries":[]}}', null), /No list of records was found/)
  })
})
