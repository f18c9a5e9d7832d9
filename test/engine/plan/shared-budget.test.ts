/** Calls lent to several processes: never more than a rate allows, and not much less. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaseCalls, type LeasedCalls, nothingLeased } from '../../../src/engine/plan/shared-budget.ts'
import { randomFrom } from '../../helpers/random.ts'

const perSecond = { limit: 50, intervalMs: 1000 }

/** When calls arrive at the API, each at any time between its lease and its end, while four processes want all they can get. */
function arrivalsIn(ms: number, rates: (typeof perSecond)[], longestMs: number, seed: number): number[] {
  const random = randomFrom(seed)
  const arrivals: number[] = []
  const processes = Array.from({ length: 4 }, (_, index) => ({ process: `${index}`, asksAt: 0, ends: [] as number[] }))
  let state: LeasedCalls = nothingLeased
  for (let now = 0; now < ms; now++) {
    for (const one of processes.filter(({ asksAt }) => asksAt <= now)) {
      const over = one.ends.filter((at) => at <= now)
      one.ends = one.ends.filter((at) => at > now)
      const ended = over.map((at) => ({ agoMs: now - at, calls: 1 }))
      const { after, lease } = leaseCalls(state, { process: one.process, now, rates, wanted: 16, ended })
      state = after
      one.asksAt = now + Math.max(5, lease.waitMs)
      for (let call = 0; call < lease.calls; call++) {
        const end = now + Math.ceil(random() * longestMs)
        one.ends.push(end)
        arrivals.push(now + random() * (end - now))
      }
    }
  }
  return arrivals.toSorted((one, other) => one - other)
}

test('in no interval more calls than the limit, of any rate, however long they are on their way', () => {
  const rates = [perSecond, { limit: 200, intervalMs: 10_000 }]
  const arrivals = arrivalsIn(30_000, rates, 900, 1)
  assert.ok(arrivals.length > 300)
  for (const { limit, intervalMs } of rates) {
    for (const [index, at] of arrivals.entries()) {
      const next = arrivals[index + limit]
      assert.ok(next === undefined || next - at >= intervalMs, `${limit + 1} calls in ${next} - ${at}`)
    }
  }
})

test('of an allowed rate at least four fifths are used where the API responds quickly', () => {
  const sent = arrivalsIn(20_000, [perSecond], 100, 2).length
  assert.ok(sent >= 20 * 50 * 0.8, `${sent} of ${20 * 50}`)
})

test('calls of a process that is gone are free after a while, and a pause holds for everyone', () => {
  const input = { process: 'a', now: 0, rates: [perSecond], wanted: 50, ended: [] }
  const { after, lease } = leaseCalls(nothingLeased, input)
  assert.deepEqual(lease, { calls: 50, waitMs: 0 })
  const other = { ...input, process: 'b' }
  assert.equal(leaseCalls(after, { ...other, now: 59_000 }).lease.calls, 0)
  assert.equal(leaseCalls(after, { ...other, now: 60_500 }).lease.calls, 0)
  assert.equal(leaseCalls(after, { ...other, now: 61_000 }).lease.calls, 50)
  const paused = leaseCalls({ ...nothingLeased, pausedUntil: 9000 }, { ...input, now: 1000 })
  assert.deepEqual(paused.lease, { calls: 0, waitMs: 8000 })
})
