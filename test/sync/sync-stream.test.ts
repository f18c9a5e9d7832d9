/** What a sync reports of one stream, from its start to its receipt. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, sync, type SyncEvent, type SyncOptions } from '../../src/index.ts'
import { manifestOf, offsetPaginator, option, type StreamParts } from '../helpers/manifests.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { type Answer, type Handler, serveApi } from '../helpers/serve-api.ts'

/** Five records, two a page, with their number. */
const five: Handler = (query) => {
  const offset = Number(query.get('offset') ?? 0)
  const data = [1, 2, 3, 4, 5].map((id) => ({ id })).slice(offset, offset + 2)
  return { json: { data, total: 5 } }
}

async function place(answer: Handler, parts: StreamParts = {}) {
  const api = await serveApi({ 'GET /items': answer })
  const paginator = offsetPaginator({ page_size: 2 })
  const manifest = loadManifest(manifestOf({ url: api.url, paginator, ...parts }))
  const to = memoryDestination()
  const clock = { now: Date.UTC(2026, 0, 1) }
  const run = async (options: Partial<SyncOptions> = {}) => {
    const events: SyncEvent[] = []
    const { receipts } = await sync(manifest, {
      to,
      prefetch: 'off',
      concurrency: 1,
      // A second passes with every look at the clock: each page is committed on its own.
      now: () => (clock.now += 1000),
      sleep: async () => {},
      ...options,
      onEvent: (event) => {
        events.push(event)
        options.onEvent?.(event)
      },
    })
    const pages = events.filter((event) => event.kind === 'page')
    const committed = events.flatMap((one) => (one.kind === 'committed' ? [[one.pages, one.records]] : []))
    const [started] = events.filter((event) => event.kind === 'stream-started')
    return { receipt: receipts[0], events, pages, committed, before: started?.before }
  }
  return { api, to, run, clock, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() }
}

test('each page is reported with its place, its size and how many records are expected', async () => {
  await using all = await place(five)
  const { events, pages, committed, before, receipt } = await all.run()
  assert.deepEqual(
    pages.map(({ stream, slice, page, records, total }) => [stream, slice, page, records, total]),
    [
      ['items', '{}', 1, 2, 5],
      ['items', '{}', 2, 2, 5],
      ['items', '{}', 3, 1, 5],
    ],
  )
  const [first, , last] = [[1, 2], [3, 4], [5]].map((ids) =>
    JSON.stringify({ data: ids.map((id) => ({ id })), total: 5 }),
  )
  assert.deepEqual([pages[0]?.bytes, pages[2]?.bytes], [first?.length, last?.length])
  assert.ok(pages.every(({ tookMs }) => tookMs > 0))
  assert.deepEqual(before, { pages: 0, records: 0 })
  assert.deepEqual(committed.at(-1), [3, 5])
  assert.deepEqual(receipt?.tookMs, 1000 * Math.round((receipt?.tookMs ?? 0) / 1000))
  assert.ok((receipt?.tookMs ?? 0) > 0)
  const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== 'committed')
  assert.deepEqual(kinds, [
    'run-started',
    'stream-started',
    'page',
    'page',
    'page',
    'slice-ended',
    'stream-ended',
    'run-ended',
  ])
})

test('the total of a slice is not that of the stream, and is not expected of it', async () => {
  const partition_router = {
    type: 'ListPartitionRouter',
    values: ['a', 'b'],
    cursor_field: 'shop',
    request_option: option('request_parameter', 'shop'),
  }
  await using all = await place(five, { retriever: { partition_router } })
  const { pages } = await all.run()
  assert.deepEqual(new Set(pages.map(({ total }) => total)), new Set([null]))
})

test('where the API reports no total, none is expected', async () => {
  await using all = await place(() => ({ json: { data: [{ id: 1 }] } }))
  assert.deepEqual(
    (await all.run()).pages.map(({ total }) => total),
    [null],
  )
})

test('a stream that fails before its first page leaves nothing of it; after it, its pages', async () => {
  const refused: { from: number; answer: Answer } = { from: 0, answer: { status: 403, json: {} } }
  await using all = await place((query, request) =>
    Number(query.get('offset') ?? 0) >= refused.from ? refused.answer : five(query, request),
  )
  const nothing = await all.run()
  assert.deepEqual(
    [nothing.receipt?.ending, nothing.receipt?.pages, nothing.receipt?.mode],
    ['failed', 0, 'full_refresh_overwrite'],
  )
  assert.equal(all.to.notes.has('stream/items'), false)
  refused.from = 4
  const some = await all.run()
  assert.deepEqual([some.receipt?.ending, some.receipt?.pages, some.receipt?.records], ['failed', 2, 4])
  assert.equal(some.receipt?.error?.code, 'response/rejected')
  assert.equal(JSON.parse(all.to.notes.get('stream/items') ?? '{}').failures, 1)
  refused.from = 9
  const rest = await all.run()
  assert.deepEqual(rest.before, { pages: 2, records: 4 })
  assert.deepEqual([rest.receipt?.ending, rest.receipt?.pages, rest.receipt?.records], ['complete', 3, 5])
})

test('a sync that is cancelled is no failure of its stream', async () => {
  await using all = await place(five)
  const controller = new AbortController()
  const onEvent = (event: SyncEvent) => event.kind === 'page' && controller.abort()
  const { receipt } = await all.run({ signal: controller.signal, onEvent })
  assert.deepEqual([receipt?.ending, receipt?.verdict], ['cancelled', 'incomplete'])
  assert.equal(JSON.parse(all.to.notes.get('stream/items') ?? '{}').failures, 0)
})

test('a stream that cannot be opened has no mode and no pages', async () => {
  await using all = await place(five)
  const { receipt } = await all.run({ mode: 'incremental_append' })
  assert.deepEqual([receipt?.ending, receipt?.mode, receipt?.pages, receipt?.slices], ['failed', null, 0, 0])
  assert.equal(receipt?.error?.code, 'sync/not-incremental')
  assert.deepEqual([all.api.asked, all.to.notes.has('stream/items')], [[], false])
})

test('requests for pages ahead that were not needed are counted, where there were any', async () => {
  await using all = await place((query) => {
    const offset = Number(query.get('offset') ?? 0)
    return { json: { data: offset >= 4 ? [] : [{ id: offset }, { id: offset + 1 }] } }
  })
  const { receipt } = await all.run()
  assert.equal(receipt !== undefined && 'requestsInVain' in receipt, false)
  const ahead = (await all.run({ prefetch: 4 })).receipt
  const asked = all.api.asked.length - 3
  assert.equal(asked - (ahead?.pages ?? 0), ahead?.requestsInVain ?? 0)
})
