/** What is left of several tokens: which one is used next, and what a response changes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countCalls, type Quota, type QuotaReport } from '../../../src/engine/auth/token-quotas.ts'

const now = 1_700_000_000_000
const resetsAt = now + 3_600_000
const later = resetsAt + 2001
const none = { fraction: 0, least: 0 }

function counted(left: Record<string, number | null>, reserve = none, limit = 5000) {
  const calls = countCalls(Object.keys(left), reserve)
  const quotas = Object.entries(left).map(([token, remaining]) => {
    const quota: Quota = { remaining: remaining ?? 0, resetsAt, limit }
    return [token, remaining === null ? null : new Map([['rest', quota]])] as const
  })
  calls.set(new Map(quotas))
  return calls
}

const report = (facts: Partial<QuotaReport>): QuotaReport => ({
  remaining: null,
  resetsAt: null,
  limit: null,
  isRefused: false,
  ...facts,
})

/** The tokens of the next calls, until nothing is left of all. */
function turns(calls: ReturnType<typeof countCalls>, most = 10): string {
  const used = Array.from({ length: most }, () => calls.take('rest', now)?.token ?? '-')
  return used.join('').replace(/-+$/, '')
}

test('a token is used until nothing is left of it, then the next', () => {
  const calls = counted({ a: 2, b: 0, c: 1 })
  assert.equal(calls.isSpent('rest'), false)
  assert.equal(turns(calls), 'aac')
  assert.equal(calls.isSpent('rest'), true)
  assert.equal(calls.take('rest', now), null)
  assert.equal(calls.resetsAt('rest'), resetsAt)
})

test('a call that is given back can be taken again, unless a new count has begun meanwhile', () => {
  const calls = counted({ a: 2, b: 0 })
  const [first, second] = [calls.take('rest', now), calls.take('rest', now)]
  assert.equal(calls.isSpent('rest'), true)
  first?.giveBack()
  assert.equal(turns(calls), 'a')
  calls.learn('a', 'rest', report({ remaining: 3, resetsAt: later }))
  second?.giveBack()
  assert.equal(turns(calls), 'aaa')
  const quota: Quota = { remaining: 1, resetsAt, limit: 9 }
  const before = counted({ a: 1 })
  const taken = before.take('rest', now)
  before.set(new Map([['a', new Map([['rest', quota]])]]))
  taken?.giveBack()
  assert.equal(turns(before), 'a')
  const uncounted = counted({ a: null })
  uncounted.take('rest', now)?.giveBack()
  assert.equal(turns(uncounted, 2), 'aa')
})

test('tokens whose calls the API does not count take turns, also next to others', () => {
  assert.equal(turns(counted({ a: null, b: null, c: null }), 5), 'abcab')
  assert.equal(turns(counted({ a: 2, b: null }), 5), 'aabbb')
  assert.equal(counted({ a: 0, b: null }).isSpent('rest'), false)
})

test('requests are spread over the time until the reset once every token has come to its reserve', () => {
  const reserve = { fraction: 0.1, least: 50 }
  assert.equal(counted({ a: 501, b: 502 }, reserve).take('rest', now)?.waitMs, 0)
  assert.equal(counted({ a: 501, b: 500 }, reserve).take('rest', now)?.waitMs, 3_600_000 / 1000)
  assert.equal(counted({ a: 50, b: 50 }, reserve, 100).take('rest', now)?.waitMs, 10_000)
  assert.equal(counted({ a: 51, b: 52 }, reserve, 100).take('rest', now)?.waitMs, 0)
  assert.equal(counted({ a: 10, b: 10 }, reserve).take('rest', resetsAt)?.waitMs, 0)
  assert.equal(counted({ a: 10, b: null }, reserve).take('rest', now)?.waitMs, 0)
  // The call itself is counted first: of the last one nothing is left to spread.
  assert.equal(counted({ a: 1, b: 0 }, reserve).take('rest', now)?.waitMs, 0)
})

test('a response lowers what is left, and raises it only with a later reset', () => {
  const after = (facts: Partial<QuotaReport>, remaining = 5) => {
    const calls = counted({ a: remaining }, none, 9)
    calls.learn('a', 'rest', report(facts))
    return turns(calls, 20).length
  }
  assert.equal(after({ remaining: 2 }), 2)
  assert.equal(after({ remaining: 7 }), 5)
  assert.equal(after({ remaining: 7, resetsAt }), 5)
  assert.equal(after({ remaining: 7, resetsAt: resetsAt + 2000 }), 5)
  assert.equal(after({ remaining: 7, resetsAt: later }), 7)
  assert.equal(after({ resetsAt: later }), 9)
  assert.equal(after({ resetsAt: later, limit: 6 }), 6)
  assert.equal(after({ limit: 6 }), 5)
})

test('what a response says of a count that is over does not matter, except that its call was refused for it', () => {
  const after = (facts: Partial<QuotaReport>) => {
    const calls = counted({ a: 5 }, none, 9)
    calls.learn('a', 'rest', report(facts))
    return turns(calls, 20).length
  }
  assert.equal(after({ remaining: 0, resetsAt: resetsAt - 60_000 }), 0)
  assert.equal(after({ remaining: 0, resetsAt: resetsAt - 60_001 }), 5)
  assert.equal(after({ remaining: 0, resetsAt: resetsAt - 60_001, isRefused: true }), 0)
  assert.equal(after({ remaining: 3, resetsAt: resetsAt - 60_001, isRefused: true }), 5)
})

test('another token helps where nothing is left of this one, and something of another', () => {
  assert.equal(counted({ a: 0, b: 1 }).hasOther('a', 'rest'), true)
  assert.equal(counted({ a: 1, b: 1 }).hasOther('a', 'rest'), false)
  assert.equal(counted({ a: 0, b: 0 }).hasOther('a', 'rest'), false)
  assert.equal(counted({ a: null, b: 1 }).hasOther('a', 'rest'), false)
  assert.equal(counted({ a: 0, b: null }).hasOther('a', 'rest'), false)
})
