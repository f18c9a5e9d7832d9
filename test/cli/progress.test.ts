import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { showProgress } from '../../src/cli/terminal/progress.ts'
import { noClaims } from '../../src/proof/receipts/receipt.ts'
import type { SyncEvent } from '../../src/sync/events.ts'
import type { StreamReceipt } from '../../src/sync/receipt.ts'

/** A terminal that obeys the few commands we send it, and cuts what is too wide while it wraps nothing. */
function terminal(columns = 80, rows = 24) {
  let lines = ['']
  let at = 0
  let wraps = true
  const step = (text: string) => {
    switch (text) {
      case '\x1b[2K':
        lines[at] = ''
        return
      case '\x1b[1A':
        at--
        return
      case '\x1b[?7l':
      case '\x1b[?7h':
        wraps = text.endsWith('h')
        return
      case '\r':
        return
      case '\n':
        at++
        lines[at] ??= ''
        return
      default:
        assert.doesNotMatch(text, /\x1b/)
        lines[at] += text
        if (!wraps) lines[at] = (lines[at] ?? '').slice(0, columns)
    }
  }
  return {
    columns,
    rows,
    write(text: string) {
      for (const part of text.split(/(\x1b\[(?:2K|1A|\?7[lh])|[\r\n])/)) if (part !== '') step(part)
    },
    shown: () => lines.slice(0, at + 1).map((line) => line.trimEnd()),
  }
}

const started = (streams: string[], continues = false): SyncEvent => ({
  kind: 'run-started',
  run: 'r1',
  connection: 'shop',
  to: 'jsonl:out',
  streams,
  continues,
})
const begins = (stream: string, before = { pages: 0, records: 0 }): SyncEvent => ({
  kind: 'stream-started',
  stream,
  mode: 'full_refresh_overwrite',
  before,
})
const page = (stream: string, number: number, records: number, total: number | null = null): SyncEvent => ({
  kind: 'page',
  stream,
  slice: '{}',
  page: number,
  records,
  bytes: records * 1000,
  tookMs: 1,
  total,
})
const receiptOf = (stream: string, rest: Partial<StreamReceipt> = {}): StreamReceipt => ({
  stream,
  mode: 'full_refresh_overwrite',
  ending: 'complete',
  pages: 2,
  received: 150,
  records: 150,
  bytes: 1000,
  slices: 1,
  retries: 0,
  stop: 'short-page',
  verdict: 'unproven',
  reason: 'the API reports no total',
  keys: null,
  claimed: noClaims,
  tookMs: 1500,
  ...rest,
})
const ends = (stream: string, rest: Partial<StreamReceipt> = {}): SyncEvent => ({
  kind: 'stream-ended',
  receipt: receiptOf(stream, rest),
})
const limited: SyncEvent = {
  kind: 'notice',
  stream: 'orders',
  notice: { kind: 'retry', attempt: 1, tries: 6, waitMs: 12_000, reason: '429', url: '', isRateLimited: true },
}
const warned = (stream: string, text: string): SyncEvent => ({
  kind: 'notice',
  stream,
  notice: { kind: 'warning', text },
})

/** A sync that is watched, at a time of one's choice. */
function watched({ isLive = true, columns = 100, rows = 24 } = {}) {
  const screen = terminal(columns, rows)
  const clock = { now: 0 }
  const progress = showProgress({ isLive, screen, now: () => clock.now })
  return {
    screen,
    progress,
    show(...events: SyncEvent[]) {
      for (const event of events) {
        // Each is drawn: rows are not drawn more than ten times a second.
        if (isLive) clock.now += 100
        progress.show(event)
      }
    },
    waitUntil(now: number) {
      clock.now = now
    },
    [Symbol.dispose]: () => void progress.end(),
  }
}

test('a read names its streams itself, and its lines have no mode', () => {
  const screen = terminal()
  const log = showProgress({ isLive: false, streams: ['orders'], screen, now: () => 0 })
  log.show({ kind: 'stream-started', stream: 'orders', before: { pages: 0, records: 0 } })
  log.end()
  assert.deepEqual(screen.shown(), ['orders: started.', ''])
  const rows = terminal()
  let now = 0
  const live = showProgress({ isLive: true, streams: ['orders', 'items'], screen: rows, now: () => now })
  now = 1000
  live.show({ kind: 'page', stream: 'orders', slice: '{}', page: 1, records: 100, bytes: 1000, total: null })
  assert.deepEqual(rows.shown().at(-1), 'items')
  live.end()
})

describe('a sync on a terminal', () => {
  test('has a row for each stream: those read, the one that is read, those to come', () => {
    using sync = watched()
    sync.show(started(['orders', 'customers', 'items']))
    sync.show(begins('orders'), page('orders', 1, 100), page('orders', 2, 50), ends('orders'))
    sync.show(begins('customers'))
    sync.waitUntil(2000)
    sync.show(page('customers', 1, 1000))
    assert.deepEqual(sync.screen.shown(), [
      'Syncing 3 streams of "shop" into jsonl:out: run r1.',
      'orders            150 records       2 pages   short page',
      'customers       1,000 records       1 page      667/s    1.0 MB',
      'items',
    ])
  })

  test('has a bar and an estimate where the API says how many records there are', () => {
    using sync = watched()
    sync.show(started(['orders']), begins('orders'))
    sync.waitUntil(2100)
    sync.show(page('orders', 1, 1000, 4000))
    assert.equal(
      sync.screen.shown().at(-1),
      'orders   ▇▇▇▁▁▁▁▁▁▁▁▁▁▁       1,000 records       1 page      500/s    1.0 MB   ~6 s left',
    )
  })

  test('counts a wait for the rate limit down, and the retries up', () => {
    using sync = watched()
    sync.show(started(['orders']), begins('orders'), page('orders', 1, 100), limited)
    const row = () => sync.screen.shown().at(-1)
    assert.equal(row(), 'orders         100 records       1 page    1 retry   waiting for rate limit, 12 s left')
    sync.waitUntil(9400)
    sync.show({ kind: 'committed', stream: 'orders', pages: 1, records: 100 })
    assert.equal(row(), 'orders         100 records       1 page    1 retry   waiting for rate limit, 2.9 s left')
    sync.show(page('orders', 2, 100))
    assert.match(String(row()), /200 records +2 pages +\d+\/s +200 KB +1 retry$/)
  })

  test('warnings are written above the rows', () => {
    using sync = watched()
    sync.show(started(['orders', 'customers']), begins('orders'), page('orders', 1, 100))
    sync.show(warned('orders', 'odd\nthing \x1b[31m'), warned('', 'The config is another.'))
    const shown = sync.screen.shown()
    assert.deepEqual(shown.slice(1, 3), [
      'warning: Stream "orders": odd thing \ufffd[31m',
      'warning: The config is another.',
    ])
    assert.match(String(shown[3]), /^orders +100 records/)
    assert.deepEqual(shown.slice(4), ['customers'])
  })

  test('parts that do not fit are dropped, the least useful first', () => {
    for (const [columns, expected] of [
      [90, 'orders                                 100 records       1 page      333/s    100 KB'],
      [80, 'orders                             100 records       1 page      333/s'],
      [60, 'orders                       100 records     333/s'],
      [40, 'orders                100 records'],
      [30, 'orders             100 recor…'],
    ] as const) {
      using sync = watched({ columns })
      sync.show(started(['orders', 'a name as long as this one 🦆🦆'.padEnd(300, '!')]), begins('orders'))
      sync.waitUntil(400)
      sync.show(page('orders', 1, 100))
      assert.equal(sync.screen.shown().at(-2), expected)
      assert.ok(
        sync.screen
          .shown()
          .slice(1)
          .every((line) => line.length < columns),
      )
    }
  })

  test('of more streams than the window has rows, those near the one being read are shown', () => {
    using sync = watched({ rows: 9 })
    const names = Array.from({ length: 20 }, (_, index) => `stream${index + 1}`)
    sync.show(started(names))
    assert.deepEqual(sync.screen.shown().slice(1), [...names.slice(0, 5), '… 15 streams after'])
    sync.show(...names.slice(0, 9).map((name) => ends(name)), begins('stream10'))
    assert.deepEqual(
      sync.screen
        .shown()
        .slice(1)
        .map((line) => line.split('   ')[0]?.trim()),
      ['… 8 streams before', 'stream9', 'stream10', 'stream11', 'stream12', 'stream13', '… 7 streams after'],
    )
    sync.show(...names.slice(9).map((name) => ends(name)))
    assert.match(String(sync.screen.shown().at(-1)), /^stream20 +150 records/)
  })

  test('pages that come in parts count once, and deleted pages no longer count', () => {
    using sync = watched()
    sync.show(started(['orders']), begins('orders', { pages: 40, records: 4000 }))
    assert.equal(sync.screen.shown()[1], 'orders resumes at page 41, after 4,000 records.')
    sync.show(page('orders', 41, 60), page('orders', 41, 40))
    assert.match(String(sync.screen.shown().at(-1)), /4,100 records +41 pages/)
    sync.show({ kind: 'committed', stream: 'orders', pages: 1, records: 100 })
    assert.match(String(sync.screen.shown().at(-1)), /100 records +1 page /)
  })

  test('removes its rows at the end, and returns the receipts for the table', () => {
    using sync = watched()
    sync.show(started(['orders', 'customers'], true))
    sync.show({ kind: 'stream-skipped', receipt: receiptOf('orders') }, begins('customers'), ends('customers'))
    assert.deepEqual(
      sync.progress.end().map(({ stream }) => stream),
      ['orders', 'customers'],
    )
    assert.deepEqual(sync.screen.shown(), [
      'Resuming run r1, which was interrupted: 2 streams of "shop" into jsonl:out.',
      'orders was read to its end before the interruption: 150 records.',
      '',
    ])
  })
})

test('in a log streams have a line when they start, when they end, and every ten seconds', () => {
  using sync = watched({ isLive: false })
  sync.show(started(['orders', 'customers']), begins('orders'))
  for (let number = 1; number <= 25; number++) {
    sync.waitUntil(number * 1000)
    sync.show(page('orders', number, 100, 3000))
  }
  sync.show(limited)
  sync.waitUntil(31_000)
  sync.show({ kind: 'committed', stream: 'orders', pages: 25, records: 2500 })
  sync.show(warned('orders', 'odd'))
  sync.show(ends('orders', { ending: 'failed', error: { code: 'response/gave-up', message: 'no' } }))
  sync.show(begins('customers'), ends('customers'))
  assert.deepEqual(sync.screen.shown(), [
    'Syncing 2 streams of "shop" into jsonl:out: run r1.',
    'orders: started, full_refresh_overwrite.',
    'orders: 1,000 records, 10 pages, 100/s, 1.0 MB, ~20 s left',
    'orders: 2,000 records, 20 pages, 100/s, 2.0 MB, ~10 s left',
    'orders: 2,500 records, 25 pages, 81/s, 2.5 MB, 1 retry, waiting for rate limit, 6 s left',
    'warning: Stream "orders": odd',
    'orders: 150 records, 2 pages in 1.5 s, failed: response/gave-up.',
    'customers: started, full_refresh_overwrite.',
    'customers: 150 records, 2 pages in 1.5 s, stopped at: short page.',
    '',
  ])
})

test('a link to another host is noted, with what is not sent there', () => {
  using sync = watched({ isLive: false })
  const [from, to] = ['http://a.example/items', 'http://b.example/items?page=2']
  for (const dropped of [['credentials'], []]) {
    sync.show({ kind: 'notice', stream: 'orders', notice: { kind: 'foreign-origin', from, to, dropped } })
  }
  assert.deepEqual(sync.screen.shown(), [
    `note: Stream "orders": followed ${from} to ${to} without credentials; left out: credentials.`,
    '',
  ])
})
