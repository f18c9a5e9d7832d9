/** Keys that hold half of a character stay different, in every destination. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Destination, destinationAt, loadManifest, sync, type SyncMode } from '../../src/index.ts'
import { wellFormedKeys } from '../../src/sync/well-formed-keys.ts'
import { sourceOf, streamOf } from '../helpers/manifests.ts'
import { freshDatabase } from '../helpers/postgres.ts'
import { serveApi } from '../helpers/serve-api.ts'

const keys = ['\ud800', '\ud801', '\udfff', 'a\ud83d', 'a\ud83e', '\ud83d\ude00', 'é', 'plain']

async function syncKeys(to: Destination, mode: SyncMode, used = keys) {
  await using api = await serveApi({
    'GET /items': () => ({ json: { data: used.map((id, n) => ({ id, n })), total: used.length } }),
  })
  const warnings: string[] = []
  const manifest = loadManifest(sourceOf([streamOf({ url: api.url, stream: { primary_key: 'id' } })]))
  const { receipts } = await sync(manifest, {
    to,
    mode,
    onEvent: (event) => void (event.kind === 'notice' && warnings.push(JSON.stringify(event.notice))),
  })
  const rows = (await to.query?.('select id from items order by n', 100))?.rows.map(([id]) => id)
  return { rows, warnings, verdict: receipts[0]?.verdict }
}

const escaped = ['\\ud800', '\\ud801', '\\udfff', 'a\\ud83d', 'a\\ud83e', '\ud83d\ude00', 'é', 'plain']

test('rows with such keys are not merged into one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-keys-'))
  await using database = await freshDatabase()
  try {
    for (const place of [
      `duckdb:${join(folder, 'shop.duckdb')}`,
      `jsonl:${join(folder, 'lines')}`,
      `parquet:${join(folder, 'files')}`,
      database.url,
    ]) {
      const to = destinationAt(place)
      for (const run of [1, 2]) {
        const { rows, warnings, verdict } = await syncKeys(to, 'full_refresh_dedup')
        assert.deepEqual([rows, verdict], [escaped, 'complete'], `${place} ${run}`)
        assert.equal(warnings.filter((one) => one.includes('lone surrogate')).length, 1, place)
      }
    }
    const other = destinationAt(`duckdb:${join(folder, 'other.duckdb')}`)
    const whole = await syncKeys(other, 'full_refresh_dedup', ['\ud83d\ude00', 'a'])
    assert.deepEqual([whole.rows, whole.warnings], [['\ud83d\ude00', 'a'], []])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('keys inside objects, and of several fields; other fields stay as they are', () => {
  const table = { name: 't', primaryKey: [['a'], ['of', 'id']], cursorField: null, schema: null }
  const warnings: string[] = []
  const write = wellFormedKeys({ ...table, mode: 'dedup' }, (text) => void warnings.push(text))
  const records = [
    { a: 1, of: { id: 'x\ud800', text: '\ud800' } },
    { a: 'b', of: null },
  ]
  assert.deepEqual(write(records), [
    { a: 1, of: { id: 'x\\ud800', text: '\ud800' } },
    { a: 'b', of: null },
  ])
  write(records)
  assert.equal(warnings.length, 1)
  const healthy = [{ a: 'b', of: { id: 2 } }]
  assert.equal(write(healthy), healthy)
  assert.equal(wellFormedKeys({ ...table, mode: 'append' }, assert.fail)(records), records)
})
