/** Whether the text of a cursor says which of two records is newer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CursorPlan } from '../../src/engine/plan/cursor.ts'
import { hasOrder } from '../../src/sync/cursor-order.ts'

const isOrdered = (format: string, cursorFormats: string[] = []) =>
  hasOrder({ kind: 'time', format, cursorFormats } as unknown as CursorPlan)

const ordered = [
  '%s',
  '%s_as_float',
  '%ms',
  '%epoch_microseconds',
  '%Y-%m-%d',
  '%Y-%m-%dT%H:%M:%S%z',
  '%Y-%m-%d %H:%M:%S.%fZ',
  '%Y%m%d',
  '%Y',
]
const unordered = [
  '%d/%m/%Y',
  '%m/%Y',
  '%Y-%d-%m',
  '%Y-%m-%d %H:%S:%M',
  '%Y/%j',
  '%H:%M',
  '%d',
  '%Y %Y',
  '',
  'x%s',
  '%msx',
  '%y%m%d',
]

test('numbers, ISO times, and dates from the year down have an order', () => {
  for (const format of ordered) assert.equal(isOrdered(format), true, format)
  for (const format of unordered) assert.equal(isOrdered(format), false, format)
  assert.equal(hasOrder({ kind: 'count' } as unknown as CursorPlan), true)
})

test('the formats of the records count rather than that of requests; of several, each must be known', () => {
  assert.equal(isOrdered('%d/%m/%Y', ['%s']), true)
  assert.equal(isOrdered('%s', ['%d/%m/%Y']), false)
  assert.equal(isOrdered('%s', ['%s', '%Y-%m-%d']), true)
  assert.equal(isOrdered('%s', ['%s', '%d/%m/%Y']), false)
  assert.equal(isOrdered('%s', ['%Y%m%d', '%Y%m%d%H']), false)
})
