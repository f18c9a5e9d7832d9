import assert from 'node:assert/strict'
import { setTimeout as sleepFor } from 'node:timers/promises'
import { test } from 'node:test'
import { ConnectorError, type ErrorCode } from '../../../src/std/errors.ts'
import type { HttpRequest } from '../../../src/engine/request/http-request.ts'
import type { HttpResponse, Send } from '../../../src/engine/response/http-response.ts'
import type { Notice } from '../../../src/engine/response/notice.ts'
import type { ResponseOutcome } from '../../../src/engine/response/outcome.ts'
import {
  type ChosenWait,
  namedInstant,
  type RetryTools,
  retryWaitMs,
  withRetry,
} from '../../../src/engine/response/retry.ts'
import { openNetwork } from '../../../src/engine/response/send.ts'
import { type Answer, serveApi } from '../../helpers/serve-api.ts'
import { answered, get, hasCode, never, post } from './asking.ts'

const start = Date.UTC(2026, 0, 1)

/** A clock that moves only when something sleeps. */
function patience(rules: RetryTools['rules'] = {}) {
  const waits: number[] = []
  const notices: Notice[] = []
  const tools: RetryTools = {
    rules,
    sleep: async (ms) => void waits.push(ms),
    random: () => 0.5,
    now: () => start + waits.reduce((sum, wait) => sum + wait, 0),
    report: (notice) => notices.push(notice),
  }
  return { tools, waits, notices }
}

/** A server that gives these answers in turn, and the last one for ever. */
async function inTurn(answers: Answer[]) {
  let turn = 0
  return serveApi({ '*': () => answers[Math.min(turn++, answers.length - 1)] ?? {} })
}

const failing =
  (code: ErrorCode): Send =>
  async () => {
    throw new ConnectorError(code, `meant to be ${code}`)
  }

test('retry: a response that gets better is returned, each wait twice the one before', async () => {
  await using api = await inTurn([{ status: 500 }, { status: 503 }, { status: 429 }, { json: { id: 1 } }])
  const network = openNetwork()
  const { tools, waits, notices } = patience()
  const response = await withRetry(network.send, tools)(post(`${api.url}/search`, 'q'), never)
  await network.close()

  assert.equal(response.status, 200)
  assert.deepEqual(waits, [750, 1500, 3000])
  assert.deepEqual(
    api.requests.map(({ method, body }) => [method, body]),
    Array.from({ length: 4 }, () => ['POST', 'q']),
  )
  const [first] = notices
  assert.deepEqual(first?.kind === 'retry' && { ...first, reason: '' }, {
    kind: 'retry',
    attempt: 1,
    tries: 6,
    waitMs: 750,
    reason: '',
    url: `${api.url}/search`,
  })
})

test('retry: a reset, a truncated body and a dead kept connection are asked again', async () => {
  await using api = await inTurn([
    { raw: (response) => response.socket?.destroy() },
    {
      raw: (response) => {
        response.writeHead(200, { 'content-length': '9' }).write('{')
        setImmediate(() => response.socket?.end())
      },
    },
    { text: 'whole' },
  ])
  const network = openNetwork()
  const { tools, notices } = patience()
  const send = withRetry(network.send, tools)
  assert.equal((await send(get(api.url), never)).status, 200)
  assert.equal(notices.length, 2)
  await api.closeConnections()
  assert.equal((await send(get(api.url), never)).status, 200)
  await network.close()
})

test('retry: Retry-After wins, in seconds and as a date', async () => {
  const { tools, waits } = patience()
  const answers = [
    answered(429, '', { 'retry-after': '7' }),
    answered(503, '', { 'retry-after': new Date(start + 10_000).toUTCString() }),
    answered(200),
  ]
  await withRetry(async () => answers.shift() ?? answered(200), tools)(get('https://api.shop/'), never)
  assert.deepEqual(waits, [7000, 3000])
})

test('retry: five retries, then it gives up with the count and the last reason', async () => {
  await using api = await inTurn([{ status: 502, json: { message: 'upstream is away' } }])
  const network = openNetwork()
  const { tools, waits } = patience()
  await assert.rejects(
    withRetry(network.send, tools)(get(api.url), never),
    hasCode('response/gave-up', /6 tries.*502 Bad Gateway.*upstream is away/),
  )
  await network.close()
  assert.equal(api.asked.length, 6)
  assert.deepEqual(waits, [750, 1500, 3000, 6000, 12_000])
})

