/** Several tokens of one API: which request gets which, what is asked about them, and when requests wait. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notice } from '../../../src/engine/response/notice.ts'
import { openTokens } from '../../../src/engine/run/tokens.ts'
import { ConnectorError } from '../../../src/std/errors.ts'
import { type Answer, serveApi } from '../../helpers/serve-api.ts'
import { assertHidden, authenticatedBy, pagesOf } from './token-server.ts'

const config = { tokens: ' tok-one-s3cret, tok-two-s3cret ,', wait: 60 }
const hourMs = 3_600_000

/** A clock that moves only when something sleeps. */
function clock() {
  let at = 1_700_000_000_000
  const waits: number[] = []
  return {
    waits,
    now: () => at,
    sleep: async (ms: number) => {
      waits.push(ms)
      at += ms
    },
  }
}

type Clock = ReturnType<typeof clock>

/** An API that counts the calls of each token, of which it grants `limit` an hour. */
async function serve(
  {
    limit = 100,
    answer,
    resets,
    isRelative = false,
  }: { limit?: number; answer?: (token: string) => Answer | null; resets?: number; isRelative?: boolean },
  time: Clock,
) {
  const used = new Map<string, number>()
  let resetsAt = time.now() + hourMs
  const tokenOf = (text: string | undefined) => (text ?? '').replace(/^Bearer tok-(\w+)-s3cret$/, '$1')
  const leftOf = (token: string) => {
    if (time.now() >= resetsAt) {
      used.clear()
      resetsAt += hourMs
    }
    return Math.max(0, limit - (used.get(token) ?? 0))
  }
  const resetOf = () => resets ?? (isRelative ? Math.ceil((resetsAt - time.now()) / 1000) : resetsAt / 1000)
  const served: string[] = []
  const api = await serveApi({
    'GET /rate_limit': (_, { headers }) => {
      const left = leftOf(tokenOf(headers.authorization))
      return {
        json: {
          core: { remaining: left, reset: resetOf(), limit },
          graphql: { remaining: '7', reset: '2030-01-01T00:00:00Z' },
        },
      }
    },
    'GET /items': (query, { headers }) => {
      const token = tokenOf(headers.authorization)
      served.push(token)
      const own = answer?.(token)
      if (own) return own
      const left = leftOf(token)
      const quota = {
        'X-RateLimit-Remaining': String(Math.max(0, left - 1)),
        'X-RateLimit-Reset': String(resetOf()),
      }
      if (left === 0) return { status: 403, headers: quota, json: { message: 'rate limit exceeded' } }
      used.set(token, (used.get(token) ?? 0) + 1)
      const offset = Number(query.get('offset') ?? 0)
      return { headers: quota, json: { data: offset < 8 ? [{ id: offset }, { id: offset + 1 }] : [] } }
    },
  })
  return Object.assign(api, { served, spend: (token: string, calls: number) => used.set(token, calls) })
}

function rotating(url: string, fields: Record<string, unknown> = {}, quota: Record<string, unknown> = {}) {
  return {
    type: 'RateLimitedMultipleTokenAuthenticator',
    tokens: "{{ config['tokens'] }}",
    quota_status_source: { type: 'QuotaStatusSource', url: `${url}/rate_limit` },
    quotas: [
      {
        type: 'TokenQuota',
        name: 'rest',
        remaining_path: ['core', 'remaining'],
        reset_path: ['core', 'reset'],
        ...quota,
      },
    ],
    budget_reserve_fraction: 0,
    budget_min_reserve: 0,
    ...fields,
  }
}

const headers = { remaining_header: 'X-RateLimit-Remaining', reset_header: 'X-RateLimit-Reset' }

test('what is left is asked once for each token; the second is used when nothing is left of the first', async () => {
  const time = clock()
  await using api = await serve({ limit: 3 }, time)
  const pages = await pagesOf(authenticatedBy(api.url, rotating(api.url)), { config, ...time, prefetch: 'off' })
  assert.deepEqual(pages.flatMap(({ records }) => records).length, 8)
  assert.deepEqual(api.served, ['one', 'one', 'one', 'two', 'two'])
  assert.equal(api.asked.filter((line) => line === 'GET /rate_limit').length, 2)
  assert.deepEqual(time.waits, [])
  assertHidden(pages, ['tok-one-s3cret', 'tok-two-s3cret'])
})

