import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { placeName } from '../../src/proof/claims/response-place.ts'

import { endingOf, expectedTotal, pageTotalIn, totalIn } from '../../src/proof/claims/agreed-claims.ts'
import { missingLists, nullLists } from '../../src/proof/claims/missing-lists.ts'
import type { Claims } from '../../src/proof/claims/merge-claims.ts'
import { rows, claimsOfPages, plainRules, type TestPage } from '../helpers/claims-of-pages.ts'
import { Float } from '../../src/std/json.ts'

type Row = [name: string, page: TestPage, recordPath: string[], total: number | null, at?: string]

describe('a total is found', () => {
  const three = rows(3)
  const shapes: Row[] = [
    ['next to the list', { body: { data: three, total: 57 } }, ['data'], 57, 'total'],
    ['in snake case', { body: { data: three, total_count: 57 } }, ['data'], 57, 'total_count'],
    ['in camel case', { body: { data: three, totalCount: 57 } }, ['data'], 57, 'totalCount'],
    ['in Pascal case', { body: { Data: three, TotalRecords: 57 } }, ['Data'], 57, 'TotalRecords'],
    ['in a meta object', { body: { data: three, meta: { total: 57 } } }, ['data'], 57, 'meta.total'],
    [
      'two envelopes deep',
      { body: { data: three, meta: { pagination: { total: 57 } } } },
      ['data'],
      57,
      'meta.pagination.total',
    ],
    [
      'in HAL',
      { body: { _embedded: { x: three }, page: { totalElements: 57 } } },
      ['_embedded', 'x'],
      57,
      'page.totalElements',
    ],
    [
      'in Elasticsearch',
      { body: { hits: { total: { value: 57, relation: 'eq' }, hits: three } } },
      ['hits', 'hits'],
      57,
      'hits.total.value',
    ],
    ['in an older Elasticsearch', { body: { hits: { total: 57, hits: three } } }, ['hits', 'hits'], 57, 'hits.total'],
    ['in Solr', { body: { response: { numFound: 57, docs: three } } }, ['response', 'docs'], 57, 'response.numFound'],
    ['in OData 4', { body: { '@odata.count': 57, value: three } }, ['value'], 57, '@odata.count'],
    ['in OData 2', { body: { d: { __count: '57', results: three } } }, ['d', 'results'], 57, 'd.__count'],
    [
      'in GraphQL',
      { body: { data: { orders: { totalCount: 57, nodes: three } } } },
      ['data', 'orders', 'nodes'],
      57,
      'data.orders.totalCount',
    ],
    ['written as digits', { body: { rows: three, totalRows: '57' } }, ['rows'], 57, 'totalRows'],
    ['written as a float', { body: { data: three, total: new Float(57) } }, ['data'], 57, 'total'],
    ['in a header', { body: three, headers: { 'x-total-count': '57' } }, [], 57, 'header x-total-count'],
    ['in a shorter header', { body: three, headers: { 'x-total': '57' } }, [], 57, 'header x-total'],
    ['in WordPress', { body: three, headers: { 'x-wp-total': '57' } }, [], 57, 'header x-wp-total'],
    ['in a range', { body: three, headers: { 'content-range': 'items 0-2/57' } }, [], 57, 'header content-range'],
    [
      'in a range without a unit of its own',
      { body: three, headers: { 'content-range': 'orders */57' } },
      [],
      57,
      'header content-range',
    ],
    [
      'in a header that is JSON',
      { body: three, headers: { 'x-pagination': '{"TotalCount":57}' } },
      [],
      57,
      'header x-pagination TotalCount',
    ],
  ]
  for (const [name, page, recordPath, total, at] of shapes) {
    test(name, () => {
      const claims = claimsOfPages([page], { recordPath })
      const found = totalIn(claims)
      assert.equal(found?.last, total)
      assert.equal(found === null ? null : placeName(found.place), at)
      assert.equal(expectedTotal(claims), total)
    })
  }
})

