/** Syncs of one connection on machines whose clocks differ. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, sync, type SyncOptions } from '../../src/index.ts'
import { sourceOf, streamOf } from '../helpers/manifests.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { serveApi } from '../helpers/serve-api.ts'

test('an interrupted run is resumed although a machine that is hours ahead has synced before', async () => {
  let stop = new AbortController()
  let stopAt = ''
  await using api = await serveApi({
    '*': (_query, { path }) => {
      if (path === stopAt) stop.abort()
      return { json: { data: [{ id: 1 }] } }
    },
  })
  const streams = ['a', 'b'].map((name) => streamOf({ url: api.url, name, requester: { path: `/${name}` } }))
  const manifest = loadManifest(sourceOf(streams))
  const to = memoryDestination()
  const run = async (hour: number, options: Partial<SyncOptions> = {}) => {
    stop = new AbortController()
    const now = () => Date.UTC(2026, 0, 1, hour)
    const one = { mode: 'full_refresh_append', streamsAtOnce: 1, prefetch: 'off', signal: stop.signal, now } as const
    return (await sync(manifest, { to, ...one, ...options })).ending
  }
  assert.equal(await run(5), 'complete')
  stopAt = '/b'
  assert.equal(await run(0), 'interrupted')
  stopAt = ''
  assert.equal(await run(0), 'complete')
  // Once by each of the two syncs; not once more by the attempt that resumed.
  assert.deepEqual(
    ['a', 'b'].map((name) => to.tables.get(name)?.length),
    [2, 2],
  )
})
