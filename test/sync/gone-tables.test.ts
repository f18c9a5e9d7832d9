/** Tables that a user dropped, deleted or renamed between two syncs: their streams are read from the start. */
import assert from 'node:assert/strict'
import { readdir, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { leadClaim } from '../../src/destinations/destination.ts'
import { concernsOneStream } from '../../src/destinations/refused-data.ts'
import { loadManifest, publish, sync, type SyncMode, type SyncOptions } from '../../src/index.ts'
import { ConnectorError } from '../../src/std/errors.ts'
import { planParts } from '../../src/sync/plan-parts.ts'
import { readPart } from '../../src/sync/read-part.ts'
import { commit, during, page, type Place, table, write } from '../destinations/behaviours.ts'
import { query as queryDuckDB, temporarySchema } from '../destinations/duckdb/places.ts'
import { jsonlPlace } from '../destinations/jsonl/place.ts'
import { everyPlace, inPostgres } from '../destinations/places.ts'
import type { PostgresPlace } from '../destinations/postgres/place.ts'
import { offsetPaginator, option, sourceOf, streamOf } from '../helpers/manifests.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { type Handler, serveApi } from '../helpers/serve-api.ts'

const days = Array.from({ length: 24 }, (_, index) => `2024-01-${String(index + 1).padStart(2, '0')}`)

/** One order a day, until a day; a request for the order of `closed` is refused. */
async function serveOrders() {
  const shop = { until: '2024-01-20', closed: '' }
  const answer: Handler = (query) => {
    const [from, offset] = [query.get('from') ?? '', Number(query.get('offset') ?? 0)]
    const found = days.filter((day) => day >= from && day <= shop.until).map((day) => ({ id: day, day, v: 'x' }))
    const data = found.slice(offset, offset + 5)
    return data.some(({ day }) => day === shop.closed) ? { status: 403, json: {} } : { json: { data } }
  }
  const api = await serveApi({
    'GET /items': answer,
    'GET /whole': answer,
    'GET /none': () => ({ json: { data: [] } }),
  })
  return { ...api, shop, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() }
}

const incremental_sync = {
  type: 'DatetimeBasedCursor',
  cursor_field: 'day',
  datetime_format: '%Y-%m-%d',
  start_datetime: '2024-01-01',
  start_time_option: option('request_parameter', 'from'),
}

const streamAt = (url: string, name = 'orders', path = '/items') =>
  streamOf({
    url,
    name,
    requester: { path },
    paginator: offsetPaginator({ page_size: 5 }),
    stream: { primary_key: 'id', incremental_sync },
  })

let clock = Date.UTC(2024, 1, 1)

async function run(url: string, to: SyncOptions['to'], mode: SyncMode | undefined, more: Partial<SyncOptions> = {}) {
  const warnings: string[] = []
  const { ending, receipts } = await sync(loadManifest(sourceOf([streamAt(url)])), {
    to,
    ...(mode !== undefined && { mode }),
    // Each page is committed on its own.
    now: () => (clock += 1000),
    concurrency: 1,
    prefetch: 'off',
    onEvent: (event) => {
      if (event.kind === 'notice' && event.notice.kind === 'warning') warnings.push(event.notice.text)
    },
    ...more,
  })
  return { ending, receipts, warnings: warnings.filter((text) => text.includes('is gone')) }
}

const gone = ['The table orders is gone: the stream is read from the start.']

const daysIn = async (place: Place) => (await place.rows('orders'))?.map(({ id }) => id).toSorted() ?? null

for (const [name, open] of Object.entries(everyPlace)) {
  for (const mode of ['incremental_dedup', 'incremental_append'] as const) {
    test(`${name}, ${mode}: a stream with a state is read from the start when its table is gone`, async () => {
      await using api = await serveOrders()
      await using place = await open()
      const next = async (until: string) => {
        api.shop.until = until
        return await run(api.url, place.destination, mode)
      }
      assert.deepEqual((await next('2024-01-10')).warnings, [])
      assert.deepEqual((await next('2024-01-12')).warnings, [])
      await place.drop('orders')
      const { ending, warnings } = await next('2024-01-20')
      assert.notEqual(ending, 'failed')
      assert.deepEqual(warnings, gone)
      assert.deepEqual(await daysIn(place), days.slice(0, 20))
      // Once: from then on there is a table again.
      const before = api.asked.length
      assert.deepEqual((await next('2024-01-22')).warnings, [])
      assert.ok(api.asked.slice(before).every((line) => !line.includes('from=2024-01-01')))
      assert.deepEqual([...new Set(await daysIn(place))], days.slice(0, 22))
    })

    test(`${name}, ${mode}: what is staged of a table that is gone is read again`, async () => {
      await using api = await serveOrders()
      await using place = await open()
      api.shop.until = '2024-01-03'
      await run(api.url, place.destination, mode)
      Object.assign(api.shop, { until: '2024-01-20', closed: '2024-01-15' })
      assert.equal((await run(api.url, place.destination, mode)).ending, 'failed')
      await place.drop('orders')
      // The read from the start fails as well, and is resumed.
      assert.deepEqual((await run(api.url, place.destination, mode)).warnings, gone)
      api.shop.closed = ''
      const { warnings } = await run(api.url, place.destination, mode)
      assert.deepEqual(warnings, [])
      assert.deepEqual([...new Set(await daysIn(place))], days.slice(0, 20))
    })
  }

  test(`${name}: held rows that are gone are not published`, async () => {
    await using api = await serveOrders()
    await using place = await open()
    await run(api.url, place.destination, 'full_refresh_overwrite')
    api.shop.until = '2024-01-03'
    assert.equal((await run(api.url, place.destination, 'full_refresh_overwrite')).ending, 'held')
    await place.dropStaged('orders')
    await assert.rejects(publish('orders', { to: place.destination }), { code: 'destinations/unreadable' })
    assert.deepEqual(await daysIn(place), days.slice(0, 20))
  })

  for (const mode of ['full_refresh_append', 'full_refresh_dedup', 'full_refresh_overwrite'] as const) {
    test(`${name}, ${mode}: a read whose staged rows are gone begins anew`, async () => {
      await using api = await serveOrders()
      await using place = await open()
      await run(api.url, place.destination, mode)
      api.shop.closed = '2024-01-13'
      assert.equal((await run(api.url, place.destination, mode)).ending, 'failed')
      // Where rows are appended to the table itself, nothing is staged.
      const isStaged = mode !== 'full_refresh_append' || name === 'parquet'
      if (isStaged) await place.dropStaged('orders')
      api.shop.closed = ''
      const { ending, warnings } = await run(api.url, place.destination, mode)
      assert.notEqual(ending, 'failed')
      const said = 'What was staged for the table orders is gone: the stream is read again.'
      assert.deepEqual(warnings, isStaged ? [said] : [])
      const reads = mode === 'full_refresh_append' ? 2 : 1
      assert.deepEqual(
        await daysIn(place),
        days.slice(0, 20).flatMap((day) => Array.from({ length: reads }, () => day)),
      )
      assert.deepEqual((await run(api.url, place.destination, mode)).warnings, [])
    })

    test(`${name}, ${mode}: a read that would be resumed lacks nothing when its table is gone`, async () => {
      await using api = await serveOrders()
      await using place = await open()
      api.shop.until = '2024-01-03'
      await run(api.url, place.destination, mode)
      Object.assign(api.shop, { until: '2024-01-20', closed: '2024-01-13' })
      assert.equal((await run(api.url, place.destination, mode)).ending, 'failed')
      await place.drop('orders')
      api.shop.closed = ''
      const { warnings } = await run(api.url, place.destination, mode)
      assert.deepEqual(warnings, mode === 'full_refresh_overwrite' ? [] : gone)
      assert.deepEqual(await daysIn(place), days.slice(0, 20))
    })
  }

  test(`${name}: a stream that an interrupted run has read is read again when its table is gone`, async () => {
    await using api = await serveOrders()
    await using place = await open()
    const manifest = loadManifest(sourceOf([streamAt(api.url), streamAt(api.url, 'others')]))
    const both = async (signal?: AbortSignal, onEnd = () => {}) =>
      await sync(manifest, {
        to: place.destination,
        mode: 'incremental_dedup',
        now: () => (clock += 1000),
        streamsAtOnce: 1,
        signal,
        onEvent: ({ kind }) => kind === 'stream-ended' && onEnd(),
      })
    const ended = new AbortController()
    assert.equal((await both(ended.signal, () => ended.abort())).ending, 'interrupted')
    assert.equal((await daysIn(place))?.length, 20)
    await place.drop('orders')
    const { receipts } = await both()
    assert.deepEqual(await daysIn(place), days.slice(0, 20))
    assert.deepEqual(
      receipts.map(({ stream }) => stream),
      ['orders', 'others'],
    )
  })

  test(`${name}: a table without rows is no reason to start over`, async () => {
    await using api = await serveOrders()
    await using place = await open()
    const manifest = loadManifest(sourceOf([streamAt(api.url, 'orders', '/none')]))
    for (const mode of ['incremental_append', 'incremental_dedup'] as const)
      for (let time = 0; time < 2; time++) {
        const texts: string[] = []
        const { ending } = await sync(manifest, {
          to: place.destination,
          mode,
          now: () => (clock += 1000),
          onEvent: (event) => event.kind === 'notice' && texts.push(JSON.stringify(event.notice)),
        })
        assert.notEqual(ending, 'failed')
        assert.deepEqual(
          texts.filter((text) => text.includes('is gone')),
          [],
        )
      }
  })
}

const inDuckDB = () => temporarySchema('duckdb')
const alterPostgres = (sql: string) => (place: Place) => (place as PostgresPlace).query(`ALTER TABLE orders ${sql}`)
const alterDuckDB = (sql: string) => (place: Place) =>
  queryDuckDB(place.destination.address.replace('duckdb:', ''), (session) => session.run(`ALTER TABLE orders ${sql}`))

const everyMode = ['incremental_append', 'incremental_dedup', 'full_refresh_append', 'full_refresh_dedup'] as const
const appending = ['incremental_append', 'full_refresh_append'] as const
const merging = ['incremental_dedup', 'full_refresh_dedup'] as const

type Change = readonly [
  what: string,
  open: () => Promise<Place>,
  change: (place: Place) => Promise<unknown>,
  modes?: readonly SyncMode[],
]

const changes: readonly Change[] = [
  ['a column that was dropped', inPostgres, alterPostgres('DROP COLUMN v')],
  ['a column of another type in Postgres', inPostgres, alterPostgres('ALTER v TYPE integer USING 7'), merging],
  ['a column of another type in DuckDB', inDuckDB, alterDuckDB('ALTER v TYPE INTEGER USING 7'), appending],
  ['a column of Turnleaf that was dropped', inDuckDB, alterDuckDB('DROP COLUMN _turnleaf_run'), merging],
  [
    'a file that was cut',
    jsonlPlace,
    (place) => truncate(`${place.destination.address.replace('jsonl:', '')}/orders.jsonl`, 7),
  ],
]

for (const [what, open, change, modes = everyMode] of changes) {
  for (const mode of modes) {
    test(`${mode}: ${what} fails its own stream, until the table is dropped`, async () => {
      await using api = await serveOrders()
      await using place = await open()
      const manifest = loadManifest(sourceOf([streamAt(api.url), streamAt(api.url, 'others')]))
      const both = async (until: string) => {
        api.shop.until = until
        const options = { to: place.destination, mode, now: () => (clock += 1000), streamsAtOnce: 1 }
        return (await sync(manifest, options)).receipts
      }
      await both('2024-01-10')
      await change(place)
      for (const until of ['2024-01-12', '2024-01-14']) {
        const [failed, read] = await both(until)
        assert.equal(failed?.error?.code, 'destinations/unreadable')
        assert.match(failed?.error?.hint ?? '', /drop the table, and the next sync reads the stream from the start/)
        assert.notEqual(read?.ending, 'failed')
        const others = (await place.rows('others'))?.map(({ id }) => id)
        assert.equal(others?.includes(until), true)
      }
      await place.drop('orders')
      const [again] = await both('2024-01-20')
      assert.notEqual(again?.ending, 'failed')
      assert.deepEqual(await daysIn(place), days.slice(0, 20))
    })
  }
}

test('DuckDB: numbers are added to a column that a user made text', async () => {
  await using place = await inDuckDB()
  const orders = table('orders', 'append')
  const add = (n: number) => during(place, (open) => open.commit(commit([write(orders, page([{ n }]))])))
  await add(1)
  await alterDuckDB('ALTER n TYPE VARCHAR')(place)
  await add(2)
  assert.deepEqual(
    (await place.rows('orders'))?.map(({ n }) => n),
    ['1', '2'],
  )
})

test('a table of ours that was dropped stops the sync', async () => {
  await using api = await serveOrders()
  await using place = await inPostgres()
  await run(api.url, place.destination, 'incremental_dedup')
  const opened = await place.destination.open('default')
  try {
    await place.drop('_turnleaf_tables')
    const step = { kind: 'discard', table: table('orders', 'append') } as const
    const error: unknown = await opened.commit(commit([step])).catch((failure: unknown) => failure)
    assert.ok(error instanceof ConnectorError)
    assert.equal(error.code, 'destinations/unreadable')
    assert.equal(concernsOneStream(error), false)
  } finally {
    await opened.close()
  }
})

test('a table that was renamed is left as it is', async () => {
  await using api = await serveOrders()
  await using place = await inPostgres()
  api.shop.until = '2024-01-10'
  await run(api.url, place.destination, 'incremental_dedup')
  await place.query('ALTER TABLE orders RENAME TO "old orders"')
  for (const until of ['2024-01-12', '2024-01-20']) {
    api.shop.until = until
    assert.deepEqual(
      (await run(api.url, place.destination, 'incremental_dedup')).warnings,
      until < '2024-01-20' ? gone : [],
    )
  }
  assert.deepEqual(await daysIn(place), days.slice(0, 20))
  assert.equal((await place.rows('old orders'))?.length, 10)
})

test('a stream that depends on its state is read whole when its table is gone', async () => {
  await using api = await serveOrders()
  const delegating = {
    type: 'StateDelegatingStream',
    name: 'orders',
    full_refresh_stream: streamAt(api.url, 'orders', '/whole'),
    incremental_stream: streamAt(api.url),
  }
  const to = memoryDestination()
  const asked = async () => {
    const before = api.asked.length
    await sync(loadManifest(sourceOf([delegating])), { to, mode: 'incremental_dedup', now: () => (clock += 1000) })
    return [...new Set(api.asked.slice(before).map((line) => line.replace(/^GET |\?.*$/g, '')))]
  }
  assert.deepEqual([await asked(), await asked()], [['/whole'], ['/items']])
  to.tables.delete('orders')
  assert.deepEqual([await asked(), await asked()], [['/whole'], ['/items']])
})

test('the lead finds that a table is gone; parts of the read from the start stay', async () => {
  await using api = await serveOrders()
  await using place = await inPostgres()
  const router = { type: 'ListPartitionRouter', values: ['a', 'b', 'c'], cursor_field: 'shop' }
  const stream = streamAt(api.url)
  const manifest = loadManifest(
    sourceOf([{ ...stream, retriever: { ...stream.retriever, partition_router: router } } as typeof stream]),
  )
  for (const mode of ['incremental_append', 'incremental_dedup'] as const) {
    const options = { to: place.destination, mode, now: () => (clock += 1000) }
    api.shop.until = '2024-01-10'
    await sync(manifest, options)
    await place.drop('orders')
    api.shop.until = '2024-01-20'
    const [planned] = await planParts(manifest, { ...options, streams: ['orders'], partSize: 2 })
    assert.ok(planned !== undefined)
    assert.equal(planned.parts, 2)
    for (const part of [1, 2])
      assert.equal(
        (await readPart(manifest, { ...options, stream: 'orders', part, lead: planned.lead })).ending,
        'read',
      )
    const before = api.asked.length
    assert.notEqual((await sync(manifest, { ...options, claim: leadClaim })).ending, 'failed')
    assert.equal(api.asked.length, before, 'the parts are not read again')
    assert.deepEqual([...new Set(await daysIn(place))], days.slice(0, 20))
    await place.drop('orders')
    await sync(manifest, { ...options, isFresh: true })
  }
})

for (const mode of ['full_refresh_dedup', 'full_refresh_overwrite', 'incremental_dedup'] as const) {
  test(`jsonl, ${mode}: a read whose staged file was cut begins anew`, async () => {
    await using api = await serveOrders()
    await using place = await jsonlPlace()
    api.shop.closed = '2024-01-13'
    assert.equal((await run(api.url, place.destination, mode)).ending, 'failed')
    const connections = join(place.destination.address.replace('jsonl:', ''), '_turnleaf', 'connections')
    const files = await readdir(connections, { recursive: true })
    const staged = files.filter((file) => /staged.+\.jsonl$/.test(file))
    assert.equal(staged.length, 1)
    await truncate(join(connections, staged[0] ?? ''), 100)
    api.shop.closed = ''
    const { ending, warnings } = await run(api.url, place.destination, mode)
    assert.notEqual(ending, 'failed')
    assert.deepEqual(warnings, ['What was staged for the table orders is gone: the stream is read again.'])
    assert.deepEqual(await daysIn(place), days.slice(0, 20))
  })
}
