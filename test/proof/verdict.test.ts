import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StopReason } from '../../src/engine/pagination/next-page.ts'
import type { SliceEvidence } from '../../src/proof/verdict/verdict.ts'
import type { KeyCounts } from '../../src/proof/keys/track-keys.ts'
import { judgeSlice } from '../../src/proof/verdict/judge-slice.ts'
import { noKeys } from '../helpers/receipts.ts'
import { plainRules, rows, claimsOfPages, type TestPage } from '../helpers/claims-of-pages.ts'

type More = Partial<Pick<SliceEvidence, 'rules' | 'keys' | 'error' | 'isResumed' | 'hasGap'>>
type Row = [name: string, stop: StopReason, pages: TestPage[], expected: string, more?: More]

const page = (size: number, envelope: object = {}): TestPage => ({ body: { data: rows(size), ...envelope } })
const sliced = { rules: { ...plainRules, isSliced: true } }
const early = { rules: { ...plainRules, mayStopEarly: true } }
const asking = (askedSize: number): More => ({ rules: { ...plainRules, askedSize } })
const ownCursor = { rules: { ...plainRules, isCursorOfApi: true } }
const counted = (counts: Partial<KeyCounts>): More => ({
  keys: { ...noKeys, ...counts },
})

function judge(stop: StopReason, pages: TestPage[], more: More = {}): string {
  const claims = claimsOfPages(pages, more.rules)
  const { verdict, reason } = judgeSlice({ received: claims.received, stop, claims, rules: plainRules, ...more })
  return `${verdict}: ${reason}`
}

function table(name: string, shapes: Row[]): void {
  describe(name, () => {
    for (const [row, stop, pages, expected, more] of shapes) {
      test(row, () => assert.equal(judge(stop, pages, more), expected))
    }
  })
}

table('a read is complete', [
  ['when it brought the total', 'short-page', [page(3, { total: 5 }), page(2, { total: 5 })], 'complete: total 5'],
  ['when there is nothing', 'empty-page', [page(0, { total: 0 })], 'complete: total 0'],
  [
    'when it met a count',
    'no-cursor',
    [page(3, { count: 5, next: '/b' }), page(2, { count: 5, next: null })],
    'complete: total 5',
  ],
  [
    'when the API says that this was the last page',
    'stop-condition',
    [page(3, { has_more: true }), page(3, { has_more: false })],
    'complete: the API says that this was the last page',
  ],
  [
    'when the flag for more is gone from the last page',
    'stop-condition',
    [page(3, { has_more: true }), page(3)],
    'complete: the last page no longer says that there is more',
  ],
  [
    'when no next page is named any more',
    'short-page',
    [page(3, { next: '/b' }), page(2, { next: null })],
    'complete: the last page names no next page',
  ],
  [
    'when the cursor of the manifest is gone',
    'no-cursor',
    [page(3, { offset: 'itr1' }), page(3)],
    'complete: the last page names no next page',
    ownCursor,
  ],
  [
    'when all pages were read',
    'short-page',
    [page(3, { total_pages: 2 }), page(1, { total_pages: 2 })],
    'complete: 2 of 2 pages',
  ],
  [
    'when all pages were read, and an empty one',
    'empty-page',
    [page(3, { total_pages: 1 }), page(0, { total_pages: 1 })],
    'complete: 1 of 1 page',
  ],
  [
    'when the link to the last page led there',
    'short-page',
    [page(3, { links: { next: '/a?page=2', last: '/a?page=2' } }), page(2)],
    'complete: 2 of 2 pages',
  ],
  ['when there is one page, and it is empty', 'empty-page', [page(0, { total_pages: 1 })], 'complete: 0 of 1 page'],
  [
    'when the total is met, although a next page is always named',
    'short-page',
    [page(3, { total: 4, next: '/b' }), page(1, { total: 4, next: '/c' })],
    'complete: total 4',
  ],
  [
    'when data moved while a cursor was followed to its end',
    'no-cursor',
    [page(3, { total: 5, next: '/b' }), page(3, { total: 6, next: null })],
    'complete: the total went from 5 to 6 during the read',
  ],
  [
    'when the pages were counted anew while a cursor was followed to its end',
    'no-cursor',
    [page(3, { total_pages: 2, next: 'b' }), page(3, { total_pages: 3, next: null })],
    'complete: the last page names no next page',
  ],
  [
    'when a page between was empty',
    'stop-condition',
    [page(3, { total_pages: 3 }), page(0, { total_pages: 3 }), page(1, { total_pages: 3 })],
    'complete: 3 of 3 pages',
  ],
  [
    'when what came again had changed, from record to record',
    'no-cursor',
    [page(3, { next: 'b' }), page(2, { next: null })],
    'complete: the last page names no next page',
    counted({ repeated: 1, changed: 1 }),
  ],
  [
    'when an earlier run read its first pages, from record to record',
    'no-cursor',
    [page(3, { next: 'b' }), page(2, { next: null })],
    'complete: the last page names no next page',
    { hasGap: true },
  ],
  [
    'when rows share what is not their key, and the total is met',
    'short-page',
    [page(3, { total: 5 }), page(2, { total: 5 })],
    'complete: total 5',
    counted({ alike: 1, clashing: 1 }),
  ],
])

