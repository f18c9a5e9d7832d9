/** Staying within a budget: many callers, one clock, and answers that know better. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BudgetPlan, MatcherPlan, PolicyPlan } from '../../../../src/engine/plan/budget.ts'
import type { SharedBudget } from '../../../../src/engine/plan/shared-budget.ts'
import type { HttpRequest } from '../../../../src/engine/request/http-request.ts'
import { withBudget } from '../../../../src/engine/response/budget/budget.ts'
import { steadyClock } from '../../../../src/engine/response/budget/steady-clock.ts'
import type { HttpResponse, Send } from '../../../../src/engine/response/http-response.ts'
import type { Notice } from '../../../../src/engine/response/notice.ts'
import { type FakeClock, fakeClock } from '../../../helpers/fake-clock.ts'
import { answered, get, hasCode, never } from '../asking.ts'

const matcher: MatcherPlan = { method: null, origin: null, path: null, query: {}, headers: {}, weight: 1 }
const moving = (limit: number, intervalMs: number, ...matchers: MatcherPlan[]): PolicyPlan => ({
  kind: 'moving',
  rates: [{ limit, intervalMs }],
  matchers,
})
const fixed = (limit: number, intervalMs: number): PolicyPlan => ({ kind: 'fixed', limit, intervalMs, matchers: [] })

type Sent = { at: number; url: string }

function budgeted(
  policies: readonly PolicyPlan[],
  answer: (request: HttpRequest) => HttpResponse = () => answered(200),
) {
  const clock = fakeClock()
  const started = clock.now()
  const sent: Sent[] = []
  const notices: Notice[] = []
  const plan: BudgetPlan = {
    policies,
    resetHeader: 'ratelimit-reset',
    remainingHeader: 'ratelimit-remaining',
    exhaustedStatuses: [429],
  }
  const network: Send = async (request) => {
    sent.push({ at: clock.now() - started, url: new URL(request.url).pathname })
    return answer(request)
  }
  const report = (notice: Notice) => void notices.push(notice)
  const send = withBudget(network, plan, { clock: steadyClock(clock), now: clock.now, report })
  return { clock, sent, notices, send }
}

const url = (path: string | number) => get(`https://api.test/${path}?key=secret`)
/** Each with a signal of its own, as requests have; one for all would draw Node's warning about many listeners. */
const many = (send: Send, count: number, signal = never) =>
  Array.from({ length: count }, (_, index) => send(url(index), AbortSignal.any([signal])))
const times = (sent: readonly Sent[]) => sent.map(({ at }) => at)

function mostWithin(sent: readonly Sent[], intervalMs: number): number {
  return Math.max(...sent.map(({ at }) => sent.filter((other) => other.at >= at && other.at < at + intervalMs).length))
}

test('a hundred callers at once: never more than the limit in any stretch, each in the order it came', async () => {
  const { clock, sent, send } = budgeted([moving(7, 1000)])
  await clock.until(Promise.all(many(send, 100)))
  assert.equal(mostWithin(sent, 1000), 7)
  assert.equal(sent.at(-1)?.at, 14_000)
  assert.deepEqual(
    sent.map((one) => one.url),
    Array.from({ length: 100 }, (_, index) => `/${index}`),
  )
})

test('one timer for all that wait: none wakes too early', async () => {
  const { clock, send } = budgeted([moving(10, 1000)])
  await clock.until(Promise.all(many(send, 1000)))
  assert.equal(clock.sleeps(), 99)
})

test('several rates hold together, whatever their order', async () => {
  const rates = [
    { limit: 10, intervalMs: 60_000 },
    { limit: 3, intervalMs: 1000 },
  ]
  const { clock, sent, send } = budgeted([{ kind: 'moving', rates, matchers: [] }])
  await clock.until(Promise.all(many(send, 25)))
  assert.equal(mostWithin(sent, 1000), 3)
  assert.equal(mostWithin(sent, 60_000), 10)
})

