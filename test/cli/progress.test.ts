import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '../../src/read.ts'
import { noProof } from '../../src/proof/receipts/open-receipts.ts'
import { showProgress } from '../../src/cli/terminal/progress.ts'

/** A screen that remembers; `shown` is what is left after each line was replaced. */
function screen(columns = 60) {
  let written = ''
  return {
    columns,
    write: (text: string) => {
      written += text
    },
    shown: () =>
      written
        .replaceAll(/\x1b\[\?7[lh]/g, '')
        .split('\n')
        .map((line) => line.split('\r\x1b[2K').at(-1)),
  }
}

const pageOf = (count: number, part = 0) =>
  ({ part, records: Array.from({ length: count }, () => ({})) }) as unknown as Page
const totals = { pages: 2, records: 1500, slices: 1, proof: noProof, isCut: false } as const

test('finished streams stay behind as a table', () => {
  const paper = screen()
  const progress = showProgress(['orders', 'customers'], { isLive: false, screen: paper, now: () => 0 })
  progress.started('orders')
  progress.page(pageOf(1500))
  progress.ended({ name: 'orders', ...totals, stop: 'short-page', ending: 'complete' })
  progress.started('customers')
  progress.ended({
    name: 'customers',
    proof: { ...noProof, verdict: 'incomplete', reason: 'ended by an error' },
    isCut: false,
    pages: 0,
    records: 0,
    slices: 0,
    stop: null,
    ending: 'failed',
    error: new Error('x'),
  })
  progress.end()
  assert.deepEqual(paper.shown(), [
    'stream         records    pages   stopped at       verdict',
    'orders           1,500        2   short page       unproven: there was no slice to read',
    'customers            0        0   failed           incomplete: ended by an error',
    '',
  ])
})

test('the row of the stream being read shows rate or wait, within the width of the window', () => {
  const paper = screen(48)
  let now = 0
  const progress = showProgress(['orders'], { isLive: true, screen: paper, now: () => now })
  progress.started('orders')
  progress.page(pageOf(3000))
  // A second part of the same page.
  progress.page(pageOf(100, 1))
  now = 2000
  progress.page(pageOf(3100))
  assert.equal(paper.shown().at(-1), 'orders        6,200        2   3.1 k/s')

  const reason = 'api.example.com answered 429 Too Many Requests'
  progress.notice('orders', { kind: 'retry', attempt: 1, tries: 6, waitMs: 12_000, reason, url: '' })
  assert.equal(paper.shown().at(-1), 'orders        6,200        2   waiting 12 s: a…')

  progress.ended({ name: 'orders', ...totals, stop: 'no-cursor', ending: 'complete' })
  progress.end()
  assert.equal(
    paper.shown().at(-2),
    'orders        1,500        2   no cursor        unproven: there was no slice to read',
  )
})
