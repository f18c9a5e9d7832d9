/** Reads that are stopped after any page, and others that resume from the state they last reported: no record may be missing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonRecord, type LoadedManifest, loadManifest, readPages, type StreamState } from '../../../src/index.ts'
import { answering, type Asked } from '../../helpers/answering.ts'
import { offsetPaginator, option, sourceOf, streamOf } from '../../helpers/manifests.ts'
import { firstSeed, isWhole } from '../../helpers/proof.ts'
import { daily } from './opening.ts'

const now = () => Date.UTC(2024, 0, 14)
const days = Array.from({ length: 14 }, (_, day) => `2024-01-${String(day + 1).padStart(2, '0')}`)
/** One record per team and, for these, per third day. */
const teams = Array.from({ length: 4 }, (_, index) => ({
  id: `t${index}`,
  u: days[(index * 4) % 14],
  league: index % 2,
}))
const recordsOf = (owner: string, every = 2) =>
  days.filter((_, day) => day % every === 0).map((u) => ({ id: `${owner}-${u}`, u }))

/** Filtered by the requested window, two records a page. */
function pageOf(records: readonly JsonRecord[], { query }: Asked): object {
  const since = query.get('since') ?? ''
  const until = query.get('until') ?? '9'
  const found = records.filter(({ u }) => String(u) >= since && String(u) <= until)
  const offset = Number(query.get('offset') ?? 0)
  return { data: found.slice(offset, offset + 2) }
}

function answer(asked: Asked): object {
  const [, kind = '', owner = '', part = ''] = asked.path.split('/')
  switch (kind) {
    case 'leagues':
      return pageOf(
        [0, 1].map((id) => ({ id, u: days[id * 8] })),
        asked,
      )
    case 'teams':
      return pageOf(owner === '' ? teams : teams.filter(({ league }) => String(league) === owner), asked)
    case 'feed':
      return pageOf(recordsOf(kind).toReversed(), {
        ...asked,
        query: new URLSearchParams({ offset: asked.query.get('offset') ?? '0' }),
      })
    default:
      return pageOf(
        owner.split('-').flatMap((one) => recordsOf(`${kind}-${one}${part}`, 6)),
        asked,
      )
  }
}

const bounds = {
  start_time_option: option('request_parameter', 'since'),
  end_time_option: option('request_parameter', 'until'),
}
const steps = { ...daily, ...bounds, step: 'P7D', cursor_granularity: 'P1D' }
const named = (name: string, path: string, cursor: object | null, partition_router?: unknown) =>
  streamOf({
    name,
    url: 'https://api.test',
    requester: { path },
    paginator: offsetPaginator({ page_size: 2 }),
    retriever: { ...(partition_router !== undefined && { partition_router }) },
    stream: { ...(cursor && { incremental_sync: cursor }) },
  })
const list = (field: string, values: readonly string[]) => ({
  type: 'ListPartitionRouter',
  cursor_field: field,
  values,
})
const parent = (stream: object, field: string, more: object = {}) => ({
  type: 'ParentStreamConfig',
  stream,
  parent_key: 'id',
  partition_field: field,
  incremental_dependency: true,
  ...more,
})
const byParents = (...parents: object[]) => ({ type: 'SubstreamPartitionRouter', parent_stream_configs: parents })

const teamsStream = named('teams', '/teams', steps)
const members = '/members/{{ stream_partition.team }}'
const leagues = named('leagues', '/leagues', steps)
const teamsOfLeagues = named(
  'league_teams',
  '/teams/{{ stream_partition.league }}',
  steps,
  byParents(parent(leagues, 'league')),
)

