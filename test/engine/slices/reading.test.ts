/** Reads against an API, one after the other: each resumes from the state of the one before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, type Notice, readPages, type ReadOptions, type StreamState } from '../../../src/index.ts'
import { cursorPaginator, manifestOf, option, streamOf, type StreamParts } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { daily, now } from './opening.ts'

async function read(parts: StreamParts, options: ReadOptions = {}) {
  const states: StreamState[] = []
  const notices: Notice[] = []
  const ids: unknown[] = []
  let stop: string | null = null
  let failure: unknown = null
  try {
    for await (const page of readPages(loadManifest(manifestOf(parts)), {
      now,
      onState: (state) => void states.push(state),
      onNotice: (notice) => void notices.push(notice),
      ...options,
    })) {
      ids.push(...page.records.map(({ id }) => id))
      stop = page.stop
    }
  } catch (error) {
    failure = error
  }
  return { ids, states, notices, stop, failure, last: states.at(-1) }
}

const since = option('request_parameter', 'since')
const router = {
  type: 'ListPartitionRouter',
  values: ['a', 'b'],
  cursor_field: 'p',
  request_option: option('request_parameter', 'p'),
}

test('Airbyte: a state has a part for parents that are not followed, unless routers are a list, if only of one', async () => {
  await using api = await serveApi({
    'GET /teams': () => ({ json: { data: [{ id: 't' }] } }),
    'GET /items': () => ({ json: { data: [{ id: 1, u: '2024-01-05' }] } }),
  })
  const teams = streamOf({ url: api.url, name: 'teams', requester: { path: '/teams' } })
  const parent = { type: 'ParentStreamConfig', stream: teams, parent_key: 'id', partition_field: 'team' }
  const byTeams = { type: 'SubstreamPartitionRouter', parent_stream_configs: [parent] }
  const stateWith = async (partition_router: object) =>
    (await read({ url: api.url, retriever: { partition_router }, stream: { incremental_sync: daily } })).last
  const one = await stateWith(byTeams)
  assert.deepEqual(one?.parent_state, {})
  const { parent_state: _, ...others } = one
  assert.deepEqual(await stateWith([byTeams]), others)
})

test('a data feed is read up to the records of the read before', async () => {
  const all = [5, 4, 3, 2, 1].map((id) => ({ id, u: `2024-01-0${id}` }))
  await using api = await serveApi({
    'GET /items': (query) => {
      const at = Number(query.get('cursor') ?? 0)
      return { json: { data: all.slice(at, at + 2), next: at + 2 < all.length ? String(at + 2) : null } }
    },
  })
  const parts = {
    url: api.url,
    paginator: cursorPaginator('{{ response.next }}', '{{ not response.next }}'),
    stream: { incremental_sync: { ...daily, is_data_feed: true } },
  }
  const first = await read(parts)
  assert.deepEqual(first.ids, [5, 4, 3, 2, 1])
  assert.deepEqual(first.last, { u: '2024-01-05' })

  const later = await read(parts, { state: { u: '2024-01-04' }, prefetch: 'off' })
  assert.deepEqual(later.ids, [5, 4])
  assert.equal(later.stop, 'read-before')
  assert.equal(api.asked.length, 5)
})

test('a partition that fails keeps its state; the others are read', async () => {
  let isDown = true
  const asked: string[] = []
  await using api = await serveApi({
    'GET /items': (query) => {
      asked.push(`${query.get('p')} ${query.get('since')}`)
      if (query.get('p') === 'b' && isDown) return { status: 404, json: {} }
      return { json: { data: [{ id: query.get('p'), u: '2024-01-09' }] } }
    },
  })
  const parts = {
    url: api.url,
    retriever: { partition_router: router },
    stream: { incremental_sync: { ...daily, start_time_option: since } },
  }
  const failed = await read(parts)
  assert.ok(failed.failure)
  assert.deepEqual(failed.last?.states, [
    { partition: { p: 'a' }, cursor: { u: '2024-01-09' } },
    // Begun side by side, and as far as it was before.
    { partition: { p: 'b' }, cursor: { u: '2024-01-01' } },
  ])
  assert.equal(failed.last?.state, undefined)

  isDown = false
  asked.length = 0
  const whole = await read(parts, { state: failed.last })
  assert.deepEqual(asked.toSorted(), ['a 2024-01-09', 'b 2024-01-01'])
  assert.deepEqual(whole.last?.state, { u: '2024-01-09' })
})

test('a slice that fails does not keep the others from being read; ten in a row end the read', async () => {
  const values = Array.from({ length: 30 }, (_, index) => `p${index}`)
  let isBroken = (p: string): boolean => p === 'p3' || p === 'p7'
  await using api = await serveApi({
    'GET /items': (query) => {
      const p = query.get('p') ?? ''
      return isBroken(p) ? { status: 404, json: {} } : { json: { data: [{ id: p, u: '2024-01-09' }] } }
    },
  })
  const parts = {
    url: api.url,
    retriever: { partition_router: { ...router, values } },
    stream: { incremental_sync: daily },
  }
  const { ids, notices, failure, last } = await read(parts)
  assert.deepEqual(ids.map(String).toSorted(), values.filter((p) => !isBroken(p)).toSorted())
  assert.match(String(failure), /404/)
  assert.equal(notices.filter(({ kind }) => kind === 'warning').length, 2)
  assert.equal(last?.state, undefined)

  isBroken = () => true
  api.asked.length = 0
  await read(parts, { concurrency: 1 })
  assert.equal(api.asked.length, 10)
})

test('what is wrong with a state is a notice', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [] } }) })
  const { notices } = await read({ url: api.url, stream: { incremental_sync: daily } }, { state: { other: 1 } })
  assert.deepEqual(
    notices.map(({ kind }) => kind),
    ['warning'],
  )
})

test('a number that counts up is sent where the manifest says', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 12 }, { id: 11 }] } }) })
  const count = { type: 'IncrementingCountCursor', cursor_field: 'id', start_value: 3, start_value_option: since }
  const parts = { url: api.url, stream: { incremental_sync: count } }
  assert.deepEqual((await read(parts)).last, { id: 12 })
  await read(parts, { state: { id: 12 } })
  assert.deepEqual(api.asked, ['GET /items?since=3', 'GET /items?since=12'])
})

test('records are filtered by their cursor after the transformations', async () => {
  await using api = await serveApi({
    'GET /items': () => ({
      json: {
        data: [
          { id: 1, changed: '2024-01-01' },
          { id: 2, changed: '2024-01-09' },
        ],
      },
    }),
  })
  const renamed = {
    type: 'AddFields',
    fields: [{ type: 'AddedFieldDefinition', path: ['u'], value: '{{ record.changed }}' }],
  }
  const stream = { incremental_sync: { ...daily, is_client_side_incremental: true }, transformations: [renamed] }
  const { ids } = await read({ url: api.url, stream }, { state: { u: '2024-01-05' } })
  assert.deepEqual(ids, [2])
})

test('what is wrong with every slice ends the read at the first', async () => {
  await using api = await serveApi({
    'POST /token': () => ({ status: 400, json: { error: 'invalid_grant' } }),
    'GET /items': () => ({ json: { data: [] } }),
  })
  const authenticator = {
    type: 'OAuthAuthenticator',
    token_refresh_endpoint: `${api.url}/token`,
    client_id: 'id',
    client_secret: 'cs',
    refresh_token: 'revoked',
  }
  const parts = { url: api.url, requester: { authenticator }, retriever: { partition_router: router } }
  const { failure, notices } = await read(parts, { concurrency: 1 })
  assert.equal((failure as { code?: string }).code, 'request/token-refused')
  assert.deepEqual(api.asked, ['POST /token'])
  assert.deepEqual(notices, [])
})

test('a parent key with a wildcard is the one value that it leads to', async () => {
  const parents = [{ kids: [{ id: 'x' }] }, { kids: [] }]
  await using api = await serveApi({
    'GET /parents': () => ({ json: { data: parents } }),
    '*': () => ({ json: { data: [{ id: 1 }] } }),
  })
  const parent = streamOf({ url: api.url, name: 'parents', requester: { path: '/parents' } })
  const parts = {
    url: api.url,
    requester: { path: '/of/{{ stream_partition.kid }}' },
    retriever: {
      partition_router: {
        type: 'SubstreamPartitionRouter',
        parent_stream_configs: [
          { type: 'ParentStreamConfig', stream: parent, parent_key: 'kids/*/id', partition_field: 'kid' },
        ],
      },
    },
  }
  const { ids, notices } = await read(parts)
  assert.deepEqual([ids, api.asked], [[1], ['GET /parents', 'GET /of/x']])
  assert.match(JSON.stringify(notices), /1 record of the parent stream .*parents.* has no `kids\/\*\/id`/)

  // Airbyte fails there, too.
  parents.push({ kids: [{ id: 'y' }, { id: 'z' }] })
  const { failure } = await read(parts)
  assert.match(String(failure), /`kids\/\*\/id` leads to 2 values/)
})
