import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  afterEvents,
  cancelled,
  continuedRead,
  failedRead,
  newRead,
} from '../../../src/builder/test-reads/read-state.ts'
import type { ReadEnd, TestReadEvent } from '../../../src/server/wire/test-read.ts'
import { pageEvent, request } from './read-events.ts'

const asked = (page: number, at: number): TestReadEvent => ({ kind: 'asked', slice: 0, page, at, request })
const page = (number: number, at: number) => pageEvent(0, number, at)
const end: ReadEnd = {
  kind: 'end',
  at: 90,
  ending: 'complete',
  pages: 1,
  received: 2,
  emitted: 2,
  schema: null,
  state: null,
  verdict: 'complete',
  verdictWords: 'complete',
  receipt: null,
  problem: null,
  canContinue: false,
}
const wait: TestReadEvent = { kind: 'notice', at: 40, level: 'warning', text: 'rate limit', waitMs: 12_000 }
const fresh = newRead('orders', 'text')

test('what is waited for is the page asked last, until it comes', () => {
  const waiting = afterEvents(fresh, [{ kind: 'started', id: 'r1', stream: 'orders' }, asked(0, 5)])
  assert.equal(waiting.id, 'r1')
  assert.equal(waiting.asked?.page, 0)
  assert.equal(afterEvents(waiting, [page(0, 5)]).asked, null)
})

test('a wait lasts until the next request leaves', () => {
  const waiting = afterEvents(fresh, [asked(0, 5), wait])
  assert.equal(waiting.wait?.waitMs, 12_000)
  assert.equal(afterEvents(waiting, [asked(0, 12_040)]).wait, null)
})

test('a notice that is no wait does not end one', () => {
  const noted: TestReadEvent = { kind: 'notice', at: 41, level: 'info', text: 'retrying' }
  assert.equal(afterEvents(fresh, [wait, noted]).wait?.waitMs, 12_000)
})

test('the state before stays what it was', () => {
  const before = afterEvents(fresh, [page(0, 5)])
  const after = afterEvents(before, [page(1, 30)])
  assert.deepEqual([before.pages.length, after.pages.length], [1, 2])
})

test('time never goes back, whatever order events come in', () => {
  assert.equal(afterEvents(fresh, [page(0, 100), { kind: 'waiting', at: 50 }]).at, 120)
})

test('the end says how it ended, and waits for nothing', () => {
  const { status, ending, asked: left } = afterEvents(fresh, [asked(0, 5), end])
  assert.deepEqual([status, ending, left], ['ended', 'complete', null])
})

test('an end with a problem keeps the pages and the place of the problem', () => {
  const problem = {
    type: 'about:blank',
    title: 'Unprocessable Content',
    status: 422,
    detail: 'no list at `data`',
    at: { pointer: '/streams/0', line: 4 },
  }
  const read = afterEvents(fresh, [page(0, 5), { ...end, ending: 'failed', problem }])
  assert.equal(read.pages.length, 1)
  assert.equal(read.problem?.at?.line, 4)
  assert.equal(read.problem.isServerGone, false)
})

test('a cancelled read keeps its pages', () => {
  const read = cancelled(afterEvents(fresh, [page(0, 5), asked(1, 30)]))
  assert.deepEqual([read.status, read.ending, read.pages.length, read.asked], ['ended', 'cancelled', 1, null])
})

test('a server that went away is distinguished from one that reported a problem', () => {
  assert.equal(failedRead(fresh, 'The server does not answer.', null).problem?.isServerGone, true)
})

test('a read that continues keeps its pages, and no limit is the reason why they stopped', () => {
  const limited = { ...page(0, 5), stop: 'limit', stopWords: 'page limit' }
  const before = afterEvents(fresh, [limited, { ...end, ending: 'limit', verdict: null, canContinue: true }])
  const continued = continuedRead(before)
  assert.deepEqual([continued.status, continued.ending, continued.end], ['reading', null, null])
  assert.deepEqual([continued.pages[0]?.stop, continued.pages[0]?.stopWords], [null, null])
  const after = afterEvents(continued, [page(1, 120), end])
  assert.deepEqual([after.status, after.ending, after.pages.length], ['ended', 'complete', 2])
})