table('a read is incomplete', [
  [
    'when a date in the stop condition may have ended it',
    'stop-condition',
    [page(3, { total: 57, has_more: true })],
    'incomplete: the API counts 57, received 3',
    early,
  ],
  [
    'when a class ended it',
    'strategy',
    [page(3, { total: 57, has_more: true })],
    'incomplete: the API counts 57, received 3',
  ],
  [
    'when an error was ignored after a page that says there is more',
    'ignored',
    [page(3, { has_more: true }), page(3, { has_more: true }), { body: {}, isError: true }],
    'incomplete: an error was ignored, as the manifest says, and the page before it says there is more',
  ],
  ['when the total is larger', 'short-page', [page(3, { total: 57 })], 'incomplete: the API counts 57, received 3'],
  [
    'when the total is larger by one',
    'no-cursor',
    [page(3, { total: 6, next: '/b' }), page(2, { total: 6, next: null })],
    'incomplete: the API counts 6, received 5',
  ],
  [
    'when every total of the read was larger',
    'short-page',
    [page(3, { total: 57 }), page(1, { total: 60 })],
    'incomplete: the API counts 57, received 4',
  ],
  [
    'when a short page says there is more',
    'short-page',
    [page(3, { has_more: true })],
    'incomplete: the last page says there is more',
  ],
  [
    'when a short page links to the next',
    'short-page',
    [page(3, { next: '/b' })],
    'incomplete: the last page still names a next page',
  ],
  [
    'when it is not paginated, and the API is',
    'not-paginated',
    [page(3, { next_cursor: 'abc' })],
    'incomplete: the last page still names a next page',
  ],
  [
    'when it is not paginated, and the total is larger',
    'not-paginated',
    [page(3, { total: 4 })],
    'incomplete: the API counts 4, received 3',
  ],
  [
    'when the cursor was read in the wrong place',
    'no-cursor',
    [page(3, { next_cursor: 'abc' })],
    'incomplete: the last page still names a next page',
  ],
  ['when pages are left', 'short-page', [page(3, { total_pages: 4 })], 'incomplete: the API has 4 pages, read 1'],
  [
    'when pages are left, although a token says nothing sure',
    'short-page',
    [page(3, { total_pages: 4, next_token: 't' })],
    'incomplete: the API has 4 pages, read 1',
  ],
  [
    'when the condition stops before the API does',
    'stop-condition',
    [page(3, { has_more: true })],
    'incomplete: the last page says there is more',
  ],
  [
    'when the API sends less than was requested, and counts more',
    'short-page',
    [page(100, { total: 250 })],
    'incomplete: the API counts 250, received 100; it sends at most 100 a page where 500 were requested',
    asking(500),
  ],
  [
    'when the API sends less than was requested, and links to more',
    'short-page',
    [page(100, { links: { next: '/b' } })],
    'incomplete: the last page still names a next page; it sends at most 100 a page where 500 were requested',
    asking(500),
  ],
  [
    'when the API sends less than was requested, and says that there is more',
    'stop-condition',
    [page(100, { has_more: true })],
    'incomplete: the last page says there is more; it sends at most 100 a page where 500 were requested',
    asking(500),
  ],
  [
    'when the API sends less than was requested, and has more pages',
    'short-page',
    [page(100, { total_pages: 3 })],
    'incomplete: the API has 3 pages, read 1; it sends at most 100 a page where 500 were requested',
    asking(500),
  ],
  [
    'when a short page in the middle ended it: the size requested is not to blame',
    'short-page',
    [page(3, { total: 9 }), page(1, { total: 9 })],
    'incomplete: the API counts 9, received 4',
    asking(3),
  ],
  [
    'when an empty page in the middle ended it',
    'empty-page',
    [page(3, { total: 9 }), page(0, { total: 9 })],
    'incomplete: the API counts 9, received 3',
    asking(3),
  ],
  ['at a limit', 'limit', [page(3, { total: 3 })], 'incomplete: stopped at the page limit'],
  ['after an error', 'error', [page(3, { total: 3 })], 'incomplete: ended by an error'],
  [
    'after an error that has a code',
    'error',
    [page(3, { total: 3 })],
    'incomplete: ended by an error: pagination/not-a-number',
    { error: 'pagination/not-a-number' },
  ],
  [
    'when it began in the middle, and says at its end that there is more',
    'short-page',
    [page(3, { total: 9, has_more: true })],
    'incomplete: the last page says there is more',
    { isResumed: true },
  ],
  [
    'when a slice is cut, whatever its total counts',
    'short-page',
    [page(3, { total: 57, has_more: true })],
    'incomplete: the API counts 57, received 3',
    sliced,
  ],
])

