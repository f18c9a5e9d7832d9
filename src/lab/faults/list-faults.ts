/** Faults of the list: pages that are short, repeated or in a circle, rows that move, a wrong total. */
import { type Fault, faultyPage, pageOf, type Trait, type PageRequest, type Segment } from './fault.ts'
import { wholeList, withGap, withHidden, withNewRows, withoutRows, withRepeat } from './serve-page.ts'

const isSized = (traits: readonly Trait[]) => traits.includes('sized')
/** A client that continues from the last record of a page cannot pass a page that has none, or no new one. */
const isSizedByPlace = (traits: readonly Trait[]) => isSized(traits) && !traits.includes('keyed')
/** Half a page, so that the numbers of records and of pages both change. */
const half = (limit: number) => Math.ceil(limit / 2)
const hasMoved = (wanted: PageRequest) => pageOf(wanted) >= faultyPage

export const listFaults: readonly Fault[] = [
  {
    name: 'repeated-cursor',
    says: 'names page 2 as the page after page 2',
    survive: 'Notice that the same page is repeated, and stop with an error.',
    suits: (traits) => traits.includes('next'),
    hooks: () => ({ next: (next, wanted) => (pageOf(wanted) >= 1 ? wanted.start : next) }),
  },
  {
    name: 'cycle',
    says: 'goes back to page 2 after page 3',
    survive: 'Notice that pages are repeated, and stop with an error.',
    suits: isSized,
    hooks: () => ({
      place: ({ start, limit }) => inCircle(start, limit),
      next: (next, { limit }) => (next === null ? null : inCircle(next, limit)),
    }),
  },
  {
    name: 'empty-page',
    says: 'sends an empty page 3, and the records one page later',
    survive: 'Continue as long as the API names a next page or has sent fewer records than its total.',
    suits: isSizedByPlace,
    hooks: () => ({ layout: ({ limit }, size) => withGap(size, limit * faultyPage, limit) }),
  },
  {
    name: 'short-page',
    says: 'sends half a page as page 3, and the rest afterwards',
    survive: 'Do not treat a short page as the last one if the API reports more.',
    suits: isSized,
    hooks: () => ({
      layout: shortened,
      next: (next, wanted) => (isCutShort(wanted) && next !== null ? wanted.start + half(wanted.limit) : next),
    }),
  },
  {
    name: 'duplicate-page',
    says: 'sends page 3 twice',
    survive: 'Identify records by their key, and report duplicates.',
    suits: isSizedByPlace,
    hooks: () => ({ layout: ({ limit }, size) => withRepeat(size, limit * (faultyPage + 1), limit) }),
  },
  {
    name: 'inserted-rows',
    says: 'inserts half a page of new rows at the front before page 3 is requested',
    survive: 'Continue from a record instead of a number, or notice duplicates.',
    suits: isSized,
    hooks: () => ({
      layout: (wanted, size) => withNewRows(size, slipOf(wanted)),
      total: (size, wanted) => size + (hasMoved(wanted) ? half(wanted.limit) : 0),
    }),
  },
  {
    name: 'deleted-rows',
    says: 'loses its first half page before page 3 is requested',
    survive: 'Continue from a record instead of a number, or notice that the total changed.',
    suits: isSized,
    hooks: () => ({
      layout: (wanted, size) => withoutRows(size, slipOf(wanted)),
      total: (size, wanted) => Math.max(0, size - (hasMoved(wanted) ? half(wanted.limit) : 0)),
    }),
  },
  {
    name: 'wrong-total',
    says: 'counts a page of records more than it has',
    survive: 'Trust the records, and report the difference.',
    suits: (traits) => traits.includes('total'),
    hooks: () => ({ total: (size, { limit }) => size + limit }),
  },
]

/** Numbered pages continue with the next number, which has what was left out. A client that counts records requests it. */
function shortened(wanted: PageRequest, size: number): readonly Segment[] {
  const { limit, by } = wanted
  const end = limit * faultyPage + half(limit)
  if (by !== 'records') return withGap(size, end, limit - half(limit))
  return isCutShort(wanted) ? withHidden(size, end, limit - half(limit)) : wholeList(size)
}

function isCutShort({ start, limit, by }: PageRequest): boolean {
  return by === 'records' && start === limit * faultyPage
}

/** How far rows have moved, for clients that go by their number. */
function slipOf(wanted: PageRequest): number {
  return hasMoved(wanted) && wanted.by !== 'record' ? half(wanted.limit) : 0
}

/** After page 3 comes page 2. */
function inCircle(start: number, limit: number): number {
  const circle = faultyPage * limit
  return start < circle + limit ? start : limit + ((start - limit) % circle)
}
