/** Incremental syncs: broken off anywhere they leave the same tables and the same state, and the next asks for what is new. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { jsonlDestination } from '../../src/destinations/jsonl/jsonl.ts'
import { loadManifest, sync, type SyncMode, type SyncOptions } from '../../src/index.ts'
import { temporarySchema } from '../destinations/duckdb/places.ts'
import { offsetPaginator, option, sourceOf, streamOf } from '../helpers/manifests.ts'
import { hasEnded, type MemoryDestination, memoryDestination } from '../helpers/memory-destination.ts'
import { isWhole } from '../helpers/proof.ts'
import { type Handler, serveApi } from '../helpers/serve-api.ts'

type Event = { id: number; day: string; version: number; region: string }

/** Sixty days, two events each; every third id was written before, and is written again. */
const events: Event[] = Array.from({ length: 120 }, (_, index) => {
  const day = new Date(Date.UTC(2024, 0, 1 + Math.floor(index / 2))).toISOString().slice(0, 10)
  return { id: index % 3 === 0 ? Math.floor(index / 9) : index, day, version: index, region: index % 2 ? 'eu' : 'us' }
})

const routes: Record<string, Handler> = {
  'GET /items': (query) => {
    const [from = '', to = ''] = ['from', 'to'].map((name) => query.get(name) ?? '')
    const offset = Number(query.get('offset') ?? 0)
    const region = query.get('region')
    const found = events.filter((one) => one.day >= from && one.day <= to && (region === null || one.region === region))
    return { json: { data: found.slice(offset, offset + 5) } }
  },
}

const byDay = {
  type: 'DatetimeBasedCursor',
  cursor_field: 'day',
  datetime_format: '%Y-%m-%d',
  start_datetime: '2024-01-01',
  step: 'P7D',
  cursor_granularity: 'P1D',
  start_time_option: option('request_parameter', 'from'),
  end_time_option: option('request_parameter', 'to'),
}

const regions = {
  type: 'ListPartitionRouter',
  values: ['eu', 'us'],
  cursor_field: 'region',
  request_option: option('request_parameter', 'region'),
}

function manifestAt(url: string, isPartitioned = false): object {
  return sourceOf([
    streamOf({
      url,
      name: 'events',
      paginator: offsetPaginator({ page_size: 5 }),
      retriever: isPartitioned ? { partition_router: regions } : {},
      stream: { primary_key: 'id', incremental_sync: byDay },
    }),
  ])
}

/** Every look takes a second: each page is committed on its own, and no two runs begin at the same time. */
function clockFrom(start: string): () => number {
  let now = Date.parse(start)
  return () => (now += 1000)
}

type Case = { url: string; mode: SyncMode; isPartitioned: boolean }

const syncTo = (to: MemoryDestination, { url, mode, isPartitioned }: Case, more: Partial<SyncOptions> = {}) =>
  sync(loadManifest(manifestAt(url, isPartitioned)), {
    to,
    mode,
    now: clockFrom('2024-03-01T12:00:00Z'),
    // A page ahead that was not needed may arrive when the sync is over: requests could not be told apart.
    prefetch: 'off',
    ...more,
  })

const rowsIn = ({ tables }: MemoryDestination) =>
  (tables.get('events') ?? []).map((row) => JSON.stringify({ ...row, _turnleaf_run: null })).toSorted()

const isReading = ({ notes }: MemoryDestination) => JSON.parse(notes.get('stream/events') ?? '{}').reading != null

/** How long the read took is part of the state: the next one looks back so far. */
const stateIn = ({ notes }: MemoryDestination): unknown => ({
  ...JSON.parse(notes.get('stream/events') ?? '{}').state,
  lookback_window: null,
})

