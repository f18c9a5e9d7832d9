/** Which slices of a stream other processes read, and which streams stay whole. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest } from '../../src/connector/load-manifest.ts'
import { ConnectorError } from '../../src/std/errors.ts'
import { planParts, type PlanPartsOptions } from '../../src/sync/plan-parts.ts'
import { manifestOf, option, sourceOf, streamOf, type StreamParts } from '../helpers/manifests.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { serveApi } from '../helpers/serve-api.ts'

/** Processes may share it, as they may share Postgres. */
const sharedMemory = () => Object.assign(memoryDestination(), { canShare: true })

const listOf = (values: readonly string[] | string): StreamParts => ({
  retriever: {
    partition_router: {
      type: 'ListPartitionRouter',
      values,
      cursor_field: 'shop',
      request_option: option('request_parameter', 'shop'),
    },
  },
})
const numbered = (count: number) => Array.from({ length: count }, (_, number) => `shop ${number}`)

async function planOf(parts: StreamParts, options: Partial<PlanPartsOptions> = {}) {
  const to = sharedMemory()
  const [planned] = await planParts(loadManifest(manifestOf(parts)), { to, streams: ['items'], ...options })
  const stored = [...to.notes].flatMap(([key, text]) => (key.startsWith('part/') ? [JSON.parse(text)] : []))
  return { parts: planned?.parts, slices: planned?.slices, reason: planned?.reason, stored }
}

test('a part has a hundred slices, the last one what is left, and each slice is in one', async () => {
  const { parts, slices, reason, stored } = await planOf(listOf(numbered(201)))
  assert.deepEqual([parts, slices, reason], [3, 201, null])
  assert.deepEqual(
    stored.map((one) => one.slices.length),
    [100, 100, 1],
  )
  const texts = stored.flatMap((one) => one.slices.map(({ text }: { text: string }) => text))
  assert.deepEqual(
    texts,
    numbered(201).map((shop) => JSON.stringify({ shop })),
  )
  assert.equal((await planOf(listOf(numbered(4)), { partSize: 2 })).parts, 2)
})

test('a slice that holds a secret is read by the lead', async () => {
  const spec = { type: 'object', properties: { key: { type: 'string', airbyte_secret: true } } }
  const config = { key: 'hidden-4711' }
  const { slices, stored } = await planOf({ ...listOf(`{{ ['a', config['key'], 'b'] }}`), spec }, { config })
  assert.equal(slices, 2)
  assert.doesNotMatch(JSON.stringify(stored), /hidden-4711/)
  const alone = await planOf({ ...listOf(`{{ [config['key']] }}`), spec }, { config })
  assert.deepEqual([alone.parts, alone.slices, alone.reason], [0, 0, 'no slice is left to read'])
})

const authenticator = (updater: object) => ({
  type: 'OAuthAuthenticator',
  token_refresh_endpoint: 'https://api.test/token',
  client_id: 'id',
  client_secret: 'hidden-1',
  refresh_token: 'hidden-2',
  ...updater,
})

const whole: [reason: string | null, parts: StreamParts][] = [
  ['it has one slice', {}],
  [
    'its refresh token works once, so only one process can sign in',
    { ...listOf(['a', 'b']), requester: { authenticator: authenticator({ refresh_token_updater: {} }) } },
  ],
  [null, { ...listOf(['a', 'b']), requester: { authenticator: authenticator({}) } }],
]

for (const [reason, parts] of whole) {
  test(`a stream ${reason === null ? 'whose refresh token stays has parts' : `has no parts where ${reason}`}`, async () => {
    const config = { credentials: { client_id: 'id', client_secret: 'hidden-1', refresh_token: 'hidden-2' } }
    const planned = await planOf(parts, { config, onConfig: async () => {} })
    assert.deepEqual([planned.parts, planned.slices, planned.reason], reason === null ? [1, 2, null] : [0, 0, reason])
  })
}

test('streams are planned in the order that is given, each once the one before is committed', async () => {
  const of = (name: string) => streamOf({ name, ...listOf(['a', 'b']) })
  const manifest = loadManifest(sourceOf([of('orders'), of('carts'), of('lists')]))
  const to = sharedMemory()
  const seen: [stream: string, stored: number][] = []
  const planned = await planParts(manifest, {
    to,
    streams: ['carts', 'orders', 'none'],
    catalog: { streams: [{ stream: { name: 'orders' } }, { stream: { name: 'carts' } }] },
    onPlanned: async ({ stream }) => {
      seen.push([stream, [...to.notes.keys()].filter((key) => key.startsWith('part/')).length])
    },
  })
  assert.deepEqual(seen, [
    ['carts', 1],
    ['orders', 2],
    ['none', 2],
  ])
  assert.deepEqual(
    planned.map(({ stream, parts, reason, isNewRun }) => [stream, parts, reason, isNewRun]),
    [
      ['carts', 1, null, true],
      ['orders', 1, null, true],
      ['none', 0, 'it is not in the catalog', true],
    ],
  )
  const [again] = await planParts(manifest, { to, streams: ['carts'], partSize: 1 })
  assert.deepEqual([again?.parts, again?.isNewRun], [2, false])
  const [afresh] = await planParts(manifest, { to, streams: ['carts'], isFresh: true })
  assert.deepEqual([afresh?.parts, afresh?.isNewRun], [1, true])
})

test('a table that cannot be written is left to the lead; a destination that fails is not', async () => {
  const refusing = (code: 'destinations/table-taken' | 'destinations/lost') => {
    const to = sharedMemory()
    const open = async (connection: string) => ({
      ...(await memoryDestination().open(connection)),
      check: () => Promise.reject(new ConnectorError(code, 'No.')),
    })
    return Object.assign(to, { open })
  }
  const { parts, reason } = await planOf(listOf(['a']), { to: refusing('destinations/table-taken') })
  assert.deepEqual([parts, reason], [0, 'its table cannot be written'])
  await assert.rejects(planOf(listOf(['a']), { to: refusing('destinations/lost') }), { code: 'destinations/lost' })
})

test('the notices of planning are those of a sync', async () => {
  await using api = await serveApi({ 'GET /shops': () => ({ json: { data: [{ id: 1 }, { id: 2 }] } }) })
  const kinds: string[] = []
  const parent_stream_configs = [
    {
      type: 'ParentStreamConfig',
      stream: streamOf({ url: api.url, name: 'shops', requester: { path: '/shops' } }),
      parent_key: 'id',
      partition_field: 'shop',
    },
  ]
  const { slices } = await planOf(
    { url: api.url, retriever: { partition_router: { type: 'SubstreamPartitionRouter', parent_stream_configs } } },
    { onEvent: ({ kind }) => void kinds.push(kind) },
  )
  assert.equal(slices, 2)
  assert.deepEqual(kinds, ['stream-started'])
  assert.deepEqual(api.asked, ['GET /shops'])
})
