import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sliceRows } from '../../../src/builder/test-reads/outcome/slice-rows.ts'
import type { WireSliceReceipt } from '../../../src/server/wire/receipt.ts'

const receiptOf = (slice: number, verdict: WireSliceReceipt['verdict'], more: Partial<WireSliceReceipt> = {}) => ({
  slice,
  verdict,
  reason: `because of ${slice}`,
  pages: 1,
  received: 10,
  emitted: 9,
  stop: 'short-page',
  keys: null,
  claimed: { total: null, pages: null, more: null },
  ...more,
})

const slices = ['a', 'b', 'c', 'd'].map((shop, slice) => ({ slice, descriptor: { shop } }))

test('the slices that need attention come first, those of one verdict in the order in which they ended', () => {
  const receipts = [
    receiptOf(0, 'complete'),
    receiptOf(1, 'unproven'),
    receiptOf(2, 'incomplete'),
    receiptOf(3, 'duplicated'),
    receiptOf(4, 'incomplete'),
  ]
  assert.deepEqual(
    sliceRows(receipts, slices).map(({ slice }) => slice),
    ['shop c', 'slice 5', 'shop d', 'shop b', 'shop a'],
  )
})

test('a slice that failed says by which error', () => {
  const [row] = sliceRows([receiptOf(0, 'incomplete', { stop: 'error', error: 'response/rejected' })], slices)
  assert.equal(row?.stopped, 'response/rejected')
})

test('keys that were not counted have no figure', () => {
  const [row] = sliceRows([receiptOf(0, 'complete')], slices)
  assert.deepEqual([row?.unique, row?.repeated], [null, null])
})