test('a list of tokens, another header and another scheme; streams share what was counted', async () => {
  const time = clock()
  await using api = await serve({ answer: () => ({ json: { data: [] } }) }, time)
  const auth = rotating(api.url, {
    tokens: ['{{ config.a }}', '', '{{ config.a }}', 'tok-b'],
    auth_method: 'token',
    header: 'X-Auth',
  })
  const options = { config: { a: 'tok-a' }, ...time, tokens: openTokens() }
  await pagesOf(authenticatedBy(api.url, auth), options)
  await pagesOf(authenticatedBy(api.url, auth), options)
  const sent = api.requests.map((request) => [request.path, request.headers['x-auth']].join(' '))
  assert.deepEqual(sent, [
    '/rate_limit token tok-a',
    '/rate_limit token tok-b',
    '/items token tok-a',
    '/items token tok-a',
  ])
})

test('tokens that are a list in the config are its members, and are shown nowhere', async () => {
  const time = clock()
  const list = ['tok-one-s3cret', ' tok-two-s3cret', null, '']
  await using api = await serve({}, time)
  for (const given of [list, JSON.stringify(list.slice(0, 2)), ['tok-one-s3cret,tok-two-s3cret']]) {
    const options = { config: { tokens: given }, ...time }
    await pagesOf(authenticatedBy(api.url, rotating(api.url)), options)
  }
  const [one, two] = ['Bearer tok-one-s3cret', 'Bearer tok-two-s3cret']
  const asked = api.requests.filter(({ path }) => path === '/rate_limit').map(({ headers: sent }) => sent.authorization)
  assert.deepEqual(asked, [one, two, one, two, `${one},tok-two-s3cret`])
  const digits = { config: { tokens: '1234567,7654321' }, ...time }
  await pagesOf(authenticatedBy(api.url, rotating(api.url)), digits)
  assert.equal(api.requests.at(-1)?.headers.authorization, 'Bearer 1234567')
})

test('a token of a list that an error quotes is hidden', async () => {
  const time = clock()
  await using api = await serveApi({
    '*': (_, { headers: sent }) => ({ status: 401, json: { message: `Bad ${sent.authorization?.slice(7)}` } }),
  })
  const read = pagesOf(authenticatedBy(api.url, rotating(api.url)), {
    config: { tokens: ['bad-one-s3cret', 'bad-two-s3cret'] },
    ...time,
  })
  const failure = await read.catch((error: unknown) => error)
  assert.ok(failure instanceof ConnectorError)
  assert.match(failure.message, /says: Bad \*\*\*\*/)
  assertHidden(failure, ['bad-one-s3cret', 'bad-two-s3cret'])
})

test('where other programs use the tokens, headers say what is left, and a refused request is sent with another token at once', async () => {
  const time = clock()
  await using api = await serve({ limit: 5 }, time)
  const notices: Notice[] = []
  const manifest = authenticatedBy(api.url, rotating(api.url, {}, headers))
  const options = {
    config,
    ...time,
    tokens: openTokens(),
    prefetch: 'off' as const,
    onNotice: (notice: Notice) => notices.push(notice),
  }
  await pagesOf(manifest, { ...options, maxPages: 2 })
  api.spend('one', 5)
  await pagesOf(manifest, options)
  assert.deepEqual(api.served, ['one', 'one', 'one', 'two', 'two', 'two', 'two', 'two'])
  assert.deepEqual(time.waits, [])
  const reason = 'The server responded with 403: nothing is left of the quota of a token. Another is used.'
  assert.deepEqual(notices, [
    { kind: 'retry', attempt: 1, tries: 2, waitMs: 0, reason, url: `${api.url}/items?limit=2` },
  ])
})