describe('no total is', () => {
  const three = rows(3)
  const shapes: Row[] = [
    ['a sum of money', { body: { data: three, total: 57.5 } }, ['data'], null],
    ['the total of the invoice around its lines', { body: { id: 7, total: 5700, lines: three } }, ['lines'], null],
    [
      'the total of a cart that has a currency',
      { body: { currency: 'CHF', total: 5700, lines: three } },
      ['lines'],
      null,
    ],
    ['the sum of a field', { body: { data: [{ cents: 500 }, { cents: 700 }], total: 1200 } }, ['data'], null],
    ['a sum in a summary', { body: { data: three, summary: { total: 5700 } } }, ['data'], null],
    [
      '"at least" in Elasticsearch',
      { body: { hits: { total: { value: 10000, relation: 'gte' }, hits: three } } },
      ['hits', 'hits'],
      null,
    ],
    ['-1 for unknown', { body: { data: three, total: -1 } }, ['data'], null],
    ['0 next to records', { body: { data: three, total: 0 } }, ['data'], null],
    ['null', { body: { data: three, total: null } }, ['data'], null],
    ['a count without company', { body: { data: three, count: 57 } }, ['data'], null],
    ['a field of a single record', { body: { total: 57, id: 1 }, received: 1 }, [], null],
    ['a number next to a single record', { body: { data: { id: 1 }, total: 57 }, received: 1 }, ['data'], null],
    ['a field of the records', { body: { data: [{ total: 57, total_count: 58 }] } }, ['data'], null],
    [
      'two counts that contradict each other',
      { body: { data: three, total: 57, meta: { total: 58 } } },
      ['data'],
      null,
    ],
    ['a number that may count another list too', { body: { users: three, groups: three, total: 57 } }, ['users'], null],
    ['a range of bytes', { body: three, headers: { 'content-range': 'bytes 0-2/57' } }, [], null],
    ['an unknown range', { body: three, headers: { 'content-range': 'items 0-2/*' } }, [], null],
    ['a broken header', { body: three, headers: { 'x-pagination': '{"TotalCount":' } }, [], null],
    ['more digits than a number holds', { body: { data: three, total: '99999999999999999999' } }, ['data'], null],
    ['a name from Object.prototype', { body: JSON.parse('{"data":[{}],"__proto__":{"total":57}}') }, ['data'], null],
  ]
  for (const [name, page, recordPath] of shapes) {
    test(name, () => assert.equal(totalIn(claimsOfPages([page], { recordPath })), null))
  }

  test('a number that is the size of each page', () => {
    const page = (size: number) => ({ body: { data: rows(size), total: size } })
    assert.equal(totalIn(claimsOfPages([page(3), page(3), page(2)])), null)
  })
  test('a sum that is whole on some pages', () => {
    const page = (size: number) => ({ body: { data: rows(size), total: size * 12.5 } })
    assert.equal(totalIn(claimsOfPages([page(4), page(3), page(2)])), null)
    assert.equal(totalIn(claimsOfPages([page(3), page(3), page(2)])), null)
  })
  test('a number that differs from page to page as no data does', () => {
    const page = (total: number) => ({ body: { data: rows(3), total } })
    assert.equal(totalIn(claimsOfPages([page(900), page(1200), page(700)])), null)
  })
  test('a number that changed by more than ten, and by more than a fifth', () => {
    const found = (...totals: number[]) =>
      totalIn(claimsOfPages(totals.map((total) => ({ body: { data: rows(3), total } }))))?.last
    assert.equal(found(12, 22), 22)
    assert.equal(found(12, 23), undefined)
    assert.equal(found(80, 100), 100)
    assert.equal(found(79, 100), undefined)
  })
  test('a count that is the size requested', () => {
    const page = (size: number) => ({ body: { data: rows(size), count: 3, offset: 0 } })
    assert.equal(totalIn(claimsOfPages([page(3), page(3), page(2)])), null)
  })
  test('anything where a class of the connector’s own finds the records', () => {
    const claims = claimsOfPages([{ body: { data: rows(3), total: 57 } }], { recordPath: null, countsRecords: false })
    assert.deepEqual(claims.numbers, [])
  })
})

test('a count next to paging may be the total while the read continues, and is one when it was met', () => {
  const page = (size: number) => ({ body: { results: rows(size), count: 5, next: '/b' } })
  const rules = { recordPath: ['results'] }
  const goesOn = { ...claimsOfPages([page(3)], rules), isOver: false }
  assert.equal(expectedTotal(goesOn), 5)
  assert.equal(totalIn(claimsOfPages([page(3), page(2)], rules))?.last, 5)
  assert.equal(totalIn(claimsOfPages([page(3), page(1)], rules)), null)
})

test('a total next to the size of the page is the larger one', () => {
  const page = (size: number) => ({ body: { results: rows(size), offset: 0, limit: 3, total: 8, count: size } })
  assert.equal(totalIn(claimsOfPages([page(3), page(3), page(2)], { recordPath: ['results'] }))?.last, 8)
})

test('a total that changes is remembered with its bounds, and where it was first seen', () => {
  const page = (total: number) => ({ body: { data: rows(2), meta: { total } } })
  const [claim] = claimsOfPages([page(10), page(12), page(9), page(11)]).numbers
  assert.deepEqual(claim, {
    counts: 'records',
    place: ['body', 'meta', 'total'],
    plus: 0,
    isNamed: true,
    page: 1,
    first: 10,
    last: 11,
    least: 9,
    most: 12,
    isPageSize: false,
  })
})

