/** What paging and credentials put into a request, and how values become parameters. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Injection, PaginationPlan } from '../../../src/engine/plan/pagination.ts'
import type { ValueSource } from '../../../src/engine/request/merge.ts'
import { pagedValues, pairsOf, placedInto } from '../../../src/engine/request/placement.ts'

const at = { pointer: '/p' }
const query = (name: string) => ({ into: 'query', name }) as const
const plan = (injection: Partial<Injection>): PaginationPlan => ({
  kind: 'page',
  pageSize: 3,
  firstPage: 1,
  injectOnFirst: false,
  at,
  token: query('page'),
  size: { placement: query('limit'), value: 3 },
  parameters: {},
  ...injection,
})

test('a page carries its token and the page size, each where there is one and a place for it', () => {
  const placed = (injection: Partial<Injection>, token: unknown, size: number | string | null) =>
    pagedValues(plan(injection), token === null ? null : { value: token }, size).map(({ source, value }) => [
      source,
      value,
    ])
  const both = [
    ['page_token_option', 0],
    ['page_size_option', 3],
  ]
  assert.deepEqual(placed({}, 0, 3), both)
  assert.deepEqual(placed({}, null, 3), both.slice(1))
  assert.deepEqual(placed({}, 0, null), both.slice(0, 1))
  assert.deepEqual(placed({ token: null }, 0, 3), both.slice(1))
  assert.deepEqual(placed({ size: null }, 0, 3), both.slice(0, 1))
  assert.deepEqual(pagedValues({ kind: 'none' }, { value: 1 }, 3), [])
})

test('values are taken by where they go', () => {
  const source: ValueSource = 'page_token_option'
  const placed = [
    { source, placement: query('a'), value: 1 },
    { source, placement: { into: 'header', name: 'b' } as const, value: 2 },
    { source, placement: { into: 'path' } as const, value: 3 },
  ]
  assert.deepEqual(placedInto(placed, 'query'), [{ source, name: 'a', value: 1 }])
  assert.deepEqual(placedInto(placed, 'header'), [{ source, name: 'b', value: 2 }])
  assert.deepEqual(placedInto(placed, 'form'), [])
})

test('a value is one parameter, a list one for each item but null, and null is none', () => {
  const pairs = (value: unknown) =>
    pairsOf({ source: 'request_parameters', name: 'a', value }, at).map(([name, text]) => `${name}=${text}`)
  assert.deepEqual(pairs('x'), ['a=x'])
  assert.deepEqual(pairs(false), ['a=False'])
  assert.deepEqual(pairs(null), [])
  assert.deepEqual(pairs([]), [])
  assert.deepEqual(pairs(['x', null, 0, '']), ['a=x', 'a=0', 'a='])
  assert.deepEqual(pairs([['x', 'y'], 'z']), ['a=x', 'a=y', 'a=z'])
  assert.deepEqual(pairs([{ b: 1 }]), ["a={'b': 1}"])
  for (const value of [{ b: 1 }, new Map([['b', 1]])]) {
    assert.throws(() => pairs(value), { code: 'request/invalid-parameter', message: /`a` would send/ })
  }
})
