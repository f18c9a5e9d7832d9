/** Many requests, one rate limit: a request that has to wait holds back the others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseEverywhere, sharedPause } from '../../../../src/engine/response/budget/shared-pause.ts'
import { steadyClock } from '../../../../src/engine/response/budget/steady-clock.ts'
import type { Send } from '../../../../src/engine/response/http-response.ts'
import { withRetry } from '../../../../src/engine/response/retry.ts'
import { fakeClock } from '../../../helpers/fake-clock.ts'
import { answered, get, hasCode } from '../asking.ts'

/** An API that takes ten requests a second and refuses the others for a second. */
function storm(isShared: boolean) {
  const clock = fakeClock()
  const steady = steadyClock(clock)
  const taken: number[] = []
  const asked = { count: 0, refused: 0 }
  const api: Send = async () => {
    asked.count++
    while (taken[0] !== undefined && taken[0] <= clock.now() - 1000) taken.shift()
    if (taken.length >= 10) {
      asked.refused++
      return answered(429, '', { 'retry-after': '1' })
    }
    taken.push(clock.now())
    return answered(200)
  }
  const send = withRetry(api, {
    sleep: steady.sleep,
    now: clock.now,
    random: () => 0.5,
    report: () => {},
    ...(isShared && { shared: sharedPause(steady.now) }),
  })
  return { clock, asked, send }
}

/** Each slice has a signal of its own. */
const slices = (send: Send, count: number) =>
  Array.from({ length: count }, (_, slice) => send(get(`https://api.test/${slice}`), new AbortController().signal))

test('a storm of 429: a hundred slices all come through, and few requests are wasted', async () => {
  const { clock, asked, send } = storm(true)
  const responses = await clock.until(Promise.all(slices(send, 100)))
  assert.ok(responses.every(({ status }) => status === 200))
  // The first ninety left before anybody knew; after that about one refusal ends each second.
  assert.ok(asked.refused <= 115, `${asked.refused} refusals`)
})

test('the same storm without a shared pause wastes most requests and gives up', async () => {
  const { clock, asked, send } = storm(false)
  const outcomes = await clock.until(Promise.allSettled(slices(send, 100)))
  assert.ok(outcomes.some(({ status }) => status === 'rejected'))
  assert.ok(asked.refused > 300, `${asked.refused} refusals`)
})

test('a single reader waits exactly as long as requested, and not at all afterwards', async () => {
  let time = 0
  const shared = sharedPause(() => time)
  assert.equal(shared.begin('https://api.test/a', 12_000), 12_000)
  time = 12_000
  assert.equal(shared.waitMs('https://api.test/b'), 0)
})

test('those who wait for the same pause leave one after the other', () => {
  const shared = sharedPause(() => 0)
  const told = [shared.begin('https://api.test/a', 1000), shared.begin('https://api.test/b', 1000)]
  assert.deepEqual([...told, shared.waitMs('https://api.test/c')], [1000, 1050, 1100])
})

test('fifty slices are back within a second of the pause, the first ones one by one', () => {
  const shared = sharedPause(() => 0)
  const waits = Array.from({ length: 50 }, () => shared.begin('https://api.test/a', 1000))
  assert.deepEqual(waits.slice(0, 12), [1000, 1050, 1100, 1150, 1200, 1250, 1300, 1350, 1400, 1450, 1455, 1460])
  assert.equal(waits.at(-1), 1650)
})

test('a later pause starts with single requests again', () => {
  let time = 0
  const shared = sharedPause(() => time)
  for (let slice = 0; slice < 20; slice++) shared.begin('https://api.test/a', 1000)
  time = 5000
  assert.deepEqual([shared.begin('https://api.test/a', 1000), shared.begin('https://api.test/b', 1000)], [1000, 1050])
})

test('another origin does not wait', () => {
  const shared = sharedPause(() => 0)
  shared.begin('https://api.test/a', 1000)
  assert.equal(shared.waitMs('https://other.test/a'), 0)
  assert.equal(shared.waitMs('http://api.test/a'), 0)
})

