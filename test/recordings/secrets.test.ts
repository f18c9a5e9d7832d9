import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { cursorPaginator, manifestOf, option } from '../helpers/manifests.ts'
import { serveApi } from '../helpers/serve-api.ts'
import type { Recording } from '../../src/recordings/recording.ts'
import { connectorOf, sentences } from './shop.ts'

/** With characters that every encoding writes differently. */
const secret = 's3cr3t/"väl"+ue=&1'

/** Every way in which an API may send a secret back. */
function formsOf(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1)
  const url = encodeURIComponent(text)
  const form = new URLSearchParams({ v: text }).toString().slice(2)
  const plain = [text, escaped, JSON.stringify(escaped).slice(1, -1), url, encodeURIComponent(url), form]
  return [...plain, ...['', 'a', 'ab', 'user:'].flatMap((before) => base64Of(`${before}${text}`))]
}

function base64Of(text: string): string[] {
  const base64 = Buffer.from(text).toString('base64')
  return [base64, Buffer.from(text).toString('base64url'), encodeURIComponent(base64)]
}

/** What must not be in a file: every form, and of base64 the part that depends on the secret alone. */
function tracesOf(text: string): string[] {
  const inner = ['', 'a', 'ab'].flatMap((before) =>
    base64Of(`${before}${text}`).map((form) => form.slice(before === '' ? 0 : 4, before === '' ? 12 : 16)),
  )
  return [...formsOf(text), ...inner]
}

function assertNoSecret(written: ReadonlyMap<string, string>, secrets: readonly string[]): void {
  assert.ok(written.size > 0)
  for (const [name, text] of written) {
    for (const one of secrets) {
      for (const form of tracesOf(one)) assert.ok(!text.includes(form), `${name} contains ${form}, a form of ${one}`)
    }
  }
}

const spec = {
  type: 'object',
  properties: { key: { type: 'string', airbyte_secret: true }, region: { type: 'string' } },
}
const key = "{{ config['key'] }}"
const pages = cursorPaginator("{{ response['next'] }}")

const ways: [string, Record<string, unknown>][] = [
  ['a bearer token', { authenticator: { type: 'BearerAuthenticator', api_token: key } }],
  ['a password', { authenticator: { type: 'BasicHttpAuthenticator', username: 'leaf', password: key } }],
  [
    'a key in the query',
    {
      authenticator: {
        type: 'ApiKeyAuthenticator',
        api_token: key,
        inject_into: option('request_parameter', 'api_key'),
      },
    },
  ],
  ['a header of the author', { request_headers: { 'X-Shop': "{{ config['key'] | base64encode }}" } }],
  ['a part of the path', { path: "/items/{{ config['key'] | urlencode }}" }],
  ['a field of the body', { http_method: 'POST', request_body_json: { login: { key } } }],
  ['a field of a form', { http_method: 'POST', request_body_data: { key } }],
]