test('retry: giving up on a network failure keeps its cause', async () => {
  const { tools } = patience({ maxRetries: 1 })
  await assert.rejects(withRetry(failing('response/unreachable'), tools)(get('https://api.shop/'), never), (error) => {
    hasCode('response/gave-up', /2 tries.*meant to be/)(error)
    return hasCode('response/unreachable')(error instanceof Error ? error.cause : null)
  })
})

const failures: [code: ErrorCode, isRetried: boolean][] = [
  ['response/unreachable', true],
  ['response/timeout', true],
  ['response/cut-short', true],
  ['response/address-refused', false],
  ['response/too-large', false],
  ['response/aborted', false],
  ['response/not-decodable', false],
  ['response/redirect-loop', false],
  ['request/invalid-url', false],
]
for (const [code, isRetried] of failures) {
  test(`retry: ${code} is ${isRetried ? 'asked again' : 'final'}`, async () => {
    const { tools, waits } = patience()
    const expected = isRetried ? 'response/gave-up' : code
    await assert.rejects(withRetry(failing(code), tools)(get('https://api.shop/'), never), hasCode(expected))
    assert.equal(waits.length, isRetried ? 5 : 0)
  })
}

test('retry: a refusal is final, with its own hint', async () => {
  await using api = await inTurn([{ status: 404, json: { error: 'no such thing' } }])
  const network = openNetwork()
  const { tools } = patience()
  await assert.rejects(withRetry(network.send, tools)(get(`${api.url}/ordrs`), never), (error) => {
    assert.match(error instanceof ConnectorError ? error.hint : '', /`path`/)
    return hasCode('response/rejected', /\/ordrs answered 404 Not Found.*no such thing/)(error)
  })
  await network.close()
  assert.equal(api.asked.length, 1)
})

test('retry: a wait longer than the limit is not slept but named', async () => {
  const { tools, waits } = patience({ maxWaitMs: 60_000 })
  const send = withRetry(async () => answered(429, '', { 'retry-after': '86400' }), tools)
  await assert.rejects(
    send(get('https://api.shop/'), never),
    hasCode('response/gave-up', /until 2026-01-02T00:00:00.000Z/),
  )
  const absurd = withRetry(async () => answered(429, '', { 'retry-after': '9'.repeat(20) }), tools)
  await assert.rejects(absurd(get('https://api.shop/'), never), hasCode('response/gave-up'))
  assert.deepEqual(waits, [])
})

test('retry: an abort ends the wait', async () => {
  const abort = new AbortController()
  const { tools, notices } = patience()
  const sleep: RetryTools['sleep'] = (ms, signal) => {
    setImmediate(() => abort.abort())
    return sleepFor(ms * 1000, undefined, { signal })
  }
  const send = withRetry(async () => answered(503), { ...tools, sleep })
  await assert.rejects(send(get('https://api.shop/'), abort.signal), hasCode('response/aborted'))
  assert.equal(notices.length, 1)
})

test('retry: a sleep that overlooks the signal does not lead to another request', async () => {
  const abort = new AbortController()
  const { tools } = patience()
  let asked = 0
  const send = withRetry(
    async () => {
      asked++
      return answered(503)
    },
    { ...tools, sleep: async () => abort.abort() },
  )
  await assert.rejects(send(get('https://api.shop/'), abort.signal), hasCode('response/aborted'))
  assert.equal(asked, 1)
})

test('retry: a manifest may have its own idea of an outcome', async () => {
  const { tools } = patience()
  tools.outcomeOf = () => ({ kind: 'accept' })
  const response = await withRetry(async () => answered(404), tools)(get('https://api.shop/'), never)
  assert.equal(response.status, 404)
})

test('retry: half of the wait is certain, half is chance', () => {
  for (let attempt = 1; attempt <= 5; attempt++) {
    const fullMs = 1000 * 2 ** (attempt - 1)
    assert.equal(retryWaitMs(attempt, undefined, 1000, 0), fullMs / 2)
    assert.ok(retryWaitMs(attempt, undefined, 1000, 0.999) <= fullMs)
  }
  assert.equal(retryWaitMs(3, undefined, 1000, 0.5), 3000)
})

test('retry: a wait that the server names is kept as it is, unless it is zero', () => {
  assert.equal(retryWaitMs(5, 20, 1000, 0.9), 20)
  assert.equal(retryWaitMs(1, 0, 1000, 0), 500)
})

