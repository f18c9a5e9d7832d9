/** No state moves past a slice that is incomplete: the next read asks for it again, and nothing is there twice. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  type Destination,
  destinationAt,
  loadManifest,
  readPages,
  readRecords,
  type StreamState,
  sync,
  type SyncMode,
} from '../../src/index.ts'
import { runCli, statesIn } from '../cli/run-cli.ts'
import { tempFolder } from '../cli/shop.ts'
import { offsetPaginator, option, sourceOf, streamOf } from '../helpers/manifests.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { freshDatabase } from '../helpers/postgres.ts'
import { serveApi } from '../helpers/serve-api.ts'

/** Four weeks, a record a day, a slice a week. */
const days = Array.from({ length: 28 }, (_, index) => ({
  id: index + 1,
  day: new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10),
}))

const byWeek = {
  type: 'DatetimeBasedCursor',
  cursor_field: 'day',
  datetime_format: '%Y-%m-%d',
  start_datetime: '2024-01-01',
  end_datetime: '2024-01-28',
  step: 'P7D',
  cursor_granularity: 'P1D',
  start_time_option: option('request_parameter', 'from'),
  end_time_option: option('request_parameter', 'to'),
}

/** Pages of five; while it is short, the week of `day` (the third) lacks the end of its list, which its total still counts. */
async function serveWeeks(shortDay = '2024-01-17') {
  const api = { isShort: true }
  const served = await serveApi({
    'GET /items': (query) => {
      const [from = '', to = ''] = ['from', 'to'].map((name) => query.get(name) ?? '')
      const offset = Number(query.get('offset') ?? 0)
      const found = days.filter(({ day }) => day >= from && day <= to)
      const isShort = api.isShort && from <= shortDay && shortDay <= to
      return { json: { data: (isShort ? found.slice(0, 3) : found).slice(offset, offset + 5), total: found.length } }
    },
  })
  return Object.assign(api, { ...served, [Symbol.asyncDispose]: () => served[Symbol.asyncDispose]() })
}

const sourceAt = (url: string) =>
  sourceOf([
    streamOf({
      url,
      paginator: offsetPaginator({ page_size: 5 }),
      stream: { incremental_sync: byWeek, primary_key: 'id' },
    }),
  ])
const manifestAt = (url: string) => loadManifest(sourceAt(url))

async function withPlaces(check: (name: string, to: Destination) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-slices-'))
  await using database = await freshDatabase()
  try {
    await check('DuckDB', destinationAt(`duckdb:${join(folder, 'shop.duckdb')}`))
    await check('JSONL', destinationAt(`jsonl:${join(folder, 'lines')}`))
    await check('Parquet', destinationAt(`parquet:${join(folder, 'files')}`))
    await check('Postgres', destinationAt(database.url))
  } finally {
    await rm(folder, { recursive: true })
  }
}

for (const mode of ['incremental_append', 'incremental_dedup'] as const) {
  test(`${mode}: what came is written, the slice is read again, no row is there twice`, async () => {
    await withPlaces(async (name, to) => {
      await using api = await serveWeeks()
      const ids = async () =>
        (await to.query?.('select id from items order by id', 1000))?.rows.map(([id]) => Number(id))
      const first = await sync(manifestAt(api.url), { to, mode, concurrency: 1 })
      assert.deepEqual([first.ending, first.receipts[0]?.verdict], ['incomplete', 'incomplete'], name)
      assert.equal((await ids())?.length, 24, name)

      const before = api.asked.length
      assert.equal((await sync(manifestAt(api.url), { to, mode, concurrency: 1 })).ending, 'incomplete', name)
      assert.match(api.asked[before] ?? '', /from=2024-01-14/, name)

      api.isShort = false
      const last = await sync(manifestAt(api.url), { to, mode, concurrency: 1 })
      assert.equal(last.ending, 'complete', name)
      // A read that starts from a day asks for all of that day.
      const found = (await ids()) ?? []
      assert.deepEqual(
        [...new Set(found)],
        days.map(({ id }) => id),
        name,
      )
      assert.ok(found.length - days.length <= (mode === 'incremental_append' ? 2 : 0), `${name}: ${found.length} rows`)
    })
  })
}

