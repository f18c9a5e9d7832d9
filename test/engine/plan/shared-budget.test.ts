/** Calls lent to several processes: never more than a rate allows, and not much less. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaseCalls, type LeasedCalls, nothingLeased } from '../../../src/engine/plan/shared-budget.ts'
import { randomFrom } from '../../helpers/random.ts'

const perSecond = { limit: 50, intervalMs: 1000 }

/** What is sent, at which time, when processes ask again and again. */
function sentIn(ms: number, rates: (typeof perSecond)[], random: () => number) {
  const sent: { at: number; calls: number }[] = []
  let state: LeasedCalls = nothingLeased
  for (let now = 1000; now < 1000 + ms; now += Math.ceil(random() * 8)) {
    const { after, lease } = leaseCalls(state, now, rates, 1 + Math.floor(random() * 20))
    state = after
    if (lease.calls > 0) sent.push({ at: now + lease.waitMs, calls: lease.calls })
  }
  return sent
}

const sumOf = (sent: readonly { calls: number }[]) => sent.reduce((sum, { calls }) => sum + calls, 0)

test('in no interval more calls than the limit, of any rate, even where some arrive late', () => {
  const rates = [perSecond, { limit: 200, intervalMs: 10_000 }]
  const sent = sentIn(30_000, rates, randomFrom(1))
  for (const { limit, intervalMs } of rates) {
    for (const { at: from } of sent) {
      // A request may arrive later than it was meant to by 2 % of the interval.
      const within = sent.filter(({ at }) => at >= from && at < from + intervalMs * 1.02)
      assert.ok(sumOf(within) <= limit, `${sumOf(within)} of ${limit} in ${intervalMs} ms`)
    }
  }
})

test('of an allowed rate at least four fifths are used', () => {
  const sent = sumOf(sentIn(60_000, [perSecond], randomFrom(2)))
  assert.ok(sent >= 60 * 50 * 0.8, `${sent} of ${60 * 50}`)
})

test('what is far ahead is not lent, and a pause holds for everyone', () => {
  const perHour = { limit: 10, intervalMs: 3_600_000 }
  let state: LeasedCalls = nothingLeased
  let lent = 0
  for (let turn = 0; turn < 10; turn++) {
    const { after, lease } = leaseCalls(state, 1000 + turn, [perHour], 8)
    state = after
    lent += lease.calls
    if (lent === 10) break
  }
  assert.equal(lent, 10)
  const { lease } = leaseCalls(state, 2000, [perHour], 1)
  assert.equal(lease.calls, 0)
  assert.ok(lease.waitMs > 3_590_000, String(lease.waitMs))
  const paused = leaseCalls({ ...nothingLeased, pausedUntil: 9000 }, 1000, [perHour], 1)
  assert.deepEqual(paused.lease, { calls: 0, waitMs: 8000 })
})
