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
  const chosen = [{ name: 'a', isIncremental: true, schema: {} }]
  assert.deepEqual(streamsInCatalog(plain), chosen)
  assert.deepEqual(streamsInCatalog({ type: 'CATALOG', catalog: plain }), chosen)
})

test('the fields chosen, and whether files are wanted', () => {
  const schema = { properties: { id: {} } }
  const entry = (json_schema: unknown, include_files: unknown) => ({
    stream: { name: 'a', json_schema },
    include_files,
  })
  assert.deepEqual(streamsInCatalog({ streams: [entry(schema, true), entry(['x'], 'true')] }), [
    { name: 'a', isIncremental: true, schema, wantsFiles: true },
    { name: 'a', isIncremental: true },
  ])
})

test('what is no catalog is refused', () => {
  for (const value of [null, 3, [], {}, { streams: 3 }, { streams: [{}] }]) {
    assert.throws(() => streamsInCatalog(value), { code: 'cli/arguments' })
  }
})
