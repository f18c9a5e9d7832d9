/** Credentials stay with their origin, and secrets are never shown. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { loadManifest, type Notice, type Page, type PageToken, type ReadOptions, readPages } from '../src/index.ts'
import { cursorPaginator, manifestOf, offsetPaginator, option, type StreamParts } from './helpers/manifests.ts'
import { serveApi } from './helpers/serve-api.ts'

const secret = 'tok-9f8e7d6c5b'
const config = { api_key: secret }
const spec = { type: 'object', properties: { api_key: { type: 'string', airbyte_secret: true } } }
const key = '{{ config.api_key }}'

const authenticators: [name: string, requester: Record<string, unknown>][] = [
  ['bearer', { authenticator: { type: 'BearerAuthenticator', api_token: key } }],
  ['basic', { authenticator: { type: 'BasicHttpAuthenticator', username: 'leaf', password: key } }],
  [
    'key in a header',
    { authenticator: { type: 'ApiKeyAuthenticator', api_token: key, inject_into: option('header', 'X-Key') } },
  ],
  [
    'key in the query',
    { authenticator: { type: 'ApiKeyAuthenticator', api_token: key, inject_into: option('request_parameter', 'key') } },
  ],
  ['a header the author wrote', { request_headers: { 'X-Custom': `Token ${key}` } }],
  ['a parameter the author wrote', { request_parameters: { token: key } }],
]

const byLink = cursorPaginator('{{ response.next }}', undefined, { page_token_option: { type: 'RequestPath' } })

async function read(parts: StreamParts, options: ReadOptions = {}): Promise<{ pages: Page[]; notices: Notice[] }> {
  const pages: Page[] = []
  const notices: Notice[] = []
  const all = { config, sleep: async () => {}, onNotice: (notice: Notice) => notices.push(notice), ...options }
  for await (const page of readPages(loadManifest(manifestOf({ spec, ...parts })), all)) pages.push(page)
  return { pages, notices }
}

const seen = (requests: object[]) =>
  JSON.stringify(requests.map((request) => ({ ...request, query: String((request as { query?: unknown }).query) })))
const carries = (text: string) => text.includes(secret) || text.includes(btoa(`leaf:${secret}`))

for (const [name, requester] of authenticators) {
  test(`${name}: sent home on every page, shown on none`, async () => {
    await using api = await serveApi({
      'GET /items': (query) => ({ json: { data: [{ id: 1 }], next: query.get('p') ? null : '?p=2' } }),
    })
    const { pages } = await read({ url: api.url, requester, paginator: byLink })
    assert.equal(api.requests.length, 2)
    for (const request of api.requests) assert.ok(carries(seen([request])), 'the credential did not arrive')
    assert.ok(!carries(JSON.stringify(pages)), 'a page shows the secret')
  })

  test(`${name}: a next link to another host goes without it, and is reported`, async () => {
    await using other = await serveApi({ '*': () => ({ json: { data: [{ id: 2 }] } }) })
    await using api = await serveApi({
      'GET /items': () => ({ json: { data: [{ id: 1 }], next: `${other.url}/items?p=2` } }),
    })
    const { pages, notices } = await read({ url: api.url, requester, paginator: byLink })
    assert.deepEqual(
      pages.flatMap(({ records }) => records.map(({ id }) => id)),
      [1, 2],
    )
    assert.ok(!carries(seen(other.requests)), 'the secret left home')
    assert.ok(!seen(other.requests).includes('****'), 'the mark left home')
    assert.equal(notices.filter(({ kind }) => kind === 'foreign-origin').length, 1)
  })

  test(`${name}: a redirect to another host goes without it`, async () => {
    await using other = await serveApi({ '*': () => ({ json: { data: [{ id: 2 }] } }) })
    await using api = await serveApi({
      'GET /items': () => ({ status: 302, headers: { location: `${other.url}/elsewhere` } }),
    })
    await read({ url: api.url, requester })
    assert.equal(other.requests.length, 1)
    assert.ok(!carries(seen(other.requests)))
  })

  test(`${name}: an origin the user trusts gets it`, async () => {
    await using other = await serveApi({ '*': () => ({ json: { data: [{ id: 2 }] } }) })
    await using api = await serveApi({
      'GET /items': () => ({ json: { data: [{ id: 1 }], next: `${other.url}/items?p=2` } }),
    })
    await read({ url: api.url, requester, paginator: byLink }, { trustedOrigins: [other.url] })
    assert.ok(carries(seen(other.requests)))
  })

  test(`${name}: errors and notices do not show it`, async () => {
    await using api = await serveApi({
      '*': (query, { headers }) => ({
        status: 429,
        json: {
          message: `bad key ${JSON.stringify(headers)} ${String(query)}`,
        },
      }),
    })
    const notices: Notice[] = []
    await assert.rejects(
      read({ url: api.url, requester }, { onNotice: (notice) => notices.push(notice) }),
      (error: Error) => !carries(JSON.stringify(error)) && !carries(error.message),
    )
    assert.ok(notices.length > 0)
    assert.ok(!carries(JSON.stringify(notices)))
  })
}

test('a host that depends on the slice is at home in each slice', async () => {
  await using one = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }] } }) })
  await using two = await serveApi({ '*': () => ({ json: { data: [{ id: 2 }] } }) })
  const partition_router = { type: 'ListPartitionRouter', values: [one.url, two.url], cursor_field: 'host' }
  const requester = { authenticator: { type: 'BearerAuthenticator', api_token: key } }
  await read({ url: '{{ stream_partition.host }}', requester, retriever: { partition_router } })
  for (const api of [one, two]) assert.equal(api.requests[0]?.headers.authorization, `Bearer ${secret}`)
})

test('a token that reaches the URL through a template does not take the credential along', async () => {
  await using evil = await serveApi({ '*': () => ({ json: { data: [{ id: 2 }] } }) })
  await using api = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }], next: `${evil.url}/x` } }) })
  const token = "{{ next_page_token['next_page_token'] if next_page_token else"
  const ways: StreamParts[] = [
    { url: api.url, requester: { path: `${token} 'items' }}` } },
    { url: `${token} '${api.url}/' }}` },
  ]
  for (const way of ways) {
    const requester = { ...way.requester, authenticator: { type: 'BearerAuthenticator', api_token: key } }
    const paginator = cursorPaginator('{{ response.next }}', undefined, { page_token_option: undefined })
    const { notices } = await read({
      ...way,
      requester,
      paginator: JSON.parse(JSON.stringify(paginator)) as object & Record<string, unknown>,
    })
    assert.equal(notices.length, 1)
  }
  assert.equal(evil.requests.length, 2)
  assert.ok(!carries(seen(evil.requests)))
})

test('what is a credential by its name stays at home, marked secret or not', async () => {
  await using other = await serveApi({ '*': () => ({ json: { data: [] } }) })
  await using api = await serveApi({
    '*': () => ({ json: { data: [{ id: 1 }], next: `${other.url}/x?token=theirs` } }),
  })
  const requester = {
    request_headers: { 'X-Api-Key': 'open-1', 'X-Page': 'x' },
    request_parameters: { api_key: 'open-2', lang: 'de' },
  }
  await read({ url: api.url, requester, paginator: byLink, spec: { type: 'object' } })
  assert.deepEqual(other.asked, ['GET /x?token=theirs&lang=de'])
  assert.equal(other.requests[0]?.headers['x-api-key'], undefined)
  assert.equal(other.requests[0]?.headers['x-page'], 'x')
})

test('without a spec, what is called or used as a credential stays at home; a place to resume from does not', async () => {
  await using other = await serveApi({ '*': () => ({ json: { data: [] } }) })
  await using api = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }], next: `${other.url}/x` } }) })
  const requester = {
    authenticator: { type: 'ApiKeyAuthenticator', api_token: '{{ config.shop_code }}', header: 'X-Shop' },
    request_headers: {
      'X-One': '{{ config.api_key }}',
      'X-Two': '{{ config.shop_code }}',
      'X-Three': '{{ config.api_key[:9] }}',
    },
    request_parameters: { sync_token: '{{ config.sync_token }}', q: '{{ config.api_key }}' },
  }
  const given = { api_key: secret, shop_code: 'zx81-spectrum', sync_token: 'place-1234' }
  const pages: Page[] = []
  const manifest = loadManifest(manifestOf({ url: api.url, requester, paginator: byLink }))
  for await (const page of readPages(manifest, { config: given })) pages.push(page)
  assert.equal(api.requests[0]?.headers['x-one'], secret)
  assert.deepEqual(other.asked, ['GET /x?sync_token=place-1234'])
  assert.doesNotMatch(seen(other.requests), /tok-9f8e7|zx81/)
  assert.doesNotMatch(JSON.stringify(pages), /tok-9f8e7|zx81/)
})

test('a next link that repeats the key is shown without it, and still works', async () => {
  await using api = await serveApi({
    'GET /items': (query) => ({
      json: {
        data: [{ id: query.get('p') ?? '1' }],
        next: query.get('p') ? null : `/items?p=2&api_key=${String(query.get('api_key'))}`,
      },
    }),
  })
  const authenticator = {
    type: 'ApiKeyAuthenticator',
    api_token: key,
    inject_into: option('request_parameter', 'api_key'),
  }
  const { pages } = await read({ url: api.url, requester: { authenticator }, paginator: byLink })
  assert.equal(api.requests[1]?.query.get('api_key'), secret)
  assert.ok(!carries(JSON.stringify(pages)))
  const rest = await read(
    { url: api.url, requester: { authenticator }, paginator: byLink },
    { from: JSON.parse(JSON.stringify(pages[0]?.next)) as PageToken },
  )
  assert.deepEqual(
    rest.pages.flatMap(({ records }) => records),
    [{ id: '2' }],
  )
})

test('a next link is sent whole, even where it holds what looks like a secret', async () => {
  await using api = await serveApi({
    '*': (query, { path }) => ({
      json: { data: [{ id: path }], next: query.has('p') ? null : `/items?account=${secret}&cursor=x${secret}y&p=2` },
    }),
  })
  await read({ url: api.url, requester: { path: `accounts/${key}/items` }, paginator: byLink })
  assert.equal(api.asked[1], `GET /items?account=${secret}&cursor=x${secret}y&p=2`)
})

test('a token whose secret was hidden, and a slice that does not exist, cannot be gone on from', async () => {
  await using api = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }], next: `/bot-${secret}/items` } }) })
  const { pages } = await read({ url: api.url, paginator: byLink }, { maxPages: 1 })
  await assert.rejects(read({ url: api.url, paginator: byLink }, { from: pages[0]?.next }), {
    code: 'slices/invalid-state',
  })
  const slice = { partition: { x: 'nobody' }, window: {} }
  await assert.rejects(read({ url: api.url }, { slice }), { code: 'slices/invalid-state' })
})

test('what an error was caused by hides the same', async () => {
  await using api = await serveApi({ '*': () => ({ text: `${secret} is no JSON` }) })
  const requester = { authenticator: { type: 'BearerAuthenticator', api_token: key } }
  await assert.rejects(read({ url: api.url, requester }), (error) => !carries(inspect(error)))
})

test('a body that names a credential stays at home', async () => {
  await using other = await serveApi({ '*': () => ({ json: { data: [] } }) })
  await using api = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }], next: `${other.url}/x` } }) })
  const requester = {
    http_method: 'POST',
    request_body_json: { api_key: 'open', n: 1 },
    request_parameters: { client_secret: 'open', page_token: 't' },
  }
  const { notices } = await read({ url: api.url, requester, paginator: byLink, spec: { type: 'object' } })
  assert.deepEqual([other.requests[0]?.body, other.asked[0]], ['', 'POST /x?page_token=t'])
  assert.deepEqual(
    notices.flatMap((notice) => (notice.kind === 'foreign-origin' ? notice.dropped : [])),
    ['client_secret', 'body'],
  )
})

const short = 'Kq7-vXw2pLm9zRt4'
/** Of the key `Kq7-vXw2pLm9zRt4`, too short to be looked for in any text. */
const short4 = /Kq7|qK|S3E3|kq7-|4tR/
const pieces: [name: string, template: string][] = [
  ['a slice', '{{ config.api_key[:4] }}'],
  ['small letters', '{{ config.api_key[:4] | lower }}'],
  ['base64', '{{ config.api_key[:3] | base64encode }}'],
  ['backwards', '{{ config.api_key[::-1][:3] }}'],
  ['a split', "{{ config.api_key.split('-')[0] }}"],
  [
    'a slice next to a later value',
    "{{ config.api_key[:4] ~ (next_page_token['next_page_token'] if next_page_token) }}",
  ],
]
const carriers: [name: string, requester: (piece: string) => Record<string, unknown>][] = [
  ['the path', (piece) => ({ path: `items/${piece}/list` })],
  ['a header', (piece) => ({ request_headers: { 'X-Piece': `for ${piece}` } })],
  ['a parameter', (piece) => ({ request_parameters: { piece } })],
  ['a JSON body', (piece) => ({ http_method: 'POST', request_body_json: { filter: { piece } } })],
  ['a form', (piece) => ({ http_method: 'POST', request_body_data: { piece } })],
]

