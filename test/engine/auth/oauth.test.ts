/** OAuth: which token request is made, when, and how often; what a refusal says; what is never shown. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTokens } from '../../../src/engine/run/tokens.ts'
import { loadManifest } from '../../../src/connector/load-manifest.ts'
import { ConnectorError } from '../../../src/std/errors.ts'
import type { Notice } from '../../../src/engine/response/notice.ts'
import { planStream } from '../../../src/engine/plan/stream.ts'
import { openNetwork } from '../../../src/engine/response/send.ts'
import { readPages } from '../../../src/read-manifest.ts'
import { sourceOf, streamOf } from '../../helpers/manifests.ts'
import { type ServedApi, serveApi } from '../../helpers/serve-api.ts'
import { assertHidden, authenticatedBy, config, hourly, oauth, pagesOf, serveWithTokens } from './token-server.ts'

const bearer = (token: string) => `Bearer ${token}`
const authorizations = (api: ServedApi) =>
  api.requests.filter(({ path }) => path === '/items').map(({ headers }) => headers.authorization)

test('a token is fetched before the first page and serves all pages', async () => {
  await using api = await serveWithTokens()
  const pages = await pagesOf(authenticatedBy(api.url, oauth(api.url)), { prefetch: 'off' })
  assert.deepEqual(api.asked, ['POST /token', 'GET /items?limit=2', 'GET /items?offset=2&limit=2'])
  assert.deepEqual(new Set(authorizations(api)), new Set([bearer('at-secret-1')]))
  const [token] = api.requests
  assert.equal(
    token?.body,
    'grant_type=refresh_token&client_id=the+client&client_secret=cs-s3cret%26%3D&refresh_token=rt-s3cret%2F0',
  )
  assert.equal(token?.headers['content-type'], 'application/x-www-form-urlencoded')
  assertHidden(pages, ['at-secret', 'cs-s3cret', 'rt-s3cret'])
  assert.equal(pages[0]?.request.headers['Authorization'], '****')
})

test('parts of an OAuth login that are never used are not evaluated', async () => {
  await using api = await serveWithTokens()
  const nested = Object.fromEntries(
    ['client_id', 'client_secret', 'refresh_token'].map((name) => [name, `{{ config['credentials']['${name}'] }}`]),
  )
  const held = { access_token_value: '{{ config.access_token }}', token_expiry_date: '2099-01-01T00:00:00Z' }
  const options = { config: { access_token: 'at-held' } }
  const body = { refresh_request_body: { client_secret: '{{ config.credentials.other }}' } }
  await pagesOf(authenticatedBy(api.url, oauth(api.url, { ...nested, ...held, ...body })), options)
  const withoutEndpoint = { ...nested, ...held, token_refresh_endpoint: undefined }
  await pagesOf(authenticatedBy(api.url, oauth(api.url, withoutEndpoint)), options)
  assert.deepEqual(new Set(authorizations(api)), new Set([bearer('at-held')]))
  assert.equal(api.tokensGiven(), 0)
  // Where they are needed, what is missing is reported.
  const needed = pagesOf(authenticatedBy(api.url, oauth(api.url, nested)), options)
  await assert.rejects(needed, { code: 'template/undefined' })
})

const requests: [name: string, fields: Record<string, unknown>, line: string, body: string][] = [
  [
    'names of its own',
    {
      grant_type: 'client_credentials',
      grant_type_name: 'type',
      client_id_name: 'app',
      client_secret_name: 'key',
      refresh_token: undefined,
    },
    'POST /token',
    'type=client_credentials&app=the+client&key=cs-s3cret%26%3D',
  ],
  [
    'scopes and a body of its own, which does not replace what is known',
    { scopes: ['a', 'b c'], refresh_request_body: { grant_type: 'x', audience: '{{ config.client_id }}', ttl: 5 } },
    'POST /token',
    'grant_type=refresh_token&client_id=the+client&client_secret=cs-s3cret%26%3D&refresh_token=rt-s3cret%2F0&scopes=a&scopes=b+c&audience=the+client&ttl=5',
  ],
  [
    'a client that is known by a header',
    { refresh_request_headers: { Authorization: 'Basic {{ (config.client_id ~ ":x") | base64encode }}' } },
    'POST /token',
    'grant_type=refresh_token&refresh_token=rt-s3cret%2F0',
  ],
  [
    'its parts in the query',
    { send_refresh_request_as_query_params: true, grant_type: 'password', refresh_token: '' },
    'POST /token?grant_type=password&client_id=the+client&client_secret=cs-s3cret%26%3D&refresh_token=',
    '',
  ],
]
for (const [name, fields, line, body] of requests) {
  test(`a token request with ${name}`, async () => {
    await using api = await serveWithTokens()
    await pagesOf(authenticatedBy(api.url, oauth(api.url, fields)))
    assert.equal(api.asked[0], line)
    assert.equal(api.requests[0]?.body, body)
  })
}

test('fifty reads at once cause one token request', async () => {
  await using api = await serveWithTokens()
  const manifest = authenticatedBy(api.url, oauth(api.url))
  const tokens = openTokens()
  await Promise.all(Array.from({ length: 50 }, () => pagesOf(manifest, { tokens })))
  assert.equal(api.tokensGiven(), 1)
})

test('streams share a token although their parameters differ', async () => {
  await using api = await serveWithTokens()
  const requester = { authenticator: oauth(api.url) }
  const stream = (name: string) => ({ ...streamOf({ url: api.url, name, requester }), $parameters: { name } })
  const manifest = loadManifest(JSON.stringify(sourceOf([stream('one'), stream('two')])))
  const tokens = openTokens()
  for (const name of ['one', 'two']) await pagesOf(manifest, { stream: name, tokens })
  assert.equal(api.tokensGiven(), 1)
})

test('a token that expires in the middle of a read is renewed before it ends, by our own clock', async () => {
  let now = 1_700_000_000_000
  // The server's clock is years away: only the seconds that are left count.
  await using api = await serveWithTokens((count) => ({
    headers: { date: 'Mon, 01 Jan 2001 00:00:00 GMT' },
    json: { access_token: `at-secret-${count}`, expires_in: '100' },
  }))
  const manifest = authenticatedBy(api.url, oauth(api.url))
  for await (const _ of readPages(manifest, { config, now: () => now, prefetch: 'off' })) now += 91_000
  assert.deepEqual(authorizations(api), [bearer('at-secret-1'), bearer('at-secret-2')])
})

const expiries: [name: string, fields: Record<string, unknown>, answer: Record<string, unknown>, seconds: number][] = [
  ['no expiry lives for an hour', {}, {}, 3600],
  ['an expiry that cannot be read lives for an hour', {}, { expires_in: 'soon' }, 3600],
  ['a nested expiry', {}, { data: { expires_in: 500 } }, 500],
  ['an expiry since 1970 where seconds are expected', { expires_in_name: 'ends' }, { ends: 1_700_000_900 }, 900],
  ['a lifetime of zero lives for an hour', {}, { expires_in: 0 }, 3600],
  [
    'an expiry that is over lives for an hour',
    { token_expiry_date_format: '%Y-%m-%d' },
    { expires_in: '2023-11-14' },
    3600,
  ],
  ['fifty years in seconds', {}, { expires_in: 1_576_800_000 }, 1_576_800_000],
  [
    'a date as expiry',
    { expires_in_name: 'ends', token_expiry_date_format: '%Y-%m-%dT%H:%M:%SZ' },
    { ends: '2023-11-14T22:28:20Z' },
    900,
  ],
  [
    'a date in a format of its own',
    { token_expiry_date_format: '%d.%m.%Y %H:%M' },
    { expires_in: '14.11.2023 22:28' },
    880,
  ],
]
for (const [name, fields, answer, seconds] of expiries) {
  test(`a token with ${name}`, async () => {
    let now = 1_700_000_000_000
    await using api = await serveWithTokens((count) => ({
      headers: { date: 'Tue, 14 Nov 2023 22:13:20 GMT' },
      json: { access_token: `at-secret-${count}`, ...answer },
    }))
    const manifest = authenticatedBy(api.url, oauth(api.url, fields))
    const tokens = openTokens()
    const read = () => pagesOf(manifest, { tokens, now: () => now })
    await read()
    now += (seconds - Math.min(60, seconds / 10)) * 1000 - 1
    await read()
    assert.equal(api.tokensGiven(), 1)
    now += 1
    await read()
    assert.equal(api.tokensGiven(), 2)
  })
}

test('a token is found anywhere in the response', async () => {
  await using api = await serveWithTokens(() => ({ json: { result: [{ auth: { tok: 'at-secret' } }] } }))
  await pagesOf(authenticatedBy(api.url, oauth(api.url, { access_token_name: 'tok' })))
  assert.equal(authorizations(api)[0], bearer('at-secret'))
})

test('the token of the config serves as long as it is good', async () => {
  await using api = await serveWithTokens()
  const fields = { access_token_value: '{{ config.at }}', token_expiry_date: '{{ config.ends }}' }
  const manifest = authenticatedBy(api.url, oauth(api.url, fields))
  const held = { ...config, at: 'at-of-config', ends: '2023-11-14T23:00:00Z' }
  const now = () => 1_700_000_000_000
  await pagesOf(manifest, { config: held, now })
  assert.equal(api.tokensGiven(), 0)
  assert.equal(authorizations(api)[0], bearer('at-of-config'))
  await pagesOf(manifest, { config: { ...held, ends: '2023-11-14T22:00:00Z' }, now })
  assert.equal(api.tokensGiven(), 1)
})

test('without an endpoint the token of the config is all there is', async () => {
  await using api = await serveWithTokens()
  const fields = { token_refresh_endpoint: undefined, access_token_value: '{{ config.at }}' }
  const manifest = authenticatedBy(api.url, oauth(api.url, fields))
  await pagesOf(manifest, { config: { at: 'at-of-config' } })
  assert.equal(authorizations(api)[0], bearer('at-of-config'))
  await pagesOf(manifest, { config: {} })
  assert.equal(api.requests.at(-1)?.headers.authorization, undefined, 'an empty credential was sent')
})

test('an API that refuses a token before its time gets a new one, once', async () => {
  let now = 1_700_000_000_000
  let revoked = ''
  await using api = await serveWithTokens(hourly, (authorization) => authorization !== revoked)
  const manifest = authenticatedBy(api.url, oauth(api.url))
  for await (const _ of readPages(manifest, { config, now: () => now, prefetch: 'off' })) {
    revoked = bearer('at-secret-1')
    now += 120_000
  }
  assert.deepEqual(authorizations(api), [bearer('at-secret-1'), bearer('at-secret-1'), bearer('at-secret-2')])
})

test('an API that refuses a fresh token fails: a new one would fare no better', async () => {
  await using api = await serveWithTokens(hourly, () => false)
  await assert.rejects(pagesOf(authenticatedBy(api.url, oauth(api.url))), { code: 'response/rejected' })
  assert.equal(api.tokensGiven(), 1)
})

test('a revoked refresh token: the endpoint, its status and its words, and no secret', async () => {
  await using api = await serveWithTokens(() => ({
    status: 400,
    json: { error: 'invalid_grant', error_description: 'rt-s3cret/0 was revoked' },
  }))
  const failure = await pagesOf(authenticatedBy(api.url, oauth(api.url))).catch((error: unknown) => error)
  assert.ok(failure instanceof ConnectorError)
  assert.equal(failure.code, 'request/token-refused')
  assert.equal(failure.failureType, 'config_error')
  assert.match(
    failure.message,
    /127\.0\.0\.1:\d+\/token answered 400 Bad Request and says: invalid_grant: \*\*\*\* was revoked/,
  )
  assert.match(failure.hint, /Sign in again/)
  assertHidden(failure, ['rt-s3cret', 'cs-s3cret'])
  assert.equal(api.tokensGiven(), 1)
})

test('an endpoint that fails for a while is asked again', async () => {
  await using api = await serveWithTokens((count, form) => (count < 3 ? { status: 503 } : hourly(count, form)))
  const notices: Notice[] = []
  await pagesOf(authenticatedBy(api.url, oauth(api.url)), { onNotice: (notice) => notices.push(notice) })
  assert.deepEqual(
    notices.map(({ kind }) => kind),
    ['retry', 'retry'],
  )
  assert.equal(api.tokensGiven(), 3)
})

test('a response without a token is an error that does not quote it', async () => {
  const answers = [
    { json: { refresh_token: 'rt-s3cret-new', token: 'at-secret', error: 'odd' } },
    { text: 'access_token=at-secret&scope=all' },
  ]
  for (const answer of answers) {
    await using api = await serveWithTokens(() => answer)
    const failure = await pagesOf(authenticatedBy(api.url, oauth(api.url))).catch((error: unknown) => error)
    assert.ok(failure instanceof ConnectorError)
    assert.equal(failure.code, 'response/no-token')
    assertHidden(failure, ['at-secret', 'rt-s3cret'])
  }
})

for (const status of [302, 307]) {
  test(`a redirect (${status}) of the endpoint to another origin loses all secrets`, async () => {
    await using thief = await serveApi({ '*': () => ({ json: { access_token: 'at-secret-x' } }) })
    const fields = { refresh_request_headers: { Authorization: 'Basic c2VjcmV0', 'X-App': 'a' } }
    await using api = await serveWithTokens(() => ({ status, headers: { location: `${thief.url}/token` } }))
    const notices: Notice[] = []
    const manifest = authenticatedBy(api.url, oauth(api.url, fields))
    await pagesOf(manifest, { onNotice: (notice) => notices.push(notice) })
    assert.equal(notices[0]?.kind, 'foreign-origin')
    assertHidden(thief.requests, ['s3cret', 'c2VjcmV0'])
  })
}

test('the access token goes to its own origin only', async () => {
  await using elsewhere = await serveApi({ '*': () => ({ json: { data: [{ id: 9 }] } }) })
  await using api = await serveWithTokens(hourly, () => true, {
    'GET /items': () => ({ status: 302, headers: { location: `${elsewhere.url}/items` } }),
  })
  await pagesOf(authenticatedBy(api.url, oauth(api.url)))
  assertHidden(elsewhere.requests, ['at-secret'])
  assert.equal(elsewhere.requests[0]?.headers.authorization, undefined)
})

test('secrets in the query of a token request are in no notice', async () => {
  await using api = await serveWithTokens(undefined, undefined, {
    'POST /token': (query) => (query.get('n') === '1' ? { json: { access_token: 'at-secret' } } : { status: 503 }),
  })
  const notices: Notice[] = []
  const authenticator = oauth(api.url, { send_refresh_request_as_query_params: true })
  const options = { retry: { maxRetries: 1 }, onNotice: (notice: Notice) => notices.push(notice) }
  const failure = await pagesOf(authenticatedBy(api.url, authenticator), options).catch((error: unknown) => error)
  assert.ok(failure instanceof ConnectorError)
  assert.equal(failure.code, 'response/gave-up')
  assert.equal(notices.length, 1)
  assertHidden([notices, failure], ['s3cret'])
})

test('a token endpoint is held to the egress policy', async () => {
  await using api = await serveWithTokens()
  const manifest = authenticatedBy('https://api.example', oauth(api.url))
  await assert.rejects(pagesOf(manifest, { egress: 'public-only' }), { code: 'response/address-refused' })
  assert.equal(api.tokensGiven(), 0)
})

const hostile: [name: string, token: unknown, code: string][] = [
  ['breaks out of its header', 'at-secret\r\nX-Injected: 1', 'request/invalid-header'],
  ['is an object', { value: 'at-secret' }, 'response/no-token'],
  ['is empty', '', 'response/no-token'],
]
for (const [name, access_token, code] of hostile) {
  test(`a token that ${name} is never sent, nor shown`, async () => {
    await using api = await serveWithTokens(() => ({ json: { access_token } }))
    const failure = await pagesOf(authenticatedBy(api.url, oauth(api.url))).catch((error: unknown) => error)
    assert.ok(failure instanceof ConnectorError)
    assert.equal(failure.code, code)
    assertHidden(failure, ['at-secret'])
    assert.deepEqual(api.asked, ['POST /token'])
  })
}

test('a plan shows templates, whatever the config holds', () => {
  const url = 'https://api.example'
  const profile_assertion = { type: 'JwtAuthenticator', secret_key: '{{ config.client_secret }}', algorithm: 'HS256' }
  const authenticator = oauth(url, { use_profile_assertion: true, profile_assertion, scopes: ['a'] })
  assertHidden(planStream(authenticatedBy(url, authenticator), 'items', config), ['s3cret'])
})

test('a reader that leaves does not take the token of the others along', async () => {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await using api = await serveWithTokens(async (count, form) => {
    arrive()
    await released
    return hourly(count, form)
  })
  const manifest = authenticatedBy(api.url, oauth(api.url))
  const [tokens, network] = [openTokens(), openNetwork()]
  const leave = new AbortController()
  const first = pagesOf(manifest, { tokens, network, signal: leave.signal })
  const second = pagesOf(manifest, { tokens, network })
  await arrived
  leave.abort()
  await assert.rejects(first, { code: 'response/aborted' })
  release()
  assert.equal((await second).length, 2)
  assert.equal(api.tokensGiven(), 1)
  await network.close()
})

const incomplete: [fields: Record<string, unknown>, missing: RegExp][] = [
  [{ client_secret: undefined }, /client_secret/],
  [{ refresh_token: undefined }, /refresh_token/],
  [{ token_refresh_endpoint: undefined }, /token_refresh_endpoint/],
  [{ use_profile_assertion: true }, /profile_assertion/],
]
for (const [fields, missing] of incomplete) {
  test(`a manifest that lacks what its grant needs is refused: ${missing.source}`, async () => {
    const error = await pagesOf(authenticatedBy('http://127.0.0.1:9', oauth('http://127.0.0.1:9', fields))).catch(
      (e: unknown) => e,
    )
    assert.ok(error instanceof ConnectorError)
    assert.equal(error.code, 'manifest/missing-field')
    assert.match(error.message, missing)
  })
}

test('twenty logins at the same time do not look like a leak to Node', async () => {
  const warnings: string[] = []
  const warned = ({ name }: Error) => void warnings.push(name)
  process.on('warning', warned)
  try {
    let arrive = () => {}
    const allThere = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await using api = await serveWithTokens(async (count, form) => {
      if (count === 20) arrive()
      await allThere
      return hourly(count, form)
    })
    const tokens = openTokens()
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        pagesOf(authenticatedBy(api.url, oauth(api.url, { client_id: `client-${index}` })), { tokens }),
      ),
    )
    await tokens.close()
    assert.equal(api.tokensGiven(), 20)
    assert.deepEqual(warnings, [])
  } finally {
    process.off('warning', warned)
  }
})
