/** Numbers next to the records: totals in good order, and numbers that only look like them. */
import type { Dice } from '../../helpers/dice.ts'
import {
  type Around,
  byCursor,
  byOffset,
  byPage,
  type CountedPage,
  drawData,
  type Family,
  pagesOf,
  plainRow,
  type Row,
} from './healthy-api.ts'

const offset =
  (around: (page: CountedPage) => Around, rowAt?: (index: number) => Row): Family[1] =>
  (dice: Dice) =>
    byOffset(drawData(dice, rowAt), around)

const page =
  (around: (page: CountedPage) => Around): Family[1] =>
  (dice: Dice) =>
    byPage(drawData(dice), around)

const sold = (index: number): Row => ({ id: index, amount: 10 + (index % 5), currency: 'EUR' })
const sumOf = (rows: readonly Row[]) => rows.reduce((sum, { amount }) => sum + Number(amount), 0)

/** More than Elasticsearch counts. */
const many = (dice: Dice) => ({
  size: 2_000,
  rows: Array.from({ length: 10_000 + dice.int(1, 900) }, (_, index) => ({ id: index })),
})

export const counts: Family[] = [
  ['a total', offset(({ count }) => ({ body: { total: count } }))],
  ['a total in quotes', offset(({ count }) => ({ body: { meta: { total_count: String(count) } } }))],
  ['a total in a header', offset(({ count }) => ({ headers: { 'X-Total-Count': String(count) } }))],
  ['total pages', page(({ pages: all, page: now }) => ({ body: { page: now, total_pages: all } }))],
  [
    'the number of the last page',
    page(({ pages: all, page: now }) => ({ body: { meta: { current_page: now, last_page: Math.max(1, all) } } })),
  ],
  ['a total on the first page only', offset(({ count, start }) => ({ body: start === 0 ? { total: count } : {} }))],
  ['a total that is null', offset(() => ({ body: { total: null } }))],
  ['a total of -1', offset(() => ({ body: { total: -1 } }))],
  ['a total of 0 next to records', offset(() => ({ body: { total: 0 } }))],
  [
    'a count that is the size of the page',
    offset(({ rows, start }) => ({ body: { count: rows.length, offset: start } })),
  ],
  ['a total that is the size of the page', offset(({ rows }) => ({ body: { total: rows.length } }))],
  ['a count that is the size requested', offset(({ size, start }) => ({ body: { count: size, offset: start } }))],
  ['a total that is money: the sum of the page', offset(({ rows }) => ({ body: { total: sumOf(rows) } }), sold)],
  [
    'a total that is money, in euros',
    offset(({ count }) => ({ body: { summary: { total: count * 12_345, currency: 'EUR' } } }), sold),
  ],
  ['a total that is money, with cents', offset(({ count }) => ({ body: { total: count * 10 + 0.5 } }), sold)],
  [
    'a total of something else, in an object of its own',
    offset(() => ({ body: { account: { id: 7, total: 900 }, stats: { total_views: 4_711 } } })),
  ],
  [
    'all there are and all that match',
    offset(({ count }) => ({ body: { recordsTotal: count * 3 + 50, recordsFiltered: count } })),
  ],
  [
    'two totals that contradict each other',
    offset(({ count }) => ({ body: { total: count, total_count: count * 2 + 9 } }), sold),
  ],
  ['an estimate', offset(({ count }) => ({ body: { estimated_total: count * 2 + 9, resultSizeEstimate: count + 3 } }))],
  ['"at least" so many', offset(({ count }) => ({ body: { hits: { total: { value: count, relation: 'gte' } } } }))],
  [
    '"at least" 10,000 of more',
    (dice) => byOffset(many(dice), () => ({ body: { total: { value: 10_000, relation: 'gte' } } })),
  ],
  [
    'a total that is cut at 10,000',
    (dice) => byOffset(many(dice), ({ count }) => ({ body: { total: Math.min(count, 10_000) } })),
  ],
  ['a total that is out of date', offset(({ count }) => ({ body: { total: Math.max(0, count - 1) } }))],
  [
    'lists next to the records, with counts of their own',
    offset(({ count }) => ({
      body: { total: count, included: [{ id: 1 }, { id: 2 }], facets: [{ name: 'a', count: 99 }] },
    })),
  ],
  ['a date called next', offset(() => ({ body: { next_payment: '2027-01-01', next: '2027-01-01T00:00:00Z' } }))],
  [
    'a limit on requests',
    offset(() => ({ headers: { 'X-RateLimit-Limit': '100', 'X-RateLimit-Remaining': '57', 'X-Request-Count': '3' } })),
  ],
  [
    'the total of a search whose cursor comes to its end',
    (dice) =>
      byCursor({
        pages: pagesOf(drawData(dice, plainRow, 1)),
        around: ({ count, isLast, cursor }) => ({
          body: { hits: { total: { value: count, relation: 'eq' } }, next: isLast ? null : cursor },
        }),
      }),
  ],
]
