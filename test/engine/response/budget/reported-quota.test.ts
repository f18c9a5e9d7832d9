import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportedQuota } from '../../../../src/engine/response/budget/reported-quota.ts'

const now = Date.UTC(2026, 0, 1)
const names = { remainingHeader: 'left', resetHeader: 'reset' }
const quota = (headers: Record<string, string>) => reportedQuota(headers, names, now)

const numbers: [header: string, left: number | null][] = [
  ['0', 0],
  ['41', 41],
  [' 7 ', 7],
  ['1.5', 1.5],
  ['9'.repeat(15), 999_999_999_999_999],
  ['9'.repeat(16), null],
  ['-1', null],
  ['1e3', null],
  ['', null],
  ['few', null],
]
for (const [left, expected] of numbers) {
  test(`a quota of ${JSON.stringify(left)} leaves ${expected ?? 'nothing known'}`, () =>
    assert.deepEqual(quota({ left }), { left: expected, resetsInMs: null }))
}

const resets: [what: string, header: string, resetsInMs: number][] = [
  ['no time', '0', 0],
  ['seconds from now', '90', 90_000],
  ['seconds from now, as many as come before 2001', '999999999', 999_999_999_000],
  ['a moment in seconds', '1000000000', 1e12 - now],
  ['the last moment in seconds', '99999999999', 99_999_999_999_000 - now],
  ['a moment in milliseconds', '100000000000', 1e11 - now],
  ['a moment to come', String(now + 5), 5],
]
for (const [what, reset, resetsInMs] of resets) {
  test(`a reset names ${what}: ${reset}`, () => assert.deepEqual(quota({ reset }), { left: null, resetsInMs }))
}

test('headers of other names say nothing', () => {
  assert.deepEqual(quota({ remaining: '1', resets: '2' }), { left: null, resetsInMs: null })
})