test('a heavy request is not overtaken for ever by light ones', async () => {
  const heavy: MatcherPlan = { ...matcher, path: '^/heavy', weight: 10 }
  const { clock, sent, send } = budgeted([moving(10, 1000, heavy, matcher)])
  const light = many(send, 5)
  const all = [...light, send(url('heavy'), never), ...many(send, 15)]
  await clock.until(Promise.all(all))
  assert.deepEqual(sent[5], { at: 1000, url: '/heavy' })
})

test('the first policy that matches counts; a request that none means is free', async () => {
  const reports = { ...matcher, path: '/reports$' }
  const others = { ...matcher, method: 'GET', path: '^/api' }
  const { clock, sent, send } = budgeted([moving(1, 1000, reports), moving(1, 5000, others)])
  const asked = ['api/reports', 'api/orders', 'api/reports', 'api/orders', 'free', 'free'].map((path) =>
    send(url(path), never),
  )
  await clock.until(Promise.all(asked))
  assert.deepEqual(sent.map(({ at, url: path }) => `${at} ${path}`).toSorted(), [
    '0 /api/orders',
    '0 /api/reports',
    '0 /free',
    '0 /free',
    '1000 /api/reports',
    '5000 /api/orders',
  ])
})

test('an unlimited policy in front frees what it means', async () => {
  const sandbox: PolicyPlan = { kind: 'unlimited', matchers: [{ ...matcher, headers: { 'x-sandbox': 'True' } }] }
  const { clock, sent, send } = budgeted([sandbox, moving(1, 1000)])
  const free = Array.from({ length: 5 }, () => send(get('https://api.test/', { 'X-Sandbox': 'True' }), never))
  await clock.until(Promise.all([...free, ...many(send, 2)]))
  assert.deepEqual(times(sent), [0, 0, 0, 0, 0, 0, 1000])
})

test('a cancelled request leaves the line at once; the others keep their places', async () => {
  const { clock, sent, send } = budgeted([moving(1, 1000)])
  const cancel = new AbortController()
  const first = send(url('a'), never)
  const second = assert.rejects(send(url('b'), cancel.signal), hasCode('response/aborted'))
  const third = send(url('c'), never)
  cancel.abort()
  await second
  await clock.until(Promise.all([first, third]))
  assert.deepEqual(sent, [
    { at: 0, url: '/a' },
    { at: 1000, url: '/c' },
  ])
  await assert.rejects(send(url('d'), cancel.signal), hasCode('response/aborted'))
})

test('when everybody is cancelled no timer is left, and the budget still works', async () => {
  const { clock, sent, send } = budgeted([moving(1, 1000)])
  const cancel = new AbortController()
  await send(url('a'), never)
  const waiting = many(send, 50, cancel.signal).map((asked) => assert.rejects(asked, hasCode('response/aborted')))
  cancel.abort()
  await Promise.all(waiting)
  await assert.rejects(clock.until(new Promise(() => {})), /nothing sleeps/)
  await clock.until(send(url('z'), never))
  assert.deepEqual(times(sent), [0, 1000])
})

test('a clock that is set back makes no request wait longer', async () => {
  const { clock, sent, send } = budgeted([moving(1, 1000)])
  await send(url('a'), never)
  clock.set(clock.now() - 86_400_000)
  const before = clock.now()
  await clock.until(Promise.all(many(send, 3)))
  assert.equal(clock.now() - before, 3000)
  assert.equal(sent.length, 4)
})

test('a clock that does not move does not hang the line', async () => {
  const stopped: Pick<FakeClock, 'now' | 'sleep'> = { now: () => 5, sleep: async () => {} }
  const policies = [moving(1, 1000)]
  const plan = { policies, resetHeader: 'r', remainingHeader: 'l', exhaustedStatuses: [] }
  const tools = { clock: steadyClock(stopped), now: stopped.now, report: () => {} }
  const send = withBudget(async () => answered(200), plan, tools)
  assert.equal((await Promise.all(many(send, 20))).length, 20)
})

