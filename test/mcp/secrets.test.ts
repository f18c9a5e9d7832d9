/** Secrets: only allowed names, only to their origins, never back to the client, however the manifest tries. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSecrets } from '../../src/server/secrets/secret-network.ts'
import { markReferences, parseSecret, refuseLiteralSecrets } from '../../src/mcp/secrets.ts'
import type { HttpRequest } from '../../src/engine/request/http-request.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { type McpClient, openHttp } from './mcp-clients.ts'
import { serveShop, shopToken } from './shop-api.ts'

/** A connector that a client wrote: it reads `path`, and tries to get the token into its records. */
function greedyManifest(url: string, { path = '/orders', value = '{{ config["token"] }}' } = {}): string {
  return `version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [orders] }
streams:
  - type: DeclarativeStream
    name: orders
    retriever:
      type: SimpleRetriever
      requester:
        type: HttpRequester
        url_base: ${url}
        path: ${path}
        authenticator: { type: BearerAuthenticator, api_token: "{{ config['token'] }}" }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } }
    transformations:
      - type: AddFields
        fields:
          - { path: [stolen], value: '${value}' }
          - { path: [reversed], value: '{{ config["token"][::-1] }}' }
          - { path: [encoded], value: '{{ config["token"] | base64encode }}' }
`
}

const config = { token: '${SHOP_TOKEN}' }

type ShownRead = { shown: { fromApi: { records: Record<string, unknown>[] } }[] }

function readAll(one: McpClient, text: string) {
  return one.call<ShownRead>('test_read', { text, stream: 'orders', config, showRecords: 5 })
}

test('no template and no echo of the API brings a value back', async () => {
  await using api = await serveShop()
  await using opened = await openHttp({ secrets: { SHOP_TOKEN: { value: shopToken, origin: api.url } } })
  await using one = await opened.open()
  const texts = [greedyManifest(api.url), greedyManifest(api.url, { path: '/echo' })]
  for (const text of texts) {
    const { shown } = await readAll(one, text)
    assert.ok(shown[0]?.fromApi.records[0]?.stolen !== undefined, 'the manifest did not add its fields')
    const received = one.received()
    const backwards = shopToken.split('').toReversed().join('')
    for (const form of [shopToken, backwards, Buffer.from(shopToken).toString('base64')]) {
      assert.ok(!received.includes(form), `${form} reached the client`)
    }
  }
  assert.ok(api.requests.every(({ headers }) => headers.authorization === `Bearer ${shopToken}`))
})

test('a value is not sent to another host', async () => {
  await using api = await serveShop()
  await using other = await serveApi({ '*': () => ({ json: { data: [] } }) })
  await using opened = await openHttp({ secrets: { SHOP_TOKEN: { value: shopToken, origin: api.url } } })
  await using one = await opened.open()
  const { problem } = await one.call<{ problem: { code: string } }>('test_read', {
    text: greedyManifest(other.url),
    stream: 'orders',
    config,
  })
  assert.equal(problem.code, 'mcp/secret-elsewhere')
  const detected = await one.call<{ problem: { code: string } | null; answer: string | null }>('detect_api', {
    url: `${other.url}/orders`,
    headers: { Authorization: 'Bearer ${SHOP_TOKEN}' },
  })
  assert.notEqual(detected.answer, 'paginated')
  assert.deepEqual(other.requests, [])
})

test('a redirect to another host does not take the value along', async () => {
  await using other = await serveApi({ '*': () => ({ json: { data: [] } }) })
  await using api = await serveApi({
    '*': (query) => ({ status: 302, headers: { location: `${other.url}/orders?${query.toString()}` }, text: '' }),
  })
  await using opened = await openHttp({ secrets: { SHOP_TOKEN: { value: shopToken, origin: api.url } } })
  await using one = await opened.open()
  await readAll(one, greedyManifest(api.url, { path: "/orders?key={{ config['token'] }}" }))
  assert.ok(api.requests.length > 0)
  assert.ok(!JSON.stringify(other.requests.map(({ headers, query }) => [headers, [...query]])).includes(shopToken))
})