for (const isPartitioned of [false, true]) {
  for (const mode of ['incremental_append', 'incremental_dedup'] as const) {
    const name = `${mode}${isPartitioned ? ', partitioned' : ''}`
    test(`${name}: broken at any commit and gone on with, table and state equal those of one go`, async () => {
      await using api = await serveApi(routes)
      const one = { url: api.url, mode, isPartitioned }
      const whole = memoryDestination()
      assert.equal((await syncTo(whole, one)).ending, 'complete')
      const newest = new Set(events.map(({ id }) => id)).size
      assert.equal(rowsIn(whole).length, mode === 'incremental_append' ? events.length : newest)
      assert.ok(whole.commits.length > 20)
      // Every fifth, and every second with `npm run test:proof`.
      for (let commit = 1; commit < whole.commits.length; commit += isWhole ? 2 : 5) {
        const when = commit % 3 === 0 ? 'before' : 'after'
        const to = memoryDestination()
        to.breakAt = { commit, when }
        await assert.rejects(syncTo(to, one), { code: 'destinations/lost' })
        if (hasEnded(to)) continue
        // An hour, or three days later: a resumed read keeps the windows of the first attempt.
        const later = !isReading(to) || commit % 4 === 1 ? '2024-03-01T13:00:00Z' : '2024-03-04T12:00:00Z'
        assert.equal((await syncTo(to, one, { now: clockFrom(later) })).ending, 'complete')
        assert.deepEqual(rowsIn(to), rowsIn(whole), `${when} commit ${commit}`)
        assert.deepEqual(stateIn(to), stateIn(whole), `${when} commit ${commit}`)
      }
    })
  }
}

test('the second sync asks for what is new, and updates replace what they update', async () => {
  await using api = await serveApi(routes)
  const to = memoryDestination()
  const one = { url: api.url, mode: 'incremental_dedup' as const, isPartitioned: false }
  await syncTo(to, one, { now: clockFrom('2024-02-10T12:00:00Z') })
  const early = to.tables.get('events')?.length ?? 0
  const before = api.asked.length
  await syncTo(to, one)
  assert.match(api.asked[before] ?? '', /from=2024-02-10/)
  const rows = to.tables.get('events') ?? []
  assert.ok(early > 0 && rows.length > early)
  const latest = new Map(events.map((event) => [event.id, event.version]))
  for (const { id, version } of rows) assert.equal(version, latest.get(id as number), `id ${String(id)}`)
})

const versions: Readonly<Record<string, readonly [formats: string | string[], old: string, fresh: string]>> = {
  'days before months': ['%d/%m/%Y', '31/12/2023', '02/01/2024'],
  'names of months': ['%Y-%b-%d', '2023-Sep-01', '2023-Oct-01'],
  'several orders': [['%Y%m%d', '%Y-%m-%d'], '20231231', '2024-01-01'],
  'other zones': ['%Y-%m-%dT%H:%M:%S%z', '2024-01-01T10:00:00+0200', '2024-01-01T09:30:00+0000'],
  seconds: ['%s', '999999999', '1000000000'],
  milliseconds: ['%ms', '999999999999', '1000000000000'],
  'fractions of seconds': ['%s_as_float', '999999999.75', '1000000000.5'],
  'with and without fractions': [
    ['%Y-%m-%dT%H:%M:%SZ', '%Y-%m-%dT%H:%M:%S.%fZ'],
    '2024-01-01T10:00:00Z',
    '2024-01-01T10:00:00.500Z',
  ],
}

test('a newer version of a row replaces it, whatever the format of its cursor', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-sync-'))
  after(() => rm(folder, { recursive: true }))
  let side: 1 | 2 = 1
  const names = Object.keys(versions)
  await using api = await serveApi(
    Object.fromEntries(
      names.map((name, index): [string, Handler] => [
        `GET /${index}`,
        () => ({ json: { data: [{ id: 1, at: versions[name]?.[side], version: side }] } }),
      ]),
    ),
  )
  const streams = names.map((name, index) => {
    const [format] = versions[name] ?? ['']
    const formats = Array.isArray(format) ? { cursor_datetime_formats: format } : {}
    const incremental_sync = {
      type: 'DatetimeBasedCursor',
      cursor_field: 'at',
      datetime_format: Array.isArray(format) ? format[0] : format,
      ...formats,
      start_datetime: { type: 'MinMaxDatetime', datetime: '1990-01-01', datetime_format: '%Y-%m-%d' },
      start_time_option: option('request_parameter', 'since'),
    }
    return streamOf({
      url: api.url,
      name,
      requester: { path: `/${index}` },
      stream: { primary_key: 'id', incremental_sync },
    })
  })
  const to = jsonlDestination(folder)
  for (side = 1; side <= 2; side++) {
    const { ending } = await sync(loadManifest(sourceOf(streams)), { to, mode: 'incremental_dedup' })
    assert.equal(ending, 'complete')
  }
  for (const name of names) {
    const { rows } = await to.query(`SELECT version FROM "${name}"`, 10)
    assert.deepEqual(rows, [[2]], name)
  }
})

