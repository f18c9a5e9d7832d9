import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest } from '../../src/connector/load-manifest.ts'
import { writtenStreams } from '../../src/engine/streams/resolve-streams.ts'
import { everyStream } from '../../src/protocol/choose-streams.ts'
import type { Message } from '../../src/protocol/messages.ts'
import { exitCodeOf, readStreams } from '../../src/protocol/read.ts'
import { noProof } from '../../src/proof/receipts/open-receipts.ts'
import { ConnectorError } from '../../src/std/errors.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { daily, manifestOf, ordersFrom, stream } from '../cli/shop.ts'
import type { ReadRequest } from '../../src/protocol/emit-stream.ts'

/** Runs a read and gives back its messages, one list per call of the sink. */
async function read(manifest: object, rest: Partial<ReadRequest> = {}) {
  const loaded = loadManifest(manifest)
  const emitted: (readonly Message[])[] = []
  const emit = (messages: readonly Message[]) => void emitted.push(messages)
  const outcomes = await readStreams({
    manifest: loaded,
    config: {},
    streams: everyStream(writtenStreams({ manifest: loaded, config: {} })),
    states: new Map(),
    options: {},
    emit,
    ...rest,
  })
  return { outcomes, emitted, messages: emitted.flat() }
}

const types = (messages: readonly Message[]) =>
  messages.map((message) => (message.type === 'TRACE' ? message.trace.type : message.type))

test('a page of records is one call of the sink', async () => {
  await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
  const { emitted } = await read(manifestOf([stream(api.url, { name: 'orders' })]))
  assert.deepEqual(
    emitted.filter((messages) => messages.length > 0).map((messages) => types(messages).join(' ')),
    ['STREAM_STATUS', 'STREAM_STATUS RECORD RECORD', 'RECORD RECORD', 'RECORD', 'STATE', 'LOG ANALYTICS STREAM_STATUS'],
  )
})

test('the sink may hold the read back', async () => {
  await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
  const asked: number[] = []
  await read(manifestOf([stream(api.url, { name: 'orders' })]), {
    options: { prefetch: 'off' },
    emit: async () => {
      await new Promise((resolve) => setImmediate(resolve))
      asked.push(api.asked.length)
    },
  })
  assert.deepEqual(asked.slice(0, 5), [0, 0, 1, 2, 3])
})

test('a slice that was cut leaves no state', async () => {
  await using api = await serveApi({
    'GET /orders': (query) =>
      query.get('since')?.startsWith('2024-01-02') ? ordersFrom(query) : { json: { data: [] } },
  })
  const { messages, outcomes } = await read(manifestOf([stream(api.url, { name: 'orders', stream: daily })]), {
    options: { maxPages: 2 },
  })
  const states = messages.flatMap((message) => (message.type === 'STATE' ? [message.state.stream.stream_state] : []))
  assert.deepEqual(states, [{ at: '2024-01-01T00:00:00Z' }])
  assert.equal(outcomes[0]?.ending, 'incomplete')
  assert.equal(outcomes[0]?.slices, 3)
})

test('a stream without slices has a state and no request', async () => {
  await using api = await serveApi({})
  const late = { incremental_sync: { ...daily.incremental_sync, end_datetime: '2023-01-01T00:00:00Z' } }
  const { messages } = await read(manifestOf([stream(api.url, { name: 'orders', stream: late })]))
  assert.deepEqual(types(messages), ['STREAM_STATUS', 'LOG', 'STATE', 'LOG', 'ANALYTICS', 'STREAM_STATUS'])
  assert.match(JSON.stringify(messages), /The start is at .*, after the end of this read/)
  assert.deepEqual(api.asked, [])
})

test('a state for streams that do not exist is reported, and the read starts from the start', async () => {
  await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
  const states = new Map([['elsewhere', { updated: '2024-01-01' }]])
  const { messages } = await read(manifestOf([stream(api.url, { name: 'orders' })]), { states })
  const [warning] = messages.flatMap((message) => (message.type === 'LOG' ? [message.log] : []))
  assert.equal(warning?.level, 'WARN')
  assert.match(warning?.message ?? '', /streams that do not exist, which are ignored: elsewhere\.$/)
})

test('full refresh starts over; a state that does not fit is reported', async () => {
  const since: (string | null)[] = []
  await using api = await serveApi({
    'GET /orders': (query) => {
      since.push(query.get('since'))
      return { json: { data: [] } }
    },
  })
  const manifest = manifestOf([stream(api.url, { name: 'orders', stream: daily })])
  const states = new Map([['orders', { at: '2024-01-03T00:00:00Z' }]])
  await read(manifest, { states })
  assert.deepEqual(since, ['2024-01-03T00:00:00Z'])
  since.length = 0
  await read(manifest, { states, streams: [{ name: 'orders', isIncremental: false }] })
  assert.equal(since.length, 3)
  const { messages } = await read(manifest, { states: new Map([['orders', { other: 1 }]]) })
  assert.match(JSON.stringify(messages), /holds no cursor `at` to resume from/)
})

test('a config that does not fit stops everything', async () => {
  const spec = { type: 'Spec', connection_specification: { type: 'object', required: ['key'], properties: {} } }
  await assert.rejects(read(manifestOf([stream('http://127.0.0.1:1', { name: 'orders' })], { spec })), {
    code: 'plan/missing-config',
  })
})

test('exit codes', () => {
  const base = { name: 'x', records: 0, slices: 0, stop: null, proof: noProof, isCut: false }
  const complete = { ...base, pages: 1, ending: 'complete' } as const
  const refused = {
    ...base,
    pages: 0,
    ending: 'failed',
    error: new ConnectorError('manifest/unsupported-component', ''),
  } as const
  const failed = { ...base, pages: 0, ending: 'failed', error: new ConnectorError('response/rejected', '') } as const
  assert.equal(exitCodeOf([complete, complete]), 0)
  assert.equal(exitCodeOf([complete, refused]), 1)
  assert.equal(exitCodeOf([failed]), 1)
  assert.equal(exitCodeOf([refused, refused]), 2)
  assert.equal(exitCodeOf([]), 0)
  const cut = { ...complete, ending: 'incomplete', isCut: true } as const
  assert.equal(exitCodeOf([complete, cut]), 0)
  const short = { ...complete, ending: 'incomplete', error: new ConnectorError('proof/incomplete', '') } as const
  assert.equal(exitCodeOf([complete, short]), 1)
})

test('a rate limit is reported as a status of the running stream', async () => {
  let asked = 0
  await using api = await serveApi({
    'GET /orders': (query) => (asked++ === 0 ? { status: 429, headers: { 'retry-after': '3' } } : ordersFrom(query)),
  })
  const options = { sleep: async () => {}, now: () => 1000 }
  const { messages } = await read(manifestOf([stream(api.url, { name: 'orders' })]), { options })
  const reasons = messages.flatMap((message) =>
    message.type === 'TRACE' && message.trace.type === 'STREAM_STATUS' && message.trace.stream_status.reasons
      ? [message.trace.stream_status]
      : [],
  )
  assert.deepEqual(reasons, [
    {
      stream_descriptor: { name: 'orders' },
      status: 'RUNNING',
      reasons: [{ type: 'RATE_LIMITED', rate_limited: { quota_reset: 4000 } }],
    },
  ])
})
