/** A key column of times that becomes text: the same time is the same key, whenever it came and however the API spells it. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { destinationAt, loadManifest, sync } from '../../src/index.ts'
import { sourceOf, streamOf } from '../helpers/manifests.ts'
import { freshDatabase } from '../helpers/postgres.ts'
import { serveApi } from '../helpers/serve-api.ts'

const times = [
  '2024-01-01T10:00:00+02:00',
  '2024-01-01 10:00:00.5Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:30:00-01:00',
]

/** What each sync receives: the value that is no time comes later, first, or in the middle of the times. */
const orders: readonly (readonly (readonly string[])[])[] = [
  [times, ['n/a', ...times], times],
  [['n/a', ...times], times, ['n/a', ...times]],
  [[...times.slice(0, 1), 'n/a', ...times.slice(1)], times],
]

const schema = { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } }

test('a time that comes again is no second row after its column became text', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-times-'))
  await using database = await freshDatabase()
  let received: readonly string[] = []
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: received.map((at) => ({ at })) } }) })
  try {
    for (const [index, syncs] of orders.entries()) {
      const spellings: string[][] = []
      for (const address of [
        `duckdb:${join(folder, `${index}.duckdb`)}`,
        `parquet:${join(folder, `parquet-${index}`)}`,
        database.url,
      ]) {
        const to = destinationAt(address, address === database.url ? { schema: `order_${index}` } : {})
        const stream = streamOf({
          url: api.url,
          stream: { primary_key: 'at', schema_loader: { type: 'InlineSchemaLoader', schema } },
        })
        const manifest = loadManifest(sourceOf([stream]))
        for (received of syncs) {
          const { ending } = await sync(manifest, { to, mode: 'full_refresh_dedup' })
          assert.equal(ending, 'complete', address)
        }
        const table = address === database.url ? `order_${index}.items` : 'items'
        const rows = (await to.query?.(`select "at" from ${table}`, 100))?.rows ?? []
        spellings.push(rows.map(([at]) => String(at)).toSorted())
      }
      for (const found of spellings) {
        assert.deepEqual(
          found,
          [
            '0000-12-31T23:00:00Z',
            '10000-01-01T00:30:00Z',
            '2024-01-01T08:00:00Z',
            '2024-01-01T10:00:00.500000Z',
            'n/a',
          ],
          `order ${index}`,
        )
      }
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