const needsToken = (response: HttpResponse): ResponseOutcome =>
  response.status === 401 ? { kind: 'retry', reason: 'expired', needsRefresh: true } : { kind: 'accept' }

test('refresh: a new token is fetched before the next try', async () => {
  let token = 'old'
  const { tools, waits } = patience()
  const send: Send = async () => answered(token === 'old' ? 401 : 200)
  const refresh = async () => void (token = 'new')
  const response = await withRetry(send, { ...tools, outcomeOf: needsToken, refresh })(get('https://a.test/'), never)
  assert.equal(response.status, 200)
  assert.deepEqual(waits, [750])
})

test('refresh: credentials that cannot be refreshed leave a plain retry', async () => {
  const { tools, waits } = patience({ maxRetries: 2 })
  const send = withRetry(async () => answered(401), { ...tools, outcomeOf: needsToken })
  await assert.rejects(send(get('https://a.test/'), never), hasCode('response/gave-up', /expired/))
  assert.equal(waits.length, 2)
})

test('refresh: a refusal does not end the tries, and the last error reports it', async () => {
  const { tools } = patience({ maxRetries: 1 })
  const refresh = async () => {
    throw new ConnectorError('response/rejected', 'the refresh token is void')
  }
  const send = withRetry(async () => answered(401), { ...tools, outcomeOf: needsToken, refresh })
  await assert.rejects(send(get('https://a.test/'), never), hasCode('response/gave-up', /the refresh token is void/))
})

test('refresh: cancelling during it ends the read at once', async () => {
  const { tools, waits } = patience()
  const refresh = async () => {
    throw new ConnectorError('response/aborted', 'The request was cancelled.')
  }
  const send = withRetry(async () => answered(401), { ...tools, outcomeOf: needsToken, refresh })
  await assert.rejects(send(get('https://a.test/'), never), hasCode('response/aborted'))
  assert.deepEqual(waits, [])
})

test('rate limit: the notice says so, and when the quota is back, if the server named it', async () => {
  const answers = [answered(429, '', { 'retry-after': '7' }), answered(429), answered(503), answered(200)]
  const { tools, notices } = patience()
  await withRetry(async () => answers.shift() ?? answered(500), tools)(get('https://a.test/'), never)
  const told = notices.map((notice) => notice.kind === 'retry' && [notice.isRateLimited, notice.quotaResetsAt])
  assert.deepEqual(told, [
    [true, start + 7000],
    [true, undefined],
    [undefined, undefined],
  ])
})

test('reset: a request that may reset gets the response, marked', async () => {
  const { tools } = patience()
  const outcomeOf = (): ResponseOutcome => ({ kind: 'reset', reason: 'too deep' })
  const send = withRetry(async () => answered(400), { ...tools, outcomeOf })
  const { status, asks } = await send({ ...get('https://a.test/'), mayAsk: ['reset'] }, never)
  assert.deepEqual([status, asks], [400, { action: 'reset', reason: 'too deep' }])
})

test('reset: a request that is no page of a stream fails with an error that says so', async () => {
  const { tools, notices } = patience()
  const outcomeOf = (): ResponseOutcome => ({ kind: 'reset', reason: 'too deep' })
  const send = withRetry(async () => answered(400), { ...tools, outcomeOf })
  await assert.rejects(send(get('https://a.test/'), never), hasCode('pagination/reset-asked', /too deep/))
  assert.deepEqual(notices, [])
})

test('retry: a host that never answered and is not there gets two quick retries; one that did, the usual ones', async () => {
  const network = openNetwork()
  await using api = await serveApi({ '*': () => ({ json: {} }) })
  const gone = await serveApi({})
  await gone[Symbol.asyncDispose]()
  const dead = patience()
  await assert.rejects(
    withRetry(network.send, { ...dead.tools, reached: new Set() })(get(`${gone.url}/orders`), never),
    (error: ConnectorError) => {
      assert.match(error.message, /^Gave up after 3 tries\. .*127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/)
      assert.equal(
        error.hint,
        `Check \`url_base\`: is \`${new URL(gone.url).host}\` the right host and port? ` +
          'If it is, check the network between here and there, then run again.',
      )
      return hasCode('response/gave-up')(error)
    },
  )
  assert.deepEqual(dead.waits, [375, 750])
  assert.deepEqual(
    dead.notices.map((notice) => notice.kind === 'retry' && [notice.attempt, notice.tries, notice.isUnanswered]),
    [
      [1, 3, true],
      [2, 3, true],
    ],
  )

  const nameless = patience()
  const unresolved = withRetry(network.send, { ...nameless.tools, reached: new Set() })
  await assert.rejects(unresolved(get('http://no-such-host.invalid/'), never), /ENOTFOUND|EAI_AGAIN/)
  assert.match(JSON.stringify(nameless.notices), /no-such-host\.invalid cannot be reached/)

  const known = patience()
  const send = withRetry(network.send, { ...known.tools, reached: new Set() })
  await send(get(`${api.url}/orders`), never)
  await api[Symbol.asyncDispose]()
  await assert.rejects(send(get(`${api.url}/orders?page=2`), never), hasCode('response/gave-up', /6 tries/))
  assert.equal(known.waits.length, 5)
  await network.close()
})