test('a wait of months is made of sleeps that timers can count', async () => {
  const { clock, sent, send } = budgeted([moving(1, 90 * 86_400_000)])
  await clock.until(Promise.all(many(send, 2)))
  assert.deepEqual(times(sent), [0, 90 * 86_400_000])
  assert.equal(clock.sleeps(), 90 * 24)
})

test('a sleep that fails reaches the request that waited, and the next ones continue', async () => {
  let fails = true
  const { clock, send } = budgeted([])
  const sleep: FakeClock['sleep'] = (ms, signal) => {
    if (!fails) return clock.sleep(ms, signal)
    fails = false
    return Promise.reject(new Error('no timer'))
  }
  const plan = { policies: [moving(1, 1000)], resetHeader: 'r', remainingHeader: 'l', exhaustedStatuses: [] }
  const tools = { clock: steadyClock({ now: clock.now, sleep }), now: clock.now, report: () => {} }
  const limited = withBudget(send, plan, tools)
  await limited(url('a'), never)
  const failing = assert.rejects(limited(url('b'), never), /no timer/)
  const next = limited(url('c'), never)
  await failing
  await clock.until(next)
})

test('each wait is reported once, without the query', async () => {
  const { clock, notices, send } = budgeted([moving(1, 1000)])
  await clock.until(Promise.all(many(send, 3)))
  assert.deepEqual(notices, [
    { kind: 'budget', waitMs: 1000, url: 'https://api.test/1' },
    { kind: 'budget', waitMs: 1000, url: 'https://api.test/2' },
  ])
})

test('a failed request counts, and its error comes through', async () => {
  const { clock, sent, send } = budgeted([moving(1, 1000)], () => {
    throw new Error('broken')
  })
  await clock.until(Promise.allSettled(many(send, 2)))
  assert.deepEqual(times(sent), [0, 1000])
})

const epoch = (seconds: number) => String(Date.UTC(2026, 0, 1) / 1000 + seconds)
const resets: [name: string, reset: string, waitedMs: number][] = [
  ['CDK: a moment in seconds since 1970', epoch(30), 30_000],
  ['a moment in milliseconds since 1970', `${epoch(30)}000`, 30_000],
  ['seconds from now', '30', 30_000],
  ['CDK: a moment gone by', epoch(-30), 0],
  ['what is no number', 'soon', 60_000],
  ['a moment days away', epoch(864_000), 60_000],
]
for (const [name, reset, waitedMs] of resets) {
  test(`fixed window: nothing left until ${name}`, async () => {
    const headers = { 'ratelimit-remaining': '0', 'ratelimit-reset': reset }
    const { clock, sent, send } = budgeted([fixed(10, 60_000)], () => answered(200, '', headers))
    await send(url('a'), never)
    await clock.until(send(url('b'), never))
    assert.deepEqual(times(sent), [0, waitedMs])
  })
}

test('fixed window: headers lower what is left', async () => {
  const left = ['2', '1', '0', '9', '8']
  const { clock, sent, send } = budgeted([fixed(10, 60_000)], () =>
    answered(200, '', { 'ratelimit-remaining': left.shift() ?? '9' }),
  )
  await clock.until(
    (async () => {
      for (let turn = 0; turn < 4; turn++) await send(url(turn), never)
    })(),
  )
  assert.deepEqual(times(sent), [0, 0, 0, 60_000])
})

test('fixed window: a response that brings the end nearer frees those who wait already', async () => {
  let reset = '50'
  const { clock, sent, send } = budgeted([fixed(2, 60_000)], () => answered(200, '', { 'ratelimit-reset': reset }))
  await send(url('a'), never)
  reset = '5'
  const asked = [send(url('b'), never), send(url('c'), never)]
  await clock.until(Promise.all(asked))
  assert.deepEqual(times(sent), [0, 0, 5000])
})

test('a 429 says that nothing is left', async () => {
  const { clock, sent, send } = budgeted([moving(10, 1000)], () => answered(429))
  await send(url('a'), never)
  await clock.until(send(url('b'), never))
  assert.deepEqual(times(sent), [0, 1000])
})

