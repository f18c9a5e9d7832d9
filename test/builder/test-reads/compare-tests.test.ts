import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figureRows, testDifferences } from '../../../src/builder/test-reads/compare/compare-tests.ts'
import { comparedTest, type ComparedTest, withEarlier } from '../../../src/builder/test-reads/compare/earlier-tests.ts'
import { afterEvents, newRead } from '../../../src/builder/test-reads/read-state.ts'
import { pageEvent } from './read-events.ts'

function testOf(urls: readonly string[], tookMs = 10): ComparedTest {
  const pages = urls.map((url, page) => ({
    slice: 0,
    page,
    tookMs: tookMs * (page + 1),
    received: 2,
    emitted: 1,
    request: { method: 'GET', url, headers: {}, body: null },
  }))
  return { id: 'one', pages, tookMs: 100, ending: 'complete', stopWords: 'short page' }
}

test('requests are compared page by page: what changed, and pages that only one test requested', () => {
  const before = testOf([
    'http://x.test/a?limit=2',
    'http://x.test/a?limit=2&offset=2',
    'http://x.test/a?limit=2&offset=4',
  ])
  const now = testOf(['http://x.test/a?limit=2', 'http://x.test/a?limit=2&offset=3'])
  assert.deepEqual(testDifferences(before, now), [
    { slice: 0, page: 1, only: null, changes: [{ name: 'offset', was: '2', is: '3' }] },
    {
      slice: 0,
      page: 2,
      only: 'before',
      changes: [{ name: 'request', was: 'GET http://x.test/a?limit=2&offset=4', is: null }],
    },
  ])
  assert.deepEqual(testDifferences(before, before), [])
})

test('figures are shown before and now', () => {
  const rows = figureRows(testOf(['http://x.test/a']), testOf(['http://x.test/a', 'http://x.test/b'], 20))
  const of = (name: string) => rows.find((row) => row.name === name)
  assert.deepEqual(of('Records kept'), { name: 'Records kept', before: '1', now: '2' })
  assert.deepEqual(of('Median page'), { name: 'Median page', before: '10 ms', now: '30 ms' })
})

test('a few tests are kept, the latest first; one without a page is not', () => {
  const empty = newRead('orders', 'text')
  assert.equal(comparedTest(empty), null)
  const read = (id: string) => afterEvents(empty, [{ kind: 'started', id, stream: 'orders' }, pageEvent(0, 0, 5)])
  let earlier = withEarlier([], empty, 0)
  assert.deepEqual(earlier, [])
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) earlier = withEarlier(earlier, read(id), 1)
  assert.deepEqual(
    earlier.map(({ id }) => id),
    ['g', 'f', 'e', 'd', 'c'],
  )
})