table('a read is unproven', [
  [
    'when what came again had changed, and pages are counted',
    'short-page',
    [page(3, { next: '/b' }), page(2, { next: null })],
    'unproven: the last page names no next page, but 1 record received again with other values, so others may have been skipped',
    counted({ repeated: 1, changed: 1 }),
  ],
  [
    'when the total is met by a record that came twice, changed',
    'no-cursor',
    [page(3, { total: 5, next: 'b' }), page(2, { total: 5, next: null })],
    'unproven: total 5, but 1 record received more than once, so as many may be missing',
    counted({ unique: 4, repeated: 1, changed: 1 }),
  ],
  [
    'when the total is met by a row that a page has twice',
    'short-page',
    [page(3, { total: 5 }), page(2, { total: 5 })],
    'unproven: total 5, but 1 record received more than once, so as many may be missing',
    counted({ unique: 4, alike: 1 }),
  ],
  [
    'when an earlier run read its first pages, and pages are counted',
    'short-page',
    [page(3, { total: 5 }), page(2, { total: 5 })],
    'unproven: total 5, but it was interrupted, and records may have moved before it resumed',
    { hasGap: true },
  ],
  [
    'when a count that may be the total is larger',
    'no-cursor',
    [page(3, { count: 6, next: '/b' }), page(2, { count: 6, next: null })],
    'unproven: the last page names no next page, but the API also counts 6 (count)',
  ],
  [
    'when a count that may be the total became smaller, and pages are counted',
    'no-cursor',
    [{ ...page(3, { count: 6, next: '/a?page=2' }), isNextCounted: true }, page(2, { count: 5, next: null })],
    'unproven: the last page names no next page, but the API also counts 6 (count)',
  ],
  ['when the API reports no total', 'not-paginated', [page(3)], 'unproven: the API reports no total'],
  ['when the cursor never was there', 'no-cursor', [page(3)], 'unproven: the API reports no total', ownCursor],
  [
    'when the total may count other slices',
    'short-page',
    [page(3, { total: 57 })],
    'unproven: the API counts 57, received 3',
    sliced,
  ],
  [
    'when pages may be those of other slices',
    'short-page',
    [page(3, { total_pages: 4 })],
    'unproven: the API has 4 pages, read 1',
    sliced,
  ],
  [
    'when a flag says more after such an end',
    'stop-condition',
    [page(3, { has_more: true })],
    'unproven: the last page says there is more',
    early,
  ],
  [
    'when a data feed came to old records',
    'read-before',
    [page(3, { total: 57, next: '/b' })],
    'unproven: read up to the records of an earlier read',
  ],
  [
    'when more came than the API counts, and nothing came twice',
    'short-page',
    [page(3, { total: 4 }), page(2, { total: 4 })],
    'unproven: the API counts 4, received 5',
  ],
  [
    'when the total moved',
    'short-page',
    [page(3, { total: 5 }), page(2, { total: 6 })],
    'unproven: the total went from 5 to 6 during the read',
  ],
  [
    'when an empty page names another',
    'empty-page',
    [page(3, { next: '/b' }), page(0, { next: '/c' })],
    'unproven: the last page still names a next page',
  ],
  [
    'when an empty page says there is more',
    'empty-page',
    [page(3, { has_more: true }), page(0, { has_more: true })],
    'unproven: the last page says there is more',
  ],
  [
    'when a short page has a token for the next poll',
    'short-page',
    [page(3, { next_token: 't3' })],
    'unproven: the last page still names a next page',
  ],
  [
    'when the condition stops next to a link',
    'stop-condition',
    [page(3, { next: '/b' })],
    'unproven: the last page still names a next page',
  ],
  [
    'when total and flag contradict each other',
    'short-page',
    [page(3, { total: 3, has_more: true })],
    'unproven: total 3, but the last page says there is more',
  ],
  [
    'when the API’s own pointers were followed to their end, and its total counts another thing',
    'no-cursor',
    [page(3, { total: 9, next: '/b' }), page(2, { total: 9, next: null })],
    'unproven: the API counts 9, received 5, and names no page after the last',
    ownCursor,
  ],
  [
    'when the cursor under a condition ends it next to a token for the next poll',
    'no-cursor',
    [page(3, { next_token: 't' })],
    'unproven: the last page still names a next page',
    { rules: { ...plainRules, isCursorOfApi: true, isCursorConditional: true } },
  ],
  [
    'when it began in the middle of the slice, whatever is counted there',
    'short-page',
    [page(3, { total: 9 })],
    'unproven: started in the middle of the slice',
    { isResumed: true },
  ],
  [
    'when it began in the middle, and what is left is the total by chance',
    'short-page',
    [page(3, { total: 3 })],
    'unproven: started in the middle of the slice',
    { isResumed: true },
  ],
  [
    'when pages that may start again brought records again',
    'empty-page',
    [page(3), page(3)],
    'unproven: the API reports no total, but 3 records received more than once, because its pages may restart',
    { ...counted({ repeated: 3, repeatedPage: 2 }), rules: { ...plainRules, mayStartAgain: true } },
  ],
  [
    'when only the last of several downloads was heard',
    'short-page',
    [page(3, { next: '/b' }), page(2, { next: null })],
    'unproven: the last download reports that it is complete, which shows nothing about the others',
    { rules: { ...plainRules, isOfDownloads: true } },
  ],
  [
    'when a link to the last page counts more: data may have gone meanwhile',
    'empty-page',
    [page(3, { links: { next: '/a?page=2', last: '/a?page=4' } }), page(2), page(0)],
    'unproven: the API has 4 pages, read 2',
  ],
  [
    'when the first page names a previous page',
    'short-page',
    [page(3, { prev: '/a', next: '/c' }), page(2, { prev: '/b', next: null })],
    'unproven: the first page names a previous page',
  ],
  [
    'when a page of several was empty',
    'empty-page',
    [page(3, { total_pages: 2 }), page(0, { total_pages: 2 })],
    'unproven: the API has 2 pages, read 1',
  ],
  [
    'when the size requested is called count',
    'short-page',
    [page(3, { count: 100, offset: 0 })],
    'unproven: the API reports no total',
  ],
  [
    'when an error was ignored after a page that says there is no more',
    'ignored',
    [page(3, { has_more: true }), page(2, { has_more: false }), { body: {}, isError: true }],
    'unproven: an error was ignored, as the manifest says',
  ],
  [
    'when an error ended it',
    'ignored',
    [page(3, { next: '/b' }), { body: { total: 9, next: '/c' }, isError: true }],
    'unproven: an error was ignored, as the manifest says',
  ],
  [
    'when records came again by a key that no one named',
    'short-page',
    [page(3, { total: 5 }), page(2, { total: 5 })],
    'unproven: total 5, but 1 record received more than once',
    counted({ repeated: 1, isAssumed: true }),
  ],
  ['when a job has nothing', 'nothing-to-download', [page(0)], 'unproven: the job listed nothing to download'],
  [
    'when pages that are counted were fewer at its end',
    'short-page',
    [page(3, { total_pages: 3 }), page(3, { total_pages: 2 }), page(0, { total_pages: 2 })],
    'unproven: the API had 3 pages, and 2 at the end of the read',
  ],
  [
    'when more pages are counted than its links lead to',
    'no-cursor',
    [page(3, { total_pages: 3, next: '/b' }), page(2, { total_pages: 3, next: null })],
    'unproven: the API has 3 pages, read 2',
    ownCursor,
  ],
  [
    'when data moved while links were followed that count',
    'no-cursor',
    [{ ...page(3, { total: 5, next: '/b?$skip=3' }), isNextCounted: true }, page(3, { total: 6, next: null })],
    'unproven: the total went from 5 to 6 during the read',
  ],
])

