/** An incremental stream that fails again and again is given up: what it has stays, whether a destination stages it or not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationAt, loadManifest, sync } from 'turnleaf'
import { serveApi } from '../helpers/serve-api.ts'
import { jsonl } from './places/jsonl.ts'
import { parquet } from './places/parquet.ts'
import { manifestFor } from './streams.ts'
import { timeOfRound, worldOf } from './world.ts'

for (const kind of [parquet, jsonl]) {
  test(`${kind.name}: no row is missing after a stream was given up, and only those at its cursor come again`, async () => {
    let syncs = 0
    const { 'GET /events': honest } = worldOf(() => 1)
    assert.ok(honest)
    await using api = await serveApi({
      'GET /events': (query, request) =>
        syncs <= 2 && query.get('to') === '2024-01-06' ? { status: 403 } : honest(query, request),
    })
    await using place = await kind.make()
    const manifest = loadManifest(manifestFor(api.url))
    const endings: string[] = []
    for (syncs = 1; syncs <= 3; syncs++) {
      const to = destinationAt(place.address)
      const { ending } = await sync(manifest, { to, streams: ['events'], now: () => timeOfRound(1) + syncs * 1000 })
      endings.push(ending)
    }
    assert.deepEqual(endings, ['failed', 'failed', 'complete'])
    const rows = (await place.read(['events'])).get('events')?.rows ?? []
    const times = new Map<number, number>()
    for (const row of rows) {
      const { event } = JSON.parse(row) as { event: number }
      times.set(event, (times.get(event) ?? 0) + 1)
    }
    assert.deepEqual(
      [...times.keys()].toSorted((a, b) => a - b),
      Array.from({ length: 32 }, (_, event) => event),
    )
    // The state is at the fourth of January, which is requested again: events 12 to 15.
    const again = [...times].filter(([, count]) => count > 1).map(([event]) => event)
    assert.deepEqual(new Set(again), new Set([12, 13, 14, 15]))
  })
}
