/** What a page lacks that the cursor reads: when that is said, and when it is not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFullPage } from '../../../src/engine/pagination/missing-cursor-paths.ts'
import { nextPage } from '../../../src/engine/pagination/next-page.ts'
import type { PaginationPlan } from '../../../src/engine/plan/pagination.ts'
import { compileTemplate } from '../../../src/engine/template/template.ts'

type Page = {
  readonly body: unknown
  readonly count?: number
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The warnings of a slice with these pages, read with one plan. */
function warnings(value: string, pages: readonly Page[], stopWhen: string | null = null): string[] {
  const plan: PaginationPlan = {
    kind: 'cursor',
    value: compileTemplate(value),
    stopWhen: stopWhen === null ? null : compileTemplate(stopWhen),
    at: { pointer: '/p' },
    token: { into: 'query', name: 't' },
    size: null,
    pageSize: null,
    parameters: {},
  }
  const told: string[] = []
  for (const { body, count = 0, query = '', headers = {} } of pages) {
    const received = Array.from({ length: count }, (_, id) => ({ id }))
    const url = `https://api.test/items${query}`
    const page = { token: null, url, body, headers, receivedCount: count, received }
    nextPage(plan, page, {
      config: { nextPage: 'x' },
      strategy: null,
      streamName: 'items',
      warn: (text) => told.push(text),
    })
  }
  return told
}

const unread =
  'No page has `response.next`, which the cursor value reads, and the read ended with a full page of 3 records: more may follow. `npx turnleaf diagnose` searches for the cursor.'

test('a full page without the cursor draws a warning, a short one or one of unknown size does not', () => {
  const last = (count: number, query: string) => warnings('{{ response.next }}', [{ body: {}, count, query }])
  assert.deepEqual(last(3, '?limit=3'), [unread])
  assert.deepEqual(last(2, '?limit=3'), [])
  assert.deepEqual(last(3, ''), [])
  assert.deepEqual(last(0, '?limit=0'), [])
  // Which of the two is the size?
  assert.deepEqual(last(3, '?limit=3&count=3'), [])
})

test('a full page where the stop condition holds is no reason to look for a cursor', () => {
  const page = { body: { done: true }, count: 3, query: '?limit=3' }
  assert.deepEqual(warnings('{{ response.next }}', [page], '{{ response.done }}'), [])
})

test('a full page is said once, and not where an earlier page had the cursor', () => {
  const full = { body: {}, count: 3, query: '?limit=3' }
  assert.deepEqual(warnings('{{ response.next }}', [full, full]), [unread])
  assert.deepEqual(warnings('{{ response.next }}', [{ body: { next: 'a' } }, full]), [])
  assert.deepEqual(warnings('{{ response.after or response.next }}', [{ body: { next: 'a' } }, full]), [])
})

test('a name spelt nearly alike is named, once, when the slice has ended', () => {
  const misspelt = 'No page has `response.next_page`, which the cursor value reads. Did you mean `response.nextPage`?'
  const page = { body: { nextPage: 'b' } }
  assert.deepEqual(warnings('{{ response.next_page }}', [page]), [misspelt])
  assert.deepEqual(warnings('{{ response.next_page }}', [page, page]), [misspelt])
  assert.deepEqual(
    warnings('{{ response.next_page or response.other }}', [{ body: { nextPage: 'b', other: 'c' } }]),
    [],
  )
  assert.deepEqual(warnings('{{ response.next_page }}', [{ body: { next_page: 'a' } }, page]), [])
})

test('the stop condition is looked at as well', () => {
  assert.deepEqual(
    warnings('{{ response.next }}', [{ body: { next: '', hasMore: false } }], '{{ response.has_more }}'),
    ['No page has `response.has_more`, which the stop condition reads. Did you mean `response.hasMore`?'],
  )
})

test('only what pages bring is looked for: the config is none of it, nor is a response taken whole', () => {
  assert.deepEqual(warnings('{{ response.next or config.next_page }}', [{ body: { next: '' } }]), [])
  const full = { body: {}, count: 3, query: '?limit=3' }
  assert.deepEqual(warnings('{{ response.next if response else none }}', [full]), [unread])
})

