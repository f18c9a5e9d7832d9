/** Streams cut by the records of a parent: what the parent lacks, the child lacks too, and its table is not replaced. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  destinationAt,
  loadManifest,
  readPages,
  type ReadOptions,
  sync,
  type SyncEvent,
  type SyncMode,
} from '../../src/index.ts'
import type { Message } from '../../src/protocol/messages.ts'
import { readStreams } from '../../src/protocol/read.ts'
import { cursorPaginator, offsetPaginator, option, sourceOf, streamOf, type StreamParts } from '../helpers/manifests.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { serveApi } from '../helpers/serve-api.ts'

const folder = await mkdtemp(join(tmpdir(), 'turnleaf-parents-'))
after(() => rm(folder, { recursive: true }))

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => ({ id: from + index }))
const pages = (offset: number, size = 25) => ids(Math.min(offset, size), Math.min(offset + 10, size))

type Pages = (offset: number) => object

/** 25 parents, two children each: `items` is read by `parent`, `kids` by the records of `items`. */
function manifestAt(
  url: string,
  parent: StreamParts['paginator'] = offsetPaginator({ page_size: 10 }),
  incremental_sync?: object,
) {
  const by = (stream: object, partition_field: string) => ({
    partition_router: {
      type: 'SubstreamPartitionRouter',
      parent_stream_configs: [{ type: 'ParentStreamConfig', stream, parent_key: 'id', partition_field }],
    },
  })
  const at = (name: string, path: string, more: StreamParts) => streamOf({ ...more, url, name, requester: { path } })
  const items = at('items', '/items', { ...(parent && { paginator: parent }) })
  const kids = at('kids', '/items/{{ stream_partition.item }}/kids', {
    retriever: by(items, 'item'),
    ...(incremental_sync && { stream: { incremental_sync } }),
  })
  const toys = at('toys', '/kids/{{ stream_partition.kid }}/toys', { retriever: by(kids, 'kid') })
  return loadManifest(sourceOf([items, kids, toys]))
}

async function serve(answer: { parent: Pages }) {
  return serveApi({
    'GET /items': (query) => ({ json: answer.parent(Number(query.get('offset') ?? query.get('cursor') ?? 0)) }),
    '*': (_, { path }) => {
      const id = Number(path.split('/')[2])
      return { json: { data: [2 * id, 2 * id + 1].map((kid) => ({ id: kid, at: '2026-05-01' })), total: 2 } }
    },
  })
}

const whole: Pages = (offset) => ({ data: pages(offset), total: 25 })
const cursor = cursorPaginator('{{ response.next }}')
const linked = (offset: number) => ({ next: offset + 10 < 25 ? String(offset + 10) : null })

type Fault = { answer: Pages; says: RegExp; paginator?: StreamParts['paginator'] }

const faults: Record<string, Fault> = {
  'its list is renamed on page 2': {
    paginator: cursor,
    answer: (offset) => ({ [offset === 10 ? 'items' : 'data']: pages(offset), ...linked(offset) }),
    says: /^parent stream "items" is incomplete: page 2 has no list at `data`/,
  },
  'page 2 is an empty object': {
    answer: (offset) => (offset === 0 ? { data: pages(0) } : {}),
    says: /^parent stream "items" is incomplete: page 2 has no list at `data`/,
  },
  'it stops short of its total': {
    answer: (offset) => ({ data: pages(offset, 10), total: 25 }),
    says: /^parent stream "items" is incomplete: .*25/,
  },
  'it has more, and names no cursor': {
    paginator: cursor,
    answer: (offset) => ({ data: pages(offset), has_more: true }),
    says: /^parent stream "items" is incomplete: the last page says there is more/,
  },
  'its stop condition is inverted': {
    paginator: cursorPaginator('{{ response.next }}', '{{ response.has_more }}'),
    answer: (offset) => ({ data: pages(offset), has_more: offset + 10 < 25, ...linked(offset) }),
    says: /^parent stream "items" is incomplete: the last page says there is more/,
  },
}

