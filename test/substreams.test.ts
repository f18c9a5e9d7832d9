/** Streams cut by the records of other streams, against a real server. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type JsonRecord, loadManifest, type Notice, readPages, type ReadOptions, readRecords } from '../src/index.ts'
import { offsetPaginator, option, sourceOf, streamOf, type StreamParts } from './helpers/manifests.ts'
import { type Handler, serveApi } from './helpers/serve-api.ts'

const at = (url: string, name: string, path: string, more: StreamParts = {}) =>
  streamOf({ ...more, url, name, requester: { path, ...more.requester } })

const parent = (stream: object, more: object = {}) => ({
  type: 'ParentStreamConfig',
  stream,
  parent_key: 'id',
  partition_field: 'team',
  ...more,
})
const byParents = (...parents: object[]) => ({ type: 'SubstreamPartitionRouter', parent_stream_configs: parents })

const teams = ['red', 'green', 'blue']
const routes: Record<string, Handler> = {
  'GET /teams': (query) => {
    const offset = Number(query.get('offset') ?? 0)
    return { json: { data: teams.slice(offset, offset + 2).map((id) => ({ id, info: { size: id.length } })) } }
  },
  '*': (_, { path }) => {
    const [, , team, kind] = path.split('/')
    return { json: { data: [1, 2].map((number) => ({ id: `${team}-${kind}-${number}`, team, number })) } }
  },
}

/** teams → members: a parent of two pages. */
const teamsOf = (url: string) => at(url, 'teams', '/teams', { paginator: offsetPaginator({ page_size: 2 }) })
const membersOf = (url: string, more: object = {}) =>
  at(url, 'members', '/teams/{{ stream_partition.team }}/members', {
    retriever: { partition_router: byParents(parent(teamsOf(url), more)) },
  })

async function recordsOf(manifest: object, options: ReadOptions): Promise<JsonRecord[]> {
  const records: JsonRecord[] = []
  for await (const record of readRecords(loadManifest(manifest), options)) records.push(record)
  return records
}
const idsOf = async (manifest: object, options: ReadOptions) => (await recordsOf(manifest, options)).map(({ id }) => id)

test('one slice per record of the parent, whose pages are requested as they are needed', async () => {
  await using api = await serveApi(routes)
  const manifest = sourceOf([membersOf(api.url)])
  const ids = await idsOf(manifest, { stream: 'members', concurrency: 1, prefetch: 'off' })
  assert.deepEqual(
    ids,
    teams.flatMap((team) => [`${team}-members-1`, `${team}-members-2`]),
  )
  assert.deepEqual(api.asked, [
    'GET /teams?limit=2',
    'GET /teams/red/members',
    'GET /teams/green/members',
    'GET /teams?offset=2&limit=2',
    'GET /teams/blue/members',
  ])
})

test('side by side the same records arrive, each slice in order', async () => {
  await using api = await serveApi(routes)
  const manifest = sourceOf([membersOf(api.url)])
  const ids = await idsOf(manifest, { stream: 'members' })
  assert.deepEqual(
    ids.map(String).toSorted(),
    teams.flatMap((team) => [`${team}-members-1`, `${team}-members-2`]).toSorted(),
  )
})

test('a slice knows its value, the slice of its parent and the extra fields', async () => {
  await using api = await serveApi(routes)
  const child = at(api.url, 'badges', '/teams/{{ stream_slice.team }}-{{ stream_slice.parent_slice.team }}/badges', {
    requester: {
      request_parameters: {
        size: "{{ stream_slice.extra_fields['info.size'] }}",
        none: "{{ stream_slice.extra_fields['info.colour'] or 'absent' }}",
      },
    },
    retriever: {
      partition_router: byParents(
        parent(membersOf(api.url, { extra_fields: [] }), {
          parent_key: 'number',
          extra_fields: [['team']],
          request_option: option('header', 'X-Member'),
        }),
      ),
    },
  })
  const grandparent = at(api.url, 'flags', '/teams/{{ stream_slice.team }}/flags', {
    requester: {
      request_parameters: {
        size: "{{ stream_slice.extra_fields['info.size'] }}",
        none: "{{ stream_slice.extra_fields['info.colour'] or 'absent' }}",
      },
    },
    retriever: {
      partition_router: byParents(
        parent(teamsOf(api.url), {
          extra_fields: [
            ['info', 'size'],
            ['info', 'colour'],
          ],
        }),
      ),
    },
  })
  const manifest = sourceOf([child, grandparent])
  for await (const { slice } of readPages(loadManifest(manifest), { stream: 'badges', concurrency: 1 })) {
    assert.deepEqual(slice.partition, { team: 1, parent_slice: { team: 'red', parent_slice: {} } })
    assert.deepEqual(slice.extra, { team: 'red' })
    break
  }
  // The slice after it may have been requested: its receipt waits for what the parent shows.
  assert.equal(api.requests.find(({ path }) => path.endsWith('/badges'))?.headers['x-member'], '1')
  assert.ok(api.asked.includes('GET /teams/1-red/badges?none=absent'), api.asked.join('\n'))

  await idsOf(manifest, { stream: 'flags' })
  assert.ok(api.asked.includes('GET /teams/green/flags?size=5&none=absent'), api.asked.join('\n'))
})

