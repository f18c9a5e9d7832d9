/** Tables that a sync must not write: their streams fail before the API is asked, and others are read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, sync } from '../../src/index.ts'
import { planParts } from '../../src/sync/plan-parts.ts'
import { commit, during, page, table, write } from '../destinations/behaviours.ts'
import { everyPlace, inPostgres } from '../destinations/places.ts'
import { sourceOf, streamOf } from '../helpers/manifests.ts'
import { serveApi } from '../helpers/serve-api.ts'

const serveItems = () =>
  serveApi({
    'GET /items': () => ({ json: { data: [{ id: 1 }, { id: 2 }] } }),
    'GET /others': () => ({ json: { data: [{ id: 3 }] } }),
  })

const manifestAt = (url: string, ...names: readonly string[]) =>
  loadManifest(sourceOf(names.map((name) => streamOf({ url, name, requester: { path: `/${name}` } }))))

for (const [name, open] of Object.entries(everyPlace)) {
  for (const mode of ['full_refresh_overwrite', 'full_refresh_append'] as const) {
    test(`${name}, ${mode}: for a table of another connection nothing is requested, in any run`, async () => {
      await using api = await serveItems()
      await using place = await open()
      const to = place.destination
      await sync(manifestAt(api.url, 'items'), { to, mode, connection: 'first' })
      const before = await place.rows('items')
      const asked = api.asked.length
      for (let attempt = 1; attempt <= 2; attempt++) {
        const { receipts } = await sync(manifestAt(api.url, 'items', 'others'), { to, mode, connection: 'second' })
        assert.deepEqual(
          receipts.map(({ stream, ending, error }) => [stream, ending, error?.code]),
          [
            ['items', 'failed', 'destinations/table-taken'],
            ['others', 'complete', undefined],
          ],
        )
      }
      assert.deepEqual([...new Set(api.asked.slice(asked))], ['GET /others'])
      assert.deepEqual(await place.rows('items'), before)
    })
  }
}

test('a stream of several processes whose table is taken has no parts: the lead fails it', async () => {
  await using api = await serveItems()
  await using place = await inPostgres()
  await place.makeForeign('items')
  const manifest = manifestAt(api.url, 'items')
  const [planned] = await planParts(manifest, { to: place.destination, streams: ['items'] })
  assert.equal(planned?.reason, 'its table cannot be written')
  assert.deepEqual(api.asked, [])
})

test('a stream whose staged rows lost the race for the name fails before it is read again', async () => {
  await using api = await serveItems()
  await using place = await inPostgres()
  const manifest = manifestAt(api.url, 'items')
  const staged = write(table('items', 'overwrite'), page([{ id: 1 }]))
  await during(place, (open) => open.commit(commit([staged])), 'second')
  await sync(manifest, { to: place.destination, connection: 'first' })
  const asked = api.asked.length
  const { receipts } = await sync(manifest, { to: place.destination, connection: 'second' })
  assert.equal(receipts[0]?.error?.code, 'destinations/table-taken')
  assert.equal(api.asked.length, asked)
})