test('references to other variables and to files, and secrets written out, are refused', async () => {
  process.env.MCP_TEST_OTHER = 'other-value-of-the-server'
  await using opened = await openHttp({ secrets: { SHOP_TOKEN: { value: shopToken, origin: 'https://shop.example' } } })
  await using one = await opened.open()
  const text = greedyManifest('http://127.0.0.1:1')
  const read = { text, stream: 'orders' }
  for (const token of ['${MCP_TEST_OTHER}', '${PATH}', 'file:/etc/passwd', 'file:.env']) {
    assert.equal((await one.fails('test_read', { ...read, config: { token } })).code, 'mcp/secret-refused')
    assert.equal(
      (await one.fails('evaluate_template', { template: 'x', config: { token } })).code,
      'mcp/secret-refused',
    )
  }
  const literal = await one.fails('test_read', { ...read, config: { token: 'written-out-secret' } })
  assert.equal(literal.code, 'mcp/literal-secret')
  const header = await one.fails('detect_api', { url: 'http://127.0.0.1:1/', headers: { Authorization: 'Bearer abc' } })
  assert.equal(header.code, 'mcp/literal-secret')
  for (const more of [{ json: { login: { password: 'written-out' } } }, { form: { api_key: 'written-out' } }]) {
    const { code } = await one.fails('detect_api', { url: 'http://127.0.0.1:1/', ...more })
    assert.equal(code, 'mcp/literal-secret')
  }
  const inAddress = await one.fails('detect_api', { url: 'http://127.0.0.1:1/?access_token=written-out' })
  assert.equal(inAddress.code, 'mcp/literal-secret')
  assert.ok(!one.received().includes('other-value-of-the-server'))
  assert.ok(!one.received().includes('written-out-secret'))
})

test('a secret is a name, origins and a value of some length', () => {
  const environment = { TOKEN: 'long-enough', SHORT: 'abc' }
  assert.deepEqual(parseSecret('TOKEN=https://a.example,http://127.0.0.1:8080', environment), {
    name: 'TOKEN',
    value: 'long-enough',
    origins: ['https://a.example', 'http://127.0.0.1:8080'],
  })
  const refused = [
    'TOKEN',
    'TOKEN=a.example',
    'TOKEN=https://a.example/path',
    'SHORT=https://a.example',
    'NONE=https://a.example',
  ]
  for (const text of [...refused, 'TOKEN=ftp://a.example', 'TOKEN=https://user:pass@a.example']) {
    assert.throws(() => parseSecret(text, environment), { code: 'mcp/invalid-secret' })
  }
})

test('markers survive where a request encodes values, and are filled in each', async () => {
  const value = 'p&ss "wörd"/1'
  const secret = { name: 'KEY', value, origins: ['https://a.example'] }
  const sent: HttpRequest[] = []
  const network = withSecrets([secret])({
    async send(request) {
      sent.push(request)
      const body = Buffer.from(JSON.stringify({ echo: value, url: request.url }))
      return { status: 200, url: request.url, headers: { 'x-echo': encodeURIComponent(value) }, body }
    },
    close: async () => {},
    maxBodyBytes: 1000,
  })
  const key = markReferences('${KEY}', [secret])
  const basic = `Basic ${Buffer.from(`user:${key}`).toString('base64')}`
  const common = { method: 'POST', url: `https://a.example/?key=${key}` }
  const form = { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: basic }
  const response = await network.send({ ...common, headers: form, body: `k=${key}` }, AbortSignal.timeout(1000))
  const json = { 'content-type': 'application/json', 'X-Key': key }
  await network.send({ ...common, headers: json, body: JSON.stringify({ key }) }, AbortSignal.timeout(1000))
  const encoded = encodeURIComponent(value)
  const [first, second] = sent
  assert.equal(first?.url, `https://a.example/?key=${encoded}`)
  assert.equal(first?.body, `k=${encoded}`)
  assert.equal(Buffer.from(first?.headers.Authorization?.slice(6) ?? '', 'base64').toString(), `user:${value}`)
  assert.equal(second?.headers['X-Key'], value)
  assert.deepEqual(JSON.parse(second?.body ?? ''), { key: value })
  const shownBack = `${response.url} ${Buffer.from(response.body).toString()} ${JSON.stringify(response.headers)}`
  assert.ok(!shownBack.includes(encoded) && !shownBack.includes('wörd'), shownBack)
})

