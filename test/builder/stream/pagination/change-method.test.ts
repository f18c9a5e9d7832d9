/** Changing the pagination method keeps what both have, and destroys nothing that is the author's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeMethod } from '../../../../src/builder/stream/pagination/change-method.ts'
import { usualPlaceIn } from '../../../../src/builder/stream/pagination/placement.ts'

const parameter = (field_name: string) => ({ type: 'RequestOption', inject_into: 'request_parameter', field_name })

test('a new paginator asks by offset and limit', () => {
  assert.deepEqual(changeMethod(null, 'OffsetIncrement'), {
    type: 'DefaultPaginator',
    pagination_strategy: { type: 'OffsetIncrement', page_size: 100 },
    page_token_option: parameter('offset'),
    page_size_option: parameter('limit'),
  })
  assert.deepEqual(changeMethod({ type: 'NoPagination' }, 'OffsetIncrement'), changeMethod(null, 'OffsetIncrement'))
})

test('names that the form proposed change with the method; those of the author stay', () => {
  const offset = changeMethod(null, 'OffsetIncrement')
  assert.deepEqual(changeMethod(offset, 'PageIncrement').page_token_option, parameter('page'))
  assert.deepEqual(changeMethod(offset, 'PageIncrement').page_size_option, parameter('page_size'))
  const own = { ...offset, page_token_option: parameter('skip') }
  assert.deepEqual(changeMethod(own, 'PageIncrement').page_token_option, parameter('skip'))
})

test('what is new goes into the body that the requests have; GraphQL has variables there', () => {
  const into = (
    requester: unknown,
    method: 'OffsetIncrement' | 'PageIncrement' = 'OffsetIncrement',
    before: unknown = null,
  ) => {
    const { page_token_option, page_size_option } = changeMethod(before, method, undefined, usualPlaceIn(requester))
    return [page_token_option, page_size_option]
  }
  const option = (inject_into: string, name: object) => ({ type: 'RequestOption', inject_into, ...name })
  const query = [parameter('offset'), parameter('limit')]
  const json = [option('body_json', { field_name: 'offset' }), option('body_json', { field_name: 'limit' })]
  const form = [option('body_data', { field_name: 'offset' }), option('body_data', { field_name: 'limit' })]
  const variables = (...names: string[]) =>
    names.map((name) => option('body_json', { field_path: ['variables', name] }))
  const typed = (type: string, value: unknown) => ({ http_method: 'POST', request_body: { type, value } })
  const graphql = typed('RequestBodyGraphQL', { type: 'RequestBodyGraphQlQuery', query: '{ a }' })
  assert.deepEqual(into({ request_body_json: { state: 'open' } }), json)
  assert.deepEqual(into({ request_body_json: {} }), json)
  assert.deepEqual(into(typed('RequestBodyJsonObject', { state: 'open' })), json)
  assert.deepEqual(into({ request_body_data: { state: 'open' } }), form)
  assert.deepEqual(into(graphql), variables('offset', 'limit'))
  assert.deepEqual(into({ request_body_json: { query: '{ a }' } }), variables('offset', 'limit'))
  for (const none of [
    undefined,
    { http_method: 'POST' },
    { request_body_data: 'text' },
    { request_body_json: '{{ x }}' },
  ]) {
    assert.deepEqual(into(none), query)
  }

  const offset = changeMethod(null, 'OffsetIncrement', undefined, usualPlaceIn(graphql))
  assert.deepEqual(into(graphql, 'PageIncrement', offset), variables('page', 'page_size'))
  const own = { ...offset, page_token_option: option('body_json', { field_path: ['paging', 'offset'] }) }
  assert.deepEqual(into(graphql, 'PageIncrement', own)[0], own.page_token_option)
})

test('size and first request are kept where both methods have them', () => {
  const strategy = {
    type: 'PageIncrement',
    page_size: '{{ config.size }}',
    start_from_page: 1,
    inject_on_first_request: true,
  }
  const after = changeMethod({ type: 'DefaultPaginator', pagination_strategy: strategy }, 'OffsetIncrement')
  assert.deepEqual(after.pagination_strategy, {
    type: 'OffsetIncrement',
    page_size: '{{ config.size }}',
    inject_on_first_request: true,
  })
  assert.equal(after.page_token_option, undefined, 'an injection that was off stays off')
  assert.equal(after.page_size_option, undefined)
})

test('a method that was used before comes back as it was, with the size of today', () => {
  const earlier = { type: 'CursorPagination', page_size: 10, cursor_value: '{{ response.next }}', stop_condition: 'x' }
  const after = changeMethod(changeMethod(null, 'OffsetIncrement'), 'CursorPagination', earlier)
  assert.deepEqual(after.pagination_strategy, { ...earlier, page_size: 100 })
})

test('a size comes back after a method that has none', () => {
  const offset = { type: 'OffsetIncrement', page_size: 25 }
  const custom = {
    type: 'DefaultPaginator',
    pagination_strategy: { type: 'CustomPaginationStrategy', class_name: 'a.b.C' },
  }
  assert.deepEqual(changeMethod(custom, 'OffsetIncrement', offset).pagination_strategy, offset)
})

test('an address cannot be an offset', () => {
  const cursor = {
    type: 'DefaultPaginator',
    pagination_strategy: { type: 'CursorPagination', cursor_value: '{{ response.next }}' },
    page_token_option: { type: 'RequestPath' },
  }
  assert.deepEqual(changeMethod(cursor, 'CustomPaginationStrategy').page_token_option, { type: 'RequestPath' })
  assert.deepEqual(changeMethod(cursor, 'PageIncrement'), {
    type: 'DefaultPaginator',
    pagination_strategy: { type: 'PageIncrement', page_size: 100 },
    page_token_option: parameter('page'),
    page_size_option: parameter('page_size'),
  })
})

test('keys that no method knows stay, those of a class go with it', () => {
  const odd = { type: 'OffsetIncrement', page_size: 5, $parameters: { a: 1 }, note: 'mine' }
  const page = changeMethod({ type: 'DefaultPaginator', pagination_strategy: odd, extra: true }, 'PageIncrement')
  assert.deepEqual(page, {
    type: 'DefaultPaginator',
    extra: true,
    pagination_strategy: { type: 'PageIncrement', page_size: 5, $parameters: { a: 1 }, note: 'mine' },
    page_token_option: undefined,
    page_size_option: undefined,
  })
  const custom = { type: 'CustomPaginationStrategy', class_name: 'source_a.b.C', depth: 3 }
  const offset = changeMethod({ type: 'DefaultPaginator', pagination_strategy: custom }, 'OffsetIncrement')
  assert.deepEqual(offset.pagination_strategy, { type: 'OffsetIncrement', page_size: 100 })
})
