/** Which headers a request has, and which no request can have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headersOf } from '../../../src/engine/request/headers.ts'
import { withHeader, withoutHeader } from '../../../src/engine/request/http-request.ts'
import { sourcedAs } from '../../../src/engine/request/merge.ts'

const at = { pointer: '/p' }
function made(headers: Record<string, unknown>, contentType: string | null = null) {
  const named = Object.entries(headers).map(([name, value]) => ({ name, value }))
  return headersOf(sourcedAs('request_headers', named), contentType, at)
}

test('headers are text, null is not sent, and the last of one name in any case is', () => {
  assert.deepEqual(made({ A: true, B: 2, C: null, D: '' }), { A: 'True', B: '2', D: '' })
  assert.deepEqual(made({ 'X-Page': 1, 'x-page': 2 }), { 'x-page': '2' })
})

test('the type of the body is added where the author names none', () => {
  assert.deepEqual(made({}, 'application/json'), { 'Content-Type': 'application/json' })
  assert.deepEqual(made({ 'content-type': 'text/x' }, 'application/json'), { 'content-type': 'text/x' })
  assert.deepEqual(made({ 'content-type': null }, 'application/json'), { 'Content-Type': 'application/json' })
  assert.deepEqual(made({}), {})
})

test('a name or a value that would break the request is refused', () => {
  for (const name of ['a b', '', 'a:', 'ä', 'a\n']) {
    assert.throws(() => made({ [name]: 'x' }), {
      code: 'request/invalid-header',
      message: /is not a valid header name/,
    })
  }
  for (const value of ['a\nb', 'a\rb', 'a\0', ' a', '\ta', 'a\u007f', '€']) {
    assert.throws(() => made({ a: value }), { code: 'request/invalid-header', message: /The header `a` would contain/ })
  }
  assert.deepEqual(made({ "!#$%&'*+-.^_`|~09Az": 'é\ta ' }), { "!#$%&'*+-.^_`|~09Az": 'é\ta ' })
})

test('a header replaces one of the same name in any case, and is left out likewise', () => {
  const request = { method: 'GET', url: 'https://api.test', headers: { 'X-Key': 'old', Accept: '*' }, body: null }
  assert.deepEqual(withHeader(request, 'x-key', 'new').headers, { Accept: '*', 'x-key': 'new' })
  assert.deepEqual(withoutHeader(request, 'X-KEY').headers, { Accept: '*' })
  assert.deepEqual(request.headers, { 'X-Key': 'old', Accept: '*' })
})