/** The verdict that the last receipt of a read gives the stream. */
async function proofOf(manifest: ReturnType<typeof loadManifest>, options: ReadOptions) {
  let proof: { verdict: string; reason: string } | undefined
  for await (const { receipt } of readPages(manifest, options)) proof = receipt?.stream ?? proof
  return [proof?.verdict, proof?.reason ?? ''] as const
}

let places = 0

for (const [name, { answer: fault, says, paginator }] of Object.entries(faults)) {
  test(`a parent is incomplete since ${name}: so is the child, and its table stays`, async () => {
    const answer = { parent: whole }
    await using api = await serve(answer)
    const to = destinationAt(`jsonl:${join(folder, String(places++))}`)
    const rows = async () => Number((await to.query?.('select count(*) from kids', 1))?.rows[0]?.[0])
    const first = await sync(manifestAt(api.url), { to, streams: ['kids'], require: 'complete' })
    assert.deepEqual([first.ending, first.receipts[0]?.verdict, await rows()], ['complete', 'complete', 50])

    answer.parent = fault
    const manifest = manifestAt(api.url, paginator)
    for (const stream of ['kids', 'toys']) {
      for (const concurrency of [1, 5]) {
        const [verdict, reason] = await proofOf(manifest, { stream, concurrency })
        assert.equal(verdict, 'incomplete', `${stream}: ${reason}`)
        if (stream === 'kids') assert.match(reason, says)
        else assert.match(reason, /^parent stream "kids" is incomplete: parent stream "items" is incomplete: /)
      }
    }
    for (const require of ['unproven', 'complete'] as const) {
      const { ending, receipts } = await sync(manifest, { to, streams: ['kids'], require })
      assert.equal(ending, 'held')
      assert.equal(receipts[0]?.verdict, 'incomplete')
      assert.match(receipts[0]?.reason ?? '', says)
      assert.equal(await rows(), 50)
    }
  })
}

test('children of a complete parent stay complete', async () => {
  const answer = { parent: whole }
  await using api = await serve(answer)
  const manifest = manifestAt(api.url)
  for (const concurrency of [1, 5]) {
    assert.deepEqual(await proofOf(manifest, { stream: 'kids', concurrency }), [
      'complete',
      'each of 25 slices is complete',
    ])
    assert.equal((await proofOf(manifest, { stream: 'toys', concurrency }))[0], 'complete')
  }
  // The last page of the parent is an empty one, which comes after the last child.
  answer.parent = (offset) => ({ data: pages(offset, 20), total: 20 })
  const one = { stream: 'kids', concurrency: 1, prefetch: 'off' } as const
  assert.deepEqual(await proofOf(manifest, one), ['complete', 'each of 20 slices is complete'])
})

test('children of a parent that nothing proves are not verified', async () => {
  await using api = await serve({ parent: (offset) => ({ data: pages(offset) }) })
  const to = destinationAt(`jsonl:${join(folder, String(places++))}`)
  const says = /^each of 25 slices is complete, but parent stream "items" is not verified: /
  const [verdict, reason] = await proofOf(manifestAt(api.url), { stream: 'kids' })
  assert.equal(verdict, 'unproven')
  assert.match(reason, says)
  const { ending, receipts } = await sync(manifestAt(api.url), { to, streams: ['kids'] })
  assert.deepEqual([ending, receipts[0]?.verdict], ['complete', 'unproven'])
  assert.match(receipts[0]?.reason ?? '', says)
})

