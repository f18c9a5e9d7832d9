import assert from 'node:assert/strict'
import { sayVerdict } from '../../../src/proof/verdict/verdict-name.ts'
import { test } from 'node:test'
import type { News, SyncReceipt } from '../../../src/builder/sync/sync-events.ts'
import { afterNews, newSync, type StreamStanding, type SyncState } from '../../../src/builder/sync/sync-state.ts'
import {
  leftWords,
  rateWords,
  readingWords,
  shareRead,
  stopWords,
  syncWords,
} from '../../../src/builder/sync/sync-words.ts'

const start: readonly News[] = [
  { kind: 'run-started', streams: ['orders', 'customers'], continues: false },
  { kind: 'stream-started', stream: 'orders', before: { pages: 0, records: 0 } },
]
const progress = (records: number, total: number | null = null): News => ({
  kind: 'progress',
  stream: 'orders',
  pages: records / 100,
  records,
  total,
})
const receipt: SyncReceipt = {
  stream: 'orders',
  ending: 'complete',
  pages: 5,
  records: 441,
  stop: 'short-page',
  verdict: 'complete',
  reason: 'total 441',
  tookMs: 2000,
}

/** Heard a second apart. */
function after(...news: readonly News[]): SyncState {
  const running: SyncState = { ...newSync, status: 'running' }
  return news.reduce((sync, one, index) => afterNews(sync, one, index * 1000), running)
}

function orders(sync: SyncState): StreamStanding {
  const stream = sync.streams.get('orders')
  assert.ok(stream)
  return stream
}

test('streams are listed in the order in which they are read, and wait for their turn', () => {
  const { streams } = after(...start)
  assert.deepEqual([...streams.keys()], ['orders', 'customers'])
  assert.deepEqual(
    [...streams.values()].map((stream) => readingWords(stream, 0)),
    ['reading', 'waiting for its turn'],
  )
})

test('the rate counts what came since the first count that was heard: a reload in the middle invents none', () => {
  const first = after(...start, progress(40_000))
  assert.equal(rateWords(orders(first), 2000), '')
  const second = after(...start, progress(40_000), progress(40_840))
  assert.equal(rateWords(orders(second), 3000), '840/s')
  assert.equal(rateWords(orders(after(...start, progress(100), progress(3200))), 3000), '3.1 k/s')
})

test('where the API says how many there are, the rest is foreseen', () => {
  const stream = orders(after(...start, progress(100, 1000), progress(200, 1000)))
  assert.equal(readingWords(stream, 3000), '~8 s left')
  assert.equal(shareRead(stream), 0.2)
  assert.equal(shareRead(orders(after(...start, progress(100)))), null)
})

test('a wait is counted down, and is over with the next page', () => {
  const retry: News = {
    kind: 'notice',
    stream: 'orders',
    notice: { kind: 'retry', waitMs: 12_000, isRateLimited: true },
  }
  const waiting = after(...start, retry)
  assert.equal(readingWords(orders(waiting), 2000), 'waiting for rate limit, 12 s left')
  assert.equal(readingWords(orders(waiting), 14_001), 'reading')
  assert.equal(readingWords(orders(after(...start, retry, progress(100))), 2500), 'reading')
})

test('short waits of a budget are no news, long ones are', () => {
  const budget = (waitMs: number): News => ({ kind: 'notice', stream: 'orders', notice: { kind: 'budget', waitMs } })
  assert.equal(readingWords(orders(after(...start, budget(200))), 2000), 'reading')
  assert.match(
    readingWords(orders(after(...start, budget(5000))), 2000),
    /^waiting for the rate limit of the manifest, 5 s/,
  )
})

test('a stream that ended says why, and what that proves', () => {
  const ended = orders(after(...start, progress(100), { kind: 'stream-ended', receipt }))
  assert.deepEqual([ended.records, ended.pages, rateWords(ended, 9000)], [441, 5, '221/s'])
  assert.equal(stopWords(receipt), 'short page')
  assert.equal(sayVerdict(receipt), 'complete (total 441)')
  const unproven = { ...receipt, verdict: 'unproven', reason: 'the API reports no total' } as const
  assert.equal(sayVerdict(unproven), 'not verified: the API reports no total')
  assert.equal(stopWords({ ...receipt, stop: null }), 'nothing to request')
  assert.equal(
    stopWords({ ...receipt, ending: 'failed', error: { code: 'response/rejected', message: '' } }),
    'failed: response/rejected',
  )
})

test('what earlier runs had is no part of the rate', () => {
  const before: News = { kind: 'stream-started', stream: 'orders', before: { pages: 4, records: 400 } }
  assert.equal(rateWords(orders(after(before, { kind: 'stream-ended', receipt })), 0), '21/s')
})

test('how a sync ended is one sentence', () => {
  const done = after(...start, { kind: 'stream-ended', receipt })
  assert.equal(syncWords(done), 'Reading, 1 of 2 streams done')
  assert.equal(syncWords({ ...done, status: 'complete' }), '441 records of 1 stream written')
  assert.match(syncWords({ ...done, status: 'interrupted' }), /^Interrupted\. What was read is kept/)
  const failed = after(...start, { kind: 'stream-ended', receipt: { ...receipt, ending: 'failed' } })
  assert.match(syncWords({ ...failed, status: 'failed' }), /^1 of 2 streams failed/)
  assert.deepEqual([...after(...start).streams.values()].map(leftWords), [
    'interrupted, resumes from here',
    'not begun',
  ])
})

test('news of a kind that is not shown changes nothing', () => {
  const sync = after(...start)
  assert.equal(afterNews(sync, { kind: 'waiting' }, 0), sync)
  assert.equal(afterNews(sync, { kind: 'run-ended' }, 0), sync)
})