test('several parents one after the other; several routers each with each', async () => {
  await using api = await serveApi(routes)
  const leagues = at(api.url, 'leagues', '/leagues/x/leagues')
  const either = at(api.url, 'either', '/teams/{{ stream_slice.team }}/either', {
    retriever: { partition_router: byParents(parent(teamsOf(api.url)), parent(leagues)) },
  })
  const each = at(api.url, 'each', '/teams/{{ stream_slice.team }}/{{ stream_slice.kind }}', {
    retriever: {
      partition_router: [
        byParents(parent(teamsOf(api.url))),
        { type: 'ListPartitionRouter', cursor_field: 'kind', values: ['in', 'out'] },
      ],
    },
  })
  const manifest = sourceOf([either, each])
  const reading = { concurrency: 1 }
  assert.deepEqual((await idsOf(manifest, { stream: 'either', ...reading })).slice(6), [
    'x-leagues-1-either-1',
    'x-leagues-1-either-2',
    'x-leagues-2-either-1',
    'x-leagues-2-either-2',
  ])
  const pairs = (await idsOf(manifest, { stream: 'each', ...reading })).filter((_, index) => index % 2 === 0)
  assert.deepEqual(
    pairs,
    teams.flatMap((team) => [`${team}-in-1`, `${team}-out-1`]),
  )
})

test('groups hold lists, unions each value once', async () => {
  await using api = await serveApi({
    ...routes,
    'GET /batch': (query) => ({ json: { data: [{ id: query.get('ids') }] } }),
  })
  const router = byParents(parent(teamsOf(api.url), { extra_fields: [['info', 'size']] }))
  const batch = at(api.url, 'batch', '/batch', {
    requester: { request_parameters: { ids: "{{ stream_slice.team | join('+') }}" } },
    retriever: {
      partition_router: { type: 'GroupingPartitionRouter', group_size: 2, underlying_partition_router: router },
    },
  })
  const union = at(api.url, 'union', '/teams/{{ stream_slice.team }}/union', {
    retriever: {
      partition_router: {
        type: 'UnionPartitionRouter',
        partition_field: 'team',
        partition_routers: [router, { type: 'ListPartitionRouter', cursor_field: 'team', values: ['blue', 'gold'] }],
      },
    },
  })
  const manifest = sourceOf([batch, union])
  const extras = []
  for await (const { slice } of readPages(loadManifest(manifest), { stream: 'batch', concurrency: 1 }))
    extras.push(slice.extra)
  assert.deepEqual(extras, [{ 'info.size': [3, 5] }, { 'info.size': [4] }])
  assert.deepEqual(new Set(await idsOf(manifest, { stream: 'batch' })), new Set(['red+green', 'blue']))
  const united = (await idsOf(manifest, { stream: 'union', concurrency: 1 })).filter((_, index) => index % 2 === 0)
  assert.deepEqual(united, ['red-union-1', 'green-union-1', 'blue-union-1', 'gold-union-1'])
})

test('an option that a group or a union would never send is refused', async () => {
  const url = 'https://api.test'
  const request_option = { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'team' }
  const list = { type: 'ListPartitionRouter', cursor_field: 'team', values: ['blue'], request_option }
  const routers = [
    { type: 'GroupingPartitionRouter', group_size: 2, underlying_partition_router: list },
    {
      type: 'GroupingPartitionRouter',
      group_size: 2,
      underlying_partition_router: byParents(parent(teamsOf(url), { request_option })),
    },
    { type: 'UnionPartitionRouter', partition_field: 'team', partition_routers: [list] },
  ]
  for (const partition_router of routers) {
    const manifest = sourceOf([at(url, 'batch', '/batch', { retriever: { partition_router } })])
    const refusal = new RegExp(`request_option.*has no effect inside a ${partition_router.type}`)
    await assert.rejects(idsOf(manifest, {}), { code: 'manifest/invalid-value', message: refusal })
  }
})

test('a parent without the key is reported, a key may be nested, no parent at all is no slice', async () => {
  const records = [{ id: 1, meta: { key: 'a' } }, { id: 2, meta: {} }, { id: 3 }, { id: 4, meta: { key: null } }]
  await using api = await serveApi({
    ...routes,
    'GET /lists': () => ({ json: { data: records } }),
    'GET /none': () => ({ json: { data: [] } }),
  })
  const child = (path: string) =>
    at(api.url, path, `/teams/{{ stream_slice.team }}/${path}`, {
      retriever: { partition_router: byParents(parent(at(api.url, path, `/${path}`), { parent_key: 'meta/key' })) },
    })
  const manifest = sourceOf([child('lists'), child('none')])
  const notices: Notice[] = []
  const onNotice = (notice: Notice) => void notices.push(notice)
  assert.deepEqual(await idsOf(manifest, { stream: 'lists', onNotice }), ['a-lists-1', 'a-lists-2'])
  assert.match(JSON.stringify(notices), /3 records of the parent stream .*lists.* have no `meta\/key`/)
  assert.deepEqual(await idsOf(manifest, { stream: 'none' }), [])
})

