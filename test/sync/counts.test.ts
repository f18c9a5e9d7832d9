import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, sync, type SyncEvent } from '../../src/index.ts'
import { manifestOf, offsetPaginator } from '../helpers/manifests.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { serveApi } from '../helpers/serve-api.ts'

test('a receipt counts the bytes of all pages, those of a run that was interrupted as well', async () => {
  const bodies = [[1, 2], [3, 4], [5]].map((ids) => ({ data: ids.map((id) => ({ id })) }))
  const bytes = bodies.map((body) => Buffer.byteLength(JSON.stringify(body)))
  await using api = await serveApi({
    'GET /items': (query) => ({ json: bodies[Number(query.get('offset') ?? 0) / 2] }),
  })
  const manifest = loadManifest(manifestOf({ url: api.url, paginator: offsetPaginator({ page_size: 2 }) }))
  const to = memoryDestination()
  let now = 0
  const run = async () => {
    const pages: number[] = []
    const onEvent = (event: SyncEvent) => void (event.kind === 'page' && pages.push(event.bytes))
    // A second passes with every look at the clock: each page is committed on its own.
    const { receipts } = await sync(manifest, { to, onEvent, concurrency: 1, now: () => (now += 1000) })
    return { pages, receipt: receipts[0] }
  }
  to.breakAt = { commit: 3, when: 'after' }
  await assert.rejects(run(), { code: 'destinations/lost' })
  to.breakAt = null
  const { pages, receipt } = await run()
  assert.ok(pages.length < 3, 'the second run goes on where the first one stopped')
  assert.equal(receipt?.ending, 'complete')
  assert.equal(
    receipt.bytes,
    bytes.reduce((sum, one) => sum + one),
  )
  assert.equal(receipt.pages, 3)
})
