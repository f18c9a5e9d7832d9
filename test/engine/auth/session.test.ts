/** Session tokens: when a login is made, what of it is sent where, and what is never shown. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTokens } from '../../../src/engine/run/tokens.ts'
import { ConnectorError } from '../../../src/std/errors.ts'
import { readPages } from '../../../src/read-manifest.ts'
import { cursorPaginator, option } from '../../helpers/manifests.ts'
import { type Answer, serveApi } from '../../helpers/serve-api.ts'
import { assertHidden, authenticatedBy, pagesOf } from './token-server.ts'

const config = { user: 'ann', password: 'pw-s3cret', key: 'key-s3cret' }

function session(url: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: 'SessionTokenAuthenticator',
    login_requester: {
      type: 'HttpRequester',
      url_base: url,
      path: '/login',
      http_method: 'POST',
      request_body_json: { username: '{{ config.user }}', password: '{{ config.password }}' },
      authenticator: { type: 'BasicHttpAuthenticator', username: '{{ config.key }}' },
    },
    session_token_path: ['data', 'token'],
    expiration_duration: 'PT1H',
    request_authentication: { type: 'Bearer' },
    ...fields,
  }
}

async function serve(
  login: (count: number) => Answer = (count) => ({ json: { data: { token: `st-secret-${count}` } } }),
) {
  let count = 0
  let revoked = ''
  const api = await serveApi({
    'POST /login': () => login(++count),
    'GET /items': (query, { headers }) => {
      const sent = headers.authorization ?? headers['x-session'] ?? query.get('sid') ?? ''
      if (sent === revoked) return { status: 401 }
      const offset = Number(query.get('offset') ?? 0)
      return { json: { data: [{ id: offset }, ...(offset < 2 ? [{ id: offset + 1 }] : [])] } }
    },
  })
  return Object.assign(api, { logins: () => count, revoke: (sent: string) => (revoked = sent) })
}

test('one login, with an authenticator of its own, serves all pages until the session ends', async () => {
  await using api = await serve()
  let now = 1_700_000_000_000
  const tokens = openTokens()
  const read = () =>
    pagesOf(authenticatedBy(api.url, session(api.url)), { config, tokens, now: () => now, prefetch: 'off' })
  const pages = await read()
  assert.deepEqual(api.asked, ['POST /login', 'GET /items?limit=2', 'GET /items?offset=2&limit=2'])
  const [login, page] = api.requests
  assert.equal(login?.body, '{"username": "ann", "password": "pw-s3cret"}')
  assert.equal(login?.headers.authorization, `Basic ${btoa('key-s3cret:')}`)
  assert.equal(page?.headers.authorization, 'Bearer st-secret-1')
  assertHidden(pages, ['st-secret', 'pw-s3cret', 'key-s3cret'])
  now += 3_540_000
  await read()
  assert.equal(api.logins(), 2)
})

test('a session without a lifetime serves one request, as Airbyte documents', async () => {
  await using api = await serve()
  const pages = await pagesOf(authenticatedBy(api.url, session(api.url, { expiration_duration: undefined })), {
    config,
  })
  assert.deepEqual(
    api.asked.map((line) => line.replace(/\?.*/, '')),
    ['POST /login', 'GET /items', 'POST /login', 'GET /items'],
  )
  assertHidden(pages, ['st-secret'])
})

const placements: [name: string, request_authentication: Record<string, unknown>, header: string, query: string][] = [
  ['a header', { type: 'ApiKey', inject_into: option('header', 'X-Session') }, 'st-secret-1', ''],
  [
    'a header with words around it',
    { type: 'ApiKey', inject_into: option('header', 'X-Session'), api_token: 'Token {{ session_token }}' },
    'Token st-secret-1',
    '',
  ],
  ['the query', { type: 'ApiKey', inject_into: option('request_parameter', 'sid') }, '', '&sid=st-secret-1'],
]
for (const [name, request_authentication, header, query] of placements) {
  test(`a session token in ${name}`, async () => {
    await using api = await serve()
    const pages = await pagesOf(authenticatedBy(api.url, session(api.url, { request_authentication })), { config })
    assert.equal(api.requests[1]?.headers['x-session'] ?? '', header)
    const first = new URL(api.asked[1]?.slice(4) ?? '', api.url).searchParams.get('sid') ?? ''
    assert.equal(first, query.replace('&sid=', ''))
    assertHidden(pages, ['st-secret'])
  })
}