test('a total that only the first page has is kept', () => {
  const claims = claimsOfPages([
    { body: { data: rows(2), total: 4 } },
    { body: { data: rows(1) } },
    { body: { data: rows(1) } },
  ])
  assert.equal(totalIn(claims)?.last, 4)
})

describe('the number of pages', () => {
  type PageRow = [name: string, body: unknown, pages: number | null]
  const shapes: PageRow[] = [
    ['is named', { data: rows(3), total_pages: 4 }, 4],
    ['is in an envelope', { data: rows(3), meta: { totalPages: 4 } }, 4],
    ['is called pages, next to a page number', { data: rows(3), info: { page: 1, pages: 4 } }, 4],
    ['is the last page, counted from 1', { data: rows(3), current_page: 1, last_page: 4 }, 4],
    ['is one more than the last page, counted from 0', { data: rows(3), current_page: 0, last_page: 3 }, 4],
    ['is not known where the first page has no number', { data: rows(3), last_page: 4 }, null],
    ['is not known where the read began elsewhere', { data: rows(3), current_page: 2, last_page: 4 }, null],
    ['is not the pages of a book', { data: rows(3), pages: 400 }, null],
  ]
  for (const [name, body, pages] of shapes) {
    test(name, () => {
      const claims = claimsOfPages([{ body }])
      assert.equal(pageTotalIn(claims)?.last ?? null, pages)
      assert.equal(expectedTotal(claims), pages === null ? null : pages * 3)
    })
  }
})

describe('what the last page says', () => {
  type EndRow = [name: string, pages: TestPage[], says: string | null, at?: string]
  const some = rows(2)
  const both = (first: object, last: object): TestPage[] => [
    { body: { data: some, ...first } },
    { body: { data: some, ...last } },
  ]
  const shapes: EndRow[] = [
    ['a flag says more', both({ has_more: true }, { has_more: true }), 'more flag', 'has_more'],
    ['a flag says the end', both({ has_more: true }, { has_more: false }), 'end flag', 'has_more'],
    ['a flag of the other sense', both({ isLast: false }, { isLast: true }), 'end flag', 'isLast'],
    ['`last` as Spring has it', both({ page: { last: false } }, { page: { last: true } }), 'end flag', 'page.last'],
    [
      'GraphQL',
      both({ pageInfo: { hasNextPage: true } }, { pageInfo: { hasNextPage: false } }),
      'end flag',
      'pageInfo.hasNextPage',
    ],
    ['a next link', both({ next: '/a?p=2' }, { next: '/a?p=3' }), 'more link', 'next'],
    ['a next link that is gone', both({ next: '/a?p=2' }, {}), 'end link', 'next'],
    [
      'a next link that is null',
      both({ links: { next: 'https://a/b' } }, { links: { next: null } }),
      'end link',
      'links.next',
    ],
    [
      'HAL',
      both({ _links: { next: { href: '/b' } } }, { _links: { self: { href: '/b' } } }),
      'end link',
      '_links.next',
    ],
    ['links in a list', both({ links: [{ rel: 'next', href: '/b' }] }, { links: [] }), 'end link', 'links.next'],
    [
      'a link in a list without its target',
      both({ links: [{ rel: 'next', href: '/b' }] }, { links: [{ rel: 'next', href: null }] }),
      'end link',
      'links.next',
    ],
    ['OData', both({ '@odata.nextLink': 'https://a/b' }, {}), 'end link', '@odata.nextLink'],
    ['a token', both({ next_cursor: 'abc' }, { next_cursor: 'def' }), 'more token', 'next_cursor'],
    ['a token that is empty', both({ next_cursor: 'abc' }, { next_cursor: '' }), 'end token', 'next_cursor'],
    ['the number of a page', both({ next_page: 2 }, { next_page: null }), 'end token', 'next_page'],
    [
      'an object with a cursor',
      both({ paging: { next: { after: 'abc' } } }, { paging: {} }),
      'end token',
      'paging.next',
    ],
    ['an envelope that is gone says nothing', both({ paging: { next: { after: 'abc' } } }, {}), null],
    ['null on a single page', [{ body: { data: some, next: null } }], 'end token', 'next'],
    ['null on every page says nothing', both({ next: null }, { next: null }), null],
    [
      'a flag is heard before a link',
      both({ next: '/b', has_more: true }, { next: '/c', has_more: false }),
      'end flag',
      'has_more',
    ],
    [
      'what is gone is heard before what is always there',
      both({ next_cursor: 'a', next: '/b' }, { next_cursor: null, next: '/b' }),
      'end token',
      'next_cursor',
    ],
    ['the next date is no next page', [{ body: { next: '2024-05-01', data: some } }], null],
    ['the next article is no next page', [{ body: { id: 4, next: '/articles/5', data: some } }], null],
    ['the next event is no next page', [{ body: { next: { id: 5 }, data: some } }], null],
    ['a task that is done is no last page', [{ body: { id: 4, done: true, data: some } }], null],
    ['nothing at all', [{ body: { data: some } }], null],
  ]
  for (const [name, pages, says, at] of shapes) {
    test(name, () => {
      const ending = endingOf(claimsOfPages(pages))
      assert.equal(ending === null ? null : `${ending.says} ${ending.claim.kind}`, says)
      assert.equal(ending === null ? undefined : placeName(ending.claim.place), at)
    })
  }

  test('in headers', () => {
    const said = (first: Record<string, string>, last: Record<string, string>) => {
      const ending = endingOf(
        claimsOfPages(
          [
            { body: some, headers: first },
            { body: some, headers: last },
          ],
          { recordPath: [] },
        ),
      )
      return ending === null ? null : `${ending.says} ${placeName(ending.claim.place)}`
    }
    assert.equal(
      said({ link: '<https://a/?p=2>; rel="next"' }, { link: '<https://a/?p=1>; rel="first"' }),
      'end header link next',
    )
    assert.equal(
      said({ link: '<https://a/?p=2>; rel="next"' }, { link: '<https://a/?p=3>; rel="next"' }),
      'more header link next',
    )
    assert.equal(said({ link: '</style.css>; rel="preload"' }, { link: '</style.css>; rel="preload"' }), null)
    assert.equal(said({ 'x-next-page': '2' }, { 'x-next-page': '' }), 'end header x-next-page')
    assert.equal(said({ 'x-next-cursor': 'abc' }, {}), 'end header x-next-cursor')
    assert.equal(
      said({ 'x-pagination': '{"HasNext":true}' }, { 'x-pagination': '{"HasNext":false}' }),
      'end header x-pagination HasNext',
    )
    assert.equal(said({ etag: 'x' }, { 'x-ratelimit-total': '5000', 'x-cache-hits': '3' }), null)
  })
})