test('broken off at any commit, the state is that of one go', async () => {
  for (const mode of ['incremental_append', 'incremental_dedup'] satisfies SyncMode[]) {
    await using api = await serveWeeks()
    let now = Date.UTC(2024, 2, 1)
    const options = { mode, concurrency: 1, now: () => (now += 1000) }
    const state = (to: ReturnType<typeof memoryDestination>) => JSON.parse(to.notes.get('stream/items') ?? '{}').state
    const whole = memoryDestination()
    await sync(manifestAt(api.url), { to: whole, ...options })
    assert.deepEqual(state(whole), { day: '2024-01-14' })
    for (let commit = 2; commit < whole.commits.length; commit++) {
      const to = memoryDestination()
      to.breakAt = { commit, when: commit % 2 ? 'before' : 'after' }
      await assert.rejects(sync(manifestAt(api.url), { to, ...options }), { code: 'destinations/lost' })
      const { ending } = await sync(manifestAt(api.url), { to, ...options })
      assert.equal(ending, 'incomplete')
      assert.equal(to.tables.get('items')?.length, whole.tables.get('items')?.length, `commit ${commit}`)
      assert.deepEqual(state(to), state(whole), `commit ${commit}`)
    }
  }
})

for (const mode of ['incremental_append', 'incremental_dedup'] as const) {
  test(`${mode}: where records moved before a counted read resumed, the slice is read again, and none is lost`, async () => {
    await withPlaces(async (name, to) => {
      let left = [...days]
      let isBroken = true
      await using api = await serveApi({
        'GET /items': (query) => {
          const [from = '', until = ''] = ['from', 'to'].map((one) => query.get(one) ?? '')
          const offset = Number(query.get('offset') ?? 0)
          const found = left.filter(({ day }) => day >= from && day <= until)
          if (isBroken && from === '2024-01-08' && offset > 0) return { status: 403, json: {} }
          return { json: { data: found.slice(offset, offset + 5), total: found.length } }
        },
      })
      const run = () => sync(manifestAt(api.url), { to, mode, concurrency: 1 })
      const ids = async () =>
        (await to.query?.('select distinct id from items order by id', 1000))?.rows.map(([id]) => Number(id)) ?? []
      assert.equal((await run()).ending, 'failed', name)
      // The first record of the second week is gone: the sixth moves to a position that was read.
      left = left.filter(({ day }) => day !== '2024-01-08')
      isBroken = false
      assert.deepEqual([(await run()).ending, (await ids()).includes(13)], ['complete', false], name)
      const before = api.asked.length
      assert.equal((await run()).ending, 'complete', name)
      assert.match(api.asked[before] ?? '', /from=2024-01-07/, name)
      assert.ok((await ids()).includes(13), name)
      const after = api.asked.length
      await run()
      assert.doesNotMatch(api.asked.slice(after).join(' '), /from=2024-01-[01]/, name)
    })
  })
}

for (const mode of ['incremental_append', 'incremental_dedup'] as const) {
  for (const how of ['is short', 'fails'] as const) {
    test(`${mode}: a window of the lookback that ${how} is read again, and its late record arrives`, async () => {
      await withPlaces(async (name, to) => {
        const late = { id: 100, day: '2024-01-09' }
        const api = { today: 14, isBroken: false, late: [] as (typeof days)[number][] }
        await using served = await serveApi({
          'GET /items': (query) => {
            const [from = '', until = ''] = ['from', 'to'].map((one) => query.get(one) ?? '')
            const found = [...days, ...api.late].filter(({ day }) => day >= from && day <= until)
            const isBroken = api.isBroken && found.includes(late)
            if (isBroken && how === 'fails') return { status: 400, json: { message: 'no' } }
            return { json: { data: isBroken ? found.filter((one) => one !== late) : found, has_more: isBroken } }
          },
        })
        const { end_datetime: _, ...open } = byWeek
        const incremental_sync = { ...open, step: 'P3D', lookback_window: 'P6D' }
        const stream = { incremental_sync, primary_key: 'id' }
        const manifest = loadManifest(sourceOf([streamOf({ url: served.url, stream })]))
        const run = async () => {
          const before = served.asked.length
          const { ending } = await sync(manifest, { to, mode, now: () => Date.UTC(2024, 0, api.today) })
          const froms = served.asked.slice(before).map((line) => line.match(/from=([^&]+)/)?.[1] ?? '')
          return { ending, from: froms.toSorted()[0] }
        }
        assert.deepEqual(await run(), { ending: 'complete', from: '2024-01-01' }, name)
        Object.assign(api, { today: 24, isBroken: true, late: [late] })
        // A slice that fails is tried again by the next sync, and then given up.
        if (how === 'fails') assert.deepEqual(await run(), { ending: 'failed', from: '2024-01-08' }, name)
        assert.equal((await run()).ending, how === 'fails' ? 'failed' : 'incomplete', name)
        api.isBroken = false
        assert.deepEqual(await run(), { ending: 'complete', from: '2024-01-08' }, name)
        assert.deepEqual(await run(), { ending: 'complete', from: '2024-01-18' }, name)
        const { rows = [] } = (await to.query?.('select id, count(*) from items group by id', 1000)) ?? {}
        const times = new Map(rows.map(([id, count]) => [Number(id), Number(count)]))
        assert.deepEqual([times.size, times.get(100), times.get(16)], [25, 1, 1], name)
      })
    })
  }
}