test('a value is hidden however an API sends it back', async () => {
  const secret = { name: 'KEY', value: 'ab/cd ef(gh)', origins: ['https://a.example'] }
  const longer = { ...secret, name: 'LONGER', value: `${secret.value}-and-more` }
  const pair = (password: string) => Buffer.from(`me:${password}`).toString('base64')
  const marker = 'turnleaf-secret.KEY.reference'
  const spelled: readonly (readonly [sent: string, shown: string])[] = [
    [secret.value, marker],
    [longer.value, 'turnleaf-secret.LONGER.reference'],
    [String.raw`ab\/cd ef(gh)`, marker],
    [encodeURIComponent(secret.value), marker],
    ['ab%2Fcd+ef%28gh%29', marker],
    [Buffer.from(secret.value).toString('base64'), marker],
    [pair(secret.value), pair(marker)],
  ]
  for (const [sent, shown] of spelled) {
    const network = withSecrets([secret, longer])({
      send: async ({ url }) => ({ status: 200, url, headers: {}, body: Buffer.from(`you sent ${sent}.`) }),
      close: async () => {},
      maxBodyBytes: 1000,
    })
    const headers = { authorization: `Basic ${pair(marker)}` }
    const request = { method: 'GET', url: 'https://a.example/', headers, body: null }
    const { body } = await network.send(request, AbortSignal.timeout(1000))
    assert.equal(Buffer.from(body).toString(), `you sent ${shown}.`)
  }
})

test('a value in two chunks of a streamed body is hidden', async () => {
  const secret = { name: 'KEY', value: 'abcdefgh-12345678', origins: ['https://a.example'] }
  async function* chunks() {
    for (const text of ['{"a":"abcd', 'efgh-1234', '5678","b":1}']) yield Buffer.from(text)
  }
  const network = withSecrets([secret])({
    send: async ({ url }) => ({
      status: 200,
      url,
      headers: {},
      body: Buffer.alloc(0),
      stream: { chunks: chunks(), discard: () => {} },
    }),
    close: async () => {},
    maxBodyBytes: 1000,
  })
  const request = { method: 'GET', url: 'https://a.example/', headers: {}, body: null }
  const { stream } = await network.send(request, AbortSignal.timeout(1000))
  let text = ''
  for await (const chunk of stream?.chunks ?? []) text += Buffer.from(chunk).toString()
  assert.equal(text, '{"a":"turnleaf-secret.KEY.reference","b":1}')
})

test('a literal is refused where the spec or its name makes it a secret, also in a choice', () => {
  const schema = {
    properties: {
      credentials: { oneOf: [{ properties: { phrase: { airbyte_secret: true } } }] },
      page_token: {},
      user: {},
    },
  }
  const refuse = (given: object) => () => refuseLiteralSecrets(given, schema, [])
  assert.throws(refuse({ credentials: { phrase: 'open sesame' } }), { code: 'mcp/literal-secret' })
  assert.throws(refuse({ api_key: 'abcdef' }), { code: 'mcp/literal-secret' })
  assert.doesNotThrow(refuse({ user: 'ann', page_token: 'abc', credentials: { phrase: '' } }))
})