test('a last name may be a value only, one before it only an object or a list', () => {
  assert.deepEqual(warnings('{{ response.next_page }}', [{ body: { nextPage: { id: 1 } } }]), [])
  assert.deepEqual(warnings('{{ response.pag_ing.next }}', [{ body: { paging: 'x' } }]), [])
  assert.deepEqual(warnings('{{ response.pag_ing.next }}', [{ body: { paging: { next: 'a' } } }]), [
    'No page has `response.pag_ing.next`, which the cursor value reads. Did you mean `response.paging.next`?',
  ])
})

test('another first letter, a plural and another letter of a short word are other words', () => {
  const near = (name: string, there: string) =>
    warnings(`{{ response.${name} }}`, [{ body: { [there]: 'a' } }]).length > 0
  assert.deepEqual(
    [
      ['cursor', 'cusror'],
      ['cursor', 'kursor'],
      ['page', 'pages'],
      ['pages', 'page'],
      ['more', 'mode'],
      ['next', 'nxet'],
      ['next', 'nextt'],
      ['token', 'tokem'],
    ].map(([name = '', there = '']) => `${name} ${there} ${near(name, there)}`),
    [
      'cursor cusror true',
      'cursor kursor false',
      'page pages false',
      'pages page false',
      'more mode false',
      'next nxet true',
      'next nextt true',
      'token tokem true',
    ],
  )
})

test('a page is full by the size that the paginator sends, else by the one parameter that is named for it', () => {
  const isFull = (count: number, query: string, value: number | string | null = null) => {
    const size = value === null ? null : { placement: { into: 'query', name: 'n' } as const, value }
    const plan = { kind: 'cursor', size } as Parameters<typeof isFullPage>[0]
    return isFullPage(plan, { url: `https://api.test/items${query}`, receivedCount: count })
  }
  assert.equal(isFull(3, '', 3), true)
  assert.equal(isFull(4, '', '3'), true)
  assert.equal(isFull(2, '', 3), false)
  assert.equal(isFull(0, '', 0), false)
  assert.equal(isFull(2, '?limit=2', 3), false)
  for (const name of ['limit', 'per_page', 'page[size]', '$top', 'maxResults', '_limit', 'first']) {
    assert.equal(isFull(3, `?${name}=3`), true, name)
    assert.equal(isFull(2, `?${name}=3`), false, name)
  }
  for (const query of ['?limit=all', '?limits=3', '?page=3', '?limit=3&size=5']) assert.equal(isFull(9, query), false)
  const plan = { kind: 'cursor', size: null } as Parameters<typeof isFullPage>[0]
  assert.equal(isFullPage(plan, { url: '/items?limit=3', receivedCount: 3 }), false)
})

test('a header is found in any case, and the Link header only where it was sent', () => {
  const named = (value: string, headers: Record<string, string>) => warnings(value, [{ body: {}, headers }])
  assert.deepEqual(named("{{ headers['X-Next'] }}", { 'x-next': 'a' }), [])
  assert.deepEqual(named("{{ headers['X-Next-Page'] }}", { 'x-nextpage': 'a' }), [
    "No page has `headers['X-Next-Page']`, which the cursor value reads. Did you mean `headers['x-nextpage']`?",
  ])
  assert.deepEqual(named("{{ headers['links'] }}", {}), [])
})

test('a position in a list is looked for from both ends', () => {
  const told = (value: string, body: unknown) => warnings(value, [{ body, count: 3, query: '?limit=3' }])
  assert.deepEqual(told('{{ response.links[-1].more }}', { links: [{ more: '' }] }), [])
  assert.deepEqual(told('{{ response.links[0].more }}', { links: [{ more: '' }] }), [])
  assert.equal(told('{{ response.links[1].more }}', { links: [{ more: '' }] }).length, 1)
})

test('of the last record, its fields are looked for', () => {
  const told = (value: string) => warnings(value, [{ body: {}, count: 3, query: '?limit=3' }])
  assert.deepEqual(told('{{ last_record.ids }}').length, 1)
  assert.deepEqual(told('{{ last_records[-1].id }}'), [])
})