test('the protocol says INCOMPLETE, and a cursor that all partitions share does not move', async () => {
  const answer = { parent: whole }
  await using api = await serve(answer)
  const manifest = manifestAt(api.url, undefined, {
    type: 'DatetimeBasedCursor',
    cursor_field: 'at',
    datetime_format: '%Y-%m-%d',
    start_datetime: '2026-01-01',
    end_datetime: '2026-12-31',
    global_substream_cursor: true,
  })
  const read = async () => {
    const messages: Message[] = []
    const emit = (some: readonly Message[]) => void messages.push(...some)
    const streams = [{ name: 'kids', isIncremental: true }]
    const [outcome] = await readStreams({
      manifest,
      config: {},
      streams,
      states: new Map(),
      options: {},
      emit,
    })
    const states = messages.flatMap((one) => (one.type === 'STATE' ? [one.state.stream.stream_state] : []))
    return { outcome, state: states.at(-1) }
  }
  const healthy = await read()
  assert.deepEqual([healthy.outcome?.ending, healthy.outcome?.proof.verdict], ['complete', 'complete'])
  assert.deepEqual(healthy.state?.state, { at: '2026-05-01' })

  answer.parent = (offset) => (offset === 0 ? { data: pages(0) } : {})
  const { outcome, state } = await read()
  assert.deepEqual([outcome?.ending, outcome?.proof.verdict], ['incomplete', 'incomplete'])
  assert.match(outcome?.error?.message ?? '', /parent stream "items" is incomplete: page 2 has no list at `data`/)
  assert.equal(state?.state, undefined)
})

/** `kids` per customer of an order, or per value of a list; six records in all. */
async function syncKids(url: string, router: object) {
  const kids = streamOf({
    url,
    name: 'kids',
    requester: { path: '/customers/{{ stream_partition.customer }}/kids{{ stream_partition.extra_fields.size }}' },
    retriever: { partition_router: router },
    stream: { primary_key: 'id' },
  })
  const notices: string[] = []
  const to = destinationAt(`jsonl:${join(folder, String(places++))}`)
  const { receipts } = await sync(loadManifest(sourceOf([kids])), {
    to,
    onEvent: (event) => void (event.kind === 'notice' && notices.push(JSON.stringify(event.notice))),
  })
  return { notices, records: receipts[0]?.records, verdict: receipts[0]?.verdict }
}

const kidsPerCustomer = {
  '*': (_: unknown, { path }: { path: string }) => ({
    json: { data: [0, 1, 2].map((kid) => ({ id: `${path}-${kid}` })), total: 3 },
  }),
}

test('a partition that comes twice is read once, also without a cursor', async () => {
  const orders = [1, 2, 1, 2, 1].map((customer, id) => ({ id, customer, size: id % 2 }))
  await using api = await serveApi({ 'GET /orders': () => ({ json: { data: orders, total: 5 } }), ...kidsPerCustomer })
  const parent = (more: object) => ({
    type: 'SubstreamPartitionRouter',
    parent_stream_configs: [
      {
        type: 'ParentStreamConfig',
        stream: streamOf({ url: api.url, name: 'orders', requester: { path: '/orders' } }),
        parent_key: 'customer',
        partition_field: 'customer',
        ...more,
      },
    ],
  })
  const once = await syncKids(api.url, parent({}))
  assert.deepEqual([once.records, once.verdict], [6, 'complete'])
  assert.match(once.notices.join(), /The partition .*customer.* occurs twice; it is read once/)
  assert.equal(once.notices.length, 1)

  const list = { type: 'ListPartitionRouter', cursor_field: 'customer' }
  assert.equal((await syncKids(api.url, { ...list, values: ['a', 'b', 'a'] })).records, 6)
  const different = await syncKids(api.url, { ...list, values: ['a', 'b'] })
  assert.deepEqual([different.records, different.notices], [6, []])
})

test('a partition with other extra fields is another one: requests may use them', async () => {
  const orders = [0, 1, 0].map((size, id) => ({ id, customer: 1, size }))
  await using api = await serveApi({ 'GET /orders': () => ({ json: { data: orders, total: 3 } }), ...kidsPerCustomer })
  const { records, verdict } = await syncKids(api.url, {
    type: 'SubstreamPartitionRouter',
    parent_stream_configs: [
      {
        type: 'ParentStreamConfig',
        stream: streamOf({ url: api.url, name: 'orders', requester: { path: '/orders' } }),
        parent_key: 'customer',
        partition_field: 'customer',
        extra_fields: [['size']],
      },
    ],
  })
  assert.deepEqual([records, verdict], [6, 'complete'])
})