test('a session that the API ended early is begun anew, once', async () => {
  await using api = await serve()
  let now = 1_700_000_000_000
  const options = { config, now: () => now, prefetch: 'off' as const }
  for await (const _ of readPages(authenticatedBy(api.url, session(api.url)), options)) {
    api.revoke('Bearer st-secret-1')
    now += 61_000
  }
  assert.equal(api.logins(), 2)
  assert.equal(api.requests.at(-1)?.headers.authorization, 'Bearer st-secret-2')
})

const failures: [name: string, answer: Answer, code: string][] = [
  ['without the token', { json: { data: { t: 'st-secret' } } }, 'response/no-token'],
  ['that is a bare token', { text: 'st-secret' }, 'response/no-token'],
  ['with an empty token', { json: { data: { token: '' } } }, 'response/no-token'],
  ['with `false` for a token', { json: { data: { token: false } } }, 'response/no-token'],
  ['that is null', { text: 'null' }, 'response/no-token'],
  ['that refuses', { status: 403, json: { message: 'pw-s3cret is wrong' } }, 'response/rejected'],
]
for (const [name, answer, code] of failures) {
  test(`a login ${name} fails without showing a secret`, async () => {
    await using api = await serve(() => answer)
    const failure = await pagesOf(authenticatedBy(api.url, session(api.url)), { config }).catch(
      (error: unknown) => error,
    )
    assert.ok(failure instanceof ConnectorError)
    assert.equal(failure.code, code)
    assertHidden(failure, ['st-secret', 'pw-s3cret'])
    assert.equal(api.logins(), 1)
  })
}

test('a login follows the error handler of its own requester', async () => {
  await using api = await serve((count) => (count === 1 ? { status: 418 } : { json: { data: { token: 't' } } }))
  const authenticator = session(api.url)
  const handler = {
    type: 'DefaultErrorHandler',
    response_filters: [{ type: 'HttpResponseFilter', http_codes: [418], action: 'RETRY' }],
  }
  Object.assign(authenticator['login_requester'] as object, { error_handler: handler })
  await pagesOf(authenticatedBy(api.url, authenticator), { config })
  assert.equal(api.logins(), 2)
})

test('the session goes to its own origin only, in links as in redirects, and never into a token that is shown', async () => {
  await using elsewhere = await serveApi({ '*': () => ({ json: { data: [{ id: 9 }] } }) })
  let sid = ''
  await using api = await serveApi({
    'POST /login': () => ({ json: { data: { token: 'st-secret-1' } } }),
    'GET /items': (query) => {
      sid = query.get('sid') ?? ''
      const next = query.has('page') ? `${elsewhere.url}/items?page=3` : `/items?page=2&sid=${sid}`
      return { json: { data: [{ id: 1 }], next } }
    },
  })
  const authenticator = session(api.url, {
    request_authentication: { type: 'ApiKey', inject_into: option('request_parameter', 'sid') },
  })
  const paginator = cursorPaginator('{{ response.next }}', '{{ not response.next }}', {
    page_token_option: { type: 'RequestPath' },
  })
  const pages = await pagesOf(
    authenticatedBy(api.url, authenticator, { paginator: { type: 'DefaultPaginator', ...paginator } }),
    {
      config,
    },
  )
  assert.equal(sid, 'st-secret-1')
  assert.deepEqual(elsewhere.asked, ['GET /items?page=3'])
  assert.match(pages[0]?.next?.url ?? '', /sid=\*\*\*\*/)
  assertHidden(pages, ['st-secret'])
})

test('sessions for one request each: a next link never brings an old one, however many slices log in', async () => {
  let logins = 0
  const sessions: string[] = []
  let open = () => {}
  const bothAreHere = new Promise<void>((resolve) => (open = resolve))
  await using api = await serveApi({
    'POST /login': () => ({ json: { data: { token: `st-secret-${++logins}` } } }),
    'GET /items': async (query) => {
      sessions.push(query.get('sid') ?? '')
      if (sessions.length === 2) open()
      await bothAreHere
      const next = query.has('page') ? null : `/items?page=2&p=${query.get('p')}&sid=${query.get('sid')}`
      return { json: { data: [{ id: 1 }], next } }
    },
  })
  const authenticator = session(api.url, {
    request_authentication: { type: 'ApiKey', inject_into: option('request_parameter', 'sid') },
    expiration_duration: undefined,
  })
  const paginator = cursorPaginator('{{ response.next }}', '{{ not response.next }}', {
    page_token_option: { type: 'RequestPath' },
  })
  const request_option = option('request_parameter', 'p')
  const partition_router = { type: 'ListPartitionRouter', values: ['a', 'b'], cursor_field: 'p', request_option }
  const parts = { paginator: { type: 'DefaultPaginator', ...paginator }, retriever: { partition_router } }
  await pagesOf(authenticatedBy(api.url, authenticator, parts), { config })
  assert.deepEqual(new Set(sessions), new Set([1, 2, 3, 4].map((count) => `st-secret-${count}`)))
})