const streams: Record<string, { name: string }> = {
  windows: named('items', '/items', steps),
  'windows without a step': named('items', '/items', { ...daily, ...bounds }),
  'partitions of a list': named('items', '/items/{{ stream_partition.p }}', steps, list('p', ['a', 'b', 'c'])),
  'children of parents that are followed': named('members', members, steps, byParents(parent(teamsStream, 'team'))),
  grandchildren: named('badges', members, steps, byParents(parent(teamsOfLeagues, 'team'))),
  'a cursor that all partitions share': named(
    'members',
    members,
    { ...steps, global_substream_cursor: true },
    byParents(parent(teamsStream, 'team')),
  ),
  'a feed, newest first': named('feed', '/feed', { ...daily, is_data_feed: true }),
  'records filtered here': named('items', '/items', { ...daily, is_client_side_incremental: true }),
  'records filtered here, by partition': named(
    'items',
    '/items/{{ stream_partition.p }}',
    { ...daily, is_client_side_incremental: true },
    list('p', ['a', 'b', 'c']),
  ),
  'groups of followed parents': named('members', "/members/{{ stream_partition.team | join('-') }}", steps, {
    type: 'GroupingPartitionRouter',
    group_size: 2,
    underlying_partition_router: byParents(parent(teamsStream, 'team')),
  }),
  'a list × followed parents': named('members', `${members}/{{ stream_partition.kind }}`, steps, [
    list('kind', ['in', 'out']),
    byParents(parent(teamsStream, 'team')),
  ]),
  'followed parents × a list': named('members', `${members}/{{ stream_partition.kind }}`, steps, [
    byParents(parent(teamsStream, 'team')),
    list('kind', ['in', 'out']),
  ]),
  'one parent followed twice': named(
    'members',
    members,
    steps,
    byParents(parent(teamsStream, 'team'), parent(teamsStream, 'team', { parent_key: 'u' })),
  ),
  'children without a cursor': named('members', members, null, byParents(parent(teamsStream, 'team'))),
}

/** Numbers that look like dice and fall the same way every time. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

type Stopping = {
  readonly state?: StreamState | undefined
  readonly after?: number
  readonly failAt?: number
  readonly seed: number
  readonly concurrency: number
}

async function read(
  manifest: LoadedManifest,
  { state, after = Number.POSITIVE_INFINITY, failAt, seed, concurrency }: Stopping,
) {
  const roll = dice(seed)
  let requests = 0
  const network = answering(
    (asked) => (++requests === failAt ? 404 : answer(asked)),
    () => (concurrency === 1 ? 0 : Math.floor(roll() * 6)),
  )
  const ids: unknown[] = []
  let told = state
  let isEnded = true
  let pages = 0
  const onState = (reached: StreamState) => {
    told = JSON.parse(JSON.stringify(reached)) as StreamState
  }
  try {
    for await (const { records } of readPages(manifest, { network, now, state, onState, concurrency })) {
      ids.push(...records.map(({ id }) => id))
      if (++pages >= after) {
        isEnded = false
        break
      }
    }
  } catch {
    isEnded = false
  }
  return { ids, told, isEnded, pages, requests }
}

for (const [turn, [name, stream]] of Object.entries(streams).entries()) {
  /** From 1 on: every fourth of many, from another one for each stream, unless all are asked for. */
  const upTo = (last: number) =>
    Array.from({ length: last }, (_, index) => index + 1).filter(
      (at) => isWhole || last < 16 || (at + turn + firstSeed) % 4 === 0,
    )
  const manifest = loadManifest(sourceOf([stream]))
  /** Two reads, the second from the last state of the first, have all the records of one that is not interrupted. */
  const check = async (concurrency: number, how: Pick<Stopping, 'after' | 'failAt'>, all: readonly unknown[]) => {
    const seed = how.after ?? how.failAt ?? 0
    const first = await read(manifest, { seed, concurrency, ...how })
    const second = await read(manifest, { seed: seed + 7, concurrency, state: first.told })
    assert.ok(second.isEnded)
    const found = new Set([...first.ids, ...second.ids])
    const missing = all.filter((id) => !found.has(id))
    assert.deepEqual(missing, [], `${JSON.stringify(how)}, then from ${JSON.stringify(first.told)}`)
  }
  test(`${name}: nothing is lost whatever page is the last`, async () => {
    const { ids, pages } = await read(manifest, { seed: 1, concurrency: 1 })
    for (const after of upTo(pages)) await check(1, { after }, ids)
  })
  test(`${name}: nothing is lost whatever request fails, slices side by side`, async () => {
    const { ids, requests } = await read(manifest, { seed: 1, concurrency: 3 })
    for (const failAt of upTo(requests)) await check(3, { failAt }, ids)
  })
}
