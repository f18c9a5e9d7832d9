import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newStream } from '../../../src/builder/editor/new-stream-value.ts'

const requesterOf = (root: unknown) =>
  (newStream(root, 'orders', '/orders').retriever as { requester: unknown }).requester

test('a new stream takes the requester that the definitions have for it', () => {
  const root = { definitions: { other: { type: 'Spec' }, base: { type: 'HttpRequester', url_base: 'https://a' } } }
  assert.deepEqual(requesterOf(root), { $ref: '#/definitions/base', path: '/orders' })
})

test('without one, it asks where the first stream asks, signed as that is', () => {
  const requester = { type: 'HttpRequester', url_base: 'https://a', path: '/x', authenticator: { type: 'NoAuth' } }
  const root = { streams: [{ retriever: { requester } }] }
  assert.deepEqual(requesterOf(root), {
    type: 'HttpRequester',
    url_base: 'https://a',
    authenticator: { type: 'NoAuth' },
    path: '/orders',
  })
})

test('with nothing to go by, it is as small as one can be', () => {
  for (const root of [null, {}, { streams: [] }, { definitions: [] }]) {
    assert.deepEqual(requesterOf(root), { type: 'HttpRequester', path: '/orders' })
  }
})
