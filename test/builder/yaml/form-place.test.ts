import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPart } from '../../../src/builder/editor/outline-parts.ts'
import { formPartAt, textPlaceOf } from '../../../src/builder/yaml/form-place.ts'
import { openDocument } from '../../../src/document/open-document.ts'
import { streamsIn } from '../../../src/document/stream-paths.ts'

const root = openDocument(`definitions:
  requester:
    type: HttpRequester
    url_base: https://a.example
    authenticator: { type: BearerAuthenticator, api_token: x }
    request_parameters: { a: b }
  streams:
    items:
      name: items
      retriever:
        requester: { $ref: '#/definitions/requester', path: /items, error_handler: { type: DefaultErrorHandler } }
        paginator: { type: DefaultPaginator }
streams:
  - name: orders
    retriever:
      requester: { $ref: '#/definitions/requester', path: /orders }
      record_selector: { extractor: { field_path: [data] } }
  - $ref: '#/definitions/streams/items'
spec:
  connection_specification: { properties: { key: {} } }
`).value
const partAt = (address: string | null) => findPart(address, streamsIn(root))
const orders = partAt('orders')

test('a stream opens where it is written, also in the definitions', () => {
  assert.deepEqual(textPlaceOf(root, orders, null), ['streams', 0])
  assert.deepEqual(textPlaceOf(root, partAt('items'), null), ['definitions', 'streams', 'items'])
})

test('what was edited last counts where it belongs to what is open, and not otherwise', () => {
  const path = ['streams', 0, 'retriever', 'requester', 'path']
  assert.deepEqual(textPlaceOf(root, orders, path), path)
  assert.deepEqual(textPlaceOf(root, partAt('items'), path), ['definitions', 'streams', 'items'])
  const shared = ['definitions', 'requester', 'request_parameters']
  assert.deepEqual(textPlaceOf(root, partAt('items'), shared), shared)
})

test('a page of settings opens at the first place that it changes; what is no part of the text nowhere', () => {
  assert.deepEqual(textPlaceOf(root, partAt('.base-url'), ['streams', 0]), ['definitions', 'requester', 'url_base'])
  assert.deepEqual(textPlaceOf(root, partAt('.authentication'), null), ['definitions', 'requester', 'authenticator'])
  assert.deepEqual(textPlaceOf(root, partAt('.inputs'), null), ['spec'])
  assert.equal(textPlaceOf(root, partAt('.versions'), ['spec']), null)
})

test('a place in the text is shown in its stream and section', () => {
  const at = (...path: (string | number)[]) => formPartAt(root, path, orders)
  assert.deepEqual(at('streams', 0, 'retriever', 'record_selector', 'extractor'), {
    part: 'orders',
    section: 'Records',
  })
  assert.deepEqual(at('definitions', 'streams', 'items', 'retriever', 'paginator', 'type'), {
    part: 'items',
    section: 'Pagination',
  })
  assert.deepEqual(at('definitions', 'streams', 'items', 'retriever', 'requester', 'error_handler'), {
    part: 'items',
    section: 'Error handling',
  })
  assert.deepEqual(at('streams', 1), { part: 'items', section: null })
})

test('what streams share is shown in the stream that is open, or in the settings', () => {
  const shared = ['definitions', 'requester', 'request_parameters']
  assert.equal(formPartAt(root, shared, partAt('items')).part, 'items')
  assert.equal(formPartAt(root, shared, partAt('.inputs')).part, 'orders')
  assert.equal(formPartAt(root, ['definitions', 'requester', 'url_base'], orders).part, '.base-url')
  assert.equal(
    formPartAt(root, ['definitions', 'requester', 'authenticator', 'api_token'], orders).part,
    '.authentication',
  )
  assert.equal(formPartAt(root, ['spec', 'connection_specification'], orders).part, '.inputs')
  for (const none of [[], ['version'], ['definitions']]) assert.equal(formPartAt(root, none, orders).part, null)
})