test('a wait of an hour holds the others up for a minute', () => {
  const shared = sharedPause(() => 0)
  assert.equal(shared.begin('https://api.test/a', 3_600_000), 3_600_000)
  assert.equal(shared.waitMs('https://api.test/b'), 60_000)
})

test('the line of those who come back is bounded', () => {
  const shared = sharedPause(() => 0)
  const waits = Array.from({ length: 10_000 }, () => shared.begin('https://api.test/a', 1000))
  assert.equal(Math.max(...waits), 11_000)
})

test('a request that is cancelled while others make it wait ends at once', async () => {
  const { clock, send } = storm(true)
  const first = slices(send, 11)
  const cancel = new AbortController()
  await Promise.all(first.slice(0, 10))
  const waiting = assert.rejects(send(get('https://api.test/x'), cancel.signal), hasCode('response/aborted'))
  cancel.abort()
  await waiting
  await clock.until(Promise.all(first))
})

test('an API that refuses for ever ends every request, none waits for ever', async () => {
  const clock = fakeClock()
  const steady = steadyClock(clock)
  const send = withRetry(async () => answered(429, '', { 'retry-after': '1' }), {
    sleep: steady.sleep,
    now: clock.now,
    random: () => 0.5,
    report: () => {},
    shared: sharedPause(steady.now),
  })
  const outcomes = await clock.until(Promise.allSettled(slices(send, 100)))
  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
})

test('a pause of one process is one of the others, and is not told again', () => {
  const told: string[] = []
  const listeners: ((key: string, ms: number) => void)[] = []
  /** Tells every process, as a database would. */
  const processOf = () =>
    pauseEverywhere(
      sharedPause(() => 0),
      {
        lease: () => Promise.reject(new Error('not asked for')),
        async pause(key, ms) {
          told.push(`${key} ${ms}`)
          for (const listener of listeners) listener(key, ms)
        },
        onPause: (listener) => void listeners.push(listener),
      },
    )
  const [one, other] = [processOf(), processOf()]
  one.begin('https://api.test/orders', 5000)
  assert.deepEqual(told, ['origin https://api.test 5000'])
  assert.ok(other.waitMs('https://api.test/shops') >= 5000)
  assert.equal(other.waitMs('https://elsewhere.test/'), 0)
  // Another endpoint is held up for a minute at most.
  other.extend('https://api.test/', 3_600_000)
  assert.deepEqual(told.slice(1), ['origin https://api.test 60000'])
})

test('waits count from the moment of each request, whatever the clock shows', () => {
  let time = 5000
  const shared = sharedPause(() => time)
  const url = 'https://api.test/a'
  assert.equal(shared.waitMs(url), 0)
  assert.equal(shared.begin(url, 1000), 1000)
  time = 5500
  assert.equal(shared.waitMs(url), 550)
  // A shorter pause ends no longer one, and its turn comes after those that wait.
  assert.equal(shared.begin(url, 100), 600)
  assert.equal(shared.waitMs(url), 650)
  time = 5999
  assert.equal(shared.waitMs(url), 201)
  time = 6000
  assert.equal(shared.waitMs(url), 0)
})

test('a pause that is extended takes no turn of its own', () => {
  let time = 5000
  const shared = sharedPause(() => time)
  shared.extend('https://api.test/a', 1000)
  assert.equal(shared.waitMs('https://api.test/b'), 1000)
  assert.equal(shared.waitMs('https://api.test/b'), 1050)
  shared.extend('https://api.test/a', 3_600_000)
  time = 64_999
  assert.equal(shared.waitMs('https://api.test/b'), 1)
  time = 65_000
  assert.equal(shared.waitMs('https://api.test/b'), 0)
})

test('a wait of a minute is shared, one of a millisecond more is waited alone', () => {
  const shared = sharedPause(() => 5000)
  const url = 'https://api.test/a'
  assert.deepEqual([shared.begin(url, 60_000), shared.begin(url, 60_000)], [60_000, 60_050])
  assert.deepEqual([shared.begin(url, 60_001), shared.begin(url, 60_001)], [60_001, 60_001])
})