test('claims are plain JSON, and a read can resume from them', () => {
  const claims = claimsOfPages([{ body: { data: rows(3), total: 5, next: '/b' }, headers: { 'x-total-pages': '2' } }])
  assert.deepEqual(JSON.parse(JSON.stringify(claims)), claims)
})

test('a hostile answer cannot make claims grow without end', () => {
  const names = Array.from({ length: 90 }, (_, index) => [
    `total_count${'_'.repeat(index % 30)}${' '.repeat(index)}`.slice(0, 39),
    index + 5,
  ])
  const claims = claimsOfPages([{ body: { data: rows(1), ...Object.fromEntries(names) } }])
  assert.ok(claims.numbers.length <= 16)
})

test('a map of records is not searched, whatever its keys are', () => {
  const map = Object.fromEntries(rows(200).map((row, index) => [index === 7 ? 'total_count' : `k${index}`, row.id]))
  assert.deepEqual(claimsOfPages([{ body: { data: rows(1), meta: map } }]).numbers, [])
})

test('a flag that says "the end" on every page is believed when only one page had records', () => {
  const endingAfter = (...sizes: number[]) =>
    endingOf(claimsOfPages(sizes.map((size) => ({ body: { data: rows(size), has_more: false } }))))?.says
  assert.equal(endingAfter(2), 'end')
  assert.equal(endingAfter(2, 0), 'end')
  assert.equal(endingAfter(2, 1), undefined)
})

test('pages without a list are counted, from the first of them on', () => {
  const facts = { headers: {}, receivedCount: 0, part: 0, isLast: false, isError: false, body: { ok: true } }
  const pages = (['found', 'missing', 'found', 'missing'] as const).reduce<Claims>(
    (before, list, index) => ({ ...before, ...missingLists(before, { ...facts, list }, plainRules, index + 1) }),
    claimsOfPages([{ body: { data: rows(1) } }]),
  )
  assert.equal(pages.withoutList?.pages, 2)
  assert.equal(pages.withoutList?.first, 2)
  assert.equal(pages.withoutList?.isLast, true)
})

test('lists that are null are counted, and when records come after all, how many pages had none', () => {
  const facts = { headers: {}, part: 0, isLast: false, isError: false, body: { data: null } }
  const first = claimsOfPages([{ body: { data: null } }])
  const one = { ...first, ...nullLists({ ...first, nullLists: 1 }, { ...facts, list: 'null', receivedCount: 0 }, 2) }
  assert.equal(one.nullLists, 2)
  assert.deepEqual(nullLists(one, { ...facts, list: 'found', receivedCount: 3 }, 3), { nullLists: 2, nullBefore: 2 })
})