for (const mode of ['incremental_append', 'incremental_dedup'] as const) {
  test(`${mode}: while the job of a week is skipped, the rows after it come again and are there once`, async () => {
    await withPlaces(async (name, to) => {
      let skipped = ['2024-01-07', '2024-01-08']
      await using api = await serveApi({
        'POST /jobs': (_, { body }) => ({ json: JSON.parse(body) }),
        '*': (_, { path }) => {
          const [from = '', until = ''] = path.split('/').slice(2)
          const week = days.filter(({ day }) => day >= from && day <= until)
          if (path.startsWith('/files/')) return { json: { data: week } }
          return {
            json: { status: skipped.includes(from) ? 'EMPTY' : 'DONE', url: `${api.url}/files/${from}/${until}` },
          }
        },
      })
      const requester = { type: 'HttpRequester', url_base: api.url }
      const window = { from: '{{ stream_interval.start_time }}', to: '{{ stream_interval.end_time }}' }
      const at = (...field_path: string[]) => ({ type: 'DpathExtractor', field_path })
      const retriever = {
        type: 'AsyncRetriever',
        status_mapping: {
          type: 'AsyncJobStatusMap',
          running: ['RUNNING'],
          completed: ['DONE'],
          failed: ['FAILED'],
          timeout: ['LATE'],
          skipped: ['EMPTY'],
        },
        status_extractor: at('status'),
        download_target_extractor: at('url'),
        download_extractor: at('data'),
        record_selector: { type: 'RecordSelector', extractor: at('data') },
        creation_requester: {
          ...requester,
          path: '/jobs',
          http_method: 'POST',
          request_body_json: window,
        },
        polling_requester: { ...requester, path: '/jobs/{{ creation_response.from }}/{{ creation_response.to }}' },
        download_requester: { ...requester, url_base: '{{ download_target }}' },
      }
      const { start_time_option: _, end_time_option: __, ...incremental_sync } = byWeek
      const stream = { ...streamOf({ url: api.url, stream: { incremental_sync, primary_key: 'id' } }), retriever }
      const run = async () => {
        await sync(loadManifest(sourceOf([stream])), { to, mode })
        const { rows = [] } = (await to.query?.('select count(*), count(distinct id) from items', 1)) ?? {}
        return rows[0]?.map(Number)
      }
      assert.deepEqual(await run(), [21, 21], name)
      // Its weeks start at the state, a day before: the skipped one lacks another day.
      const again = await run()
      assert.equal(again?.[0], again?.[1], name)
      assert.deepEqual(await run(), again, name)
      skipped = []
      const [count = 0, ids] = (await run()) ?? []
      assert.deepEqual([ids, count <= 29], [28, true], `${name}: ${count} rows`)
    })
  })
}

test('readPages and readRecords report no state that is past the slice', async () => {
  await using api = await serveWeeks()
  for (const read of [readPages, readRecords]) {
    const states: StreamState[] = []
    const options = { concurrency: 1, onState: (state: StreamState) => void states.push(state) }
    for await (const _ of read(manifestAt(api.url), options));
    assert.deepEqual(states.at(-1), { day: '2024-01-14' })
  }
})

