/** What a sync proves, slice by slice and of the stream, however often it was interrupted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, sync, type SyncEvent, type SyncOptions } from '../../src/index.ts'
import { offsetPaginator, option, sourceOf, streamOf } from '../helpers/manifests.ts'
import { memoryDestination, type MemoryDestination } from '../helpers/memory-destination.ts'
import { verdictOf } from '../helpers/receipts.ts'
import { type Handler, serveApi } from '../helpers/serve-api.ts'

const sizes: Record<string, number> = { eu: 5, us: 4, asia: 0 }

/** The records of a region, two a page, with their count. */
const counted: Handler = (query) => {
  const region = query.get('region') ?? 'eu'
  const offset = Number(query.get('offset') ?? 0)
  const size = sizes[region] ?? 0
  const data = Array.from({ length: size }, (_, index) => ({ id: `${region}-${index}`, region }))
  return { json: { data: data.slice(offset, offset + 2), meta: { things_found: size, total: size } } }
}

const byRegion = (url: string, values: string[]) =>
  loadManifest(
    sourceOf([
      streamOf({
        url,
        paginator: offsetPaginator({ page_size: 2 }),
        stream: { primary_key: 'id' },
        retriever: {
          partition_router: {
            type: 'ListPartitionRouter',
            values,
            cursor_field: 'region',
            request_option: option('request_parameter', 'region'),
          },
        },
      }),
    ]),
  )

/** A clock that moves a second with every look: each page is committed on its own. */
function restless(): () => number {
  let now = Date.UTC(2026, 0, 1)
  return () => (now += 1000)
}

async function syncTo(to: MemoryDestination, url: string, options: Partial<SyncOptions> & { values?: string[] } = {}) {
  const events: SyncEvent[] = []
  const { values = ['eu', 'us', 'asia'], ...others } = options
  const onEvent = (event: SyncEvent) => void events.push(event)
  const result = await sync(byRegion(url, values), { to, now: restless(), concurrency: 1, onEvent, ...others })
  return { result, events }
}

const slicesIn = (events: readonly SyncEvent[]) =>
  events.flatMap((event) =>
    event.kind === 'slice-ended' ? [`${event.slice} ${event.receipt.pages} ${verdictOf(event.receipt)}`] : [],
  )

test('each slice ends with its receipt, before its stream does', async () => {
  await using api = await serveApi({ 'GET /items': counted })
  const { result, events } = await syncTo(memoryDestination(), api.url)
  assert.deepEqual(slicesIn(events), [
    '{"region":"eu"} 3 complete: total 5',
    '{"region":"us"} 3 complete: total 4',
    '{"region":"asia"} 1 complete: total 0',
  ])
  const [first] = events.filter((event) => event.kind === 'slice-ended')
  const { keys, ...others } = first?.receipt ?? {}
  assert.equal(keys?.unique, 5)
  assert.deepEqual(others, {
    pages: 3,
    received: 5,
    emitted: 5,
    stop: 'short-page',
    verdict: 'complete',
    reason: 'total 5',
    at: 'meta.total',
    claimed: { total: { value: 5, at: 'meta.total' }, pages: null, more: null },
  })
  const kinds = events.map(({ kind }) => kind)
  assert.ok(kinds.lastIndexOf('slice-ended') < kinds.indexOf('stream-ended'))
  const [receipt] = result.receipts
  assert.equal(verdictOf(receipt), 'complete: each of 3 slices is complete')
  assert.equal(receipt?.keys?.unique, 9)
  assert.deepEqual([receipt.pages, receipt.received, receipt.records, receipt.slices], [7, 9, 9, 3])
  assert.deepEqual(receipt.claimed.total, { value: 9, at: 'meta.total' })
})

