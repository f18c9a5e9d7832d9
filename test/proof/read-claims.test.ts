/** What is read from the first page, the second, the last and those between. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Claims } from '../../src/proof/claims/merge-claims.ts'
import { readClaims } from '../../src/proof/claims/read-claims.ts'
import { Float } from '../../src/std/json.ts'
import { claimsOfPages, plainRules, rows, type TestPage } from '../helpers/claims-of-pages.ts'

const page = (size: number, envelope: object = {}, more: Partial<TestPage> = {}): TestPage => ({
  body: { data: rows(size), ...envelope },
  ...more,
})
const counting = { isCounting: true }

test('a read shows its start where the API says that its first page is the first', () => {
  const isShown = (envelope: object, rules: object = counting) =>
    claimsOfPages([page(3, envelope), page(3)], rules).isStartShown === true
  assert.equal(isShown({ offset: 0 }), true)
  assert.equal(isShown({ offset: 1 }), true)
  assert.equal(isShown({ offset: 2 }), false)
  assert.equal(isShown({ page: 0 }), true)
  assert.equal(isShown({ page: 1 }), false)
  assert.equal(isShown({ offset: 0 }, {}), false)
  assert.equal(isShown({ page: 1, prev: null }), true)
  assert.equal(isShown({ page: 1, prev: '/items?page=0' }), false)
  assert.equal(isShown({}), false)
})

test('a read starts late where its first record is at least a page after the first of all', () => {
  const late = (offset: number, size: number, rules: object = counting) =>
    claimsOfPages([page(size, { offset })], rules).previous
  assert.deepEqual(late(3, 3), ['body', 'offset'])
  assert.deepEqual(late(2, 2), ['body', 'offset'])
  assert.equal(late(2, 3), null)
  assert.equal(late(1, 1), null)
  assert.equal(late(3, 0), null)
  assert.equal(late(3, 3, {}), null)
  assert.equal(claimsOfPages([page(3, { page: 9 })], counting).previous, null)
  assert.deepEqual(claimsOfPages([page(3, { prev: '/a' })]).previous, ['body', 'prev'])
})

test('pages are counted without errors, and filled pages without empty ones', () => {
  const { pages, filledPages, received, firstPageSize, isLastPageEmpty, isOver } = claimsOfPages([
    page(3),
    page(0),
    page(1),
    page(0, {}, { isError: true }),
  ])
  assert.deepEqual([pages, filledPages, received, firstPageSize, isLastPageEmpty, isOver], [3, 2, 4, 3, true, true])
  assert.equal(claimsOfPages([page(3), page(1)]).isLastPageEmpty, false)
})

test('later parts of a page add records and nothing else', () => {
  const claims = claimsOfPages([page(3, { total: 9 }), page(2, { total: 5 }, { part: 1, truncated: 2 })])
  assert.deepEqual([claims.pages, claims.filledPages, claims.received, claims.isOver], [1, 1, 5, true])
  assert.equal(claims.numbers[0]?.last, 9)
  assert.equal(claims.isLastPageEmpty, false)
  assert.deepEqual(claims.truncated, { page: 1, lists: 2 })
})

test('pages with their list are counted; of a read that an earlier version began, those with records', () => {
  const listed = (pages: TestPage[]) => {
    const claims = claimsOfPages(pages)
    return [claims.listed, claims.isLastListed]
  }
  assert.deepEqual(listed([page(3), page(0)]), [2, true])
  assert.deepEqual(listed([page(3, {}, { list: 'found' }), page(0, {}, { list: 'null' })]), [1, false])
  assert.deepEqual(listed([page(3), page(0, {}, { list: 'missing' })]), [1, false])
  const { listed: _, ...stored } = claimsOfPages([page(3), page(2), page(0)])
  const facts = { body: {}, headers: {}, receivedCount: 1, part: 0, isLast: true, isError: false }
  assert.equal(readClaims(stored, facts, plainRules).listed, 3)
})

test('a total is looked for on the first page, the second and the last', () => {
  const total = (...totals: (number | null)[]) => {
    const [claim] = claimsOfPages(totals.map((one) => page(1, one === null ? {} : { total: one }))).numbers
    return claim && [claim.page, claim.last]
  }
  assert.deepEqual(total(9, null, null), [1, 9])
  assert.deepEqual(total(null, 9, null), [2, 9])
  assert.equal(total(null, null, 9, null), undefined)
  assert.deepEqual(total(null, null, null, 9), [4, 9])
})

test('what was a sum on one page is no total on a later one', () => {
  const numbers = (...totals: number[]) => claimsOfPages(totals.map((total) => page(1, { total }))).numbers.length
  assert.equal(numbers(9, 9), 1)
  assert.equal(numbers(9.5, 10), 0)
  assert.equal(numbers(9, 9.5, 10), 0)
  assert.equal(numbers(9, 9.5, 10, 10), 0)
  // A fraction under another name is no sum, nor is a total that is whole.
  assert.equal(claimsOfPages([page(1, { took: 0.5 }), page(1, { total: 9 }), page(1)]).numbers.length, 1)
  assert.equal(claimsOfPages([page(1, { total: 9 }), page(1, { total_count: 9 }), page(1)]).numbers.length, 2)
  assert.equal(claimsOfPages([page(1, { total: new Float(9.5) }), page(1, { total_count: 9 })]).numbers.length, 0)
})

test('a next page that is named on the last page counts, one between does not', () => {
  const says = (...nexts: (string | null | undefined)[]) =>
    claimsOfPages(nexts.map((next) => page(1, next === undefined ? {} : { next }))).nexts.map(
      ({ first, last }) => `${first} ${last}`,
    )
  assert.deepEqual(says('/b', '/c', null), ['more end'])
  assert.deepEqual(says('/b', undefined, '/c'), ['more more'])
  assert.deepEqual(says(undefined, '/b', undefined), [])
  assert.deepEqual(says(undefined, undefined, '/b'), ['nothing more'])
})

test('an error has no claims of pages, and those before it are only remembered as a flag for more', () => {
  const claims = (has_more: boolean) => claimsOfPages([page(3, { has_more }), page(0, { has_more }, { isError: true })])
  assert.deepEqual([claims(true).nexts, claims(true).saidMore], [[], true])
  assert.deepEqual([claims(false).nexts, claims(false).saidMore], [[], undefined])
})

test('a flag keeps what the last page with records said', () => {
  const filled = (...pages: [size: number, has_more: boolean][]) =>
    claimsOfPages(pages.map(([size, has_more]) => page(size, { has_more }))).nexts[0]?.filled
  assert.equal(filled([3, true], [3, false]), 'end')
  assert.equal(filled([3, true], [1, false]), 'end')
  assert.equal(filled([3, true], [0, false]), 'more')
})

test('the position moves with pages that have records', () => {
  const gap = (...pages: [size: number, offset: number][]) => {
    const { position } = claimsOfPages(
      pages.map(([size, offset]) => page(size, { offset })),
      counting,
    )
    return position && [position.isMoving, position.gap]
  }
  assert.deepEqual(gap([3, 0], [3, 3], [1, 6]), [true, null])
  assert.deepEqual(gap([3, 0], [3, 3], [1, 7]), [true, 3])
  assert.deepEqual(gap([3, 0], [0, 9]), [false, null])
})

test('whether the read follows the API is known from the first page, if it counts or has the cursor of the API', () => {
  const isOff = (rules: object, envelope: object = { next: '/items?page=2' }) =>
    claimsOfPages([page(3, envelope, { next: { value: 5 } }), page(3)], rules).isOffTrack === true
  assert.equal(isOff({ isCounting: true }), true)
  assert.equal(isOff({ isCursorOfApi: true }), true)
  assert.equal(isOff({}), false)
  assert.equal(isOff({ isCounting: true }, { next: '/items?page=5' }), false)
})

test('a page that ends with two records of one cursor value is kept, the first one', () => {
  const tied = (...ends: ([unknown, unknown] | null)[]) =>
    claimsOfPages(
      ends.map((end) => page(2, {}, end === null ? {} : { lastTwo: end.map((at) => ({ at })) })),
      { cursorField: ['at'] },
    ).tied
  assert.equal(tied([1, 2], [3, 3], [4, 4]), 2)
  assert.equal(tied([1, 2], [2, 3], null), undefined)
  assert.equal(tied([undefined, undefined]), undefined)
  assert.equal(tied(null), undefined)
  assert.equal(claimsOfPages([page(2, {}, { lastTwo: [{ at: 1 }, { at: 1 }] })]).tied, undefined)
})

test('the first page with cut lists, an error or a gap next to its records is kept', () => {
  const seen = (...pages: Partial<TestPage>[]) => {
    const { truncated, reported, withoutRecords, hasRecordsAfter }: Claims = claimsOfPages(
      pages.map((more) => page(2, {}, more)),
    )
    return { truncated, reported, withoutRecords, hasRecordsAfter }
  }
  const none = { truncated: undefined, reported: undefined, withoutRecords: undefined, hasRecordsAfter: undefined }
  assert.deepEqual(seen({}, {}), none)
  assert.deepEqual(seen({}, { truncated: 2 }, { truncated: 5 }), { ...none, truncated: { page: 2, lists: 2 } })
  assert.deepEqual(seen({}, { isReported: true }, { isReported: true }), { ...none, reported: 2 })
  assert.deepEqual(seen({}, { hasNoRecords: true }, { hasNoRecords: true }), {
    ...none,
    reported: 2,
    withoutRecords: 2,
  })
  assert.deepEqual(seen({ hasNoRecords: true }, {}), {
    ...none,
    reported: 1,
    withoutRecords: 1,
    hasRecordsAfter: true,
  })
})

test('the first page with members that are no records is kept', () => {
  const partial = (...pages: unknown[][]) =>
    claimsOfPages(
      pages.map((body) => ({ body })),
      { recordPath: [] },
    ).partial
  assert.equal(partial([{ id: 1 }], [{ id: 2 }, null], [null]), 2)
  assert.equal(partial([{ id: 1 }], [{ id: 2 }]), undefined)
})

test('that the API names its next pages by count is remembered', () => {
  assert.equal(claimsOfPages([page(1, {}, { isNextCounted: true }), page(1)]).isCounted, true)
  assert.equal(claimsOfPages([page(1), page(1)]).isCounted, undefined)
  assert.equal(claimsOfPages([page(1)]).isCounted, undefined)
})

test('the envelope of the first page is kept', () => {
  const { envelope } = claimsOfPages([page(1, { next: 'b', kind: 'k' }), page(1, { etag: 'e' }), page(1)])
  assert.deepEqual(envelope, ['kind'])
  assert.equal(claimsOfPages([page(1), page(1)]).envelope, undefined)
})