for (const [place, requester] of carriers) {
  test(`short pieces of a secret in ${place} are sent to their own origin only, and never shown`, async () => {
    for (const [name, template] of pieces) {
      await using other = await serveApi({ '*': () => ({ json: { data: [] } }) })
      await using api = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }], next: `${other.url}/x` } }) })
      const parts = { requester: requester(template), paginator: byLink }
      const { pages, notices } = await read({ url: api.url, ...parts }, { config: { api_key: short } })
      const sent = (requests: typeof api.requests) =>
        seen(requests.map((one) => ({ ...one, headers: { piece: one.headers['x-piece'] } })))
      assert.match(sent(api.requests), short4, `${name} did not arrive`)
      assert.doesNotMatch(JSON.stringify([pages.map(({ request }) => request), notices]), short4, name)
      assert.doesNotMatch(sent(other.requests), short4, `${name} left home`)

      await using broken = await serveApi({ '*': () => ({ status: 404, json: { message: 'no such thing' } }) })
      await assert.rejects(
        read({ url: broken.url, requester: requester(template) }, { config: { api_key: short } }),
        (error: Error) => {
          assert.match(error.message, /404/)
          assert.doesNotMatch(inspect(error), short4, name)
          return true
        },
      )
    }
  })
}

test('a short piece of a secret in an error is hidden where it is quoted', async () => {
  const start_datetime = '{{ config.api_key[:4] }}'
  const incremental_sync = {
    type: 'DatetimeBasedCursor',
    cursor_field: 'at',
    datetime_format: '%Y-%m-%d',
    start_datetime,
  }
  const requester = { path: 'items' }
  await assert.rejects(
    read({ url: 'http://127.0.0.1:9', requester, stream: { incremental_sync } }, { config: { api_key: short } }),
    (error: Error) => {
      assert.match(error.message, /\*\*\*\*/)
      assert.doesNotMatch(inspect(error), short4)
      return true
    },
  )
})

