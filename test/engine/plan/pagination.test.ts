/** DESIGN §3.1: what the manifest says about pages, and what the plan makes of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, planStream } from '../../../src/index.ts'
import type { PaginationPlan } from '../../../src/engine/plan/pagination.ts'
import { cursorPaginator, manifestOf, offsetPaginator, option } from '../../helpers/manifests.ts'

const config = { page_size: 50, text: '50', half: 2.5 }

function plan(paginator: Record<string, unknown> | undefined): PaginationPlan {
  const parts = paginator === undefined ? {} : { paginator }
  return planStream(loadManifest(manifestOf(parts)), 'items', config).pagination
}

/** The plan without its place, templates as their source. */
function shown(paginator: Record<string, unknown> | undefined): Record<string, unknown> {
  const {
    at: _at,
    parameters: _parameters,
    ...rest
  } = JSON.parse(JSON.stringify(plan(paginator))) as Record<string, unknown>
  return rest
}

const query = (name: string) => ({ into: 'query', name })
const sized = (value: unknown) => ({ placement: query('limit'), value })

test('off: no pagination at all', () => {
  assert.deepEqual(shown(undefined), { kind: 'none' })
  assert.deepEqual(plan({ type: 'NoPagination' }), { kind: 'none' })
})

const sizes: [name: string, page_size: unknown, count: number, sent: number | string][] = [
  ['a number', 3, 3, 3],
  ['digits in quotes', '3', 3, 3],
  ['a template', "{{ config['page_size'] }}", 50, 50],
  ['a template over a text', "{{ config['text'] }}", 50, 50],
  ['a quoted template is sent as text', '"{{ config[\'page_size\'] }}"', 50, '50'],
  ['an expression', '{{ config.page_size * 2 }}', 100, 100],
]
for (const [name, page_size, count, sent] of sizes) {
  test(`page size: ${name}`, () => {
    const expected = {
      kind: 'offset',
      pageSize: count,
      injectOnFirst: false,
      token: query('offset'),
      size: sized(sent),
    }
    assert.deepEqual(shown(offsetPaginator({ page_size })), expected)
  })
}

const badSizes: [page_size: unknown, words: RegExp][] = [
  ['abc', /`abc`/],
  ['{{ config.half }}', /`2.5`/],
  ['{{ config.nope }}', /nothing/],
]
for (const [page_size, words] of badSizes) {
  test(`page size ${JSON.stringify(page_size)} is refused, with its place`, () => {
    for (const type of ['OffsetIncrement', 'PageIncrement']) {
      assert.throws(
        () => plan(offsetPaginator({ type, page_size })),
        (error: Error & { code: string; at?: object }) => {
          assert.equal(error.code, 'plan/invalid-page-size')
          assert.match(error.message, words)
          assert.deepEqual(error.at, { pointer: '/streams/0/retriever/paginator/pagination_strategy/page_size' })
          return true
        },
      )
    }
  })
}

test('a page size of 0 that is to be injected is refused at its place', () => {
  for (const page_size of [0, '{{ 0 }}']) {
    assert.throws(() => plan(offsetPaginator({ page_size })), {
      code: 'plan/page-size-missing',
      message: 'A page size is to be injected, but `page_size` is 0, which counts as none.',
      at: { pointer: '/streams/0/retriever/paginator/pagination_strategy/page_size' },
    })
  }
})

test('a page size that looks at the response waits for one', () => {
  const { page_size_option: _none, ...paginator } = offsetPaginator({ page_size: '{{ response.size }}' })
  assert.equal(shown(paginator).pageSize, '{{ response.size }}')
  assert.throws(() => plan(offsetPaginator({ page_size: '{{ response.size }}' })), { code: 'template/unknown-name' })
})

test('an injected size without a value, 0 included', () => {
  for (const strategy of [{}, { page_size: 0 }, { page_size: '0' }]) {
    assert.throws(() => plan(offsetPaginator(strategy)), { code: 'plan/page-size-missing' })
  }
})

test('page increment: start, first request, placement', () => {
  const strategy = { type: 'PageIncrement', page_size: 10, start_from_page: 1, inject_on_first_request: true }
  const found = shown({ pagination_strategy: strategy, page_token_option: option('body_json', ['page', 'number']) })
  assert.deepEqual(found, {
    kind: 'page',
    pageSize: 10,
    firstPage: 1,
    injectOnFirst: true,
    token: { into: 'json', path: ['page', 'number'] },
    size: null,
  })
})

test('cursor: value and condition stay templates; the path is a placement', () => {
  const paginator = cursorPaginator('{{ response.next }}', '{{ not response.next }}', {
    page_token_option: { type: 'RequestPath' },
  })
  assert.deepEqual(shown(paginator), {
    kind: 'cursor',
    value: '{{ response.next }}',
    stopWhen: '{{ not response.next }}',
    pageSize: null,
    token: { into: 'path' },
    size: null,
  })
})

test('custom: class name and the fields it is given', () => {
  const pagination_strategy = { type: 'CustomPaginationStrategy', class_name: 'source_x.y.Z', step: 2 }
  const found = shown({ pagination_strategy, page_size_option: option('header', 'X-Size') })
  assert.deepEqual(found, {
    kind: 'custom',
    role: 'pagination strategy',
    className: 'source_x.y.Z',
    fields: { step: 2 },
    token: null,
    size: { placement: { into: 'header', name: 'X-Size' }, value: null },
  })
})

test('token and size in one place collide before any request', () => {
  const both = { page_token_option: option('header', 'X'), page_size_option: option('header', 'X') }
  assert.throws(() => plan(offsetPaginator({ page_size: 3 }, both)), { code: 'request/option-collision' })
})

test('field names are templates over the config', () => {
  const paginator = offsetPaginator(
    { page_size: 3 },
    { page_size_option: option('request_parameter', '{{ config.text }}') },
  )
  assert.deepEqual(shown(paginator).size, { placement: query('50'), value: 3 })
})

test('documentation 1.7: injection into body is read as body_json, or body_data next to a form', () => {
  const paginator = offsetPaginator(
    { page_size: 3 },
    { page_token_option: { type: 'RequestOption', inject_into: 'body', field_name: 'o' } },
  )
  const json = loadManifest(manifestOf({ requester: { http_method: 'POST' }, paginator }))
  const form = loadManifest(
    manifestOf({ requester: { http_method: 'POST', request_body_data: { a: '1' } }, paginator }),
  )
  const tokenOf = (manifest: typeof json) =>
    (planStream(manifest, 'items', config).pagination as { token: object }).token
  assert.deepEqual(tokenOf(json), { into: 'json', path: ['o'] })
  assert.deepEqual(tokenOf(form), { into: 'form', name: 'o' })
  assert.deepEqual(
    json.problems.map(({ code }) => code),
    ['manifest/older-spelling'],
  )
})
