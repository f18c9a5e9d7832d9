/** Walks that never end are stopped; healthy ones are left alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoopGuard } from '../../../src/engine/pagination/loop-guard.ts'
import type { JsonRecord } from '../../../src/engine/plan/plan.ts'

const at = { pointer: '/streams/0' }
const bytes = (text: string) => new TextEncoder().encode(text)
const page = (url: string, received: JsonRecord[], body = '') => ({
  request: { method: 'GET', url, headers: {}, body: null },
  received,
  body: bytes(body),
})
const rows = (...ids: number[]) => ids.map((id) => ({ id }))

/** The number of the page at which the guard gave up, or null. */
function stoppedAt(pages: Iterable<ReturnType<typeof page>>, limit = 2000): number | null {
  const guard = createLoopGuard('items', at)
  let number = 0
  for (const next of pages) {
    if (++number > limit) return null
    try {
      guard(next)
    } catch (error) {
      assert.equal((error as { code: string }).code, 'pagination/loop')
      return number
    }
  }
  return null
}

function* forever(make: (index: number) => ReturnType<typeof page>) {
  for (let index = 0; ; index++) yield make(index)
}

test('same request, same page: stopped at the second', () => {
  assert.equal(stoppedAt(forever(() => page('/a', rows(1, 2)))), 2)
})

test('a cycle of any length is stopped when it closes', () => {
  for (const length of [2, 3, 7, 100]) {
    assert.equal(stoppedAt(forever((index) => page(`/a?c=${index % length}`, rows(index % length, 1000)))), length + 1)
  }
})

test('an API that ignores the paging parameter is stopped after a few pages', () => {
  assert.equal(stoppedAt(forever((index) => page(`/a?page=${index}`, rows(1, 2, 3)))), 4)
})

test('content that cycles under ever new tokens is stopped', () => {
  assert.equal(stoppedAt(forever((index) => page(`/a?c=${index}`, rows(index % 5, 1000)))), 8)
})

test('endless empty pages under new tokens are stopped in the end', () => {
  assert.equal(
    stoppedAt(
      forever((index) => page(`/a?c=${index}`, [], `{"next":${index}}`)),
      20_000,
    ),
    10_000,
  )
})

test('the error names the pages', () => {
  const guard = createLoopGuard('items', at)
  guard(page('/a', rows(1, 2)))
  guard(page('/b', rows(3, 4)))
  assert.throws(() => guard(page('/a', rows(1, 2))), /page 3 repeats page 1/)
})

test('a scroll that keeps one token and brings new records is healthy', () => {
  assert.equal(stoppedAt(forever((index) => page('/scroll?id=x', rows(index, index + 1)))), null)
})

test('rows that are all alike are healthy for long', () => {
  assert.equal(
    stoppedAt(
      forever((index) => page(`/a?page=${index}`, [{ x: 1 }, { x: 1 }])),
      900,
    ),
    null,
  )
})

test('one page that repeats by chance is healthy', () => {
  const pages = Array.from({ length: 100 }, (_, index) =>
    page(`/a?page=${index}`, index % 10 === 3 ? rows(1, 2) : rows(index, 1000 + index)),
  )
  assert.equal(stoppedAt(pages), null)
})

test('long integers tell pages apart', () => {
  assert.equal(
    stoppedAt(forever((index) => page(`/a?page=${index}`, [{ id: 9007199254740993n + BigInt(index) }]))),
    null,
  )
})