table('a read is duplicated', [
  [
    'when a page came twice',
    'short-page',
    [page(3), page(3), page(1)],
    'duplicated: page 2 has only records of earlier pages',
    counted({ repeated: 3, repeatedPage: 2 }),
  ],
  [
    'when records came again among the total',
    'short-page',
    [page(3, { total: 5 }), page(2, { total: 5 })],
    'duplicated: total 5, but 1 record received more than once',
    counted({ repeated: 1 }),
  ],
  [
    'when records came again, and the API reports no total',
    'short-page',
    [page(3), page(2)],
    'duplicated: 1 record received more than once',
    counted({ repeated: 1 }),
  ],
  [
    'when records came again, as many as are too many',
    'short-page',
    [page(3, { total: 4 }), page(2, { total: 4 })],
    'duplicated: the API counts 4, received 5, 1 of them duplicates',
    counted({ repeated: 1 }),
  ],
])

test('pages are missing before they are doubled', () => {
  const verdict = judge('short-page', [page(3, { total: 57 })], counted({ repeated: 3, repeatedPage: 2 }))
  assert.equal(verdict, 'incomplete: the API counts 57, received 3')
})

test('numbers are written for people', () => {
  const claims = { ...claimsOfPages([page(3, { total: 12_441 })]), received: 12_300 }
  const { reason } = judgeSlice({ received: 12_300, stop: 'short-page', claims, rules: plainRules })
  assert.equal(reason, 'the API counts 12,441, received 12,300')
})

const withoutList = (envelope: object): TestPage => ({ body: envelope, list: 'missing' })

table('a last page without its list', [
  [
    'where the API says on it that it is the last',
    'stop-condition',
    [page(3, { has_more: true }), withoutList({ has_more: false })],
    'unproven: the API says that this was the last page, but page 2 has no list at `data`',
  ],
  [
    'where it says that there is more',
    'stop-condition',
    [page(3, { has_more: true }), withoutList({ has_more: true })],
    'incomplete: page 2 has no list at `data`',
  ],
  [
    'where it only no longer says that there is more',
    'stop-condition',
    [page(3, { has_more: true }), withoutList({})],
    'incomplete: page 2 has no list at `data`',
  ],
  [
    'where all pages with records were read',
    'stop-condition',
    [page(3, { total_pages: 1 }), withoutList({})],
    'unproven: 1 of 1 page, but page 2 has no list at `data`',
  ],
])

const lacking = (records: number, isShown: boolean) => ({
  lacking: {
    records,
    groups: [3, isShown ? 0 : 1].map((size) => ({ body: { data: rows(size) }, headers: {}, receivedCount: size })),
  },
})

