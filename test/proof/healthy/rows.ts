/** Rows that are alike, have no id, or share one for good reasons. */
import { byCursor, byOffset, byPage, drawData, type Family, pagesOf, type Row } from './healthy-api.ts'

const unkeyed = {}
const by = (...primary_key: string[]) => ({ stream: { primary_key } })

/** A read by page number over rows that the total counts. */
const total = ({ count }: { count: number }) => ({ body: { total: count } })

const same = (): Row => ({ status: 'ok', value: 0 })

export const rows: Family[] = [
  ['rows that are all alike, by page', (dice) => byPage(drawData(dice, same), undefined, unkeyed)],
  ['rows that are all alike, with a total', (dice) => byPage(drawData(dice, same), total, unkeyed)],
  [
    'rows that are all alike, after a cursor',
    (dice) =>
      byCursor({
        pages: pagesOf(drawData(dice, same)),
        around: ({ isLast, cursor }) => ({ body: { next: isLast ? null : cursor } }),
        more: unkeyed,
      }),
  ],
  [
    'many pages of rows that are all alike',
    () => byPage({ size: 2, rows: Array.from({ length: 401 }, same) }, total, unkeyed),
  ],
  [
    'pages of one row, all alike',
    (dice) => byPage({ size: 1, rows: Array.from({ length: dice.int(5, 40) }, same) }, total, unkeyed),
  ],
  [
    'rows of a few kinds without an id',
    (dice) =>
      byPage(
        drawData(dice, () => ({ status: dice.pick(['ok', 'warn', 'down']) })),
        total,
        unkeyed,
      ),
  ],
  [
    'rows of a few kinds without an id, after a cursor',
    (dice) =>
      byCursor({
        pages: pagesOf({
          size: 2,
          rows: Array.from({ length: dice.int(3, 30) }, () => ({ status: dice.pick(['ok', 'down']) })),
        }),
        around: ({ isLast, cursor }) => ({ body: { next: isLast ? null : cursor } }),
        more: unkeyed,
      }),
  ],
  [
    'the same keys on a few pages, with other values',
    (dice) => {
      const size = dice.int(2, 6)
      const snapshots = Array.from({ length: size * dice.int(2, 3) }, (_, index) => ({
        id: index % size,
        day: Math.floor(index / size),
      }))
      return byCursor({
        pages: pagesOf({ size, rows: snapshots }),
        around: ({ isLast, cursor }) => ({ body: { next: isLast ? null : cursor } }),
      })
    },
  ],
  [
    'pages with the same rows as the page before',
    (dice) => {
      const day = Array.from({ length: dice.int(2, 5) }, (_, index) => ({ shop: `s${index}`, sales: 0 }))
      const pages = Array.from({ length: dice.int(2, 3) }, () => day)
      return byCursor({
        pages,
        around: ({ isLast, cursor }) => ({ body: { next: isLast ? null : cursor } }),
        more: unkeyed,
      })
    },
  ],
  [
    'rows without an id',
    (dice) =>
      byOffset(
        drawData(dice, (index) => ({ name: `n${index}`, value: index % 7 })),
        total,
        unkeyed,
      ),
  ],
  [
    'rows whose id is missing or null',
    (dice) =>
      byOffset(
        drawData(dice, (index) => (index % 2 === 0 ? { id: null, at: index } : { at: index })),
        total,
      ),
  ],
  [
    'lines of orders, by the id of the order',
    (dice) =>
      byOffset(
        drawData(dice, (index) => ({ order: Math.floor(index / 3), line: index })),
        total,
        by('order'),
      ),
  ],
  [
    'orders whose lines continue on the next page',
    (dice) => {
      const { size, rows: lines } = drawData(dice, (index) => ({ order: index, line: index }), 4)
      // Only the first line of a page belongs to the order before it.
      return byOffset(
        {
          size,
          rows: lines.map((line, index) => (index % size === 0 && index > 0 ? { ...line, order: index - 1 } : line)),
        },
        total,
        by('order'),
      )
    },
  ],
  [
    'a key of two fields',
    (dice) =>
      byOffset(
        drawData(dice, (index) => ({ day: index % 4, shop: Math.floor(index / 4), sales: 3 })),
        total,
        by('day', 'shop'),
      ),
  ],
  [
    'ids longer than a number holds',
    (dice) =>
      byOffset(
        drawData(dice, (index) => ({ id: `90071992547409${index + 10_000}`, at: index })),
        total,
      ),
  ],
  [
    'ids that are texts and numbers',
    (dice) =>
      byOffset(
        drawData(dice, (index) => ({ id: index % 2 === 0 ? index : `k${index}` })),
        total,
      ),
  ],
  ['a single record that stays', () => byOffset({ size: 5, rows: [{ id: 1 }] }, total)],
]
