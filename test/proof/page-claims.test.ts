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