/** A budget that other processes use too; it lends whatever is wanted. */
function sharedBudget() {
  const calls: unknown[] = []
  const shared: SharedBudget = {
    async lease(key, rates, wanted) {
      calls.push(['lease', key, rates.map(({ limit }) => limit), wanted])
      return { calls: wanted, waitMs: 0 }
    },
    async pause(key, ms) {
      calls.push(['pause', key, ms])
      throw new Error('no database')
    },
    onPause: () => {},
  }
  return { shared, calls }
}

function sharing(policies: readonly PolicyPlan[], headers: Record<string, string> = {}) {
  const clock = fakeClock()
  const { shared, calls } = sharedBudget()
  const plan = { policies, resetHeader: 'reset', remainingHeader: 'left', exhaustedStatuses: [] }
  const tools = { clock: steadyClock(clock), now: clock.now, report: () => {}, shared }
  return { calls, clock, send: withBudget(async () => answered(200, '', headers), plan, tools) }
}

test('a shared budget is asked about each policy by its place, with the shortest rate first', async () => {
  const rates = [
    { limit: 10, intervalMs: 60_000 },
    { limit: 3, intervalMs: 1000 },
  ]
  const first: PolicyPlan = {
    kind: 'moving',
    rates: [{ limit: 1, intervalMs: 1 }],
    matchers: [{ ...matcher, path: '/a' }],
  }
  const { calls, send } = sharing([first, { kind: 'moving', rates, matchers: [{ ...matcher, weight: 2 }] }])
  await send(url('b'), never)
  await send(url('a'), never)
  assert.deepEqual(calls, [
    ['lease', 'policy 1', [3, 10], 2],
    ['lease', 'policy 0', [1], 1],
  ])
})

test('a policy without a limit asks no one, and a fixed one does', async () => {
  const free = sharing([{ kind: 'unlimited', matchers: [] }])
  await free.send(url('a'), never)
  assert.deepEqual(free.calls, [])
  const counted = sharing([fixed(5, 1000)])
  await counted.send(url('a'), never)
  assert.deepEqual(counted.calls, [['lease', 'policy 0', [5], 1]])
})

test('a quota that is used up pauses all processes, as long as the response says; one that is not, none', async () => {
  const pausesAfter = async (headers: Record<string, string>) => {
    const { calls, send } = sharing([moving(5, 1000)], headers)
    await send(url('a'), never)
    return calls.slice(1)
  }
  assert.deepEqual(await pausesAfter({ left: '0', reset: '30' }), [['pause', 'policy 0', 30_000]])
  assert.deepEqual(await pausesAfter({ left: '0' }), [['pause', 'policy 0', 1000]])
  assert.deepEqual(await pausesAfter({ left: '1', reset: '30' }), [])
  assert.deepEqual(await pausesAfter({ reset: '30' }), [])
})

test('calls that have ended are reported to the other processes', async () => {
  const { calls, clock, send } = sharing([moving(5, 1000)])
  await send(url('a'), never)
  await assert.rejects(clock.until(new Promise(() => {})), /nothing sleeps/)
  assert.deepEqual(calls.slice(1), [['lease', 'policy 0', [5], 0]])
})

test('a status counts as an exhausted quota only where no header says how much is left', async () => {
  const sentAt = async (headers: Record<string, string>, status = 429) => {
    const { clock, sent, send } = budgeted([moving(10, 1000)], () => answered(status, '', headers))
    await send(url('a'), never)
    await clock.until(send(url('b'), never))
    return times(sent)
  }
  assert.deepEqual(await sentAt({ 'ratelimit-remaining': '3' }), [0, 0])
  assert.deepEqual(await sentAt({}), [0, 1000])
  assert.deepEqual(await sentAt({}, 503), [0, 0])
})

test('a wait is reported in whole milliseconds, rounded up', async () => {
  const { clock, notices, send } = budgeted([moving(1, 0.4)])
  await clock.until(Promise.all(many(send, 2)))
  assert.deepEqual(
    notices.map((notice) => notice.kind === 'budget' && notice.waitMs),
    [1],
  )
})