for (const mode of ['incremental_append', 'incremental_dedup'] as const) {
  test(`${mode}: a slice that fails for ever does not keep the others from what is new`, async () => {
    let isBroken = true
    const holds = (query: URLSearchParams, day: string) =>
      (query.get('from') ?? '') <= day && day <= (query.get('to') ?? '')
    await using api = await serveApi({
      'GET /items': (query, request) =>
        isBroken && holds(query, '2024-01-16') ? { status: 403 } : (routes['GET /items'] as Handler)(query, request),
    })
    const one = { url: api.url, mode, isPartitioned: false }
    const to = memoryDestination()
    const first = await syncTo(to, one, { now: clockFrom('2024-02-20T12:00:00Z') })
    assert.equal(first.ending, 'failed')
    const days = () => new Set(to.tables.get('events')?.map(({ day }) => day))
    // The next sync resumes at the page. When it fails again, it is given up.
    if (mode === 'incremental_dedup') assert.equal(days().size, 0)
    const before = api.asked.length
    assert.equal((await syncTo(to, one)).ending, 'failed')
    const again = api.asked.slice(before).map((line) => new URL(line.slice(4), api.url).searchParams)
    assert.ok(again.length > 0 && again.every((query) => holds(query, '2024-01-16')), again.join('\n'))
    assert.ok(days().has('2024-01-14') && days().has('2024-02-19') && !days().has('2024-01-16'))
    // The state is before the gap; what follows is read again, with new records.
    assert.equal((await syncTo(to, one)).ending, 'failed')
    assert.ok(days().has('2024-02-29') && !days().has('2024-01-16'))
    isBroken = false
    assert.equal((await syncTo(to, one)).ending, 'complete')
    const ids = to.tables.get('events')?.map(({ version }) => version as number) ?? []
    const wanted = mode === 'incremental_append' ? events.length : new Set(events.map(({ id }) => id)).size
    // A read that resumes from a day requests all of that day.
    assert.equal(new Set(ids).size, wanted)
    assert.ok(ids.length - wanted <= (mode === 'incremental_append' ? 2 : 0), `${ids.length} rows`)
  })
}

test('parquet: rows before the state of a read that was given up stay, whatever the next sync does', async () => {
  let isBroken = true
  await using api = await serveApi({
    'GET /items': (query, request) =>
      isBroken && (query.get('from') ?? '') > '2024-01-10'
        ? { status: 403 }
        : (routes['GET /items'] as Handler)(query, request),
  })
  await using place = await temporarySchema('parquet')
  const syncAs = async (mode: SyncMode, now: string) => {
    const options = { to: place.destination, mode, now: clockFrom(now) }
    return (await sync(loadManifest(manifestAt(api.url)), options)).ending
  }
  assert.equal(await syncAs('incremental_append', '2024-02-01T12:00:00Z'), 'failed')
  assert.equal(await syncAs('incremental_append', '2024-02-02T12:00:00Z'), 'failed')
  isBroken = false
  // Discards what an append has staged.
  assert.notEqual(await syncAs('incremental_dedup', '2024-03-01T12:00:00Z'), 'failed')
  const ids = (await place.rows('events'))?.map(({ id }) => Number(id)) ?? []
  assert.deepEqual(new Set(ids), new Set(events.map(({ id }) => id)))
})