test('a redirect that repeats the session of its request gets the one that is valid now', async () => {
  let logins = 0
  const sessions: (string | null)[] = []
  await using api = await serveApi({
    'POST /login': () => ({ json: { data: { token: `st-secret-${++logins}` } } }),
    'GET /items': (query) => ({ status: 307, headers: { location: `/items/?${query.toString()}` } }),
    'GET /items/': (query) => {
      sessions.push(query.get('sid'))
      return query.get('sid') === 'st-secret-1' ? { status: 401 } : { json: { data: [{ id: 1 }] } }
    },
  })
  const authenticator = session(api.url, {
    request_authentication: { type: 'ApiKey', inject_into: option('request_parameter', 'sid') },
  })
  let now = 1_700_000_000_000
  const clock = () => (now += 61_000)
  await pagesOf(authenticatedBy(api.url, authenticator), { config, now: clock })
  assert.deepEqual(sessions, ['st-secret-1', 'st-secret-2'])
})

const legacy = (fields: Record<string, unknown> = {}) => ({
  type: 'LegacySessionTokenAuthenticator',
  header: 'X-Session',
  login_url: 'login',
  validate_session_url: 'me',
  session_token_response_key: 'id',
  username: '{{ config.user }}',
  password: '{{ config.password }}',
  session_token: '{{ config.session }}',
  ...fields,
})

async function serveLegacy(accepts: string, id: unknown = 'st-secret-new') {
  return serveApi({
    'GET /me': (_, { headers }) => ({ status: headers['x-session'] === accepts ? 200 : 401, json: {} }),
    'POST /login': () => ({ json: { id } }),
    'GET /items': () => ({ json: { data: [{ id: 1 }] } }),
  })
}

const legacySessions: [name: string, session: string, asked: string[], sent: string][] = [
  ['a good token of the user is looked at once and used', 'st-secret-own', ['GET /me', 'GET /items'], 'st-secret-own'],
  ['a stale one gives way to a login', 'st-stale', ['GET /me', 'POST /login', 'GET /items'], 'st-secret-new'],
  ['without one there is a login', '', ['POST /login', 'GET /items'], 'st-secret-new'],
]
for (const [name, own, asked, sent] of legacySessions) {
  test(`the older spelling of sessions: ${name}`, async () => {
    await using api = await serveLegacy('st-secret-own')
    const manifest = authenticatedBy(`${api.url}/`, legacy(), { paginator: undefined })
    const pages = await pagesOf(manifest, { config: { ...config, session: own } })
    assert.deepEqual(api.asked, asked)
    assert.equal(api.requests.at(-1)?.headers['x-session'], sent)
    assertHidden(pages, ['st-secret', 'pw-s3cret'])
    const login = api.requests.find(({ path }) => path === '/login')
    if (login !== undefined) assert.deepEqual(JSON.parse(login.body), { username: 'ann', password: 'pw-s3cret' })
  })
}

test('the older spelling of sessions: a login that gives no token', async () => {
  for (const id of ['', false, null]) {
    await using api = await serveLegacy('st-secret-own', id)
    const read = pagesOf(authenticatedBy(api.url, legacy()), { config: { ...config, session: '' } })
    await assert.rejects(read, { code: 'response/no-token' })
  }
})

test('the older spelling of sessions: neither a good token nor a password', async () => {
  await using api = await serveLegacy('st-secret-own')
  const read = pagesOf(authenticatedBy(api.url, legacy()), {
    config: { user: 'ann', password: '', session: 'st-stale' },
  })
  await assert.rejects(read, { code: 'request/token-refused' })
})

test('a login that answers in XML, and one that does not', async () => {
  const fields = { decoder: { type: 'XmlDecoder' }, session_token_path: ['response', 'token'] }
  await using api = await serve(() => ({ text: '<response><token>st-secret-x</token></response>' }))
  const pages = await pagesOf(authenticatedBy(api.url, session(api.url, fields)), { config })
  assert.equal(api.requests[1]?.headers.authorization, 'Bearer st-secret-x')
  assertHidden(pages, ['st-secret'])

  await using other = await serve(() => ({ text: '<response><token>st-secret-x</' }))
  const failure = await pagesOf(authenticatedBy(other.url, session(other.url, fields)), { config }).catch(
    (error: unknown) => error,
  )
  assert.ok(failure instanceof ConnectorError)
  assert.equal(failure.code, 'response/no-token')
  assertHidden([failure], ['st-secret'])
})
