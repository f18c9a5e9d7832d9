/** Functions of the caller that are asynchronous although nothing waits for them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { loadManifest, readPages, sync } from '../../src/index.ts'
import { collect } from '../helpers/collect.ts'
import { option, sourceOf, streamOf } from '../helpers/manifests.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { serveApi } from '../helpers/serve-api.ts'

test('a handler that rejects is a warning of the process: neither its end nor that of the sync', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 1, day: '2024-01-02' }] } }) })
  const incremental_sync = {
    type: 'DatetimeBasedCursor',
    cursor_field: 'day',
    datetime_format: '%Y-%m-%d',
    start_datetime: '2024-01-01',
    end_datetime: '2024-01-03',
    start_time_option: option('request_parameter', 'from'),
  }
  const manifest = loadManifest(sourceOf([streamOf({ url: api.url, stream: { incremental_sync } })]))
  const warnings: string[] = []
  const hear = ({ message }: Error) => void warnings.push(message)
  process.on('warning', hear)
  try {
    const fails = async () => {
      await setImmediate()
      throw new Error('no room for it')
    }
    const { ending } = await sync(manifest, { to: memoryDestination(), onEvent: fails })
    assert.equal(ending, 'complete')
    assert.equal((await collect(readPages(manifest, { onState: fails }))).length, 1)
    for (let turns = 0; turns < 5; turns++) await setImmediate()
  } finally {
    process.off('warning', hear)
  }
  assert.deepEqual([...new Set(warnings)], ['`onEvent` failed: no room for it', '`onState` failed: no room for it'])
})