test('a failure after a complete sync is the first again: the read is resumed, and not given up', async () => {
  let isBroken = false
  await using api = await serveApi({
    'GET /items': (query, request) =>
      isBroken && (query.get('from') ?? '') > '2024-02-17'
        ? { status: 403 }
        : (routes['GET /items'] as Handler)(query, request),
  })
  const one = { url: api.url, mode: 'incremental_dedup' as const, isPartitioned: false }
  const to = memoryDestination()
  assert.equal((await syncTo(to, one, { now: clockFrom('2024-02-10T12:00:00Z') })).ending, 'complete')
  const rows = rowsIn(to)
  isBroken = true
  assert.equal((await syncTo(to, one)).ending, 'failed')
  assert.deepEqual(rowsIn(to), rows, 'rows of a read that is resumed later are not visible yet')
  isBroken = false
  const before = api.asked.length
  assert.equal((await syncTo(to, one)).ending, 'complete')
  const froms = api.asked.slice(before).map((line) => new URL(line.slice(4), api.url).searchParams.get('from') ?? '')
  assert.ok(froms.length > 0 && froms.every((from) => from > '2024-02-17'), froms.join(' '))
})

test('afresh, everything is read again', async () => {
  await using api = await serveApi(routes)
  const to = memoryDestination()
  const one = { url: api.url, mode: 'incremental_dedup' as const, isPartitioned: false }
  await syncTo(to, one)
  const before = api.asked.length
  await syncTo(to, one, { isFresh: true })
  assert.match(api.asked[before] ?? '', /from=2024-01-01/)
})

for (const ending of ['failed', 'held', 'complete'] as const) {
  for (const mode of ['full_refresh_overwrite', 'full_refresh_append', 'full_refresh_dedup'] as const) {
    // Its rows are those of the full refresh alone.
    if (mode === 'full_refresh_overwrite' ? ending === 'complete' : ending === 'held') continue
    test(`${mode}, ${ending}: the next incremental sync resumes from the state that there was`, async () => {
      let answer: Handler = routes['GET /items'] as Handler
      await using api = await serveApi({ 'GET /items': (query, request) => answer(query, request) })
      const to = memoryDestination()
      const one = { url: api.url, mode: 'incremental_append' as const, isPartitioned: false }
      await syncTo(to, one)
      const state = stateIn(to)
      let pages = 0
      if (ending === 'failed')
        answer = (...asked) => (++pages > 3 ? { status: 403, json: {} } : (routes['GET /items'] as Handler)(...asked))
      if (ending === 'held') answer = () => ({ json: { data: [] } })
      const second = await syncTo(to, { ...one, mode }, { now: clockFrom('2024-03-02T12:00:00Z') })
      assert.equal(second.receipts[0]?.ending, ending)
      assert.deepEqual(stateIn(to), state)
      answer = routes['GET /items'] as Handler
      const before = api.asked.length
      await syncTo(to, one, { now: clockFrom('2024-03-03T12:00:00Z') })
      assert.match(api.asked[before] ?? '', /from=2024-02-29/)
    })
  }
}

test('modes suit the stream, unless one is requested that it cannot have', async () => {
  await using api = await serveApi(routes)
  const manifest = loadManifest(manifestAt(api.url))
  const { receipts } = await sync(manifest, { to: memoryDestination(), now: clockFrom('2024-03-01T12:00:00Z') })
  assert.equal(receipts[0]?.mode, 'incremental_dedup')
  const plain = loadManifest(sourceOf([streamOf({ url: api.url, name: 'items' })]))
  const codeOf = async (mode: SyncMode) =>
    (await sync(plain, { to: memoryDestination(), mode })).receipts[0]?.error?.code
  assert.equal(await codeOf('incremental_append'), 'sync/not-incremental')
  assert.equal(await codeOf('full_refresh_dedup'), 'sync/no-primary-key')
  assert.equal(await codeOf('full_refresh_overwrite'), undefined)
})