test('turnleaf read emits no state that is past the slice', async () => {
  await using api = await serveWeeks()
  await using files = await tempFolder()
  const manifest = await files.write('manifest.json', sourceAt(api.url))
  const ran = await runCli(['read', '--manifest-path', manifest, '--stream', 'items', '--concurrency', '1'])
  assert.deepEqual(statesIn(ran).at(-1)?.[1], { day: '2024-01-14' })
})

/** Its total shows what it lacks only once another slice has shown that totals count slices. */
test('no state moves past a short slice that is read before the others', async () => {
  await using api = await serveWeeks('2024-01-03')
  for (const concurrency of [1, 4]) {
    for (const read of [readPages, readRecords]) {
      const states: StreamState[] = []
      for await (const _ of read(manifestAt(api.url), { concurrency, onState: (state) => void states.push(state) }));
      assert.deepEqual(states, [{ day: '2024-01-01' }], `${read.name}, ${concurrency} at once`)
    }
    const to = memoryDestination()
    const { ending } = await sync(manifestAt(api.url), { to, mode: 'incremental_append', concurrency })
    assert.equal(ending, 'incomplete')
    assert.equal(JSON.parse(to.notes.get('stream/items') ?? '{}').state?.day ?? '2024-01-01', '2024-01-01')
  }
  await using files = await tempFolder()
  const manifest = await files.write('manifest.json', sourceAt(api.url))
  const ran = await runCli(['read', '--manifest-path', manifest, '--stream', 'items', '--concurrency', '1'])
  assert.equal(ran.code, 1)
  assert.deepEqual(
    statesIn(ran).map(([, state]) => state),
    [{ day: '2024-01-01' }],
  )
  assert.deepEqual(await parentStates(api.url), { items: { day: '2024-01-01' } })
})

test('slices whose total counts the whole stream wait for each other, and the state moves at the end', async () => {
  await using api = await serveApi({
    'GET /items': (query) => {
      const [from = '', to = ''] = ['from', 'to'].map((name) => query.get(name) ?? '')
      const offset = Number(query.get('offset') ?? 0)
      const found = days.filter(({ day }) => day >= from && day <= to)
      return { json: { data: found.slice(offset, offset + 5), total: days.length + 3 } }
    },
  })
  const states: StreamState[] = []
  for await (const _ of readPages(manifestAt(api.url), { onState: (state) => void states.push(state) }));
  assert.deepEqual(states, [{ day: '2024-01-28' }])
  assert.deepEqual(await parentStates(api.url), { items: { day: '2024-01-28' } })
})

/** What a child's state says about the parent that its slices come from. */
async function parentStates(url: string): Promise<Record<string, unknown> | undefined> {
  const [teams] = sourceAt(url).streams as object[]
  const members = streamOf({
    url,
    name: 'members',
    requester: { path: '/items' },
    retriever: {
      partition_router: {
        type: 'SubstreamPartitionRouter',
        parent_stream_configs: [
          {
            type: 'ParentStreamConfig',
            stream: teams,
            parent_key: 'id',
            partition_field: 'team',
            incremental_dependency: true,
          },
        ],
      },
    },
    stream: { incremental_sync: { ...byWeek, step: 'P28D' } },
  })
  const states: StreamState[] = []
  const manifest = loadManifest(sourceOf([members]))
  for await (const _ of readPages(manifest, { concurrency: 1, onState: (state) => void states.push(state) }));
  return (states.at(-1) as { parent_state?: Record<string, unknown> } | undefined)?.parent_state
}

test('no state moves past a slice of a parent stream that is incomplete', async () => {
  await using api = await serveWeeks()
  assert.deepEqual(await parentStates(api.url), { items: { day: '2024-01-14' } })
})