table('records that some groups of properties lack', [
  [
    'where a group has none',
    'short-page',
    [{ ...page(3, { total: 3 }), ...lacking(2, true) }],
    'incomplete: page 1 has 2 records without the properties of one or more groups',
  ],
  [
    'where a group has fewer, although the total is met',
    'short-page',
    [page(3, { total: 6 }), { ...page(3, { total: 6 }), ...lacking(1, false) }],
    'unproven: total 6, but page 2 has 1 record without the properties of one or more groups',
  ],
])

table('lists inside of records that are cut short', [
  [
    'one of them',
    'short-page',
    [{ ...page(3, { total: 3 }), truncated: 1 }],
    'incomplete: page 1 has 1 list of items that the API says is cut short',
  ],
  [
    'two of them',
    'short-page',
    [page(3, { total: 6 }), { ...page(3, { total: 6 }), truncated: 2 }],
    'incomplete: page 2 has 2 lists of items that the API says are cut short',
  ],
])

const ignored = { body: {}, isError: true }

table('a first response that the manifest ignores', [
  [
    'shows no list',
    'ignored',
    [ignored],
    'incomplete: the first response was ignored, as the manifest says, so no list was seen',
  ],
  [
    'may be that of a slice without one',
    'ignored',
    [ignored],
    'unproven: the first response was ignored, as the manifest says, so no list was seen',
    sliced,
  ],
  [
    'is not the first of a read that began earlier',
    'ignored',
    [ignored],
    'unproven: started in the middle of the slice',
    { isResumed: true },
  ],
])

test('a first response that was ignored is marked, so that other slices can decide', () => {
  const judged = judgeSlice({ received: 0, stop: 'ignored', claims: claimsOfPages([ignored]), ...sliced })
  assert.equal(judged.isIgnored, true)
})

test('without any response nothing is shown', () => {
  const judged = judgeSlice({ received: 0, stop: 'short-page', claims: null, rules: plainRules })
  assert.deepEqual(judged, { verdict: 'unproven', reason: 'no response was read' })
})

table('what came more than once', [
  [
    'says nothing where pages may restart, and none did',
    'short-page',
    [page(3, { total: 3 })],
    'complete: total 3',
    { ...counted({}), rules: { ...plainRules, mayStartAgain: true } },
  ],
  [
    'is said where pages may restart, be it one record',
    'short-page',
    [page(3, { total: 3 })],
    'unproven: total 3, but 1 record received more than once, because its pages may restart',
    { ...counted({ repeated: 1 }), rules: { ...plainRules, mayStartAgain: true } },
  ],
  [
    'by an assumed key adds nothing where nothing is shown',
    'short-page',
    [page(3), page(2)],
    'unproven: the API reports no total',
    counted({ repeated: 1, isAssumed: true }),
  ],
  [
    'may have moved only where several pages were read before',
    'short-page',
    [page(3, { total: 3 })],
    'complete: total 3',
    { hasGap: true },
  ],
  [
    'is not asked where nothing is shown',
    'short-page',
    [page(3), page(2)],
    'unproven: the API reports no total',
    { hasGap: true },
  ],
])

const ended = { next: null }

table('a read to the last page, next to numbers that are larger', [
  [
    'that contradict each other',
    'short-page',
    [page(3, { next: '/b', total: 9, total_count: 8 }), page(2, { ...ended, total: 9, total_count: 8 })],
    'unproven: the last page names no next page, but the API also counts 9 (total)',
  ],
  [
    'or not larger after all',
    'short-page',
    [page(3, { next: '/b', total: 5, total_count: 4 }), page(2, { ...ended, total: 5, total_count: 4 })],
    'complete: the last page names no next page',
  ],
  [
    'that may be the size of the only page',
    'short-page',
    [page(3, { ...ended, count: 6 })],
    'complete: the last page names no next page',
  ],
  [
    'that are the size requested',
    'short-page',
    [page(3, { next: '/b', count: 6 }), page(2, { ...ended, count: 6 })],
    'complete: the last page names no next page',
    asking(6),
  ],
  [
    'that are pages',
    'no-cursor',
    [page(3, { next: '/b', pages: 9 }), page(2, { ...ended, pages: 9 })],
    'unproven: the API has 9 pages, read 2',
    ownCursor,
  ],
])

const nullList = (envelope: object = {}): TestPage => ({ body: { data: null, ...envelope }, list: 'null' })

