import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest } from '../../src/connector/load-manifest.ts'
import { writtenStreams } from '../../src/engine/streams/resolve-streams.ts'
import { everyStream } from '../../src/protocol/choose-streams.ts'
import type { Message } from '../../src/protocol/messages.ts'
import { readStreams } from '../../src/protocol/read.ts'
import { manifestOf, offsetPaginator, option } from '../helpers/manifests.ts'
import { type Handler, serveApi } from '../helpers/serve-api.ts'
import type { ReadRequest } from '../../src/protocol/emit-stream.ts'

async function read(manifest: object, rest: Partial<ReadRequest> = {}) {
  const loaded = loadManifest(manifest)
  const messages: Message[] = []
  const streams = everyStream(writtenStreams({ manifest: loaded, config: {} }))
  const emit = (some: readonly Message[]) => void messages.push(...some)
  await readStreams({ manifest: loaded, config: {}, streams, states: new Map(), options: {}, emit, ...rest })
  return {
    logs: messages.flatMap((one) => (one.type === 'LOG' ? [`${one.log.level} ${one.log.message}`] : [])),
    status: messages.flatMap((one) =>
      one.type === 'TRACE' && one.trace.type === 'STREAM_STATUS' ? [one.trace.stream_status.status] : [],
    ),
    traces: messages.flatMap((one) => (one.type === 'TRACE' && one.trace.type === 'ANALYTICS' ? [one.trace] : [])),
  }
}

const receiptsIn = (traces: Awaited<ReturnType<typeof read>>['traces']) =>
  traces.map(({ analytics }) => JSON.parse(analytics.value) as Record<string, unknown>)

/** As many records as `size` says, two a page, of a list that is said to have `total`. */
const listed =
  (size: number, total = size): Handler =>
  (query) => {
    const offset = Number(query.get('offset') ?? 0)
    const data = Array.from({ length: size }, (_, id) => ({ id })).slice(offset, offset + 2)
    return { json: { data, total } }
  }

const paged = (url: string, retriever: Record<string, unknown> = {}) =>
  manifestOf({ url, paginator: offsetPaginator({ page_size: 2 }), stream: { primary_key: 'id' }, retriever })

const byShop = (values: string[]) => ({
  partition_router: {
    type: 'ListPartitionRouter',
    values,
    cursor_field: 'shop',
    request_option: option('request_parameter', 'shop'),
  },
})

test('a stream reports its receipt in words and as data', async () => {
  await using api = await serveApi({ 'GET /items': listed(3) })
  const { logs, traces, status } = await read(paged(api.url), { options: { now: () => 1000 } })
  assert.deepEqual(logs, ['INFO Stream "items": 3 records, 2 pages; stopped at: short page; complete (total 3).'])
  assert.deepEqual(
    traces.map(({ emitted_at, analytics }) => [emitted_at, analytics.type]),
    [[1000, 'turnleaf-receipt']],
  )
  assert.deepEqual(receiptsIn(traces), [
    {
      stream: 'items',
      ending: 'complete',
      slices: 1,
      stop: 'short-page',
      pages: 2,
      received: 3,
      emitted: 3,
      verdict: 'complete',
      reason: 'total 3',
      at: 'total',
      keys: { unique: 3, repeated: 0, changed: 0, isExact: true },
      claimed: { total: { value: 3, at: 'total' }, pages: null, more: null },
    },
  ])
  assert.equal(status.at(-1), 'COMPLETE')
})

test('a stream that the API says has more is a warning, and its status INCOMPLETE', async () => {
  await using api = await serveApi({ 'GET /items': listed(3, 57) })
  const { logs, status } = await read(paged(api.url))
  assert.match(logs[0] ?? '', /^WARN .*; incomplete: the API counts 57, received 3\.$/)
  assert.equal(status.at(-1), 'INCOMPLETE')
})

test('a stream below the required verdict is incomplete to the platform', async () => {
  await using api = await serveApi({ 'GET /items': listed(3, 57) })
  assert.equal((await read(paged(api.url), { required: 'unproven' })).status.at(-1), 'INCOMPLETE')
  assert.equal((await read(paged(api.url), { required: 'complete' })).status.at(-1), 'INCOMPLETE')
  await using whole = await serveApi({ 'GET /items': listed(3) })
  assert.equal((await read(paged(whole.url), { required: 'complete' })).status.at(-1), 'COMPLETE')
})

test('a read that a limit of pages cuts is incomplete, so that no destination takes it for the whole', async () => {
  await using api = await serveApi({ 'GET /items': listed(5) })
  const { logs, status, traces } = await read(paged(api.url), { options: { maxPages: 1 } })
  assert.match(logs[0] ?? '', /^WARN .*; incomplete: stopped at the page limit\.$/)
  assert.equal(status.at(-1), 'INCOMPLETE')
  assert.equal(receiptsIn(traces)[0]?.ending, 'incomplete')
})

test('a limit at the last page cuts nothing', async () => {
  await using api = await serveApi({ 'GET /items': listed(1) })
  assert.equal((await read(paged(api.url), { options: { maxPages: 1 } })).status.at(-1), 'COMPLETE')
})

test('a stream that fails says with which code', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ status: 403 }) })
  const { logs, traces } = await read(paged(api.url))
  assert.equal(logs.at(-1), 'WARN Stream "items": 0 records, 0 pages; failed before the end.')
  const [receipt] = receiptsIn(traces)
  assert.deepEqual(
    [receipt?.ending, receipt?.verdict, receipt?.reason],
    ['failed', 'incomplete', 'ended by an error: response/rejected'],
  )
})

test('slices that are not complete speak for themselves, and name their values in the log only', async () => {
  const answer: Handler = (query, request) =>
    (query.get('shop') === 'anna-secret' ? listed(1, 2) : listed(3))(query, request)
  const has_more = {
    'GET /items': ((query, request) => {
      const { json } = answer(query, request) as { json: object }
      return { json: { ...json, has_more: query.get('shop') === 'anna-secret' } }
    }) as Handler,
  }
  await using api = await serveApi(has_more)
  const { logs, traces } = await read(paged(api.url, byShop(['berta', 'anna-secret'])), { options: { concurrency: 1 } })
  assert.deepEqual(logs, [
    'WARN Stream "items", slice {"shop":"anna-secret"}: 1 record, 1 page; stopped at: short page; ' +
      'incomplete: the API counts 2, received 1; it sends at most 1 a page where 2 were requested.',
    'WARN Stream "items": 4 records, 3 pages in 2 slices; stopped at: short page; ' +
      'incomplete: 1 of 2 slices: the API counts 2, received 1; it sends at most 1 a page where 2 were requested.',
  ])
  assert.deepEqual(
    receiptsIn(traces).map(({ slice, verdict }) => [slice, verdict]),
    [
      [2, 'incomplete'],
      [undefined, 'incomplete'],
    ],
  )
  assert.ok(!JSON.stringify(traces).includes('anna-secret'))
})

test('of many slices the first hundred speak, however many there are', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 1 }] } }) })
  const shops = Array.from({ length: 150 }, (_, shop) => String(shop))
  const { logs, traces } = await read(paged(api.url, byShop(shops)))
  assert.equal(traces.length, 101)
  assert.equal(logs.length, 1)
  assert.equal(receiptsIn(traces).at(-1)?.reason, '150 of 150 slices: the API reports no total')
})
