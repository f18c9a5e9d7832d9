/** A connector's own way to authenticate, and the choice between several. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { loadManifest } from '../../../src/connector/load-manifest.ts'
import { openTokens } from '../../../src/engine/run/tokens.ts'
import { ConnectorError } from '../../../src/std/errors.ts'
import type { Notice } from '../../../src/engine/response/notice.ts'
import { cursorPaginator, manifestOf, offsetPaginator } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { assertHidden, authenticatedBy, oauth, pagesOf, serveWithTokens } from './token-server.ts'

const source = `
import { Authenticator, type AuthTools, type HttpRequest } from 'turnleaf'

export class TwoHeaders extends Authenticator {
  async authenticate(_: HttpRequest, tools: AuthTools) {
    const user = String(tools.evaluate(this.parameters['user']))
    const token = await tools.token('access', async () => {
      const url = String(tools.evaluate(this.parameters['endpoint']))
      const answer = await tools.fetchJson({ url, form: { user, secret: String(this.config['secret']) } })
      return { value: (answer as { access_token: string }).access_token, lifetimeMs: 600_000 }
    })
    return { headers: { 'X-User': user, Authorization: 'Custom ' + token } }
  }
}
export class Signature extends Authenticator {
  authenticate({ method, url, body }: HttpRequest, { now }: AuthTools) {
    const signature = Buffer.from([method, new URL(url).search, body, now(), this.config['secret']].join()).toString('hex')
    return { parameters: { sign: signature }, headers: { 'X-Date': String(now()) } }
  }
}
export class ByField extends Authenticator {
  authenticate() { return { headers: { 'X-Account': String((this.parameters['parameters'] as { name: string }).name) } } }
}
class Signed {
  token = 'x'
  get headers() { return { Authorization: 'Bearer ' + this.token } }
}
export class ByGetter extends Authenticator {
  async authenticate() { return new Signed() }
}
export class Failing extends Authenticator {
  authenticate(): never { throw new Error('no idea') }
}
`
let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnleaf-auth-'))
  await mkdir(join(folder, 'source_shop'))
  await writeFile(join(folder, 'source_shop', 'auth.ts'), source)
})
after(() => rm(folder, { recursive: true }))

const config = { user: 'ann', secret: 'cs-s3cret-of-ann' }
const now = () => 1_700_000_000_000

function custom(
  url: string,
  name: string,
  paginator: Record<string, unknown> = offsetPaginator({ page_size: 2 }),
  fields: Record<string, unknown> = {},
  retriever: Record<string, unknown> = {},
) {
  const authenticator = {
    type: 'CustomAuthenticator',
    class_name: `source_shop.auth.${name}`,
    user: '{{ config.user }}',
    endpoint: `${url}/token`,
    ...fields,
  }
  const manifest = manifestOf({ url, paginator, requester: { authenticator }, retriever })
  return loadManifest(JSON.stringify(manifest), { folder })
}

test('a class fetches a token over the network of the run, once, and says where it goes', async () => {
  await using api = await serveWithTokens()
  const tokens = openTokens()
  const manifest = custom(api.url, 'TwoHeaders')
  const reads = await Promise.all([1, 2, 3].map(() => pagesOf(manifest, { config, tokens })))
  assert.equal(api.tokensGiven(), 1)
  assert.equal(api.requests[0]?.body, 'user=ann&secret=cs-s3cret-of-ann')
  const items = api.requests.filter(({ path }) => path === '/items')
  assert.ok(items.every(({ headers }) => headers.authorization === 'Custom at-secret-1' && headers['x-user'] === 'ann'))
  assertHidden(reads, ['at-secret', 'cs-s3cret'])
})

test('a token of a class that the API refuses is fetched anew, once', async () => {
  await using api = await serveWithTokens(undefined, (authorization) => authorization !== 'Custom at-secret-1')
  await pagesOf(custom(api.url, 'TwoHeaders'), { config, now })
  assert.equal(api.tokensGiven(), 2)
  await using strict = await serveWithTokens(undefined, () => false)
  await assert.rejects(pagesOf(custom(strict.url, 'TwoHeaders'), { config, now }), { code: 'response/rejected' })
  assert.equal(strict.tokensGiven(), 2)
})

test('a token of a class that the API refuses in two slices at once is fetched anew for both', async () => {
  let refused = 0
  let open = () => {}
  const bothAreHere = new Promise<void>((resolve) => (open = resolve))
  await using api = await serveWithTokens(undefined, undefined, {
    'GET /items': async (_, { headers }) => {
      if (headers.authorization !== 'Custom at-secret-1') return { json: { data: [{ id: 1 }] } }
      if (++refused === 2) open()
      await bothAreHere
      return { status: 401 }
    },
  })
  const partition_router = { type: 'ListPartitionRouter', values: ['a', 'b'], cursor_field: 'p' }
  const pages = await pagesOf(custom(api.url, 'TwoHeaders', undefined, {}, { partition_router }), { config, now })
  assert.equal(pages.length, 2)
  assert.equal(api.tokensGiven(), 2)
})

test('a class signs each request as it will be sent', async () => {
  await using api = await serveWithTokens()
  const pages = await pagesOf(custom(api.url, 'Signature'), { config, now })
  const signed = api.requests.map(({ query }) => Buffer.from(query.get('sign') ?? '', 'hex').toString())
  assert.deepEqual(signed, [
    'GET,?limit=2,,1700000000000,cs-s3cret-of-ann',
    'GET,?offset=2&limit=2,,1700000000000,cs-s3cret-of-ann',
  ])
  assertHidden(
    pages,
    api.requests.map(({ query }) => query.get('sign') ?? ''),
  )
})

test('a next link that repeats the signature of its page gets a new one', async () => {
  await using api = await serveApi({
    'GET /items': (query) => {
      const next = query.has('page') ? null : `/items?page=2&sign=${query.get('sign')}&a=1`
      return { json: { data: [{ id: 1 }], next } }
    },
  })
  const paginator = cursorPaginator('{{ response.next }}', '{{ not response.next }}', {
    page_token_option: { type: 'RequestPath' },
  })
  const pages = await pagesOf(custom(api.url, 'Signature', paginator), { config, now })
  const signed = api.requests.map(({ query }) => Buffer.from(query.get('sign') ?? '', 'hex').toString())
  assert.deepEqual(signed, ['GET,,,1700000000000,cs-s3cret-of-ann', 'GET,?page=2&a=1,,1700000000000,cs-s3cret-of-ann'])
  assert.equal(pages[0]?.next?.url, `${api.url}/items?page=2&a=1`)
})

test('a redirect that repeats the signature of its request gets a new one', async () => {
  await using api = await serveApi({
    'GET /items': (query) => ({ status: 307, headers: { location: `/items/?${query.toString()}` } }),
    'GET /items/': () => ({ json: { data: [{ id: 1 }] } }),
  })
  await pagesOf(custom(api.url, 'Signature'), { config, now })
  const signed = api.requests.map(({ query }) => Buffer.from(query.get('sign') ?? '', 'hex').toString())
  assert.deepEqual(signed, Array(2).fill('GET,?limit=2,,1700000000000,cs-s3cret-of-ann'))
  assert.deepEqual(
    api.requests.map(({ query }) => query.getAll('sign').length),
    [1, 1],
  )
})

test('two authenticators of one class are two where any field differs', async () => {
  await using api = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }] } }) })
  const tokens = openTokens()
  for (const parameters of [{ name: 'one' }, { name: 'two' }]) {
    await pagesOf(custom(api.url, 'ByField', { type: 'NoPagination' }, { parameters }), { config, tokens })
  }
  assert.deepEqual(
    api.requests.map(({ headers }) => headers['x-account']),
    ['one', 'two'],
  )
})

test('what a class adds goes to its own origin only', async () => {
  await using elsewhere = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }] } }) })
  for (const name of ['TwoHeaders', 'Signature']) {
    await using api = await serveWithTokens(undefined, undefined, {
      'GET /items': () => ({ status: 307, headers: { location: `${elsewhere.url}/items` } }),
    })
    const notices: Notice[] = []
    await pagesOf(custom(api.url, name), { config, now, onNotice: (notice) => notices.push(notice) })
    assert.equal(notices[0]?.kind, 'foreign-origin')
  }
  assertHidden([elsewhere.requests, elsewhere.asked], ['at-secret', 'sign=', 'x-user'])
})

test('a class that fails is named', async () => {
  await using api = await serveWithTokens()
  const read = pagesOf(custom(api.url, 'Failing'), { config })
  await assert.rejects(read, { code: 'custom/class-failed', message: /Failing` failed: no idea/ })
})

const selective = (url: string) => ({
  type: 'SelectiveAuthenticator',
  authenticator_selection_path: ['credentials', 'auth_type'],
  authenticators: {
    token: { type: 'BearerAuthenticator', api_token: '{{ config.credentials.token }}' },
    oauth: oauth(url, { client_secret: '{{ config.credentials.absent.secret }}' }),
    1: { type: 'NoAuth' },
  },
})

test('the config chooses the authenticator, and the others are not looked at', async () => {
  await using api = await serveWithTokens()
  const read = (auth_type: unknown) =>
    pagesOf(authenticatedBy(api.url, selective(api.url)), {
      config: { credentials: { auth_type, token: 't' } },
      maxPages: 1,
    })
  await read('token')
  await read(1)
  assert.deepEqual(
    api.requests.map(({ headers }) => headers.authorization),
    ['Bearer t', undefined],
  )
})

for (const [credentials, message] of [
  [{ auth_type: 'other' }, /`credentials\.auth_type` is not one of the choices/],
  [{}, /is missing in the config/],
  ['text', /is missing in the config/],
] as const) {
  test(`an unknown choice names the choices: ${JSON.stringify(credentials)}`, async () => {
    const url = 'http://127.0.0.1:9'
    const error = await pagesOf(authenticatedBy(url, selective(url)), { config: { credentials } }).catch(
      (e: unknown) => e,
    )
    assert.ok(error instanceof ConnectorError)
    assert.equal(error.code, 'plan/unknown-choice')
    assert.match(error.message, message)
    assert.match(error.message, /`1`, `token`, `oauth`/)
  })
}

test('headers may come from a getter', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [] } }) })
  await pagesOf(custom(api.url, 'ByGetter'), { config })
  assert.equal(api.requests[0]?.headers.authorization, 'Bearer x')
})
