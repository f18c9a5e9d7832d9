/** What a receipt sums up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectorError } from '../../src/std/errors.ts'
import {
  isReadToEnd,
  type SliceCounts,
  type StreamEnding,
  type StreamReceipt,
  shownError,
  totalsOf,
  worstEnding,
} from '../../src/sync/receipt.ts'

const worst = (...endings: StreamEnding[]) => worstEnding(endings.map((ending) => ({ ending }) as StreamReceipt))

test('a sync ends as the stream that ended worst', () => {
  assert.equal(worst(), 'complete')
  assert.equal(worst('complete', 'complete'), 'complete')
  assert.equal(worst('complete', 'incomplete'), 'incomplete')
  assert.equal(worst('held', 'incomplete'), 'held')
  assert.equal(worst('held', 'failed', 'complete'), 'failed')
  assert.equal(worst('complete', 'cancelled'), 'failed')
})

test('a stream is read to its end also where its rows are held, or it is below what is required', () => {
  const endings: StreamEnding[] = ['complete', 'incomplete', 'held', 'failed', 'cancelled']
  assert.deepEqual(endings.filter(isReadToEnd), ['complete', 'incomplete', 'held'])
})

test('totals are sums over slices, with the reason why the last one that ended did', () => {
  const slice = (stop: SliceCounts['stop'], times: number) => ({
    read: { pages: times, received: 10 * times, emitted: 9 * times, bytes: 100 * times, stop } as SliceCounts,
  })
  const none = { pages: 0, received: 0, records: 0, bytes: 0, slices: 0, stop: null }
  assert.deepEqual(totalsOf([]), none)
  const sums = { pages: 6, received: 60, records: 54, bytes: 600, slices: 3 }
  assert.deepEqual(totalsOf([slice('short-page', 1), slice('empty-page', 2), slice(null, 3)]), {
    ...sums,
    stop: 'empty-page',
  })
})

test('an error is shown with its code, its place and its hint, where it has them', () => {
  assert.deepEqual(shownError(new TypeError('no list')), { message: 'no list' })
  const at = { pointer: '/streams/0' }
  const error = new ConnectorError('sync/unknown-mode', 'There is no mode.', { at, hint: 'Choose one.' })
  assert.deepEqual(shownError(error), {
    code: 'sync/unknown-mode',
    message: 'There is no mode.',
    at,
    hint: 'Choose one.',
  })
  assert.equal('at' in shownError(new ConnectorError('sync/unknown-mode', 'There is no mode.')), false)
})
