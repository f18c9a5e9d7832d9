import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageClaims } from '../../src/proof/claims/page-claims.ts'

const rules = { recordPath: ['data'], countsRecords: true, declared: [] }
const page = { headers: {}, part: 0, isLast: false, isError: false }

test('a response that names thousands of totals does not make the records be added up for each of them', () => {
  let reads = 0
  const data = Array.from({ length: 10 }, () => ({
    get amount() {
      reads++
      return 1
    },
  }))
  // `total`, `t_otal`, `__total`: different names that mean the same.
  const totals = (from: number) =>
    Object.fromEntries(
      Array.from({ length: 90 }, (_, index) => [`${'_'.repeat(from + index)}total_count`, 500 + index]),
    )
  const metas = Array.from({ length: 90 }, (_, index) => [`${'_'.repeat(index)}meta`, totals(0)])
  const body = { data, ...Object.fromEntries(metas) }
  const { numbers } = pageClaims({ ...page, body, receivedCount: data.length }, rules)
  assert.ok(numbers.length > 0)
  assert.ok(reads <= 40 * 2 * data.length, `${reads} reads`)
})

test('what leads to the next page is found in `href`, `url` or `uri`, whatever else is next to it', () => {
  for (const name of ['href', 'url', 'uri']) {
    const body = { data: [{ id: 1 }], links: { next: { rel: 'next', [name]: 'https://api.shop/items?page=2' } } }
    const { nexts } = pageClaims({ ...page, body, receivedCount: 1 }, rules)
    assert.deepEqual(
      nexts.map(({ kind, says }) => [kind, says]),
      [['link', 'more']],
      name,
    )
  }
})

test('where the body is taken for the record, only a number larger than its list claims more', () => {
  const claimed = (total: number) =>
    pageClaims(
      { ...page, body: { items: [{ id: 1 }, { id: 2 }], total }, receivedCount: 1 },
      { ...rules, recordPath: [] },
    ).numbers.map(({ value }) => value)
  assert.deepEqual(claimed(2), [])
  assert.deepEqual(claimed(3), [3])
})

test('of the numbers that a page names, the first 32 are looked at', () => {
  const named = (count: number) => {
    const totals = Array.from({ length: count }, (_, index) => [`${'_'.repeat(index)}total`, 500 + index])
    const body = { data: [{ id: 1 }], ...Object.fromEntries(totals) }
    return pageClaims({ ...page, body, receivedCount: 1 }, rules).numbers.length
  }
  assert.deepEqual([31, 32, 33, 40].map(named), [31, 32, 32, 32])
})

const numbersOf = (body: unknown, receivedCount: number, recordPath: string[] | null = ['data'], more: object = {}) =>
  pageClaims({ ...page, body, receivedCount, ...more }, { ...rules, recordPath }).numbers.map(({ value }) => value)

test('a number that adds up a field of the records counts none, be it by a hair', () => {
  const summed = (total: number, ...amounts: unknown[]) =>
    numbersOf({ data: amounts.map((amount) => ({ amount })), total }, amounts.length)
  assert.deepEqual(summed(12, 5, 7), [])
  assert.deepEqual(summed(12, 5.004, 7), [])
  assert.deepEqual(summed(12, 5.006, 7), [12])
  assert.deepEqual(summed(12, 4, 7), [12])
  assert.deepEqual(summed(12, 12, 'x'), [])
  assert.deepEqual(summed(2, 1, 1), [2])
  assert.deepEqual(summed(3, 1, 2), [])
  assert.deepEqual(numbersOf({ data: [{ id: 5 }, { id: 7 }], total: 12 }, 2), [12])
  assert.deepEqual(numbersOf({ data: [5, 7], total: 12 }, 2), [12])
  assert.deepEqual(numbersOf({ data: [{ amount: 12 }, 7], total: 12 }, 2), [])
})

test('a total counts members of the list where each member is one record', () => {
  const nodes = [{ node: { id: 1 } }, { node: { id: 2 } }]
  const path = ['data', 'edges', '*', 'node']
  const body = { data: { edges: nodes, totalCount: 9 } }
  assert.deepEqual(numbersOf(body, 2, path), [9])
  assert.deepEqual(numbersOf(body, 1, path), [])
  assert.deepEqual(numbersOf(body, 1, path, { list: 'missing' }), [9])
  assert.deepEqual(numbersOf({ data: { edges: { a: nodes[0], b: nodes[1] }, totalCount: 9 } }, 2, path), [9])
  assert.deepEqual(numbersOf({ data: { edges: 'none', totalCount: 9 } }, 0, path), [])
  assert.deepEqual(numbersOf(nodes, 2, ['*', 'node']), [])
})

test('next to one thing, or where something else is counted, a number counts no records; an error claims nothing', () => {
  assert.deepEqual(numbersOf({ data: { id: 1 }, total: 9 }, 1), [])
  assert.deepEqual(
    pageClaims({ ...page, body: { data: [], total: 9 }, receivedCount: 0 }, { ...rules, countsRecords: false }).numbers,
    [],
  )
  const failed = pageClaims(
    { ...page, isError: true, body: { data: [], total: 9, next: '/b' }, receivedCount: 0 },
    rules,
  )
  assert.deepEqual(failed, { numbers: [], nexts: [], previous: [], starts: [] })
})

test('where the body is taken for the record, only a next page is believed, and no end', () => {
  const says = (next: unknown) =>
    pageClaims(
      { ...page, body: { items: [{ id: 1 }], next }, receivedCount: 1 },
      { ...rules, recordPath: [] },
    ).nexts.map((one) => one.says)
  assert.deepEqual([says('/b'), says(null)], [['more'], []])
})