test('retry: a host that is not there is not waited for as the manifest says of responses; a limit of retries holds', async () => {
  const network = openNetwork()
  const gone = await serveApi({})
  await gone[Symbol.asyncDispose]()
  const slow = patience({ maxRetries: 1 })
  const waitAfter = () => ({ waitMs: 60_000, hasOwnLimit: false })
  const send = withRetry(network.send, { ...slow.tools, waitAfter, reached: new Set() })
  await assert.rejects(send(get(gone.url), never), hasCode('response/gave-up', /2 tries/))
  assert.deepEqual(slow.waits, [375])
  await network.close()
})

const url = 'https://api.shop/orders'

/** What comes of one response, or failure, that means this. */
async function sentOnce(outcome: ResponseOutcome, more: Partial<HttpRequest> = {}, tools: Partial<RetryTools> = {}) {
  const { tools: usual, notices, waits } = patience()
  let discarded = 0
  const stream = { chunks: (async function* () {})(), discard: () => void discarded++ }
  const send = withRetry(async () => ({ ...answered(200), stream }), { ...usual, outcomeOf: () => outcome, ...tools })
  const sent = await send({ ...get(url), ...more }, never).catch((error: unknown) => error)
  return { sent, notices, waits, discarded }
}

test('an accepted response is left as it is; one that lacks its list says so', async () => {
  const { sent, discarded, notices } = await sentOnce({ kind: 'accept' })
  assert.ok(!(sent instanceof Error))
  assert.deepEqual([discarded, notices], [0, []])
  assert.equal((sent as HttpResponse).lacksList, undefined)
  const { sent: other } = await sentOnce({ kind: 'accept', byRule: true, lacksList: true })
  assert.equal((other as HttpResponse).lacksList, true)
})

test('an ignored response is returned as such, its rest is not read, and the notice says why', async () => {
  const { sent, notices, discarded } = await sentOnce({ kind: 'ignore', reason: 'nothing there' })
  assert.deepEqual([(sent as HttpResponse).status, (sent as HttpResponse).isIgnored, discarded], [200, true, 1])
  assert.deepEqual(notices, [{ kind: 'ignored', reason: 'nothing there', url }])
})

test('a failure that a class ignores is a response of status 0; one it has no opinion on is tried again', async () => {
  const { tools, notices, waits } = patience({ maxRetries: 1 })
  const send = (outcomeOfFailure: RetryTools['outcomeOfFailure']) =>
    withRetry(failing('response/timeout'), { ...tools, ...(outcomeOfFailure && { outcomeOfFailure }) })(get(url), never)
  const ignored = await send(() => ({ kind: 'ignore', reason: 'closed' }))
  assert.deepEqual([ignored.status, ignored.url, ignored.isIgnored, ignored.body.length], [0, url, true, 0])
  assert.deepEqual(notices, [{ kind: 'ignored', reason: 'closed', url }])
  await assert.rejects(
    send(() => null),
    hasCode('response/gave-up', /2 tries.*meant to be response\/timeout/),
  )
  assert.equal(waits.length, 1)
  await assert.rejects(
    send(() => ({ kind: 'retry', reason: 'by the class' })),
    (error) => {
      assert.ok(error instanceof ConnectorError && error.cause instanceof ConnectorError)
      return error.message === 'Gave up after 2 tries. The last one: by the class'
    },
  )
})

