/** A primary key in each of its spellings, and the fields that could be one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keysIn, likelyKeys, writtenKeys } from '../../../../src/builder/stream/records/primary-key.ts'

test('every spelling is read', () => {
  assert.deepEqual(keysIn('id'), [['id']])
  assert.deepEqual(keysIn(['id', 'region']), [['id'], ['region']])
  assert.deepEqual(keysIn([['data', 'id'], ['region']]), [['data', 'id'], ['region']])
  assert.deepEqual(keysIn([]), [])
  assert.deepEqual(keysIn(undefined), [])
  assert.equal(keysIn({ id: 1 }), null)
  assert.equal(keysIn([[]]), null)
})

test('a key is written as it was spelt, where that can hold it', () => {
  assert.equal(writtenKeys([['uid']], 'id'), 'uid')
  assert.deepEqual(writtenKeys([['id'], ['region']], 'id'), ['id', 'region'])
  assert.deepEqual(writtenKeys([['uid']], [['id']]), [['uid']])
  assert.deepEqual(writtenKeys([['id']], undefined), ['id'])
  assert.deepEqual(writtenKeys([['data', 'id'], ['region']], ['id']), [['data', 'id'], ['region']])
  assert.equal(writtenKeys([], 'id'), undefined)
})

test('fields that differ in every record are offered, identifiers first', () => {
  const records = [
    { name: 'a', open: true, order_id: 2n ** 60n, id: 1, at: { x: 1 }, same: 1 },
    { name: 'b', open: false, order_id: 2n ** 60n + 1n, id: 2, at: { x: 2 }, same: 1 },
  ]
  assert.deepEqual(likelyKeys(records), ['id', 'order_id', 'name'])
  assert.deepEqual(likelyKeys([]), [])
  assert.deepEqual(likelyKeys([{ id: 1 }]), [], 'one record proves nothing')
  assert.deepEqual(likelyKeys([{ id: 1 }, {}]), [])
})
