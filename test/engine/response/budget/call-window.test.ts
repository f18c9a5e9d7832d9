/** Counting calls: what no order of calls may ever break. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CallWindow,
  fixedWindow,
  movingWindow,
  reportedPauseMs,
} from '../../../../src/engine/response/budget/call-window.ts'

/** The moments at which so many calls leave, each as early as the window lets it. */
function departures(window: CallWindow, weights: readonly number[], gapMs = () => 0): { at: number; weight: number }[] {
  let now = 1000
  return weights.map((weight) => {
    now += gapMs()
    now += window.waitMs(weight, now)
    assert.equal(window.waitMs(weight, now), 0, 'a wait that is over is over')
    window.take(weight, now)
    return { at: now, weight }
  })
}

/** The same numbers every time. */
function dice(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

test('moving window: in no stretch of the interval more than the limit, whatever the weights and gaps', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = dice(seed)
    const rate = { limit: 1 + Math.floor(random() * 20), intervalMs: 1 + Math.floor(random() * 5000) }
    const weights = Array.from({ length: 200 }, () => 1 + Math.floor(random() * rate.limit))
    const calls = departures(movingWindow(rate), weights, () => Math.floor(random() ** 4 * rate.intervalMs))
    for (const { at } of calls) {
      const within = calls.filter((call) => call.at >= at && call.at < at + rate.intervalMs)
      const sum = within.reduce((total, { weight }) => total + weight, 0)
      assert.ok(sum <= rate.limit, `seed ${seed}: ${sum} calls in ${rate.intervalMs} ms, limit ${rate.limit}`)
    }
  }
})

test('moving window: calls of weight 1 leave as early as the limit lets them', () => {
  const calls = departures(movingWindow({ limit: 3, intervalMs: 1000 }), Array<number>(7).fill(1))
  assert.deepEqual(
    calls.map(({ at }) => at),
    [1000, 1000, 1000, 2000, 2000, 2000, 3000],
  )
})

test('moving window: a million calls leave memory and time flat', () => {
  const window = movingWindow({ limit: 1000, intervalMs: 1000 })
  for (let now = 0; now < 1_000_000; now++) {
    assert.equal(window.waitMs(1, now), 0)
    window.take(1, now)
  }
})

test('moving window: an exhausted quota fills it up, and the oldest calls free it as before', () => {
  const window = movingWindow({ limit: 10, intervalMs: 1000 })
  window.take(1, 0)
  window.take(1, 300)
  window.learn({ left: 0, resetsInMs: null }, 400)
  assert.equal(window.waitMs(1, 400), 600)
  assert.equal(window.waitMs(2, 400), 900)
  assert.equal(window.waitMs(3, 400), 1000)
})

test('moving window: an exhausted quota with a moment closes it until then', () => {
  const window = movingWindow({ limit: 10, intervalMs: 1000 })
  window.take(1, 0)
  window.learn({ left: 0, resetsInMs: 30_000 }, 0)
  assert.equal(window.waitMs(1, 0), 30_000)
  assert.equal(window.waitMs(1, 30_000), 0)
})

test('CDK: moving window: calls that are left are not counted down', () => {
  const window = movingWindow({ limit: 10, intervalMs: 1000 })
  window.learn({ left: 1, resetsInMs: 5000 }, 0)
  assert.equal(window.waitMs(10, 0), 0)
})

test('a moment days away is not believed: the window counts on by itself', () => {
  const told = { left: 0, resetsInMs: 10 * 86_400_000 }
  const moving = movingWindow({ limit: 2, intervalMs: 1000 })
  moving.learn(told, 0)
  assert.equal(moving.waitMs(1, 0), 1000)
  const fixed = fixedWindow({ limit: 2, intervalMs: 1000 })
  fixed.learn(told, 0)
  assert.equal(fixed.waitMs(1, 0), 1000)
  const daily = fixedWindow({ limit: 2, intervalMs: 86_400_000 })
  daily.learn({ left: 0, resetsInMs: 80_000_000 }, 0)
  assert.equal(daily.waitMs(1, 0), 80_000_000)
})

test('fixed window: the limit, then nothing until a period after the first call', () => {
  const calls = departures(fixedWindow({ limit: 2, intervalMs: 1000 }), Array<number>(5).fill(1), () => 10)
  assert.deepEqual(
    calls.map(({ at }) => at),
    [1010, 1020, 2010, 2020, 3010],
  )
})

