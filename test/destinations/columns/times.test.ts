import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOf, microsecondsOf } from '../../../src/destinations/columns/times.ts'

test('times: what a date and time string means is what Date makes of it', () => {
  for (const [written, same] of [
    ['2024-02-29T10:47:36Z', '2024-02-29T10:47:36Z'],
    ['2024-12-31 23:59:59', '2024-12-31T23:59:59Z'],
    ['2024-01-01T00:35', '2024-01-01T00:35:00Z'],
    ['2024-01-01T00:35:01.5 Z', '2024-01-01T00:35:01.500Z'],
    ['2024-01-01T00:10:00-0530', '2024-01-01T05:40:00Z'],
    ['2024-01-01T00:10:00+05:45', '2023-12-31T18:25:00Z'],
    ['2024-01-01T00:10:00+05', '2023-12-31T19:10:00Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ] as const) {
    assert.equal(microsecondsOf(written), BigInt(Date.parse(same)) * 1000n, written)
  }
})

test('times: microseconds are kept', () => {
  assert.equal(microsecondsOf('1970-01-01T00:00:01.000042Z'), 1_000_042n)
  assert.equal(microsecondsOf('1970-01-01T00:00:00.1Z'), 100_000n)
})

test('times: the days of every month, leap years and years before 100 are counted', () => {
  for (const day of [
    '1970-01-01',
    '2000-02-29',
    '1900-03-01',
    '2100-12-31',
    '2024-09-30',
    '0001-01-01',
    '0099-12-31',
  ]) {
    assert.equal(daysOf(day), Date.parse(`${day}T00:00:00Z`) / 86_400_000, day)
  }
})
