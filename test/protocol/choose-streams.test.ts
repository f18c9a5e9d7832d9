import assert from 'node:assert/strict'
import { test } from 'node:test'
import { streamsInCatalog } from '../../src/protocol/choose-streams.ts'

test('a configured catalog, the plain one, and the message that holds it', () => {
  const configured = {
    streams: [
      { stream: { name: 'a' }, sync_mode: 'full_refresh' },
      { stream: { name: 'b' }, sync_mode: 'incremental' },
    ],
  }
  assert.deepEqual(streamsInCatalog(configured), [
    { name: 'a', isIncremental: false },
    { name: 'b', isIncremental: true },
  ])
  const plain = { streams: [{ name: 'a', json_schema: {} }] }
  assert.deepEqual(streamsInCatalog(plain), [{ name: 'a', isIncremental: true }])
  assert.deepEqual(streamsInCatalog({ type: 'CATALOG', catalog: plain }), [{ name: 'a', isIncremental: true }])
})

test('what is no catalog is refused', () => {
  for (const value of [null, 3, [], {}, { streams: 3 }, { streams: [{}] }]) {
    assert.throws(() => streamsInCatalog(value), { code: 'cli/arguments' })
  }
})