test('fixed window: what is left can only get smaller, and the end is where the API says', () => {
  const window = fixedWindow({ limit: 10, intervalMs: 1000 })
  window.take(1, 0)
  window.learn({ left: 50, resetsInMs: null }, 0)
  assert.equal(window.waitMs(9, 0), 0)
  window.learn({ left: 2, resetsInMs: 7000 }, 100)
  assert.equal(window.waitMs(2, 100), 0)
  assert.equal(window.waitMs(3, 100), 7000)
  window.learn({ left: 9, resetsInMs: null }, 200)
  assert.equal(window.waitMs(3, 200), 6900)
  assert.equal(window.waitMs(10, 7100), 0)
})

test('fixed window: a moment gone by starts a new count', () => {
  const window = fixedWindow({ limit: 1, intervalMs: 60_000 })
  window.take(1, 0)
  window.learn({ left: 0, resetsInMs: -5000 }, 0)
  assert.equal(window.waitMs(1, 0), 0)
})

const hour = 3_600_000

test('a reset an hour away is believed, and one as far as the interval; not one a millisecond later', () => {
  const second = { limit: 2, intervalMs: 1000 }
  const day = { limit: 2, intervalMs: 24 * hour }
  assert.equal(reportedPauseMs(hour, second), hour)
  assert.equal(reportedPauseMs(hour + 1, second), 1000)
  assert.equal(reportedPauseMs(24 * hour, day), 24 * hour)
  assert.equal(reportedPauseMs(24 * hour + 1, day), 24 * hour)
  assert.equal(reportedPauseMs(25 * hour, day), 24 * hour)
  assert.equal(reportedPauseMs(null, second), 1000)
  assert.equal(reportedPauseMs(-5, second), 0)
  const window = movingWindow(second)
  window.learn({ left: 0, resetsInMs: hour + 1 }, 0)
  assert.equal(window.waitMs(1, 0), 1000)
  window.learn({ left: 0, resetsInMs: hour }, 0)
  assert.equal(window.waitMs(1, 0), hour)
})

test('moving window: a sooner reset does not open what a later one closed', () => {
  const window = movingWindow({ limit: 10, intervalMs: 1000 })
  window.learn({ left: 0, resetsInMs: 30_000 }, 0)
  window.learn({ left: 0, resetsInMs: 1000 }, 100)
  assert.equal(window.waitMs(1, 100), 29_900)
  window.learn({ left: 0, resetsInMs: 40_000 }, 200)
  assert.equal(window.waitMs(1, 200), 40_000)
  window.learn({ left: null, resetsInMs: 50_000 }, 200)
  assert.equal(window.waitMs(1, 200), 40_000)
})

test('moving window: calls of one moment are one, and are forgotten after the interval, not before', () => {
  const window = movingWindow({ limit: 3, intervalMs: 1000 })
  for (const weight of [1, 2]) window.take(weight, 5)
  assert.equal(window.waitMs(1, 1004), 1)
  assert.equal(window.waitMs(3, 1005), 0)
  window.take(1, 1005)
  window.take(1, 1006)
  assert.equal(window.waitMs(2, 1006), 999)
  assert.equal(window.waitMs(3, 1006), 1000)
})

test('moving window: more than the limit waits until all before it is gone, and then leaves', () => {
  const window = movingWindow({ limit: 2, intervalMs: 1000 })
  assert.equal(window.waitMs(5, 0), 0)
  window.take(1, 0)
  assert.equal(window.waitMs(5, 0), 1000)
})

test('fixed window: an empty one has no end, and takes what is more than the limit', () => {
  const window = fixedWindow({ limit: 2, intervalMs: 1000 })
  assert.equal(window.waitMs(3, 0), 0)
  window.learn({ left: 5, resetsInMs: null }, 0)
  window.take(2, 500)
  assert.equal(window.waitMs(1, 1499), 1)
  assert.equal(window.waitMs(1, 1500), 0)
  window.take(2, 1600)
  assert.equal(window.waitMs(1, 1600), 1000)
})

test('fixed window: a quota of the API opens a window that no call has', () => {
  const window = fixedWindow({ limit: 2, intervalMs: 1000 })
  window.learn({ left: 1, resetsInMs: null }, 0)
  assert.equal(window.waitMs(1, 0), 0)
  assert.equal(window.waitMs(2, 300), 700)
  window.learn({ left: null, resetsInMs: 5000 }, 300)
  assert.equal(window.waitMs(2, 300), 5000)
})