const careless: [name: string, parts: StreamParts][] = [
  [
    'an authenticator',
    { requester: { authenticator: { type: 'BearerAuthenticator', api_token: '{{ config.api_key + 5 }}' } } },
  ],
  ['a page size', { paginator: offsetPaginator({ page_size: key }) }],
  [
    'a list of slices',
    { retriever: { partition_router: { type: 'ListPartitionRouter', values: key, cursor_field: 'x' } } },
  ],
  ['a short path', { url: key }],
]
for (const [name, parts] of careless) {
  test(`a secret where it does not belong, in ${name}: the error does not show it`, async () => {
    await assert.rejects(read(parts), (error: Error) => !carries(error.message) && !carries(JSON.stringify(error)))
  })
}

test('a secret that names a slice is hidden in its pages', async () => {
  await using api = await serveApi({ '*': () => ({ json: { data: [] } }) })
  const partition_router = { type: 'ListPartitionRouter', values: [key], cursor_field: 'x' }
  const { pages } = await read({
    url: api.url,
    retriever: { partition_router: { ...partition_router, values: '{{ [config.api_key] }}' } },
  })
  assert.ok(!carries(JSON.stringify(pages)))
})

test('a secret that the API echoes is hidden in response and headers', async () => {
  await using api = await serveApi({
    'GET /items': () => ({
      json: { data: [], you_sent: secret, link: `https://x/?k=${secret}` },
      headers: { 'x-echo': secret },
    }),
  })
  const { pages } = await read({ url: api.url })
  assert.ok(!carries(JSON.stringify(pages[0]?.response)))
})

test('the plan prints without secrets', async () => {
  const { planStream } = await import('../src/index.ts')
  const plan = planStream(loadManifest(manifestOf({ spec, requester: authenticators[0]?.[1] ?? {} })), 'items', config)
  assert.ok(!carries(JSON.stringify(plan)))
  assert.match(JSON.stringify(plan), /\{\{ config.api_key \}\}/)
})

test('metadata addresses are out of reach', async () => {
  await assert.rejects(read({ url: 'http://169.254.169.254' }), { code: 'response/address-refused' })
})

test('loopback is out of reach where only public addresses may be asked', async () => {
  await using api = await serveApi({ '*': () => ({ json: { data: [] } }) })
  await assert.rejects(read({ url: api.url }, { egress: 'public-only' }), { code: 'response/address-refused' })
  assert.deepEqual(api.asked, [])
})