test('when nothing is left of any token, requests wait for the reset, and ask again', async () => {
  const time = clock()
  await using api = await serve({ limit: 2 }, time)
  const notices: Notice[] = []
  const pages = await pagesOf(authenticatedBy(api.url, rotating(api.url)), {
    config,
    ...time,
    prefetch: 'off',
    onNotice: (notice) => notices.push(notice),
  })
  assert.equal(pages.length, 5)
  assert.deepEqual(api.served, ['one', 'one', 'two', 'two', 'two'])
  assert.deepEqual(time.waits, [hourMs])
  assert.deepEqual(notices, [{ kind: 'budget', waitMs: hourMs, url: `${api.url}/items` }])
})

test('a reset in seconds from now is waited for, too, and corrects what is left', async () => {
  const time = clock()
  await using api = await serve({ limit: 2, isRelative: true }, time)
  const manifest = authenticatedBy(api.url, rotating(api.url, {}, headers))
  const options = { config: { tokens: 'tok-one-s3cret' }, ...time, tokens: openTokens(), prefetch: 'off' as const }
  await pagesOf(manifest, { ...options, maxPages: 1 })
  api.spend('one', 1)
  assert.equal((await pagesOf(manifest, { ...options, maxPages: 2 })).length, 2)
  assert.deepEqual(time.waits, [hourMs])
  assert.equal(api.served.length, 3)
})

test('where the server refuses the last token for its quota, the request waits for the reset once', async () => {
  const time = clock()
  await using api = await serve({ limit: 5 }, time)
  const auth = (codes: number[]) => rotating(api.url, {}, { ...headers, exhaustion_status_codes: codes })
  for (const tokens of ['tok-one-s3cret', 'tok-one-s3cret,tok-two-s3cret']) {
    const shared = { config: { tokens }, ...time, tokens: openTokens(), prefetch: 'off' as const }
    const notices: Notice[] = []
    const onNotice = (notice: Notice) => notices.push(notice)
    await pagesOf(authenticatedBy(api.url, auth([403])), { ...shared, maxPages: 1 })
    api.spend('one', 5)
    api.spend('two', 5)
    assert.equal((await pagesOf(authenticatedBy(api.url, auth([403])), { ...shared, onNotice })).length, 5)
    assert.deepEqual(time.waits, [hourMs])
    const reason =
      'The server responded with 403: nothing is left of the quota of any token. The request waits for a reset.'
    const tries = tokens.split(',').length + 1
    assert.deepEqual(notices.slice(-2), [
      { kind: 'retry', attempt: tries - 1, tries, waitMs: 0, reason, url: `${api.url}/items?limit=2` },
      { kind: 'budget', waitMs: hourMs, url: `${api.url}/items` },
    ])
    time.waits.length = 0
    api.spend('one', 0)
  }
})

test('a refusal that has another reason, or that a reset does not end, is an error', async () => {
  const time = clock()
  const spent = { 'X-RateLimit-Remaining': '0' }
  let quota: Record<string, string> = spent
  await using api = await serve({ answer: () => ({ status: 403, headers: quota, json: {} }) }, time)
  const read = () =>
    pagesOf(authenticatedBy(api.url, rotating(api.url, {}, headers)), { config: { tokens: 'tok-one-s3cret' }, ...time })
  await assert.rejects(read(), { code: 'response/rejected' })
  assert.deepEqual([api.served.length, time.waits], [2, [hourMs]])
  quota = {}
  await assert.rejects(read(), { code: 'response/rejected' })
  assert.deepEqual([api.served.length, time.waits], [3, [hourMs]])
})

test('a wait that is longer than the manifest, or the caller, allows is an error that says when to run again', async () => {
  const time = clock()
  await using api = await serve({ limit: 1 }, time)
  const read = (fields: object, options: object = {}) =>
    pagesOf(authenticatedBy(api.url, rotating(api.url, { ...fields })), {
      config,
      ...time,
      ...options,
      prefetch: 'off',
    })
  const message =
    'No token has calls left (quota `rest`), and the next reset, at 2023-11-14T23:13:20.000Z, is later than the longest wait of 3600 s allows.'
  await assert.rejects(read({ max_wait_time: 'PT{{ config.wait }}M' }), { code: 'response/gave-up', message })
  await assert.rejects(read({}, { retry: { maxWaitMs: 1000 } }), /longest wait of 1 s/)
  await assert.rejects(read({ max_wait_time: 'P1M' }), { code: 'plan/invalid-duration' })
  assert.deepEqual(time.waits, [])
})

