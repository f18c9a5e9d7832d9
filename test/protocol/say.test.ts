import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notice } from '../../src/engine/response/notice.ts'
import { sayNotice, sayReceipt, sayWait } from '../../src/protocol/say.ts'
import { count } from '../../src/std/text/format-count.ts'

test('counts', () => {
  assert.deepEqual(
    [count(0, 'page'), count(1, 'page'), count(12_400, 'record')],
    ['0 pages', '1 page', '12,400 records'],
  )
})

test('waits', () => {
  const waits: [number, string][] = [
    [1, '0.1 s'],
    [500, '0.5 s'],
    [1000, '1 s'],
    [12_400, '12 s'],
    [60_000, '1 min'],
    [200_000, '3 min 20 s'],
    [3_600_000, '1 h'],
    [3_680_000, '1 h 1 min'],
  ]
  for (const [waitMs, words] of waits) assert.equal(sayWait(waitMs), words)
})

test('receipts', () => {
  const proof = { verdict: 'complete', reason: 'total 12,441', keys: null } as const
  const totals = { name: 'orders', records: 12_441, pages: 125, slices: 1, stop: 'short-page', proof } as const
  assert.equal(
    sayReceipt({ ...totals, ending: 'complete' }),
    'Stream "orders": 12,441 records, 125 pages; stopped at: short page; complete (total 12,441).',
  )
  assert.match(sayReceipt({ ...totals, slices: 3, ending: 'failed' }), /in 3 slices; failed before the end\.$/)
  assert.match(sayReceipt({ ...totals, stop: null, ending: 'complete' }), /there was nothing to request\.$/)
})

test('notices', () => {
  const notice: Notice = {
    kind: 'foreign-origin',
    from: 'https://a.example',
    to: 'https://b.example',
    dropped: ['authorization'],
  }
  assert.equal(
    sayNotice('orders', notice),
    'Stream "orders": followed https://a.example to https://b.example without credentials; left out: authorization.',
  )
})
