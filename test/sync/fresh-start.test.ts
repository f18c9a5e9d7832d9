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
  // What came since is not all of it: it must not replace the table.
  assert.deepEqual(await asked({ mode: 'full_refresh_overwrite' }), ['/whole'])
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
  assert.deepEqual(offsets.slice(0, 2), ['2', '4'])
  assert.equal(to.tables.get('items')?.length, 7)
})

test('attempts at one fresh start begin each stream anew once', async () => {
  const names = ['a', 'b', 'c']
  const stop = { at: '', signal: new AbortController() }
  await using api = await serveApi({
    '*': (query, { path }) => {
      if (`${path} ${query.get('offset') ?? 0}` === stop.at) {
        stop.signal.abort()
        return { json: { data: [] } }
      }
      const offset = Number(query.get('offset') ?? 0)
      const all = [1, 2, 3].map((id) => ({ id, at: `2024-01-0${id}T00:00:00Z` }))
      return { json: { data: all.slice(offset, offset + 2) } }
    },
  })
  const streams = names.map((name) =>
    streamOf({
      url: api.url,
      name,
      requester: { path: `/${name}` },
      paginator: offsetPaginator({ page_size: 2 }),
      stream: { incremental_sync, primary_key: 'id' },
    }),
  )
  const manifest = loadManifest(sourceOf(streams))
  const to = memoryDestination()
  let now = Date.UTC(2024, 1, 2)
  const run = async (options: Partial<SyncOptions> = {}) => {
    const before = api.asked.length
    stop.signal = new AbortController()
    const { signal } = stop.signal
    // A second passes with every look at the clock: each page is committed on its own.
    const clock = () => (now += 1000)
    const one = { streamsAtOnce: 1, concurrency: 1, prefetch: 'off', now: clock, signal } as const
    const { ending } = await sync(manifest, { to, ...one, ...options })
    const asked = api.asked.slice(before).map((line) => {
      const { pathname, searchParams } = new URL(line.slice(4), api.url)
      return `${pathname} ${searchParams.get('since')?.slice(0, 10)} ${searchParams.get('offset') ?? 0}`
    })
    return { ending, asked }
  }
  const whole = (name: string) => [`/${name} 2024-01-01 0`, `/${name} 2024-01-01 2`]
  assert.deepEqual((await run()).asked, names.flatMap(whole))
  const fresh = { isFresh: true, freshStart: 'job 1' }
  stop.at = '/b 2'
  const first = await run(fresh)
  assert.equal(first.ending, 'interrupted')
  assert.deepEqual(first.asked, [...whole('a'), ...whole('b')])
  stop.at = ''
  // What was read is not read again; what was begun is resumed, and its last page compared; the third is read from its beginning, and not from its state.
  assert.deepEqual((await run(fresh)).asked, [...whole('b'), ...whole('c')])
  assert.deepEqual((await run({ isFresh: true, freshStart: 'job 2' })).asked, names.flatMap(whole))
  assert.ok(!(await run()).asked.some((line) => line.includes('2024-01-01')))
  // The process of a job may end between the end of its run and that of the job.
  for (const isFresh of [false, true]) {
    const job = { isFresh, freshStart: `job of ${isFresh}` }
    assert.ok((await run(job)).asked.length >= names.length)
    assert.deepEqual(await run(job), { ending: 'complete', asked: [] })
  }
})
