/** Syncs that begin anew: by request, or because of another config. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, sync, type SyncOptions } from '../../src/index.ts'
import { manifestOf, offsetPaginator, option, sourceOf, streamOf } from '../helpers/manifests.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { type Handler, serveApi } from '../helpers/serve-api.ts'

const incremental_sync = {
  type: 'DatetimeBasedCursor',
  cursor_field: 'at',
  datetime_format: '%Y-%m-%dT%H:%M:%SZ',
  start_datetime: '2024-01-01T00:00:00Z',
  start_time_option: option('request_parameter', 'since'),
}

const pathsIn = (asked: readonly string[]) => [...new Set(asked.map((line) => line.replace(/^GET |\?.*$/g, '')))]

test('a stream that depends on its state is read whole at first and afresh, and from there on otherwise', async () => {
  const answer: Handler = () => ({ json: { data: [{ id: 1, at: '2024-01-31T00:00:00Z' }] } })
  await using api = await serveApi({ 'GET /whole': answer, 'GET /since': answer })
  const [whole, since] = ['/whole', '/since'].map((path) =>
    streamOf({ url: api.url, name: 'orders', requester: { path }, stream: { incremental_sync, primary_key: 'id' } }),
  )
  const delegating = {
    type: 'StateDelegatingStream',
    name: 'orders',
    full_refresh_stream: whole,
    incremental_stream: since,
  }
  const manifest = loadManifest(sourceOf([delegating]))
  const to = memoryDestination()
  const asked = async (options: Partial<SyncOptions>) => {
    const before = api.asked.length
    const { ending, receipts } = await sync(manifest, { to, now: () => Date.UTC(2024, 1, 2), ...options })
    assert.ok(ending === 'complete' || ending === 'incomplete', JSON.stringify(receipts))
    return pathsIn(api.asked.slice(before))
  }
  assert.deepEqual(await asked({}), ['/whole'])
  assert.deepEqual(await asked({}), ['/since'])
  assert.deepEqual(await asked({ isFresh: true }), ['/whole'])
  assert.deepEqual(await asked({}), ['/since'])
})

test('a new read that fails before its first page leaves what an earlier one has read', async () => {
  let isClosed = (_offset: number) => false
  await using api = await serveApi({
    'GET /items': (query) => {
      const offset = Number(query.get('offset') ?? 0)
      if (isClosed(offset)) return { status: 403, json: {} }
      return { json: { data: [offset, offset + 1].slice(0, offset < 6 ? 2 : 1).map((id) => ({ id })) } }
    },
  })
  const manifest = loadManifest(manifestOf({ url: api.url, paginator: offsetPaginator({ page_size: 2 }) }))
  const to = memoryDestination()
  let now = 0
  const run = async (config: Record<string, unknown>) => {
    const before = api.asked.length
    // A second passes with every look at the clock: each page is committed on its own.
    const options = { to, config, mode: 'full_refresh_append', concurrency: 1, now: () => (now += 1000) } as const
    const { ending } = await sync(manifest, options)
    const offsets = api.asked.slice(before).map((line) => new URL(line.slice(4), api.url).searchParams.get('offset'))
    return { ending, offsets }
  }
  isClosed = (offset) => offset === 4
  assert.equal((await run({ team: 'one' })).ending, 'failed')
  const rows = to.tables.get('items')?.length
  assert.equal(rows, 4)
  isClosed = () => true
  assert.equal((await run({ team: 'other' })).ending, 'failed')
  assert.equal(to.tables.get('items')?.length, rows)
  isClosed = () => false
  const { ending, offsets } = await run({ team: 'one' })
  assert.notEqual(ending, 'failed')
  assert.equal(offsets[0], '4')
  assert.equal(to.tables.get('items')?.length, 7)
})