test('parents that are new begin where the others were, and a notice counts them', async () => {
  const answer = { parent: (offset: number): object => ({ data: pages(offset, 3), total: 3 }) }
  await using api = await serve(answer)
  const manifest = manifestAt(api.url, undefined, {
    type: 'DatetimeBasedCursor',
    cursor_field: 'at',
    datetime_format: '%Y-%m-%d',
    start_datetime: '2026-01-01',
    end_datetime: '2026-12-31',
  })
  const to = destinationAt(`jsonl:${join(folder, String(places++))}`)
  const run = async () => {
    const notices: string[] = []
    const onEvent = (event: SyncEvent) => void (event.kind === 'notice' && notices.push(JSON.stringify(event.notice)))
    const { ending } = await sync(manifest, { to, streams: ['kids'], onEvent })
    assert.equal(ending, 'complete')
    return notices
  }
  assert.deepEqual([await run(), await run()], [[], []])
  answer.parent = (offset) => ({ data: pages(offset, 5), total: 5 })
  const [notice, ...others] = await run()
  assert.match(notice ?? '', /2 partitions are not in the state, such as .*: read from .*2026-0[45]-/)
  assert.deepEqual(others, [])
  assert.deepEqual(await run(), [])
})

/** Teams and their members, both with a cursor; a team that changes gets a member. */
async function serveTeams() {
  const api = { day: 1, broken: '' }
  const dayOf = (day: number) => `2026-05-0${day}`
  const json = (records: readonly { at: string }[], since: string | null) => {
    const data = records.filter(({ at }) => at >= (since ?? ''))
    return { json: { data, total: data.length } }
  }
  const served = await serveApi({
    'GET /teams': (query) =>
      json(
        ['a', 'b', 'c'].map((id) => ({ id, at: dayOf(api.day) })),
        query.get('since'),
      ),
    '*': (query, { path }) => {
      const team = path.split('/')[2] ?? ''
      if (team === api.broken) return { status: 400, json: { message: 'no' } }
      const days = Array.from({ length: api.day }, (_, index) => index + 1)
      return json(
        days.map((day) => ({ id: `${team}${day}`, at: dayOf(day) })),
        query.get('since'),
      )
    },
  })
  return Object.assign(api, served)
}

function membersAt(url: string, more: object = {}) {
  const incremental_sync = {
    type: 'DatetimeBasedCursor',
    cursor_field: 'at',
    datetime_format: '%Y-%m-%d',
    start_datetime: '2026-05-01',
    start_time_option: option('request_parameter', 'since'),
  }
  const teams = streamOf({ url, name: 'teams', requester: { path: '/teams' }, stream: { incremental_sync } })
  const parent = { type: 'ParentStreamConfig', stream: teams, parent_key: 'id', partition_field: 'team' }
  const parent_stream_configs = [{ ...parent, incremental_dependency: true }]
  const members = streamOf({
    url,
    name: 'members',
    requester: { path: '/teams/{{ stream_partition.team }}' },
    retriever: { partition_router: { type: 'SubstreamPartitionRouter', parent_stream_configs } },
    stream: { primary_key: 'id', incremental_sync: { ...incremental_sync, ...more } },
  })
  return loadManifest(sourceOf([members]))
}