test('the receipt is that of the whole read, wherever it was interrupted', async () => {
  await using api = await serveApi({ 'GET /items': counted })
  const whole = memoryDestination()
  const { result: expected } = await syncTo(whole, api.url)
  for (let commit = 2; commit < whole.commits.length - 1; commit++) {
    const to = memoryDestination()
    to.breakAt = { commit, when: 'after' }
    await assert.rejects(syncTo(to, api.url), { code: 'destinations/lost' })
    const { result } = await syncTo(to, api.url)
    const [receipt] = result.receipts
    // The page before the interruption came again as it was, so no record has moved.
    assert.equal(verdictOf(receipt), verdictOf(expected.receipts[0]), `commit ${commit}`)
    assert.deepEqual(receipt?.claimed, expected.receipts[0]?.claimed, `commit ${commit}`)
    // The keys of a slice that was broken off are not known, so nothing is said about them.
    const { keys } = receipt ?? {}
    assert.ok(keys === null || keys?.unique === 9, `commit ${commit}: ${JSON.stringify(keys)}`)
  }
})

test('where the page before does not come again as it was, a resumed slice proves nothing', async () => {
  const interrupted = 'unproven: total 7, but it was interrupted, and records may have moved before it resumed'
  const all = Array.from({ length: 7 }, (_, id) => ({ id, name: `name ${id}` }))
  const changes: Record<string, [after: (rows: typeof all) => typeof all, verdict: string]> = {
    'nothing changed': [(rows) => rows, 'complete: total 7'],
    'values changed': [(rows) => rows.map((row) => ({ ...row, name: 'new' })), 'complete: total 7'],
    'a record moved to the end': [([first, ...rows]) => [...rows, first as (typeof all)[0]], interrupted],
    'a record was added first': [(rows) => [{ id: 9, name: 'x' }, ...rows.slice(0, -1)], interrupted],
  }
  for (const [what, [change, expected]] of Object.entries(changes)) {
    let rows = all
    await using api = await serveApi({
      'GET /items': (query) => {
        const offset = Number(query.get('offset') ?? 0)
        return { json: { data: rows.slice(offset, offset + 2), meta: { total: 7 } } }
      },
    })
    const interruptAndResume = async (...commits: readonly number[]) => {
      const to = memoryDestination()
      for (const commit of commits) {
        to.breakAt = { commit: to.commits.length + commit, when: 'after' }
        await assert.rejects(syncTo(to, api.url, { values: ['eu'], prefetch: 'off' }), { code: 'destinations/lost' })
        rows = change(all)
      }
      const [receipt] = (await syncTo(to, api.url, { values: ['eu'], prefetch: 'off' })).result.receipts
      return verdictOf(receipt)
    }
    assert.equal(await interruptAndResume(4), expected, what)
    rows = all
    // The first gap counts, even where the second one is none.
    assert.equal(await interruptAndResume(4, 2), expected, `${what}, twice`)
  }
})

test('records whose key is missing or not unique are compared whole: what moved is found', async () => {
  for (const id of [null, 'same']) {
    let rows = Array.from({ length: 7 }, (_, index) => ({ id, name: `name ${index}` }))
    await using api = await serveApi({
      'GET /items': (query) => {
        const offset = Number(query.get('offset') ?? 0)
        return { json: { data: rows.slice(offset, offset + 2), meta: { total: 7 } } }
      },
    })
    for (const hasMoved of [false, true]) {
      const to = memoryDestination()
      to.breakAt = { commit: 4, when: 'after' }
      await assert.rejects(syncTo(to, api.url, { values: ['eu'], prefetch: 'off' }), { code: 'destinations/lost' })
      if (hasMoved) rows = [...rows.slice(1), { id, name: 'new' }]
      const [receipt] = (await syncTo(to, api.url, { values: ['eu'], prefetch: 'off' })).result.receipts
      const isFound = verdictOf(receipt)?.includes('it was interrupted, and records may have moved')
      assert.equal(isFound, hasMoved, `${id}: ${verdictOf(receipt)}`)
    }
  }
})

