/** A token is plain JSON, and gives back the value it was made of. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageToken, tokenValue } from '../../../src/engine/request/page-token.ts'
import { Float } from '../../../src/std/json.ts'

test('a token shows its value, and its exact digits where plain JSON would change them', () => {
  assert.deepEqual(pageToken('abc'), { value: 'abc' })
  assert.deepEqual(pageToken(7), { value: 7 })
  assert.deepEqual(pageToken(null), { value: null })
  assert.deepEqual(pageToken('a', 'https://api.test/2'), { value: 'a', url: 'https://api.test/2' })
  assert.deepEqual(pageToken(2n ** 60n), { value: '1152921504606846976', exact: '1152921504606846976' })
  assert.deepEqual(pageToken(new Float(2)), { value: 2, exact: '2.0' })
  assert.deepEqual(pageToken({ at: 2n ** 60n }), {
    value: { at: 1152921504606846976 },
    exact: '{"at":1152921504606846976}',
  })
  assert.deepEqual(pageToken([1], 'https://api.test/2'), { value: [1], exact: '[1]', url: 'https://api.test/2' })
})

test('the value is whole, also after the token was stored', () => {
  for (const value of ['abc', '7', 7, 2n ** 60n, new Float(2), [1, 2n ** 60n], { at: new Float(2) }]) {
    const token = pageToken(value, 'https://api.test/2')
    assert.deepEqual(tokenValue(token), value)
    assert.deepEqual(tokenValue(JSON.parse(JSON.stringify(token))), value)
  }
})

test('a value that JSON has no word for is itself as long as the token is not stored', () => {
  const value = new Map([['a', 1]])
  assert.equal(tokenValue(pageToken(value)), value)
})