test('a reset that no date can be is waited for no more than another', async () => {
  const time = clock()
  await using api = await serve({ limit: 0, resets: 1.8e18 }, time)
  const read = pagesOf(authenticatedBy(api.url, rotating(api.url)), { config, ...time })
  await assert.rejects(read, {
    code: 'response/gave-up',
    message: /the next reset, at a date too far in the future, is later than the longest wait of 7200 s allows/,
  })
})

test('an authenticator without quotas is an error at its place', async () => {
  const time = clock()
  await using api = await serve({}, time)
  const read = pagesOf(authenticatedBy(api.url, rotating(api.url, { quotas: [] })), { config, ...time })
  const failure = await read.catch((error: unknown) => error)
  assert.ok(failure instanceof ConnectorError)
  assert.equal(failure.code, 'manifest/invalid-value')
  assert.match(failure.at?.pointer ?? '', /authenticator\/quotas$/)
})

test('a reset that is over already is asked about every five seconds, until the longest wait is over', async () => {
  const time = clock()
  await using api = await serve({ limit: 0 }, time)
  const past = { reset_path: ['core', 'remaining'] }
  await assert.rejects(
    pagesOf(authenticatedBy(api.url, rotating(api.url, { max_wait_time: 'PT12S' }, past)), { config, ...time }),
    { code: 'response/gave-up' },
  )
  assert.deepEqual(time.waits, [5000, 5000, 2000])
  assert.equal(api.asked.length, 8)
})

test('pages ahead take none of the last calls: a read that fits in the quota reads all of its pages', async () => {
  const time = clock()
  await using api = await serve({ limit: 20 }, time)
  const retriever = {
    partition_router: { type: 'ListPartitionRouter', values: ['a', 'b', 'c', 'd'], cursor_field: 'part' },
  }
  const auth = rotating(api.url, { budget_min_reserve: 50 })
  const pages = await pagesOf(authenticatedBy(api.url, auth, { retriever }), {
    config: { tokens: 'tok-one-s3cret' },
    now: time.now,
    sleep: async (ms, signal) => {
      // The page whose turn it is arrives before this is over.
      for (let turn = 0; turn < 50; turn++) {
        signal.throwIfAborted()
        await new Promise(setImmediate)
      }
      await time.sleep(ms)
    },
    retry: { maxWaitMs: 1000 },
    prefetch: 4,
  })
  assert.equal(pages.length, 20)
  assert.equal(api.served.length, 20)
})

test('a request that is cancelled while it waits gives its call back', async () => {
  const time = clock()
  await using api = await serve({ limit: 5 }, time)
  const manifest = authenticatedBy(api.url, rotating(api.url, { budget_min_reserve: 50 }))
  const shared = { config: { tokens: 'tok-one-s3cret' }, tokens: openTokens(), prefetch: 'off' as const }
  const abort = new AbortController()
  const sleep = async (_: number, signal: AbortSignal) => {
    abort.abort()
    signal.throwIfAborted()
  }
  const cancelled = pagesOf(manifest, { ...shared, now: time.now, sleep, signal: abort.signal })
  await assert.rejects(cancelled, { code: 'response/aborted' })
  assert.equal((await pagesOf(manifest, { ...shared, ...time })).length, 5)
  // Before all calls but the last; not until the reset.
  assert.deepEqual(time.waits, [10_000, 10_000, 10_000, 10_000])
  assert.equal(api.served.length, 5)
})