table('a list that is not there, or holds no records', [
  ['on any page', 'stop-condition', [withoutList({ has_more: false })], 'unproven: no page has the list at `data`'],
  ['while the total is met', 'empty-page', [page(3, { total: 3 }), nullList({ total: 3 })], 'complete: total 3'],
  [
    'on the last page, where it is null',
    'stop-condition',
    [page(3, { has_more: true }), nullList({ has_more: false })],
    'unproven: the API says that this was the last page, but the list at `data` is null on 1 page',
  ],
  ['on a page that proves nothing', 'empty-page', [page(3), nullList()], 'unproven: the API reports no total'],
  [
    'on a page before others',
    'short-page',
    [page(3), nullList(), page(2)],
    'incomplete: the list at `data` is null on page 2, and later pages have records',
  ],
  [
    'but an error, before pages with records',
    'short-page',
    [{ ...page(1), hasNoRecords: true }, page(3)],
    'incomplete: page 1 has no records in its list, and later pages have some',
  ],
  [
    'but an error, at the end',
    'short-page',
    [page(3), { ...page(1), hasNoRecords: true }],
    'unproven: the API reports no total',
  ],
  [
    'on two pages, although the API says that the last is the end',
    'stop-condition',
    [page(3, { has_more: true }), withoutList({ has_more: true }), withoutList({ has_more: false })],
    'incomplete: page 2 has no list at `data`',
  ],
  [
    'on a page before the last, although the API says that this is the end',
    'stop-condition',
    [page(3, { has_more: true }), withoutList({ has_more: true }), page(3, { has_more: false })],
    'incomplete: page 2 has no list at `data`',
  ],
  [
    'while another list is',
    'stop-condition',
    [page(3, { has_more: true }), withoutList({ items: rows(2), has_more: false })],
    'incomplete: page 2 has no list at `data`',
  ],
  [
    'on the last page that is otherwise like the first',
    'no-cursor',
    [page(3, { next: 'b', kind: 'k' }), withoutList({ kind: 'k' })],
    'unproven: the API reports no total, but page 2 has no list at `data`',
    ownCursor,
  ],
  [
    'on the last page, whose envelope names no next page any more',
    'no-cursor',
    [page(3, { paging: { next: 'b' } }), withoutList({ paging: {} })],
    'unproven: the API reports no total, but page 2 has no list at `data`',
    ownCursor,
  ],
])

test('a list without a name is called the list of records', () => {
  const claims = claimsOfPages([{ body: null, list: 'null' }, { body: rows(2) }], { recordPath: [] })
  const reason = (recordPath: string[] | null) =>
    judgeSlice({ received: 2, stop: 'short-page', claims, rules: { ...plainRules, recordPath } }).reason
  for (const path of [[], null]) {
    assert.equal(reason(path), 'the list of records is null on page 1, and later pages have records')
  }
  assert.match(reason(['a', 'b']), /^the list at `a\.b` is null/)
})

test('pages without their list are counted, whatever is judged of them', () => {
  const counts = (pages: TestPage[], stop: StopReason = 'stop-condition') => {
    const claims = claimsOfPages(pages)
    return judgeSlice({ received: claims.received, stop, claims, rules: plainRules }).pagesWithoutList
  }
  assert.equal(counts([page(3, { total: 3 })]), undefined)
  assert.equal(counts([page(3, { total: 3 }), withoutList({})]), 1)
  assert.equal(counts([page(3), withoutList({}), withoutList({})]), 2)
  assert.equal(counts([page(3, { has_more: true }), withoutList({ has_more: false })]), 1)
  assert.equal(counts([withoutList({})]), 1)
})

table('the size that the API sends at most is named', [
  [
    'not where as many came as were requested',
    'short-page',
    [page(3, { total: 9 })],
    'incomplete: the API counts 9, received 3',
    asking(3),
  ],
  [
    'where one fewer came',
    'short-page',
    [page(3, { total: 9 })],
    'incomplete: the API counts 9, received 3; it sends at most 3 a page where 4 were requested',
    asking(4),
  ],
  ['not where none came', 'short-page', [page(0, { total: 9 })], 'incomplete: the API counts 9, received 0', asking(4)],
  [
    'not where a class ended it',
    'strategy',
    [page(3, { total: 9 })],
    'incomplete: the API counts 9, received 3',
    asking(4),
  ],
])

table('a read up to the records of an earlier one', [
  ['is complete with the total', 'read-before', [page(3, { total: 3 })], 'complete: total 3'],
  [
    'is unproven where records came twice',
    'read-before',
    [page(3), page(3)],
    'unproven: read up to the records of an earlier read',
    counted({ repeated: 1 }),
  ],
])

table('of several downloads', [
  [
    'nothing is added where nothing is shown',
    'short-page',
    [page(3)],
    'unproven: the API reports no total',
    { rules: { ...plainRules, isOfDownloads: true } },
  ],
])

const grown = (earlierTotal: number): More => ({ rules: { ...plainRules, isSliced: true, earlierTotal } })

table('a total that is larger, and may count more than this read', [
  [
    'is missed where the page before an ignored error said there is more',
    'ignored',
    [page(3, { total: 9, has_more: true }), ignored],
    'incomplete: the API counts 9, received 3',
    sliced,
  ],
  [
    'is not where it said that there is none',
    'ignored',
    [page(3, { total: 9, has_more: false }), ignored],
    'unproven: the API counts 9, received 3',
    sliced,
  ],
  [
    'is not where as many came as it has grown by',
    'short-page',
    [page(3, { total: 9 })],
    'unproven: the API counts 9, received 3',
    grown(6),
  ],
  [
    'is where fewer came',
    'short-page',
    [page(3, { total: 9 })],
    'incomplete: the API counts 9, received 3, and counts 4 more than at the last read',
    grown(5),
  ],
  [
    'is not where the read may end early',
    'stop-condition',
    [page(3, { total: 9 })],
    'unproven: the API counts 9, received 3',
    { rules: { ...plainRules, isSliced: true, earlierTotal: 5, mayStopEarly: true } },
  ],
  [
    'is not where the read came to records of an earlier one',
    'read-before',
    [page(3, { total: 9 })],
    'unproven: read up to the records of an earlier read',
  ],
])