test('a failure in the words of the manifest keeps its status, its hint and its type', async () => {
  const { sent } = await sentOnce({
    kind: 'fail',
    code: 'response/rejected',
    message: 'No.',
    hint: 'Why?',
    failureType: 'config_error',
  })
  assert.ok(sent instanceof ConnectorError)
  assert.deepEqual([sent.message, sent.hint, sent.failureType, sent.status], ['No.', 'Why?', 'config_error', 200])
})

test('smaller pages and windows are for those who may ask for them; others learn which field is missing', async () => {
  for (const [kind, words] of [
    ['smaller-page', /REDUCE_PAGE_SIZE: add `page_size_reduction`/],
    ['smaller-window', /SPLIT_REQUEST_WINDOW: add `request_window_splitting`/],
  ] as const) {
    const asked = await sentOnce({ kind, reason: 'too much' }, { mayAsk: [kind] })
    assert.deepEqual((asked.sent as HttpResponse).asks, { action: kind, reason: 'too much' })
    assert.deepEqual(asked.notices, [{ kind, reason: 'too much', url }])
    const { sent } = await sentOnce({ kind, reason: 'too much' }, { mayAsk: ['reset'] })
    assert.ok(hasCode('response/rejected', /^too much$/)(sent))
    assert.match((sent as ConnectorError).hint, words)
  }
})

test('a page ahead that is not accepted is no error of its own; a rate limit that it met is one of all', async () => {
  const extended: [string, number][] = []
  const shared = {
    begin: () => assert.fail('no turn is taken'),
    extend: (...given: [string, number]) => void extended.push(given),
    waitMs: () => 0,
  }
  const ahead = async (outcome: ResponseOutcome) => {
    const { sent, waits, notices } = await sentOnce(outcome, { isAhead: true }, { shared })
    assert.deepEqual([waits, notices], [[], []])
    return sent
  }
  for (const outcome of [
    { kind: 'ignore', reason: 'x' },
    { kind: 'fail', code: 'response/rejected', message: 'x' },
    { kind: 'retry', reason: 'x', waitMs: 5000 },
  ] satisfies ResponseOutcome[])
    assert.ok(hasCode('response/aborted', /requested ahead/)(await ahead(outcome)))
  assert.deepEqual(extended, [])
  assert.ok(
    hasCode('response/aborted')(await ahead({ kind: 'retry', reason: 'x', waitMs: 864e5, isRateLimited: true })),
  )
  assert.deepEqual(extended, [[url, 864e5]])
  assert.equal(((await ahead({ kind: 'accept' })) as HttpResponse).status, 200)
})

/** The waits and the notices of a request that is refused once, where the manifest, or a class, chooses the wait. */
async function waitedAfter(
  refused: Extract<ResponseOutcome, { kind: 'retry' }>,
  chosen?: ChosenWait,
  rules?: RetryTools['rules'],
) {
  const { tools, notices, waits } = patience(rules)
  const outcomes: ResponseOutcome[] = [refused, { kind: 'accept' }]
  const outcomeOf = () => outcomes.shift() ?? assert.fail('asked too often')
  await withRetry(async () => answered(429), { ...tools, outcomeOf, waitAfter: () => chosen ?? null })(get(url), never)
  const [first] = notices
  return [waits, first?.kind === 'retry' ? first.quotaResetsAt : null]
}

test('a class decides on the wait first, then the manifest, then the server', async () => {
  const limited = { kind: 'retry', reason: 'x', waitMs: 7000, isRateLimited: true } as const
  assert.deepEqual(await waitedAfter(limited), [[7000], start + 7000])
  assert.deepEqual(await waitedAfter({ ...limited, waitMs: 0 }), [[750], undefined])
  assert.deepEqual(await waitedAfter(limited, { waitMs: 3000, hasOwnLimit: false }), [[3000], undefined])
  const fromServer = { waitMs: 3000, hasOwnLimit: false, isFromServer: true } as const
  assert.deepEqual(await waitedAfter(limited, fromServer), [[3000], start + 3000])
  assert.deepEqual(await waitedAfter({ ...limited, ownWaitMs: 2000 }, fromServer), [[2000], undefined])
})