test('what a parent’s record already holds is not requested; its next page is', async () => {
  const folded = (id: string, more: boolean) => ({
    id,
    comments: { data: [{ id: `${id}1` }], ...(more && { next: `${id}2` }) },
  })
  await using api = await serveApi({
    'GET /posts': () => ({ json: { data: [folded('a', true), folded('b', false), { id: 'c' }] } }),
    '*': (query, { path }) => ({ json: { data: [{ id: query.get('cursor') ?? path.split('/')[2] }] } }),
  })
  const comments = at(api.url, 'comments', '/posts/{{ stream_slice.post }}/comments', {
    paginator: {
      pagination_strategy: { type: 'CursorPagination', cursor_value: '{{ response.get("next") }}' },
      page_token_option: option('request_parameter', 'cursor'),
    },
    retriever: {
      partition_router: byParents(
        parent(at(api.url, 'posts', '/posts'), { partition_field: 'post', lazy_read_pointer: ['comments'] }),
      ),
    },
  })
  const ids = await idsOf(sourceOf([comments]), { stream: 'comments', concurrency: 1, prefetch: 'off' })
  assert.deepEqual(ids, ['a1', 'a2', 'b1', 'c'])
  assert.deepEqual(api.asked, ['GET /posts', 'GET /posts/a/comments?cursor=a2', 'GET /posts/c/comments'])
})

test('a router of the connector’s own, with its parents', async () => {
  await using api = await serveApi(routes)
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-router-'))
  await mkdir(join(folder, 'source_clubs'))
  await writeFile(
    join(folder, 'source_clubs', 'components.ts'),
    `import { PartitionRouter, type RouterParent } from 'turnleaf'
     export class LongNames extends PartitionRouter {
       async *partitions([teams]: readonly RouterParent[]) {
         for await (const { record } of teams!.records()) {
           const id = String(record['id'])
           if (id.length > Number(this.parameters['longer_than'])) yield { partition: { team: id }, extra: { shout: id.toUpperCase() } }
         }
       }
     }`,
  )
  try {
    const partition_router = {
      type: 'CustomPartitionRouter',
      class_name: 'source_clubs.components.LongNames',
      longer_than: 3,
      parent_stream_configs: [parent(teamsOf(api.url), { request_option: option('request_parameter', 'of') })],
    }
    const manifest = sourceOf([
      at(api.url, 'members', '/teams/{{ stream_slice.extra_fields.shout }}/m', { retriever: { partition_router } }),
    ])
    const loaded = loadManifest(manifest, { folder })
    for await (const _ of readRecords(loaded, { stream: 'members', concurrency: 1 }));
    assert.deepEqual(
      api.asked.filter((line) => line.includes('/m')),
      ['GET /teams/GREEN/m?of=green', 'GET /teams/BLUE/m?of=blue'],
    )
    await assert.rejects(idsOf(manifest, { stream: 'members' }), {
      code: 'plan/no-folder',
      message: /partition router/,
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('requests under way never exceed the concurrency, parents included', async () => {
  let under = 0
  let most = 0
  let allAreThere = () => {}
  const areAllThere = new Promise<void>((resolve) => {
    allAreThere = resolve
  })
  const slowly =
    (handler: Handler): Handler =>
    async (query, request) => {
      most = Math.max(most, ++under)
      if (under === 3) allAreThere()
      // No request is answered before three were there at the same time, or for a while where fewer come.
      await Promise.race([areAllThere, new Promise((resolve) => setTimeout(resolve, 500))])
      await new Promise((resolve) => setTimeout(resolve, 2))
      under--
      return handler(query, request)
    }
  await using api = await serveApi(
    Object.fromEntries(Object.entries(routes).map(([route, handler]) => [route, slowly(handler)])),
  )
  const grandchildren = at(api.url, 'badges', '/teams/{{ stream_slice.team }}/badges', {
    retriever: { partition_router: byParents(parent(membersOf(api.url))) },
  })
  const manifest = sourceOf([grandchildren])
  assert.equal((await idsOf(manifest, { stream: 'badges', concurrency: 3 })).length, 12)
  assert.equal(most, 3)
  most = 0
  await idsOf(manifest, { stream: 'badges', concurrency: 1 })
  assert.equal(most, 1)
})

test('stopping the read stops the parents too', async () => {
  await using api = await serveApi({
    ...routes,
    'GET /teams': () => ({ json: { data: [{ id: `t${Math.random()}` }, { id: 'same' }] } }),
  })
  const child = membersOf(api.url)
  for await (const _ of readPages(loadManifest(sourceOf([child])), { stream: 'members' })) break
  // What had left before may still arrive; the pages of the parent have no end.
  for (let tries = 0, asked = -1; asked !== api.asked.length; tries++) {
    assert.ok(tries < 100, 'requests went on after the reader had stopped')
    asked = api.asked.length
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
})