test('a first read without windows of time is one slice, whose total counts it: what a page lacks is asked for again', async () => {
  const newestFirst = days.toReversed()
  const api = { most: 5, asked: [] as (string | null)[] }
  await using served = await serveApi({
    'GET /items': (query) => {
      api.asked.push(query.get('from'))
      const offset = Number(query.get('offset') ?? 0)
      const found = newestFirst.filter(({ day }) => day >= (query.get('from') ?? ''))
      return { json: { data: found.slice(offset, offset + api.most), total: found.length } }
    },
  })
  const { step: _, cursor_granularity: __, end_time_option: ___, ...allTime } = byWeek
  const stream = { incremental_sync: allTime, primary_key: 'id' }
  const paginator = offsetPaginator({ page_size: 10 })
  const manifest = loadManifest(sourceOf([streamOf({ url: served.url, paginator, stream })]))
  const to = memoryDestination()
  const first = await sync(manifest, { to })
  assert.equal(first.receipts[0]?.verdict, 'incomplete')
  // The API now sends pages of the size that is requested.
  api.most = 10
  api.asked = []
  const second = await sync(manifest, { to })
  assert.equal(second.receipts[0]?.verdict, 'complete')
  assert.deepEqual(new Set(api.asked), new Set(['2024-01-01']))
  api.asked = []
  await sync(manifest, { to })
  // Now the state has moved to the end of what there is.
  assert.deepEqual(api.asked, [])
})

/** Newest first, at most a hundred per page, whatever the request says. `counts`: what the total counts. */
async function serveCapped(counts: 'filtered' | 'all') {
  const all = Array.from({ length: 400 }, (_, index) => ({
    id: index,
    at: new Date(Date.UTC(2024, 0, 1) + index * 3600e3).toISOString().slice(0, 19) + 'Z',
  }))
  const api = { size: 50, cap: 100 }
  const served = await serveApi({
    'GET /items': (query) => {
      const known = all.slice(0, api.size)
      const found = known.filter(({ at }) => at >= (query.get('since') ?? '')).toReversed()
      const offset = Number(query.get('offset') ?? 0)
      const data = found.slice(offset, offset + Math.min(api.cap, Number(query.get('limit'))))
      return { json: { data, total: counts === 'all' ? known.length : found.length } }
    },
  })
  return Object.assign(api, { ...served, [Symbol.asyncDispose]: () => served[Symbol.asyncDispose]() })
}

function cappedSync(url: string, to: Destination) {
  const incremental_sync = {
    type: 'DatetimeBasedCursor',
    cursor_field: 'at',
    datetime_format: '%Y-%m-%dT%H:%M:%SZ',
    start_datetime: '2024-01-01T00:00:00Z',
    start_time_option: option('request_parameter', 'since'),
  }
  const paginator = offsetPaginator({ page_size: 500 })
  const manifest = loadManifest(
    sourceOf([streamOf({ url, paginator, stream: { incremental_sync, primary_key: 'id' } })]),
  )
  return async () => {
    const { receipts } = await sync(manifest, { to })
    return [receipts[0]?.received, receipts[0]?.verdict]
  }
}

for (const counts of ['filtered', 'all'] as const) {
  test(`a page that is capped is incomplete from a state, too, where the total (${counts}) grew by more`, async () => {
    await using api = await serveCapped(counts)
    const run = cappedSync(api.url, memoryDestination())
    assert.deepEqual(await run(), [50, 'complete'])
    api.size = 350
    assert.deepEqual(await run(), [100, 'incomplete'])
    assert.deepEqual(await run(), [100, 'incomplete'])
    // The API, or the page size of the manifest, is mended: the state is where it was.
    api.cap = 500
    assert.deepEqual(await run(), [301, counts === 'all' ? 'unproven' : 'complete'])
  })
}

test('totals that count what is new are known by a read that met a smaller one', async () => {
  await using api = await serveCapped('filtered')
  api.cap = 500
  const run = cappedSync(api.url, memoryDestination())
  api.size = 200
  assert.deepEqual(await run(), [200, 'complete'])
  api.size = 205
  assert.deepEqual(await run(), [6, 'complete'])
  api.size = 310
  api.cap = 100
  assert.deepEqual(await run(), [100, 'incomplete'])
})

test('totals that count old records, too, do not keep the state from moving', async () => {
  await using api = await serveCapped('all')
  const run = cappedSync(api.url, memoryDestination())
  for (const [size, received] of [
    [90, 90],
    [95, 6],
    [95, 1],
    [180, 86],
    [179, 0],
    [181, 2],
  ] as const) {
    api.size = size
    assert.deepEqual(await run(), [received, received === 90 ? 'complete' : 'unproven'], String(size))
  }
})
