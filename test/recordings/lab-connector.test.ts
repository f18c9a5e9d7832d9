import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testConnector } from '../../src/recordings/test-connector.ts'
import { sentences } from './shop.ts'

/** They were recorded by an earlier version: a change that makes users record again fails here. */
test('the recordings of the sample connector pass', async () => {
  const { results } = await testConnector('connectors/lab')
  assert.deepEqual(
    results.map(({ stream, outcome }) => [stream, outcome]),
    ['cursor', 'offset', 'secure_bearer'].map((stream) => [stream, 'passed']),
    sentences(results),
  )
})