const surplus = [page(3, { total: 4 }), page(2, { total: 4 })]

table('more than the total came', [
  [
    'since a page has a row twice',
    'short-page',
    surplus,
    'duplicated: the API counts 4, received 5, 1 of them duplicates',
    counted({ alike: 1 }),
  ],
  [
    'since a record came again, next to one that changed',
    'short-page',
    surplus,
    'duplicated: the API counts 4, received 5, 1 of them duplicates',
    counted({ repeated: 2, changed: 1 }),
  ],
  [
    'and what came again had changed',
    'short-page',
    surplus,
    'unproven: the API counts 4, received 5',
    counted({ repeated: 1, changed: 1 }),
  ],
  [
    'and the last page says that there is still more',
    'short-page',
    [page(3, { total: 4, has_more: true }), page(2, { total: 4, has_more: true })],
    'incomplete: the last page says there is more',
  ],
])

table('a total that is met', [
  [
    'by the only page may be its size, where a link leads on',
    'short-page',
    [page(3, { total: 3, next: '/b' })],
    'unproven: total 3, but the last page still names a next page',
  ],
  [
    'by the only page may be its size, where there are more pages',
    'short-page',
    [page(3, { total: 3, total_pages: 2 })],
    'unproven: total 3, but the API has 2 pages',
  ],
  ['by the only page of one', 'short-page', [page(3, { total: 3, total_pages: 1 })], 'complete: total 3'],
  [
    'by several pages, where a flag says that there is more',
    'short-page',
    [page(3, { total: 5, has_more: true }), page(2, { total: 5, has_more: true })],
    'unproven: total 5, but the last page says there is more',
  ],
  [
    'before an empty page that says there is more',
    'empty-page',
    [page(3, { total: 3, has_more: true }), page(0, { total: 3, has_more: true })],
    'complete: total 3',
  ],
  [
    'by several pages, of which the API has more',
    'short-page',
    [page(3, { total: 5, total_pages: 3 }), page(2, { total: 5, total_pages: 3 })],
    'complete: total 5',
  ],
  [
    'by pages of which one reports an error',
    'short-page',
    [page(3, { total: 5 }), { ...page(2, { total: 5 }), isReported: true }],
    'unproven: total 5, but page 2 reports an error, or that it is partial',
  ],
])

table('the number of pages', [
  [
    'is met, and a flag says that there is more',
    'short-page',
    [page(3, { total_pages: 1, has_more: true })],
    'incomplete: the last page says there is more',
  ],
  [
    'is met, next to a token for the next poll',
    'short-page',
    [page(3, { total_pages: 1, next_token: 't' })],
    'complete: 1 of 1 page',
  ],
  [
    'is not met by a page whose list is null',
    'short-page',
    [page(3, { total_pages: 2 }), nullList({ total_pages: 2 })],
    'incomplete: the API has 2 pages, read 1',
  ],
  [
    'is met by the pages before one whose list is null',
    'empty-page',
    [page(3, { total_pages: 1 }), nullList({ total_pages: 1 })],
    'unproven: 1 of 1 page, but the list at `data` is null on 1 page',
  ],
  [
    'is not met by one page whose list is null, nor is one missed: it may be how the API writes an empty list',
    'empty-page',
    [{ ...page(0, { total_pages: 1 }), list: 'null' }],
    'unproven: the API has 1 page, read 0',
  ],
  [
    'shows nothing of slices, nor of records read before',
    'read-before',
    [page(3, { total_pages: 3 })],
    'unproven: read up to the records of an earlier read',
  ],
  [
    'is met by pages of which one reports an error',
    'short-page',
    [{ ...page(3, { total_pages: 1 }), isReported: true }],
    'unproven: 1 of 1 page, but page 1 reports an error, or that it is partial',
  ],
  [
    'is met, and a page ends with records of one cursor value',
    'no-cursor',
    [{ ...page(3, { total_pages: 2 }), lastTwo: [{ at: 1 }, { at: 1 }] }, page(2, { total_pages: 2 })],
    'unproven: 2 of 2 pages, but page 1 ends with several records of the same at, so the next page may skip some',
    { rules: { ...plainRules, cursorField: ['at'] } },
  ],
])

const isLast = [page(3, { has_more: true }), page(2, { has_more: false })]
const ruled = (rules: object): More => ({ rules: { ...plainRules, ...rules } })
const saysLast = 'the API says that this was the last page'

