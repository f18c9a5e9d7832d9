import { changingParts } from '../../../src/builder/test-reads/timeline/changing-parts.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterEvents, newRead } from '../../../src/builder/test-reads/read-state.ts'
import { endWords, waitingWords } from '../../../src/builder/test-reads/read-words.ts'
import { axisEnd, barOn, labelSide } from '../../../src/builder/test-reads/timeline/time-axis.ts'
import { sliceLabel, timelineRows } from '../../../src/builder/test-reads/timeline/timeline-rows.ts'
import type { TestReadEvent } from '../../../src/server/wire/test-read.ts'
import { pageEvent, request } from './read-events.ts'

const slice = (number: number, descriptor: Record<string, unknown> | null = null): TestReadEvent => ({
  kind: 'slice',
  slice: number,
  descriptor,
})
const page = (ofSlice: number, number: number) => pageEvent(ofSlice, number, 0)
const asked: TestReadEvent = { kind: 'asked', slice: 0, page: 3, at: 1000, request }
const token: TestReadEvent = { kind: 'auxiliary', at: 0, tookMs: 5, title: 'access token', request, response: null }
const none: ReadonlySet<string> = new Set()
const read = (...events: TestReadEvent[]) => afterEvents(newRead('orders', ''), events)
const ids = (...events: TestReadEvent[]) => timelineRows(read(...events), none).map(({ id }) => id)

test('the duration of a bar is next to it, and on it where it has no room', () => {
  const side = (at: number, tookMs: number) => labelSide(barOn(600, at, tookMs))
  assert.deepEqual([side(0, 100), side(500, 60), side(12, 537)], ['after', 'before', 'on'])
})

test('one slice is not worth a heading', () => {
  assert.deepEqual(ids(slice(0), page(0, 0), page(0, 1)), ['page-0-0', 'page-0-1'])
})

test('several slices are headings of their pages, empty ones too', () => {
  assert.deepEqual(ids(slice(0), page(0, 0), slice(1), slice(2), page(2, 0)), [
    'slice-0',
    'page-0-0',
    'slice-1',
    'slice-2',
    'page-2-0',
  ])
})

test('what is waited for is the last row of its slice', () => {
  assert.deepEqual(ids(slice(0), page(0, 0), asked), ['page-0-0', 'asked'])
})

test('auxiliary requests start folded, and slices start open', () => {
  const state = read(token, slice(0), page(0, 0), slice(1))
  assert.deepEqual(
    timelineRows(state, new Set(['auxiliaries', 'slice-0'])).map(({ id }) => id),
    ['auxiliaries', 'auxiliary-0', 'slice-0', 'slice-1'],
  )
  assert.equal(timelineRows(state, none)[0]?.isOpen, false)
})

test('a try without a page comes before the page that arrived in the end', () => {
  const refused: TestReadEvent = { ...token, at: 10, title: 'Page: refused with 429', isPage: true }
  const came = page(0, 0)
  assert.deepEqual(ids(slice(0), { ...asked, page: 0 }, refused, came), ['try-0-10', 'page-0-0'])
})

test('a slice is named by what it holds', () => {
  assert.equal(
    sliceLabel({ slice: 0, descriptor: { customer: 7n, from: '2026-01-01' } }),
    'customer 7, from 2026-01-01',
  )
  assert.equal(sliceLabel({ slice: 4, descriptor: {} }), 'slice 5')
  assert.equal(sliceLabel({ slice: 1, descriptor: { order: 2, parent_slice: {} } }), 'order 2')
})

test('the axis ends at a round number that holds everything', () => {
  for (const [ms, end] of [
    [0, 20],
    [20, 20],
    [21, 40],
    [101, 200],
    [999, 1000],
    [12_345, 20_000],
  ] as const) {
    assert.equal(axisEnd(ms), end)
  }
})

test('a bar is never too thin to be seen, and never leaves the axis', () => {
  assert.deepEqual(barOn(1000, 0, 0), { from: 0, width: 0.006 })
  assert.deepEqual(barOn(1000, 1000, 1), { from: 0.994, width: 0.006 })
})

test('waiting says what for: a page and how long, or a limit and how long it lasts', () => {
  assert.equal(waitingWords(read(asked), 2240), 'page 4, 1.2 s')
  const wait: TestReadEvent = { kind: 'notice', at: 1100, level: 'warning', text: 'rate limit', waitMs: 12_000 }
  assert.equal(waitingWords(read(asked, wait), 1200), 'rate limit, 12 s left')
  assert.equal(waitingWords(read(asked, wait), 21_000), 'page 4, 20.0 s')
  const failure: TestReadEvent = { ...wait, text: 'Try 1 failed, next in 12 s. The connection was reset.' }
  assert.equal(waitingWords(read(asked, failure), 1200), 'next try, 12 s left')
})

test('the end says how many pages and records', () => {
  assert.equal(endWords({ ...read(page(0, 0)), ending: 'limit' }), 'Stopped at the limit: 1 page, 2 records, 20 ms')
})

test('of two addresses the part that changes is shown, of one its query', () => {
  const at = (ofPage: number) => `https://api.example/v1/orders?limit=10&page=${ofPage}`
  assert.deepEqual(changingParts(at(2), at(3)), ['…page=2', '…page=3'])
  assert.deepEqual(changingParts('—', at(2)), ['—', '…limit=10&page=2'])
  assert.deepEqual(changingParts('https://a.example/x/1', '—'), ['…1', '—'])
  assert.deepEqual(changingParts('100', '200'), ['100', '200'])
})
