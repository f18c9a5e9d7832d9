/** Both spellings of a body are read, and changed without mixing them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestBodyIn, changesToBody } from '../../../../src/builder/stream/request/body-kind.ts'

test('every spelling is read', () => {
  assert.equal(requestBodyIn({}).kind, 'none')
  assert.deepEqual(requestBodyIn({ request_body_json: { a: 1 } }), { kind: 'json', at: ['request_body_json'] })
  assert.deepEqual(requestBodyIn({ request_body_json: '{{ config.body }}' }), {
    kind: 'json',
    at: ['request_body_json'],
  })
  assert.deepEqual(requestBodyIn({ request_body_data: { a: 1 } }), { kind: 'form', at: ['request_body_data'] })
  assert.deepEqual(requestBodyIn({ request_body_data: 'a=1' }), { kind: 'text', at: ['request_body_data'] })
  const graphql = { request_body: { type: 'RequestBodyGraphQL', value: { query: '{ orders }' } } }
  assert.deepEqual(requestBodyIn(graphql), { kind: 'graphql', at: ['request_body', 'value', 'query'] })
  assert.equal(requestBodyIn({ request_body: { type: 'Odd' } }).kind, 'other')
  assert.equal(requestBodyIn({ request_body_json: {}, request_body_data: {} }).kind, 'other', 'two bodies have no form')
})

test('pairs go along from JSON to form and back, in the spelling that is there', () => {
  assert.deepEqual(changesToBody(['r'], { request_body_json: { a: 1 } }, 'form'), [
    { at: ['r', 'request_body_json'], value: undefined },
    { at: ['r', 'request_body_data'], value: { a: 1 } },
  ])
  const typed = { request_body: { type: 'RequestBodyUrlEncodedForm', value: { a: '1' } } }
  assert.deepEqual(changesToBody(['r'], typed, 'json'), [
    { at: ['r', 'request_body'], value: { type: 'RequestBodyJsonObject', value: { a: '1' } } },
  ])
  assert.deepEqual(changesToBody(['r'], typed, 'none'), [{ at: ['r', 'request_body'], value: undefined }])
  assert.deepEqual(changesToBody(['r'], {}, 'none'), [])
})

test('a body where there was none starts empty', () => {
  const requester = { type: 'HttpRequester', path: '/orders', request_parameters: { a: 1 } }
  assert.deepEqual(changesToBody(['r'], requester, 'json'), [{ at: ['r', 'request_body_json'], value: {} }])
  assert.deepEqual(changesToBody(['r'], requester, 'form'), [{ at: ['r', 'request_body_data'], value: {} }])
})