describe('no secret is written', { concurrency: 4 }, () => {
  for (const [name, requester] of ways) {
    test(`${name}, echoed by the API in every encoding`, async () => {
      await using api = await serveApi({
        '*': (query, { path, headers, body }) => {
          const isLast = query.has('cursor')
          const data = formsOf(secret).map((form, index) => ({
            id: `${isLast}${index}`,
            echo: form,
            query: query.toString(),
          }))
          const echo = `${path} ${JSON.stringify(headers)} ${body} https://other.test/?api_key=${encodeURIComponent(secret)}`
          const sent = { 'x-echo': encodeURIComponent(secret), 'content-type': 'application/json' }
          return { json: { data, echo, next: isLast ? null : 'c2', [secret]: 1 }, headers: sent }
        },
      })
      await using shop = await connectorOf(manifestOf({ url: api.url, spec, requester, paginator: pages }))
      await shop.record({ config: { key: secret, region: 'eu-1' } })
      const written = await shop.written()
      assertNoSecret(written, [secret])
      const recording = JSON.parse(written.get('items.json') ?? '') as Recording
      assert.deepEqual(recording.config, { key: 'placeholder_key', region: 'eu-1' })
      assert.equal(recording.exchanges.length, 2)
      const results = await shop.test()
      assert.equal(results[0]?.outcome, 'passed', sentences(results))
    })
  }

  test('a token of OAuth, a refresh token, cookies, tokens in records and signed links', async () => {
    const minted = ['acc3ss-tok3n-from-login', 'r3fresh-tok3n-from-login', 'c00kie-value-of-session']
    const jwt = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from('{"sub":"someone"}').toString('base64url')}.c2lnbmF0dXJl`
    const own = [jwt, 'AKIAABCDEFGHIJKLMNOP', 'sig-0123456789abcdef', 'hunter22', 'p4ge-t0ken-abcdef0123']
    await using api = await serveApi({
      'POST /token': () => ({
        json: { access_token: minted[0], refresh_token: minted[1], token_type: 'Bearer', expires_in: 3600 },
      }),
      'GET /items': (query, { headers }) => {
        if (headers.authorization !== `Bearer ${minted[0]}`) return { status: 401, json: {} }
        const isLast = query.has('cursor')
        if (isLast && (!headers.cookie?.includes(`sid=${minted[2]}`) || query.get('cursor') !== own[4]))
          return { status: 403 }
        const link = `https://files.test/a?X-Amz-Signature=${own[2]}&part=1`
        const data = [{ id: isLast ? 2 : 1, password: own[3], note: `with ${jwt} in it`, aws: own[1], link }]
        return {
          json: { data, token: isLast ? null : own[4] },
          headers: { 'set-cookie': [`sid=${minted[2]}; Path=/`, 'theme=dark1'] },
        }
      },
    })
    const authenticator = {
      type: 'OAuthAuthenticator',
      token_refresh_endpoint: `${api.url}/token`,
      client_id: "{{ config['client_id'] }}",
      client_secret: "{{ config['client_secret'] }}",
      refresh_token: "{{ config['refresh_token'] }}",
      grant_type: 'refresh_token',
    }
    const paginator = cursorPaginator("{{ response['token'] }}")
    await using shop = await connectorOf(manifestOf({ url: api.url, requester: { authenticator }, paginator }))
    const config = { client_id: 'shop-1', client_secret: 'cl1ent-secret', refresh_token: 'f1rst-refresh' }
    await shop.record({ config })
    const written = await shop.written()
    assertNoSecret(written, [...minted, ...own, config.client_secret, config.refresh_token])
    const recording = JSON.parse(written.get('items.json') ?? '') as Recording
    assert.deepEqual(
      recording.exchanges.map(({ purpose, request }) => [purpose, request.headers?.authorization]),
      [
        ['token', undefined],
        [undefined, 'Bearer placeholder_access_token'],
        [undefined, 'Bearer placeholder_access_token'],
      ],
    )
    assert.equal(recording.exchanges[2]?.request.query?.cursor, 'placeholder_token')
    const results = await shop.test()
    assert.equal(results[0]?.outcome, 'passed', sentences(results))
  })

  test('a private key signs the replay too, and none is in the file', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    await using api = await serveApi({
      'GET /items': (_query, { headers }) => ({ json: { data: [{ id: 1, echo: headers.authorization }] } }),
    })
    const authenticator = {
      type: 'JwtAuthenticator',
      algorithm: 'RS256',
      secret_key: "{{ json_loads(config['account'])['private_key'] }}",
      jwt_payload: { type: 'JwtPayload', iss: 'shop' },
    }
    const account = { type: 'object', properties: { account: { type: 'string', airbyte_secret: true } } }
    const plain = { ...authenticator, secret_key: "{{ config['account'] }}" }
    for (const [one, value] of [
      [plain, pem],
      [authenticator, JSON.stringify({ client_email: 'a@shop.test', private_key: pem })],
    ] as const) {
      await using shop = await connectorOf(
        manifestOf({ url: api.url, spec: account, requester: { authenticator: one } }),
      )
      await shop.record({ config: { account: value } })
      const written = await shop.written()
      const lines = pem.split('\n').filter((line) => line.length > 20 && !line.startsWith('-----'))
      assertNoSecret(written, [lines[0] ?? '', lines[5] ?? '', 'BEGIN PRIVATE KEY'])
      assert.match(written.get('items.json') ?? '', /placeholder_\w+_rsa_private_key/)
      const results = await shop.test()
      assert.equal(results[0]?.outcome, 'passed', sentences(results))
    }
  })

  test('compressed responses: replaced in gzip, refused in an archive', async () => {
    const csv = (note: string) => `id,note\n1,${note}\n`
    let archived = csv('plain')
    await using api = await serveApi({
      'GET /gzip': () => ({ raw: (response) => void response.end(gzipSync(csv(secret.replaceAll('"', '')))) }),
      'GET /zip': () => ({
        raw: (response) => void response.end(zipSync({ 'a.csv': Buffer.from(archived) })),
      }),
    })
    const plain = secret.replaceAll('"', '')
    const stream = (name: string, type: string) => ({
      url: api.url,
      name,
      requester: { path: `/${name}`, request_headers: { 'X-Key': key } },
      retriever: { decoder: { type, decoder: { type: 'CsvDecoder' } } },
      fieldPath: [],
    })
    await using gzip = await connectorOf(manifestOf({ ...stream('gzip', 'GzipDecoder'), spec }))
    await gzip.record({ config: { key: plain } })
    const written = await gzip.written()
    assertNoSecret(written, [plain])
    assert.match(written.get('gzip.json') ?? '', /"gzip": \["id,note", "1,placeholder_key", ""\]/)
    assert.equal((await gzip.test())[0]?.outcome, 'passed')

    await using zip = await connectorOf(manifestOf({ ...stream('zip', 'ZipfileDecoder'), spec }))
    await zip.record({ config: { key: plain } })
    assert.equal((await zip.test())[0]?.outcome, 'passed')
    const before = await zip.written()
    archived = csv(plain.repeat(20))
    await assert.rejects(zip.record({ config: { key: plain } }), { code: 'recordings/secret-left' })
    assert.deepEqual(await zip.written(), before)
  })

  test('a spec with a pattern gets a placeholder that fits', async () => {
    await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 1 }] } }) })
    const patterned = {
      type: 'object',
      required: ['key', 'pin'],
      properties: {
        key: { type: 'string', airbyte_secret: true, pattern: '^sk-[a-z0-9]{8}$' },
        pin: { type: 'integer', airbyte_secret: true },
      },
    }
    const requester = { request_headers: { 'X-Key': key, 'X-Pin': "{{ config['pin'] }}" } }
    await using shop = await connectorOf(manifestOf({ url: api.url, spec: patterned, requester }))
    await shop.record({ config: { key: 'sk-ab12cd34', pin: 48151623 } })
    assertNoSecret(await shop.written(), ['sk-ab12cd34', '48151623'])
    assert.equal((await shop.test())[0]?.outcome, 'passed')
  })

  test('a secret that a template splits keeps its separators and nothing else', async () => {
    await using api = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }] } }) })
    const requester = { path: "/items/{{ config['key'].split('-')[3].upper() }}", request_headers: { 'X-Key': key } }
    await using shop = await connectorOf(manifestOf({ url: api.url, spec, requester }))
    await shop.record({ config: { key: 'correct-horse-battery-Us20' } })
    assert.deepEqual(api.asked, ['GET /items/US20'])
    const written = await shop.written()
    assertNoSecret(written, ['correct', 'horse', 'battery', 'Us20'])
    const recording = JSON.parse(written.get('items.json') ?? '') as Recording
    assert.deepEqual(recording.config, { key: 'xxxxxxx-xxxxx-xxxxxxx-Xx11' })
    assert.equal((await shop.test())[0]?.outcome, 'passed')
  })

  test('several tokens in one text get a placeholder each, and take turns in the replay too', async () => {
    const authenticator = {
      type: 'RateLimitedMultipleTokenAuthenticator',
      tokens: key,
      quota_status_source: { type: 'QuotaStatusSource', url: '' },
      quotas: [{ type: 'TokenQuota', name: 'rest', remaining_path: ['remaining'], reset_path: ['reset'] }],
    }
    await using api = await serveApi({
      'GET /rate_limit': () => ({ json: { remaining: 2, reset: Math.floor(Date.now() / 1000) + 3600 } }),
      'GET /items': (query, { headers }) => {
        const page = Number(query.get('cursor') ?? 0)
        const data = [{ id: page, echo: headers.authorization }]
        return { json: { data, next: page < 3 ? String(page + 1) : null } }
      },
    })
    const quota_status_source = { type: 'QuotaStatusSource', url: `${api.url}/rate_limit` }
    const requester = { authenticator: { ...authenticator, quota_status_source, budget_min_reserve: 0 } }
    for (const [tokens, shown] of [
      ['tok-one-s3cret, tok-two-s3cret', 'placeholder_key, placeholder_key_2'],
      // Of the same shape.
      ['abcdefgh1234,ijklmnop5678', 'placeholder_key,placeholder_key_2'],
    ] as const) {
      await using shop = await connectorOf(manifestOf({ url: api.url, spec, requester, paginator: pages }))
      await shop.record({ config: { key: tokens } })
      const written = await shop.written()
      assertNoSecret(written, tokens.split(/, ?/))
      const recording = JSON.parse(written.get('items.json') ?? '') as Recording
      assert.deepEqual(recording.config, { key: shown })
      const sent = recording.exchanges.map(({ request }) => request.headers?.authorization)
      const [one, two] = ['Bearer placeholder_key', 'Bearer placeholder_key_2']
      assert.deepEqual(sent.slice(-4), [one, one, two, two])
      const results = await shop.test()
      assert.equal(results[0]?.outcome, 'passed', sentences(results))
    }
  })

  test('a read that cannot be replayed without its secret is refused, with the reason', async () => {
    await using api = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }] } }) })
    const selector = {
      record_filter: { type: 'RecordFilter', condition: "{{ config['key'] | length == 5 and 'z9' in config['key'] }}" },
    }
    await using shop = await connectorOf(
      manifestOf({ url: api.url, spec, selector, requester: { request_headers: { 'X-Key': key } } }),
    )
    await assert.rejects(shop.record({ config: { key: 'abz9c' } }), {
      code: 'recordings/not-replayable',
      message: /the read has 1 records, and the replay 0/,
    })
  })

  test('a secret that is also a word of the manifest is replaced in the config only', async () => {
    await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 1, items: 'items' }] } }) })
    const requester = { request_headers: { 'X-Key': key } }
    await using shop = await connectorOf(manifestOf({ url: api.url, spec, requester }))
    await shop.record({ config: { key: 'items' } })
    const recording = JSON.parse((await shop.written()).get('items.json') ?? '') as Recording
    assert.deepEqual(recording.config, { key: 'placeholder_key' })
    assert.deepEqual(recording.expected.records.first, [{ id: 1, items: 'items' }])
    assert.equal((await shop.test())[0]?.outcome, 'passed')
  })
})
