import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Requester } from '../../../src/engine/request/requester.ts'

test('a requester that overrides nothing sends what the manifest says', async () => {
  class Own extends Requester {}
  const requester = new Own({ config: {}, parameters: {} })
  const context = { slice: { partition: {}, window: {} }, token: null }
  const [query, headers, body] = [{ a: 1 }, { b: 2 }, { c: 3 }]
  const request = { method: 'GET', url: 'https://api.test', headers: {}, body: null }
  assert.equal(requester.base(context, 'https://api.test'), 'https://api.test')
  assert.equal(requester.path(context, '/items'), '/items')
  assert.equal(requester.query(context, query), query)
  assert.equal(requester.headers(context, headers), headers)
  assert.equal(requester.body(context, body), body)
  assert.equal(await requester.request(context, request), request)
})