test('a wait as long as the limit is slept, a longer one only where the manifest has a limit of its own', async () => {
  const refused = { kind: 'retry', reason: 'Not now.', waitMs: 60_000 } as const
  const rules = { maxWaitMs: 60_000 }
  assert.deepEqual(await waitedAfter(refused, undefined, rules), [[60_000], undefined])
  assert.deepEqual(await waitedAfter(refused, { waitMs: 60_001, hasOwnLimit: true }, rules), [[60_001], undefined])
  await assert.rejects(waitedAfter(refused, { waitMs: 60_001, hasOwnLimit: false }, rules), (error) => {
    assert.equal((error as ConnectorError).hint, 'Run again after 2026-01-01T00:01:00.001Z.')
    return hasCode(
      'response/gave-up',
      /until 2026-01-01T00:01:00\.001Z, longer than the limit of 60 s\. Not now\.$/,
    )(error)
  })
  const hour = 3_600_000
  assert.deepEqual(await waitedAfter({ ...refused, waitMs: hour }), [[hour], undefined])
  await assert.rejects(waitedAfter({ ...refused, waitMs: hour + 1 }), hasCode('response/gave-up', /limit of 3600 s/))
})

test('a date that is none is named in words', () => {
  assert.equal(namedInstant(8.64e15), '+275760-09-13T00:00:00.000Z')
  assert.equal(namedInstant(8.64e15 + 1), 'a date too far in the future')
})

test('giving up after one try says so, with the code and the hint of the outcome', async () => {
  const { tools } = patience({ maxRetries: 0 })
  const outcomeOf = (): ResponseOutcome => ({ kind: 'retry', reason: 'x', code: 'response/error-body', hint: 'Look.' })
  await assert.rejects(withRetry(async () => answered(200), { ...tools, outcomeOf })(get(url), never), {
    code: 'response/error-body',
    message: 'Gave up after one try. The last one: x',
    hint: 'Look.',
  })
})

test('only a rate limit takes a turn in the pause of all, and waits as long as that says', async () => {
  const begun: number[] = []
  const shared = {
    begin: (_url: string, waitMs: number) => begun.push(waitMs) && waitMs + 50,
    extend: () => {},
    waitMs: () => 0,
  }
  const { tools, waits } = patience()
  const answers = [answered(503), answered(429, '', { 'retry-after': '2' }), answered(200)]
  await withRetry(async () => answers.shift() ?? assert.fail('asked too often'), { ...tools, shared })(get(url), never)
  assert.deepEqual(begun, [2000])
  assert.deepEqual(waits, [750, 2050])
})

test('a request waits for the pauses of others, twenty of them at most', async () => {
  const sentAfter = async (...pauses: number[]) => {
    const { tools, waits } = patience()
    const shared = { begin: () => 0, extend: () => {}, waitMs: () => pauses.shift() ?? 0 }
    await withRetry(async () => answered(200), { ...tools, shared })(get(url), never)
    return waits
  }
  assert.deepEqual(await sentAfter(), [])
  assert.deepEqual(await sentAfter(1), [1])
  assert.deepEqual(await sentAfter(30, 20), [30, 20])
  assert.equal((await sentAfter(...Array<number>(30).fill(5))).length, 20)
})

test('a failure of the refresh that is none of ours ends the read as it is', async () => {
  const { tools, waits } = patience()
  const refresh = () => Promise.reject(new TypeError('a bug'))
  const send = withRetry(async () => answered(401), { ...tools, outcomeOf: needsToken, refresh })
  await assert.rejects(send(get(url), never), TypeError)
  assert.deepEqual(waits, [])
})

test('a sleep that fails by itself fails the request with that', async () => {
  const { tools } = patience()
  const sleep = () => Promise.reject(new Error('no timer'))
  await assert.rejects(withRetry(async () => answered(503), { ...tools, sleep })(get(url), never), {
    message: 'no timer',
  })
})

test('a host that is not there is tried twice again at most, and soon', async () => {
  const absent: Send = async () => {
    const cause = Object.assign(new Error('no'), { code: 'ENOTFOUND' })
    throw new ConnectorError('response/unreachable', 'not there', { cause })
  }
  const waitsWith = async (rules: RetryTools['rules'], reached: string[]) => {
    const { tools, waits } = patience(rules)
    const failed = withRetry(absent, { ...tools, reached: new Set(reached) })(get(url), never)
    await assert.rejects(failed, hasCode('response/gave-up'))
    return waits
  }
  assert.deepEqual(await waitsWith({}, []), [375, 750])
  assert.deepEqual(await waitsWith({ baseMs: 100 }, []), [75, 150])
  assert.deepEqual(await waitsWith({ maxRetries: 1 }, []), [375])
  assert.equal((await waitsWith({}, ['https://api.shop'])).length, 5)
})
