/** Pages that are empty, short or of different sizes in the middle, and data that grows, shrinks or changes meanwhile. */
import type { Dice } from '../../helpers/dice.ts'
import {
  byCursor,
  byOffset,
  countedAnswer,
  drawData,
  type Family,
  keyed,
  pagesOf,
  plainRow,
  type Row,
} from './healthy-api.ts'

const withNull: Parameters<typeof byCursor>[0]['around'] = ({ isLast, cursor }) => ({
  body: { next: isLast ? null : cursor },
})

/** Any number of records on each page, up to the size. */
function ragged(dice: Dice, least: number): Row[][] {
  const { size, rows } = drawData(dice)
  const pages: Row[][] = []
  for (let start = 0; start < rows.length; ) {
    const take = dice.int(least, size)
    pages.push(rows.slice(start, start + take))
    start += take
  }
  return pages.length === 0 ? [[]] : pages
}

export const pages: Family[] = [
  [
    'empty pages in between',
    (dice) =>
      byCursor({
        pages: pagesOf(drawData(dice)).flatMap((page) => (dice.chance(0.4) ? [[], page] : [page])),
        around: withNull,
      }),
  ],
  ['a filter that leaves nothing of most pages', (dice) => byCursor({ pages: ragged(dice, 0), around: withNull })],
  ['short pages in between', (dice) => byCursor({ pages: ragged(dice, 1), around: withNull })],
  [
    'pages of different sizes, with a total',
    (dice) =>
      byCursor({
        pages: ragged(dice, 1),
        around: ({ isLast, cursor, count }) => ({ body: { total: count, next: isLast ? null : cursor } }),
      }),
  ],
  [
    'a page size in the response that is not that of the page',
    (dice) =>
      byCursor({
        pages: ragged(dice, 1),
        around: ({ isLast, cursor }) => ({ body: { limit: 100, next: isLast ? null : cursor } }),
      }),
  ],
  [
    'records that the manifest filters',
    (dice) => {
      const data = drawData(dice)
      const api = byOffset(data, ({ count }) => ({ body: { total: count } }), {
        ...keyed,
        selector: { record_filter: { type: 'RecordFilter', condition: '{{ record.id % 3 == 0 }}' } },
      })
      return { ...api, records: data.rows.filter(({ id }) => Number(id) % 3 === 0).length }
    },
  ],
  [
    'records added at the end of a read by offset',
    (dice) => {
      const { size, rows } = drawData(dice, plainRow, 1)
      const late = dice.int(1, 4)
      const all = [...rows, ...Array.from({ length: late }, (_, index) => plainRow(rows.length + index))]
      const api = byOffset({ size, rows: all })
      const answer = (query: URLSearchParams) => {
        const start = Number(query.get('offset') ?? 0)
        const now = start === 0 && rows.length >= size ? rows : all
        return countedAnswer({ size, rows: now }, start, ({ count }) => ({ body: { total: count } }))
      }
      return { ...api, routes: { 'GET /items': answer } }
    },
  ],
  [
    'records added in front of a cursor',
    (dice) =>
      byCursor({
        pages: pagesOf(drawData(dice)),
        around: ({ isLast, cursor, count, index }) => ({
          body: { total: count + index, next: isLast ? null : cursor },
        }),
      }),
  ],
  [
    'records deleted after a cursor',
    (dice) =>
      byCursor({
        pages: pagesOf(drawData(dice)),
        around: ({ isLast, cursor, count, index }) => ({
          body: { total: Math.max(0, count - index), next: isLast ? null : cursor },
        }),
      }),
  ],
  [
    'a record that changes and comes again, by its time of change',
    (dice) => {
      const rows = drawData(dice, (index) => ({ id: index, version: 1 }), 4).rows
      const moved = rows.slice(0, dice.int(1, 3)).map((row) => ({ ...row, version: 2 }))
      return byCursor({ pages: pagesOf({ size: dice.int(2, 5), rows: [...rows, ...moved] }), around: withNull })
    },
  ],
  [
    'an error on the way that a second try fixes',
    (dice) => {
      const api = byOffset(drawData(dice), ({ count }) => ({ body: { total: count } }))
      const { 'GET /items': inner } = api.routes
      const failed = new Set<string>()
      return {
        ...api,
        routes: {
          'GET /items': (query, request) => {
            if (failed.has(query.toString())) return (inner as NonNullable<typeof inner>)(query, request)
            failed.add(query.toString())
            return { status: 503, json: { error: 'busy' } }
          },
        },
      }
    },
  ],
  ['nothing at all, by offset', () => byOffset({ size: 5, rows: [] })],
  ['nothing at all, with a total', () => byOffset({ size: 5, rows: [] }, () => ({ body: { total: 0 } }))],
  [
    'nothing at all, called one page',
    () => byOffset({ size: 5, rows: [] }, () => ({ body: { total_pages: 1, page: 1 } })),
  ],
  [
    'nothing at all, called no page',
    () => byOffset({ size: 5, rows: [] }, () => ({ body: { total_pages: 0, page: 0 } })),
  ],
]