test('each request is counted in the pool that means it', async () => {
  const time = clock()
  await using api = await serve({ limit: 1 }, time)
  const other = {
    type: 'TokenQuota',
    name: 'items',
    remaining_path: ['graphql', 'remaining'],
    reset_path: ['graphql', 'reset'],
    matchers: [{ type: 'HttpRequestRegexMatcher', url_path_pattern: '^/items' }],
  }
  const rest = {
    type: 'TokenQuota',
    name: 'rest',
    remaining_path: ['core', 'remaining'],
    reset_path: ['core', 'reset'],
  }
  const auth = rotating(api.url, { quotas: [rest, other], tokens: ['tok-one-s3cret'] })
  // The API itself counts otherwise, and refuses the second.
  await assert.rejects(pagesOf(authenticatedBy(api.url, auth), { config, ...time }), { code: 'response/rejected' })
  assert.deepEqual(time.waits, [])
})

test('an endpoint that says that it counts nothing leaves the tokens to take turns', async () => {
  const time = clock()
  const auth = (url: string, codes: number[]) =>
    rotating(url, {
      quota_status_source: { type: 'QuotaStatusSource', url: `${url}/none`, unavailable_status_codes: codes },
    })
  await using api = await serve({}, time)
  await pagesOf(authenticatedBy(api.url, auth(api.url, [404])), { config, ...time, prefetch: 'off' })
  assert.deepEqual(api.served, ['one', 'two', 'one', 'two', 'one'])
  await assert.rejects(pagesOf(authenticatedBy(api.url, auth(api.url, [])), { config, ...time }), {
    code: 'response/rejected',
  })
})

test('a status without the numbers, and a config without tokens, are errors that name what is missing', async () => {
  const time = clock()
  await using api = await serve({}, time)
  const read = (given: object, quota: object) =>
    pagesOf(authenticatedBy(api.url, rotating(api.url, {}, { ...quota })), { config: { ...given }, ...time })
  const failure = await read(config, { reset_path: ['core', 'resets'] }).catch((error: unknown) => error)
  assert.ok(failure instanceof ConnectorError)
  assert.equal(failure.code, 'response/no-token')
  assert.match(failure.message, /quota `rest`: it has no `core\.resets` that can be read/)
  await assert.rejects(read({ tokens: ' , ' }, {}), { code: 'plan/missing-config' })
  assertHidden(failure, ['tok-one-s3cret'])
})

test('an address of the status that is none is an error with its place, and without secrets', async () => {
  const time = clock()
  await using api = await serve({}, time)
  const status = (url: string) => ({ quota_status_source: { type: 'QuotaStatusSource', url } })
  const read = (url: string) => pagesOf(authenticatedBy(api.url, rotating(api.url, status(url))), { config, ...time })
  const failure = await read("{{ config['base'] }}/rate_limit?key={{ config['tokens'].split(',')[0].strip() }}").catch(
    (error: unknown) => error,
  )
  assert.ok(failure instanceof ConnectorError)
  assert.equal(failure.code, 'request/invalid-url')
  assert.match(failure.at?.pointer ?? '', /quota_status_source\/url$/)
  assertHidden(failure, ['tok-one-s3cret'])
  assert.ok((await read(` ${api.url}/rate_limit\n`)).length > 0)
})

test('a link to another origin gets no token', async () => {
  const time = clock()
  await using other = await serveApi({ 'GET /items': () => ({ json: { data: [] } }) })
  await using api = await serve({ answer: () => ({ status: 302, headers: { location: `${other.url}/items` } }) }, time)
  await pagesOf(authenticatedBy(api.url, rotating(api.url)), { config, ...time })
  assert.equal(other.requests[0]?.headers.authorization, undefined)
  assert.equal(api.requests.at(-1)?.headers.authorization, 'Bearer tok-one-s3cret')
})

test('a reader that cancels while requests wait for a reset ends at once', async () => {
  const time = clock()
  await using api = await serve({ limit: 0 }, time)
  const abort = new AbortController()
  const sleep = (_: number, signal: AbortSignal) =>
    new Promise<void>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
      setImmediate(() => abort.abort())
    })
  const reading = pagesOf(authenticatedBy(api.url, rotating(api.url)), {
    config,
    now: time.now,
    sleep,
    signal: abort.signal,
  })
  await assert.rejects(reading, { code: 'response/aborted' })
})