test('a resumed slice is read to its end where the API refuses the page before', async () => {
  let refusals = 0
  await using api = await serveApi({
    'GET /items': (query, request) => {
      if (refusals-- > 0) return { status: 400, json: {} }
      return counted(query, request)
    },
  })
  const to = memoryDestination()
  to.breakAt = { commit: 3, when: 'after' }
  await assert.rejects(syncTo(to, api.url, { values: ['eu'], prefetch: 'off' }), { code: 'destinations/lost' })
  refusals = 1
  const { result } = await syncTo(to, api.url, { values: ['eu'], prefetch: 'off' })
  assert.match(result.receipts.map(verdictOf).join(), /^unproven: total 5, but it was interrupted/)
  assert.equal(to.tables.get('items')?.length, 5)
})

test('a slice that was committed before an interruption does not report its receipt again', async () => {
  await using api = await serveApi({ 'GET /items': counted })
  const to = memoryDestination()
  to.breakAt = { commit: 7, when: 'after' }
  const before: SyncEvent[] = []
  await assert.rejects(syncTo(to, api.url, { onEvent: (event) => void before.push(event) }))
  const { events } = await syncTo(to, api.url)
  assert.equal(slicesIn(before)[0], '{"region":"eu"} 3 complete: total 5')
  assert.ok(!slicesIn(events).some((slice) => slice.includes('"eu"')))
  assert.equal(new Set([...slicesIn(before), ...slicesIn(events)]).size, 3)
})

test('a stream that fails is incomplete, with the code; what its slices showed is kept', async () => {
  await using api = await serveApi({
    'GET /items': (query, request) =>
      query.get('region') === 'us' ? { status: 403, json: {} } : counted(query, request),
  })
  const { result, events } = await syncTo(memoryDestination(), api.url)
  const [receipt] = result.receipts
  assert.equal(verdictOf(receipt), 'incomplete: ended by an error: response/rejected')
  assert.deepEqual(slicesIn(events), ['{"region":"eu"} 3 complete: total 5', '{"region":"asia"} 1 complete: total 0'])
  assert.equal(receipt?.claimed.total?.value, 5)
})

test('a slice whose next page cannot be found ends with the code of the error', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 1 }], next: 'x' } }) })
  const paginator = {
    pagination_strategy: { type: 'CursorPagination', cursor_value: '{{ response.next.foo() }}' },
    page_token_option: { type: 'RequestPath' },
  }
  const events: SyncEvent[] = []
  const manifest = loadManifest(sourceOf([streamOf({ url: api.url, paginator })]))
  const onEvent = (event: SyncEvent) => void events.push(event)
  await sync(manifest, { to: memoryDestination(), onEvent })
  const [ended] = events.filter((event) => event.kind === 'slice-ended')
  assert.equal(ended?.receipt.stop, 'error')
  assert.match(verdictOf(ended.receipt) ?? '', /^incomplete: ended by an error: template\//)
})

test('receipts of an earlier version are read without what they lack', async () => {
  await using api = await serveApi({ 'GET /items': counted })
  const to = memoryDestination()
  to.breakAt = { commit: 7, when: 'after' }
  await assert.rejects(syncTo(to, api.url))
  for (const [key, text] of to.notes) {
    if (!key.startsWith('slice/')) continue
    const note = JSON.parse(text)
    if (note.judged === null) continue
    to.notes.set(key, JSON.stringify({ ...note, judged: { judgement: note.judged.judgement, total: 5 } }))
  }
  const { result } = await syncTo(to, api.url)
  assert.equal(result.receipts[0]?.verdict, 'complete')
  assert.equal(result.receipts[0].keys, null)
})

test('a receipt counts the requests that were repeated', async () => {
  let refusals = 0
  await using api = await serveApi({
    'GET /items': (query, request) =>
      query.get('region') === 'us' && refusals++ === 0
        ? { status: 503, headers: { 'retry-after': '1' } }
        : counted(query, request),
  })
  const retriesOf = async (values: string[]) =>
    (await syncTo(memoryDestination(), api.url, { values })).result.receipts.map(({ retries }) => retries)
  assert.deepEqual(await retriesOf(['us']), [1])
  assert.deepEqual(await retriesOf(['us']), [0])
})