for (const [name, more] of Object.entries({ own: {}, shared: { global_substream_cursor: true } })) {
  test(`a read that resumes keeps the changes of parents whose children were read before (${name} cursors)`, async () => {
    await using api = await serveTeams()
    const to = destinationAt(`duckdb:${join(folder, `teams-${name}.duckdb`)}`)
    const manifest = membersAt(api.url, more)
    const run = async () => {
      const before = api.asked.length
      // In the same run, days apart: what the API has moves on.
      const { ending } = await sync(manifest, { to, concurrency: 1, now: () => Date.UTC(2026, 4, api.day, 12) })
      return { ending, asked: api.asked.slice(before) }
    }
    api.broken = 'c'
    assert.equal((await run()).ending, 'failed')
    api.broken = ''
    api.day = 2
    const resumed = await run()
    assert.deepEqual([resumed.ending, resumed.asked.length], ['complete', 2])
    const next = await run()
    assert.equal(next.ending, 'complete')
    assert.equal(next.asked[0], 'GET /teams?since=2026-05-01')
    const { rows = [] } = (await to.query?.('select id from members order by id', 100)) ?? {}
    assert.deepEqual(rows.flat(), ['a1', 'a2', 'b1', 'b2', 'c1', 'c2'])
    // A read in one go follows them again.
    assert.equal((await run()).asked[0], 'GET /teams?since=2026-05-02')
  })
}

test('a read that resumes and fails again keeps them, too', async () => {
  await using api = await serveTeams()
  const to = destinationAt(`duckdb:${join(folder, 'teams-twice.duckdb')}`)
  const run = () => sync(membersAt(api.url), { to, concurrency: 1, now: () => Date.UTC(2026, 4, api.day, 12) })
  api.broken = 'c'
  await run()
  api.day = 2
  assert.equal((await run()).ending, 'failed')
  api.broken = ''
  assert.equal((await run()).ending, 'complete')
  const { rows = [] } = (await to.query?.('select id from members order by id', 100)) ?? {}
  assert.deepEqual(rows.flat(), ['a1', 'a2', 'b1', 'b2', 'c1', 'c2'])
})

test('a key that is unique only within its parent merges records: the sync says so', async () => {
  let parents = 12
  await using api = await serveApi({
    'GET /items': () => ({ json: { data: ids(1, parents + 1) } }),
    '*': (_, { path }) => ({ json: { data: ids(1, 66).map(({ id }) => ({ id, item: path })) } }),
  })
  const items = streamOf({ url: api.url, name: 'items', requester: { path: '/items' } })
  const parent_stream_configs = [
    { type: 'ParentStreamConfig', stream: items, parent_key: 'id', partition_field: 'item' },
  ]
  const mergeBy = async (primary_key: string | string[], mode: SyncMode) => {
    const kids = streamOf({
      url: api.url,
      name: 'kids',
      requester: { path: '/items/{{ stream_partition.item }}/kids' },
      retriever: { partition_router: { type: 'SubstreamPartitionRouter', parent_stream_configs } },
      stream: { primary_key },
    })
    const to = memoryDestination()
    const warnings: string[] = []
    const onEvent = (event: SyncEvent) => {
      if (event.kind === 'notice' && event.notice.kind === 'warning') warnings.push(event.notice.text)
    }
    const { receipts, ending } = await sync(loadManifest(sourceOf([kids])), { to, mode, onEvent })
    assert.equal(ending, 'complete')
    return { warnings, records: receipts[0]?.records, rows: to.tables.get('kids')?.length }
  }
  const lost = await mergeBy('id', 'full_refresh_dedup')
  assert.deepEqual([lost.records, lost.rows], [780, 65])
  assert.equal(lost.warnings.length, 1)
  assert.match(
    lost.warnings[0] ?? '',
    /^780 keys of 12 slices are only 65 rows of the table kids: .*`id`.*key of the parent/,
  )

  const all780 = { warnings: [], records: 780, rows: 780 }
  assert.deepEqual(await mergeBy(['item', 'id'], 'full_refresh_dedup'), all780)
  assert.deepEqual(await mergeBy('id', 'full_refresh_append'), all780)
  parents = 2
  assert.match((await mergeBy('id', 'full_refresh_dedup')).warnings[0] ?? '', /^130 keys of 2 slices are only 65 rows/)
})
