/** Walks that never end are stopped; healthy ones are left alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoopGuard } from '../../../src/engine/pagination/loop-guard.ts'
import type { JsonRecord } from '../../../src/engine/plan/plan.ts'

const options = { streamName: 'items', primaryKey: [], at: { pointer: '/streams/0' } }
const page = (url: string, received: JsonRecord[]) => ({
  request: { method: 'GET', url, headers: {}, body: null },
  received,
})
type Pages = (index: number) => ReturnType<typeof page>
const rows = (...ids: number[]) => ids.map((id) => ({ id }))
const values = (...found: unknown[]) => found.map((value) => ({ value }))

/** The number of the page at which the guard gave up, or null. */
function stoppedAt(make: Pages, limit = 2000, primaryKey: string[][] = []): number | null {
  const guard = createLoopGuard({ ...options, primaryKey })
  for (let index = 0; index < limit; index++) {
    try {
      guard(make(index))
    } catch (error) {
      assert.equal((error as { code: string }).code, 'pagination/loop')
      return index + 1
    }
  }
  return null
}

const endless: [name: string, make: Pages, stopsAt: number, limit?: number][] = [
  ['same request, same page', () => page('/a', rows(1, 2)), 4],
  ['a cycle of two', (index) => page(`/a?c=${index % 2}`, rows(index % 2, 1000)), 6],
  ['a cycle of a hundred', (index) => page(`/a?c=${index % 100}`, rows(index % 100, 1000)), 202],
  ['an API that ignores the paging parameter', (index) => page(`/a?page=${index}`, rows(1, 2, 3)), 5],
  ['content that cycles under ever new tokens', (index) => page(`/a?c=${index}`, rows(index % 5, 1000)), 13],
  ['equal rows, in the end', (index) => page(`/a?page=${index}`, values(1, 1)), 1002],
  ['empty pages, one token', () => page('/a', []), 101],
  ['empty pages in a circle of tokens', (index) => page(`/a?c=${index % 2}`, []), 102],
  ['empty pages under new tokens, in the end', (index) => page(`/a?c=${index}`, []), 10_001, 20_000],
]
for (const [name, make, stopsAt, limit] of endless) {
  test(`stopped: ${name}`, () => assert.equal(stoppedAt(make, limit), stopsAt))
}

const healthy: [name: string, make: Pages, limit?: number][] = [
  ['a scroll that keeps one token and brings new records', (index) => page('/scroll', rows(index, index + 5000))],
  ['a scroll with empty pages between data', (index) => page('/scroll', index % 3 === 0 ? rows(index, index + 1) : [])],
  ['equal rows', (index) => page(`/a?page=${index}`, values(1, 1)), 900],
  ['pages of one equal row', (index) => page(`/a?page=${index}`, values(0)), 900],
  ['a scroll of single rows whose values come back', (index) => page('/scroll', values(index % 3)), 900],
  ['constant first and last rows, new ones between', (index) => page(`/a?p=${index}`, values('head', index, 'foot'))],
  ['the same on one token', (index) => page('/scroll', values('head', index, 'foot'))],
  [
    'one page that repeats by chance',
    (index) => page(`/a?p=${index}`, index % 10 === 3 ? rows(1, 2) : rows(index, 5000 + index)),
  ],
  ['long integers', (index) => page(`/a?p=${index}`, [{ id: 9007199254740993n + BigInt(index) }])],
]
for (const [name, make, limit] of healthy) {
  test(`left alone: ${name}`, () => assert.equal(stoppedAt(make, limit), null))
}

const keyed: [name: string, make: Pages, stopsAt: number][] = [
  [
    'other fields that change each time',
    (index) =>
      page('/a', [
        { id: 1, at: index },
        { id: 2, at: index },
      ]),
    3,
  ],
  ['in another order each time', (index) => page(`/a?p=${index}`, index % 2 ? rows(1, 2, 3) : rows(3, 1, 2)), 4],
  ['one row, again and again', (index) => page(`/a?page=${index}`, rows(7)), 11],
]
for (const [name, make, stopsAt] of keyed) {
  test(`stopped by the primary key: ${name}`, () => assert.equal(stoppedAt(make, 2000, [['id']]), stopsAt))
}

test('left alone: an id that is no key, with other fields that change', () => {
  const series: Pages = (index) =>
    page(`/a?day=${index}`, [
      { id: 's1', day: index },
      { id: 's2', day: index },
    ])
  assert.equal(stoppedAt(series), null)
})

test('the error names the pages', () => {
  const guard = createLoopGuard({ ...options, primaryKey: [['id']] })
  guard(page('/a', rows(1, 2)))
  guard(page('/b', rows(3, 4)))
  guard(page('/a', rows(1, 2)))
  assert.throws(
    () => guard(page('/b', rows(3, 4))),
    /pages 3 to 4 repeat pages 1 to 2, requests too: a cycle of 2 pages/,
  )
})
