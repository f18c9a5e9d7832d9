/** Lists × windows, in order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, planStream } from '../../../src/index.ts'
import { openCursor } from '../../../src/engine/slices/cursor.ts'
import { partitionsOf } from '../../../src/engine/slices/partitions.ts'
import { sliceOptions, slicesOf } from '../../../src/engine/slices/slices.ts'
import { manifestOf, option, type StreamParts } from '../../helpers/manifests.ts'

const now = () => Date.UTC(2024, 1, 5)
const config = { regions: ['eu', 'us'], start: '2024-01-01' }
const plan = (parts: StreamParts) => planStream(loadManifest(manifestOf(parts)), 'items', config)
const tools = { config, warn: () => {}, takesFirstPages: true, readParent: noParents, routerOf: noParents }
function noParents(): never {
  throw new Error('these streams have no parents')
}
async function slices(parts: StreamParts, state?: string) {
  const { slicing } = plan(parts)
  const field = slicing.cursor?.cursorField ?? ''
  const cursor = openCursor(slicing, {
    config,
    now,
    report: () => {},
    state: state === undefined ? undefined : { [field]: state },
  })
  const found = []
  for await (const { partition, window } of slicesOf(partitionsOf(slicing.routers, tools), cursor)) {
    found.push({ partition, window })
  }
  return found
}

const list = (values: unknown, cursor_field = 'region', request_option?: object) => ({
  type: 'ListPartitionRouter',
  values,
  cursor_field,
  ...(request_option && { request_option }),
})
const cursor = (more: object = {}) => ({
  type: 'DatetimeBasedCursor',
  cursor_field: 'updated_at',
  datetime_format: '%Y-%m-%d',
  start_datetime: { type: 'MinMaxDatetime', datetime: '{{ config.start }}', datetime_format: '%Y-%m-%d' },
  ...more,
})

test('without lists or windows the stream is one slice', async () => {
  assert.deepEqual(await slices({}), [{ partition: {}, window: {} }])
})

test('one slice per value of a list, written or from a template', async () => {
  const expected = ['eu', 'us'].map((region) => ({ partition: { region }, window: {} }))
  assert.deepEqual(await slices({ retriever: { partition_router: list(['eu', 'us']) } }), expected)
  assert.deepEqual(await slices({ retriever: { partition_router: list('{{ config.regions }}') } }), expected)
})

test('two lists: every pair, the first changes slowest', async () => {
  const found = await slices({ retriever: { partition_router: [list(['a', 'b'], 'one'), list(['x', 'y'], 'two')] } })
  assert.deepEqual(
    found.map(({ partition }) => `${String(partition.one)}${String(partition.two)}`),
    ['ax', 'ay', 'bx', 'by'],
  )
})

test('values that are no list', async () => {
  await assert.rejects(async () => slices({ retriever: { partition_router: list('{{ 5 }}') } }), {
    code: 'slices/invalid-values',
  })
})

test('windows step from start to now; each ends a granularity before the next', async () => {
  const found = await slices({ stream: { incremental_sync: cursor({ step: 'P2W', cursor_granularity: 'P1D' }) } })
  assert.deepEqual(
    found.map(({ window }) => window),
    [
      { start_time: '2024-01-01', end_time: '2024-01-14' },
      { start_time: '2024-01-15', end_time: '2024-01-28' },
      { start_time: '2024-01-29', end_time: '2024-02-05' },
    ],
  )
})

test('a granularity longer than the step leaves nothing out: windows overlap', async () => {
  const parts = { stream: { incremental_sync: cursor({ step: 'P2W', cursor_granularity: 'P1M' }) } }
  assert.deepEqual(
    (await slices(parts)).map(({ window }) => window),
    [
      { start_time: '2024-01-01', end_time: '2024-01-15' },
      { start_time: '2024-01-15', end_time: '2024-01-29' },
      { start_time: '2024-01-29', end_time: '2024-02-05' },
    ],
  )
})

test('months are as long as they are', async () => {
  const found = await slices({ stream: { incremental_sync: cursor({ step: 'P1M', cursor_granularity: 'P1D' }) } })
  assert.deepEqual(
    found.map(({ window }) => window.end_time),
    ['2024-01-31', '2024-02-05'],
  )
})

test('no step: one window; a start in the future: none', async () => {
  assert.deepEqual(
    (await slices({ stream: { incremental_sync: cursor() } })).map(({ window }) => window),
    [{ start_time: '2024-01-01', end_time: '2024-02-05' }],
  )
  assert.deepEqual(await slices({ stream: { incremental_sync: cursor({ start_datetime: '2025-01-01' }) } }), [])
})

test('a state resumes from its cursor, less the lookback, not before the start', async () => {
  const parts = { stream: { incremental_sync: cursor({ lookback_window: 'P3D' }) } }
  assert.deepEqual(
    (await slices(parts, '2024-02-01')).map(({ window }) => window.start_time),
    ['2024-01-29'],
  )
  assert.deepEqual(
    (await slices(parts, '2024-01-02')).map(({ window }) => window.start_time),
    ['2024-01-01'],
  )
})

test('bad dates, steps of zero, a format that is none', async () => {
  const aDay = { type: 'MinMaxDatetime', datetime: '2024-01-01' }
  const faults: [object, string][] = [
    [{ start_datetime: 'yesterday' }, 'plan/invalid-date'],
    [{ step: 'P0D', cursor_granularity: 'P1D' }, 'plan/invalid-duration'],
    [{ step: 'one day', cursor_granularity: 'P1D' }, 'plan/invalid-duration'],
    [{ step: 'P0.5M', cursor_granularity: 'P1D' }, 'plan/invalid-duration'],
    [{ step: 'P1M', cursor_granularity: 'P0.5Y' }, 'plan/invalid-duration'],
    [{ lookback_window: 'P1.5M' }, 'plan/invalid-duration'],
    // What it writes into requests and states could not be read again.
    [
      { datetime_format: '%Y-%m-%d%:z', start_datetime: { ...aDay, datetime_format: '%Y-%m-%d' } },
      'manifest/invalid-value',
    ],
    // Morning and afternoon would be one, and all months January.
    ...['%Y-%m-%d %I:%M:%S', '%Y-%M-%d', '%d.%m.'].map((datetime_format): [object, string] => [
      { datetime_format, start_datetime: { ...aDay, datetime_format: '%Y-%m-%d' } },
      'manifest/invalid-value',
    ]),
  ]
  for (const [fault, code] of faults) {
    await assert.rejects(async () => slices({ stream: { incremental_sync: cursor(fault) } }), { code })
  }
})

test('what a slice sends: lists and windows in their places, empty values not at all', async () => {
  const parts = {
    retriever: { partition_router: list(['', 'eu'], 'region', option('request_parameter', 'region')) },
    stream: {
      incremental_sync: cursor({
        start_time_option: option('header', 'X-From'),
        end_time_option: option('body_json', ['range', 'to']),
      }),
    },
  }
  const { slicing } = plan(parts)
  const [first, second] = await slices(parts)
  assert.ok(first && second)
  assert.equal(sliceOptions(slicing, first).length, 2)
  assert.deepEqual(
    sliceOptions(slicing, second).map(({ value }) => value),
    ['eu', '2024-01-01', '2024-02-05'],
  )
})
