/** DESIGN §3.2, row by row: what asks for the next page, and why there is none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  firstToken,
  type NextPage,
  nextPage,
  type PageOutcome,
  requestedSize,
} from '../../../src/engine/pagination/next-page.ts'
import { tokenValue } from '../../../src/engine/request/page-token.ts'
import type { Injection, PaginationPlan } from '../../../src/engine/plan/pagination.ts'
import { type PageContext, PaginationStrategy } from '../../../src/engine/pagination/strategy.ts'
import { compileTemplate } from '../../../src/engine/template/template.ts'

const bare: Injection = { at: { pointer: '/p' }, token: { into: 'query', name: 't' }, size: null, parameters: {} }
const tools = { config: { size: 3 }, strategy: null, streamName: 'items' }

const offset = (pageSize: number | null): PaginationPlan => ({
  kind: 'offset',
  pageSize,
  injectOnFirst: false,
  ...bare,
})
const pages = (pageSize: number | null, firstPage = 0): PaginationPlan => ({
  kind: 'page',
  pageSize,
  firstPage,
  injectOnFirst: false,
  ...bare,
})
const cursor = (value: string, stopWhen: string | null = null): PaginationPlan => ({
  kind: 'cursor',
  value: compileTemplate(value),
  stopWhen: stopWhen === null ? null : compileTemplate(stopWhen),
  pageSize: null,
  ...bare,
})

function page(token: unknown, count: number, body: unknown = {}, headers: Record<string, string> = {}): PageOutcome {
  const received = Array.from({ length: count }, (_, index) => ({ id: index + 1 }))
  return {
    token: token === null ? null : { value: token },
    url: 'https://api.test/v1/items?limit=3',
    body,
    headers,
    receivedCount: count,
    received,
  }
}

type Row = [name: string, plan: PaginationPlan, page: PageOutcome, expected: unknown]
const rows: Row[] = [
  ['not paginated: one request', { kind: 'none' }, page(null, 3), 'not-paginated'],

  ['offset grows by the records received', offset(3), page(null, 3), 3],
  ['offset continues from the token', offset(3), page(6, 3), 9],
  ['offset: a page larger than asked counts as it came', offset(3), page(6, 5), 11],
  ['offset: a short page is the last', offset(3), page(6, 2), 'short-page'],
  ['offset: an empty page is the last', offset(3), page(6, 0), 'empty-page'],
  ['offset without a size ends at an empty page only', offset(null), page(6, 1), 7],
  ['offset without a size: the empty page', offset(null), page(7, 0), 'empty-page'],

  ['page: after an omitted first comes start + 1', pages(3, 1), page(null, 3), 2],
  ['page counts on', pages(3, 1), page(2, 3), 3],
  ['page 0-based', pages(3), page(null, 3), 1],
  ['page: a short page is the last', pages(3), page(2, 1), 'short-page'],
  ['page: an empty page is the last, size or not', pages(null), page(2, 0), 'empty-page'],
  ['Airbyte: page number 0 as a next page ends the read', pages(3, -1), page(null, 3), 'strategy'],

  ['cursor in the response', cursor('{{ response.next }}'), page(null, 3, { next: 'abc' }), 'abc'],
  [
    'cursor in a nested property',
    cursor("{{ response.get('meta', {}).get('next', {}) }}"),
    page(null, 3, { meta: { next: 'abc' } }),
    'abc',
  ],
  ['cursor missing', cursor("{{ response.get('meta', {}).get('next', {}) }}"), page(null, 3, {}), 'no-cursor'],
  ['cursor null', cursor('{{ response.next }}'), page(null, 3, { next: null }), 'no-cursor'],
  ['cursor empty', cursor('{{ response.next }}'), page(null, 3, { next: '' }), 'no-cursor'],
  ['Airbyte: a cursor of 0 ends the stream', cursor('{{ response.next }}'), page(null, 3, { next: 0 }), 'no-cursor'],
  ['a cursor in digits becomes a number', cursor('{{ response.next }}'), page(null, 3, { next: '12' }), 12],
  ['a cursor with leading zeros stays text', cursor('{{ response.next }}'), page(null, 3, { next: '007' }), '007'],
  [
    'a cursor beyond 2^53 keeps its digits',
    cursor('{{ response.next }}'),
    page(null, 3, { next: '9007199254740993' }),
    9007199254740993n,
  ],
  ['an empty page with a cursor continues', cursor('{{ response.next }}'), page('a', 0, { next: 'b' }), 'b'],
  ['cursor in a header, any case', cursor("{{ headers['X-Next'] }}"), page(null, 3, {}, { 'x-next': 'h1' }), 'h1'],
  ['cursor header absent', cursor("{{ headers['X-Next'] }}"), page('h1', 3), 'no-cursor'],
  ['cursor from the last record', cursor("{{ last_record['id'] }}"), page(null, 3), 3],
  ['cursor from the last of all records', cursor("{{ last_records[-1]['id'] }}"), page(null, 3), 3],
  ['cursor from the page size', cursor('{{ last_page_size }}'), page(null, 3), 3],
  ['cursor from the config', cursor("{{ config['size'] }}"), page(null, 3), 3],

  [
    'stop: more_results is false',
    cursor('{{ response.c }}', '{{ response.more_results is false }}'),
    page(null, 3, { c: 'x', more_results: false }),
    'stop-condition',
  ],
  [
    'continue: more_results is true',
    cursor('{{ response.c }}', '{{ response.more_results is false }}'),
    page(null, 3, { c: 'x', more_results: true }),
    'x',
  ],
  [
    'stop: cursor is none',
    cursor('{{ response.pagination.next_cursor }}', '{{ response.pagination.next_cursor is none }}'),
    page(null, 3, { pagination: { next_cursor: null } }),
    'stop-condition',
  ],
  [
    'stop: not response.data',
    cursor('{{ response.c }}', '{{ not response.data }}'),
    page(null, 0, { c: 'x', data: [] }),
    'stop-condition',
  ],
  [
    'stop: no next link',
    cursor("{{ headers['link']['next']['url'] }}", "{{ 'next' not in headers['link'] }}"),
    page(null, 3, [], { link: '<https://a/1>; rel="prev"' }),
    'stop-condition',
  ],
  [
    'continue: next link',
    cursor("{{ headers['link']['next']['url'] }}", "{{ 'next' not in headers['link'] }}"),
    page(null, 3, [], { link: '<https://a/?q=a,b>; rel="next"' }),
    'https://a/?q=a,b',
  ],
  [
    'stop: conditions joined with or',
    cursor('{{ response.c }}', '{{ response.more is false or response.c is none }}'),
    page(null, 3, { c: null, more: true }),
    'stop-condition',
  ],
  ['Airbyte: response of a list is its first item', cursor('{{ response.id }}'), page(null, 3, [{ id: 7 }]), 7],
]

function shown({ token, stop }: NextPage): unknown {
  return token === null ? stop : tokenValue(token)
}

for (const [name, plan, outcome, expected] of rows) {
  test(name, () => assert.deepEqual(shown(nextPage(plan, outcome, tools)), expected))
}

const linkPlan = { ...cursor('{{ response.next }}'), token: { into: 'path' } } as PaginationPlan
const links: [name: string, link: string, url: string][] = [
  ['an absolute link is the next address', 'https://other.test/x?p=2', 'https://other.test/x?p=2'],
  ['a root-relative link', '/v2/items?page=2', 'https://api.test/v2/items?page=2'],
  ['a query alone keeps the path', '?page=2', 'https://api.test/v1/items?page=2'],
  ['a protocol-relative link', '//other.test/x', 'https://other.test/x'],
]

for (const [name, link, url] of links) {
  test(name, () => {
    const { token } = nextPage(linkPlan, page(null, 3, { next: link }), tools)
    assert.deepEqual(token, { value: link, url })
  })
}

test('a bare path waits for the request, which knows the base it is joined to', () => {
  const { token } = nextPage(linkPlan, page(null, 3, { next: '6/info.0.json' }), tools)
  assert.deepEqual(token, { value: '6/info.0.json' })
})

test('the first request carries no token unless configured so', () => {
  assert.equal(firstToken(offset(3), null), null)
  assert.deepEqual(firstToken({ ...offset(3), injectOnFirst: true } as PaginationPlan, null), { value: 0 })
  assert.deepEqual(firstToken({ ...pages(3, 1), injectOnFirst: true } as PaginationPlan, null), { value: 1 })
  assert.equal(firstToken(cursor('{{ response.next }}'), null), null)
})

test('a token that is no number is refused by the counting methods', () => {
  assert.throws(() => nextPage(offset(3), page('abc', 3), tools), { code: 'pagination/not-a-number' })
})

test('a page size that depends on the response must be a whole number', () => {
  const plan = { ...offset(null), pageSize: compileTemplate('{{ response.size }}') } as PaginationPlan
  assert.equal(shown(nextPage(plan, page(null, 2, { size: 3 }), tools)), 'short-page')
  assert.throws(() => nextPage(plan, page(null, 2, { size: 'many' }), tools), { code: 'plan/invalid-page-size' })
})

test('a class gives a token, or null for the end; anything else is an error', () => {
  const plan: PaginationPlan = { ...bare, kind: 'custom', role: 'pagination strategy', className: 'Own', fields: {} }
  class Own extends PaginationStrategy {
    readonly given: unknown
    constructor(given: unknown) {
      super({ config: {}, parameters: {} })
      this.given = given
    }
    nextPageToken() {
      return this.given as string
    }
  }
  const next = (given: unknown) => shown(nextPage(plan, page(null, 3), { ...tools, strategy: new Own(given) }))
  for (const token of ['abc', '', 0, 7, 2n ** 60n, { page: 2 }, [1]]) assert.deepEqual(next(token), token)
  for (const end of [null, undefined]) assert.equal(next(end), 'strategy')
  for (const [given, kind] of [
    [true, 'a boolean'],
    [false, 'a boolean'],
    [Number.NaN, 'NaN'],
    [() => 'x', 'a function'],
  ] as const) {
    assert.throws(() => next(given), {
      code: 'custom/class-failed',
      message: new RegExp(`${kind}, not a token, or null`),
    })
  }
})

const ofClass: Extract<PaginationPlan, { kind: 'custom' }> = {
  ...bare,
  kind: 'custom',
  role: 'pagination strategy',
  className: 'Own',
  fields: {},
}

test('offset: a page that was requested smaller is short by that size, and full by it', () => {
  const next = (count: number, size: number | null) => shown(nextPage(offset(3), { ...page(6, count), size }, tools))
  assert.equal(next(2, 2), 8)
  assert.equal(next(1, 2), 'short-page')
  assert.equal(next(2, null), 'short-page')
})

test('cursor: a page that was requested smaller is not taken for a short one', () => {
  const stop = '{{ last_page_size < 3 }}'
  const next = (count: number, size: number | null, pageSize: number | null = 3, stopWhen = stop) => {
    const plan = { ...cursor('{{ response.next }}', stopWhen), pageSize } as PaginationPlan
    return shown(nextPage(plan, { ...page('a', count, { next: 'b' }), size }, tools))
  }
  assert.equal(next(2, 2), 'b')
  assert.equal(next(1, 2), 'stop-condition')
  assert.equal(next(2, null), 'stop-condition')
  assert.equal(next(2, 2, null), 'stop-condition')
  assert.equal(next(2, 2, 3, "{{ response.next == 'b' }}"), 'stop-condition')
  assert.equal(next(2, 2, 3, '{{ last_page_size < page_size }}'), 'b')
})

test('cursor: the templates see the size of the page, as it was requested', () => {
  const seen = (size: number | null) =>
    shown(nextPage({ ...cursor('{{ page_size }}'), pageSize: 3 } as PaginationPlan, { ...page(null, 1), size }, tools))
  assert.equal(seen(2), 2)
  assert.equal(seen(null), 3)
})

test('cursor: a page without records or a body has no last record and an empty response', () => {
  const next = (value: string, body: unknown) => shown(nextPage(cursor(value), page(null, 0, body), tools))
  assert.equal(next("{{ 'end' if last_record is none else 'more' }}", {}), 'end')
  for (const body of [[], null, undefined]) assert.equal(next("{{ 'end' if response == {} else 'more' }}", body), 'end')
  assert.equal(next("{{ response or 'end' }}", 0), 'end')
})

test('cursor: the last record knows its stream', () => {
  assert.equal(shown(nextPage(cursor('{{ last_record.stream_name }}'), page(null, 3), tools)), 'items')
})

test('the first token of a class is what it begins with, as a link where it goes into the path', () => {
  class Own extends PaginationStrategy {
    nextPageToken() {
      return null
    }
    override initialToken() {
      return this.config.first as string | null
    }
  }
  const first = (given: unknown, plan = ofClass) =>
    firstToken(plan, new Own({ config: { first: given }, parameters: {} }))
  const linked = { ...ofClass, token: { into: 'path' } } as typeof ofClass
  assert.deepEqual(first('a'), { value: 'a' })
  assert.deepEqual(first(0), { value: 0 })
  assert.equal(first(null), null)
  assert.deepEqual(first('https://other.test/x', linked), {
    value: 'https://other.test/x',
    url: 'https://other.test/x',
  })
  assert.deepEqual(first('https://other.test/x'), { value: 'https://other.test/x' })
  assert.deepEqual(first('', linked), { value: '' })
  assert.equal(firstToken({ kind: 'none' }, null), null)
  assert.throws(() => first(true), { code: 'custom/class-failed' })
})

test('a class without a first token begins without one, and has the page size of its parameters', () => {
  class Own extends PaginationStrategy {
    nextPageToken() {
      return null
    }
  }
  const own = (parameters: Record<string, unknown>) => new Own({ config: {}, parameters })
  assert.equal(firstToken(ofClass, own({})), null)
  assert.equal(own({ page_size: 7 }).pageSize, 7)
  assert.equal(own({ page_size: '7' }).pageSize, null)
})

test('the page size that requests carry is that of the manifest, or of the class', () => {
  const size = { placement: { into: 'query', name: 'limit' }, value: 3 } as const
  assert.equal(requestedSize({ kind: 'none' }, null), null)
  assert.equal(requestedSize(offset(3), null), null)
  assert.equal(requestedSize({ ...offset(3), size } as PaginationPlan, null), 3)
  class Own extends PaginationStrategy {
    nextPageToken() {
      return null
    }
    override get pageSize() {
      return this.config.size as number
    }
  }
  const ofOwn = (given: unknown) =>
    requestedSize({ ...ofClass, size }, new Own({ config: { size: given }, parameters: {} }))
  assert.equal(ofOwn(7), 7)
  assert.equal(ofOwn('7'), '7')
  assert.equal(ofOwn(0), 0)
  assert.equal(ofOwn(null), null)
  assert.equal(ofOwn(undefined), null)
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, true, {}]) {
    assert.throws(() => ofOwn(wrong), { code: 'custom/class-failed', message: /a number as its `pageSize`/ })
  }
  assert.equal(requestedSize({ ...ofClass, size: null }, new Own({ config: { size: 7 }, parameters: {} })), null)
})

test('a class sees the page as copies, and the last record where there is one', () => {
  let seen: PageContext | undefined
  class Own extends PaginationStrategy {
    nextPageToken(context: PageContext) {
      seen = context
      const { lastRecord } = context
      if (lastRecord !== null) lastRecord.id = 'changed'
      return null
    }
  }
  const next = (outcome: PageOutcome) =>
    nextPage(ofClass, outcome, { ...tools, strategy: new Own({ config: {}, parameters: {} }) })
  const full = page(2n ** 60n, 2, { next: 'b' }, { 'x-a': '1' })
  assert.deepEqual(next({ ...full, token: { value: '7', exact: '7' }, size: 2 }), { token: null, stop: 'strategy' })
  assert.deepEqual(full.received, [{ id: 1 }, { id: 2 }])
  assert.deepEqual(seen?.lastRecords, [{ id: 1 }, { id: 'changed' }])
  assert.deepEqual(
    [seen?.response, seen?.headers, seen?.config, seen?.token, seen?.lastPageSize, seen?.reducedPageSize],
    [{ next: 'b' }, { 'x-a': '1' }, { size: 3 }, 7, 2, 2],
  )
  assert.equal(seen?.response, seen?.response)
  next(page(null, 0))
  assert.deepEqual([seen?.token, seen?.lastRecord, seen?.lastRecords, seen?.reducedPageSize], [null, null, [], null])
})

test('a token that only looks like a number is refused by the counting methods', () => {
  for (const token of [{ value: 1.5 }, { value: '3' }, { value: 2 ** 53 }, { value: 2, exact: '2.0' }]) {
    assert.throws(() => nextPage(offset(3), { ...page(null, 3), token }, tools), { code: 'pagination/not-a-number' })
  }
})