table('the API says that this was the last page, but', [
  ['nothing is against it', 'short-page', isLast, `complete: ${saysLast}`],
  [
    'the cursor is another link',
    'short-page',
    isLast,
    `unproven: ${saysLast}, but the read did not continue at the next page that the API names`,
    ruled({ leadsElsewhere: true }),
  ],
  [
    'the read followed another one than it named',
    'short-page',
    [
      { ...page(3, { has_more: true, next: '/a?page=2' }), next: { value: 5 } },
      page(2, { has_more: false, next: null }),
    ],
    `unproven: ${saysLast}, but the read did not continue at the next page that the API names`,
    ruled({ isCounting: true }),
  ],
  [
    'several records may share the cursor',
    'short-page',
    isLast,
    `unproven: ${saysLast}, but several records may have the same cursor, so a page may skip some`,
    ruled({ mayShareCursor: true }),
  ],
  [
    'there is only one page that might share it',
    'short-page',
    [page(2, { has_more: false })],
    `complete: ${saysLast}`,
    ruled({ mayShareCursor: true }),
  ],
  [
    'the position of a page does not follow',
    'short-page',
    [page(3, { has_more: true, offset: 0 }), page(2, { has_more: false, offset: 4 })],
    `unproven: ${saysLast}, but by its own numbers, page 2 does not follow the one before it`,
    ruled({ isCounting: true }),
  ],
  [
    'the position of each page follows',
    'short-page',
    [page(3, { has_more: true, offset: 0 }), page(2, { has_more: false, offset: 3 })],
    `complete: ${saysLast}`,
    ruled({ isCounting: true }),
  ],
  [
    'the position never moves',
    'short-page',
    [page(3, { has_more: true, offset: 0 }), page(2, { has_more: false, offset: 0 })],
    `complete: ${saysLast}`,
    ruled({ isCounting: true }),
  ],
  [
    'the page before it said there is more, and it is empty',
    'empty-page',
    [page(3, { has_more: true }), page(0, { has_more: false })],
    `unproven: ${saysLast}, but the last page with records said there is more, and the page after it was empty`,
    ruled({ isCounting: true }),
  ],
  [
    'the page before it said so too, and it is empty',
    'empty-page',
    [page(3, { has_more: true }), page(2, { has_more: false }), page(0, { has_more: false })],
    `complete: ${saysLast}`,
    ruled({ isCounting: true }),
  ],
  [
    'it is empty, and a cursor led to it',
    'no-cursor',
    [page(3, { has_more: true }), page(0, { has_more: false })],
    `complete: ${saysLast}`,
  ],
  [
    'the read may have begun late',
    'short-page',
    isLast,
    `unproven: ${saysLast}, but nothing shows that the read began with the first page`,
    ruled({ mayStartLate: true }),
  ],
  [
    'the first page says that it is the first',
    'short-page',
    [page(3, { has_more: true, prev: null }), page(2, { has_more: false })],
    `complete: ${saysLast}`,
    ruled({ mayStartLate: true }),
  ],
  [
    'a page has more than records',
    'short-page',
    [{ ...page(3, { has_more: true }), isReported: true }, page(2, { has_more: false })],
    `unproven: ${saysLast}, but page 1 reports an error, or that it is partial`,
  ],
])

test('a list that holds more than the records taken from it proves nothing by its total', () => {
  const claims = claimsOfPages([{ body: { edges: [{ node: { id: 1 } }, { node: null }], total: 1 }, received: 1 }], {
    recordPath: ['edges', '*', 'node'],
  })
  assert.equal(claims.partial, 1)
  const numbers = [{ ...claimsOfPages([page(1, { total: 1 })]).numbers[0] }] as typeof claims.numbers
  const judged = judgeSlice({ received: 1, stop: 'short-page', claims: { ...claims, numbers }, rules: plainRules })
  assert.equal(judged.reason, 'total 1, but page 1 holds more than the records taken from it')
})

table('the API’s own next pages, followed', [
  [
    'to their end by a condition, explain a larger total',
    'stop-condition',
    [page(3, { total: 9, next: '/b' }), page(2, { total: 9, next: null })],
    'unproven: the API counts 9, received 5, and names no page after the last',
    ownCursor,
  ],
  [
    'to a short page, do not',
    'short-page',
    [page(3, { total: 9, next: '/b' }), page(2, { total: 9, next: null })],
    'incomplete: the API counts 9, received 5',
    ownCursor,
  ],
  [
    'to their end, do not where a page reports an error',
    'no-cursor',
    [{ ...page(3, { total: 9, next: '/b' }), isReported: true }, page(2, { total: 9, next: null })],
    'incomplete: the API counts 9, received 5',
    ownCursor,
  ],
  ['to an empty page, show nothing', 'no-cursor', [page(3), page(0)], 'unproven: the API reports no total', ownCursor],
  [
    'until nothing names them, are all, whatever a flag says on every page',
    'no-cursor',
    [page(3, { has_more: false }), page(3, { has_more: false })],
    'complete: the last page names no next page',
    ownCursor,
  ],
  [
    'until what named them is gone, show nothing',
    'no-cursor',
    [page(3, { paging: { next: 'b' } }), page(3)],
    'unproven: the API reports no total',
    ownCursor,
  ],
  [
    'by anything but the API, show nothing when they end',
    'no-cursor',
    [page(3), page(3)],
    'unproven: the API reports no total',
  ],
])

table('an end that was chosen shows nothing by a flag for more', [
  ['where a class chose it', 'strategy', [page(3, { has_more: true })], 'unproven: the last page says there is more'],
  [
    'where the read came to records of an earlier one',
    'read-before',
    [page(3, { has_more: true })],
    'unproven: read up to the records of an earlier read',
  ],
])
