/** What a process that reads a part of a stream reports. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest } from '../../src/connector/load-manifest.ts'
import type { SyncEvent } from '../../src/index.ts'
import { type PlannedParts, planParts } from '../../src/sync/plan-parts.ts'
import { readPart, type ReadPartOptions } from '../../src/sync/read-part.ts'
import { sync } from '../../src/sync/sync.ts'
import { manifestOf, offsetPaginator, option } from '../helpers/manifests.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { type Answer, serveApi } from '../helpers/serve-api.ts'

/** Four shops of three orders each, two a page; two shops to a part. */
async function place() {
  const refused = new Map<string, Answer>()
  const api = await serveApi({
    'GET /items': (query) => {
      const [shop, offset] = [query.get('shop') ?? '', Number(query.get('offset') ?? 0)]
      const data = [1, 2, 3].map((number) => ({ id: `${shop}-${number}` })).slice(offset, offset + 2)
      return refused.get(`${shop} ${offset}`) ?? { json: { data } }
    },
  })
  const partition_router = {
    type: 'ListPartitionRouter',
    values: ['a', 'b', 'c', 'd'],
    cursor_field: 'shop',
    request_option: option('request_parameter', 'shop'),
  }
  const paginator = offsetPaginator({ page_size: 2 })
  const manifest = loadManifest(manifestOf({ url: api.url, paginator, retriever: { partition_router } }))
  const to = Object.assign(memoryDestination(), { canShare: true })
  const plan = async () => {
    const [planned] = await planParts(manifest, { to, streams: ['items'], partSize: 2 })
    return planned as PlannedParts
  }
  const { lead } = await plan()
  let now = Date.now()
  const events: SyncEvent[] = []
  const read = (part: number, options: Partial<ReadPartOptions> = {}) =>
    readPart(manifest, {
      to,
      stream: 'items',
      part,
      lead,
      prefetch: 'off',
      concurrency: 1,
      // A second passes with every look at the clock: each page is committed on its own.
      now: () => (now += 1000),
      onEvent: (event) => void events.push(event),
      ...options,
    })
  const dispose = () => api[Symbol.asyncDispose]()
  return { to, api, refused, manifest, plan, read, events, [Symbol.asyncDispose]: dispose }
}

test('a part reports its pages as a sync does, and the lead reads the rest', async () => {
  await using all = await place()
  assert.deepEqual(await all.read(1), { stream: 'items', part: 1, ending: 'read', slices: 2, pages: 4, records: 6 })
  const [started, ...others] = all.events
  assert.deepEqual(started, {
    kind: 'stream-started',
    stream: 'items',
    mode: 'full_refresh_overwrite',
    before: { pages: 0, records: 0 },
  })
  const committed = others.flatMap((event) => (event.kind === 'committed' ? [[event.pages, event.records]] : []))
  assert.deepEqual(committed.at(-1), [4, 6])
  assert.equal(others.filter(({ kind }) => kind === 'slice-ended').length, 2)
  assert.equal(all.api.asked.length, 4)
  assert.equal(all.to.tables.size, 0)
  const requested = all.api.asked.length
  await sync(all.manifest, { to: all.to, streams: ['items'], prefetch: 'off', concurrency: 1 })
  assert.deepEqual(
    all.api.asked.slice(requested).filter((line) => /shop=[ab]/.test(line)),
    [],
  )
  assert.equal(all.to.tables.get('items')?.length, 12)
})

test('a part that is read again requests nothing, and counts the same', async () => {
  await using all = await place()
  const first = await all.read(2)
  const requested = all.api.asked.length
  all.events.length = 0
  assert.deepEqual(await all.read(2), first)
  assert.equal(all.api.asked.length, requested)
  const [started] = all.events
  assert.deepEqual(started?.kind === 'stream-started' && started.before, { pages: 4, records: 6 })
})

test('a part that fails keeps what it has read, and the next attempt resumes there', async () => {
  await using all = await place()
  all.refused.set('b 2', { status: 403, json: {} })
  const { error, ...counts } = await all.read(1)
  assert.deepEqual(counts, { stream: 'items', part: 1, ending: 'failed', slices: 2, pages: 3, records: 5 })
  assert.equal(error?.code, 'response/rejected')
  all.refused.clear()
  const requested = all.api.asked.length
  assert.deepEqual(await all.read(1), { ...counts, ending: 'read', pages: 4, records: 6 })
  assert.deepEqual(
    all.api.asked.slice(requested).filter((line) => line.includes('shop=a')),
    [],
  )
})

test('a part that is cancelled says so, and keeps what it has read', async () => {
  await using all = await place()
  const controller = new AbortController()
  const onEvent = (event: SyncEvent) => {
    if (event.kind === 'page' && event.page === 2) controller.abort()
  }
  const { ending, pages, records } = await all.read(1, { signal: controller.signal, onEvent })
  assert.deepEqual([ending, pages, records], ['cancelled', 2, 3])
})

test('a part that was not planned is refused before anything is requested', async () => {
  await using all = await place()
  for (const part of [0, 3]) await assert.rejects(all.read(part), { code: 'sync/other-plan' })
  await assert.rejects(all.read(1, { mode: 'full_refresh_append' }), {
    code: 'sync/other-plan',
    message: 'Part 1 of stream "items" is not part of what this process would read.',
  })
  assert.deepEqual(all.api.asked, [])
})

test('a destination that fails is no failure of the part', async () => {
  await using all = await place()
  all.to.breakAt = { commit: all.to.commits.length + 2, when: 'before' }
  await assert.rejects(all.read(1), { code: 'destinations/lost' })
})

test('a part of an incremental stream writes what is newer than the state, as a sync does', async () => {
  let days = ['2024-01-01', '2024-01-05']
  await using api = await serveApi({
    'GET /items': (query) => ({ json: { data: days.map((day) => ({ id: `${query.get('shop')}-${day}`, day })) } }),
  })
  const partition_router = {
    type: 'ListPartitionRouter',
    values: ['a', 'b'],
    cursor_field: 'shop',
    request_option: option('request_parameter', 'shop'),
  }
  const incremental_sync = {
    type: 'DatetimeBasedCursor',
    cursor_field: 'day',
    datetime_format: '%Y-%m-%d',
    start_datetime: '2024-01-01',
    is_client_side_incremental: true,
  }
  const manifest = loadManifest(
    manifestOf({ url: api.url, retriever: { partition_router }, stream: { incremental_sync } }),
  )
  const target = {
    to: Object.assign(memoryDestination(), { canShare: true }),
    prefetch: 'off',
    concurrency: 1,
  } as const
  await sync(manifest, { ...target, streams: ['items'] })
  days = ['2024-01-02', '2024-01-09']
  const [planned] = await planParts(manifest, { ...target, streams: ['items'] })
  const { lead } = planned as PlannedParts
  assert.equal((await readPart(manifest, { ...target, stream: 'items', part: 1, lead })).ending, 'read')
  const ids = target.to.tables.get('items')?.map(({ id }) => id)
  assert.deepEqual(ids?.slice(4), ['a-2024-01-09', 'b-2024-01-09'])
})
