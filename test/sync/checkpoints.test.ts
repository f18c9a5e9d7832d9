/** What a sync stores about itself, and finds again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StreamPlan } from '../../src/engine/plan/stream.ts'
import { noClaims } from '../../src/proof/receipts/receipt.ts'
import {
  checkpointKeys,
  committedOf,
  fingerprint,
  isBegunIn,
  parseRunCheckpoint,
  planMark,
  storedStates,
} from '../../src/sync/checkpoints.ts'
import { table } from '../destinations/behaviours.ts'

const holding = (stored: Record<string, unknown>) => ({
  notes: async (prefix: string) =>
    new Map(
      Object.entries(stored)
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, value]) => [key, JSON.stringify(value)]),
    ),
})
const reading = { readAt: 1, runs: ['r1', 'r2'], plan: 'p' }

test('no key of a stream, a slice or a part is the beginning of another one', () => {
  assert.equal(checkpointKeys.stream('a/b'), 'stream/a%2Fb')
  assert.equal(checkpointKeys.stream('\ud800'), checkpointKeys.stream('\ufffd'))
  assert.equal(checkpointKeys.part('orders', 7), 'part/orders/00000007')
  assert.match(checkpointKeys.slice('orders', '{"region":"eu"}'), /^slice\/orders\/[\da-f]{32}$/)
  assert.deepEqual(checkpointKeys.ofRead('orders'), ['slice/orders/', 'part/orders/'])
})

test('a run has begun a stream that it reads, or has read', () => {
  assert.equal(isBegunIn('r1', { reading: null, readIn: 'r1' }), true)
  assert.equal(isBegunIn('r2', { reading, readIn: 'r1' }), true)
  assert.equal(isBegunIn('r3', { reading, readIn: 'r1' }), false)
  assert.equal(isBegunIn('r3', { reading: null, readIn: null }), false)
})

test('a fresh run knows only states of streams that it has begun', async () => {
  const state = (day: string) => ({ day })
  const destination = holding({
    'stream/orders': { state: state('1'), readIn: 'r1', reading: null },
    'stream/big%20carts': { state: state('2'), readIn: 'r0', reading: null },
    'stream/lists': { state: null, readIn: 'r1', reading: null },
    'slice/orders/1': { state: state('3') },
  })
  assert.deepEqual(
    await storedStates(destination),
    new Map([
      ['orders', state('1')],
      ['big carts', state('2')],
    ]),
  )
  assert.deepEqual(await storedStates(destination, 'r1'), new Map([['orders', state('1')]]))
})

test('of a stream that was never synced nothing is committed; of another one, its slices alone', async () => {
  const destination = holding({
    'stream/orders': { state: null, readIn: null, reading, failures: 1 },
    'stream/orders2': { failures: 5 },
    'slice/orders/1': { slice: '{}' },
    'slice/orders2/1': { slice: '{"other":1}' },
  })
  const none = { state: null, readIn: null, reading: null, failures: 0 }
  assert.deepEqual(await committedOf(destination, 'order'), { stream: none, slices: [] })
  const { stream, slices } = await committedOf(destination, 'orders')
  assert.deepEqual([stream.failures, slices], [1, [{ slice: '{}' }]])
})

test('receipts of earlier versions get what they lack, and keep what they have', () => {
  const keys = { unique: 1 }
  const { streams } = parseRunCheckpoint(JSON.stringify({ streams: [{ stream: 'old' }, { stream: 'new', keys }] }))
  assert.deepEqual(streams, [
    { stream: 'old', keys: null, claimed: noClaims },
    { stream: 'new', keys, claimed: noClaims },
  ])
})

test('the mark of a plan changes with what is read and how it is written, not with places in the manifest or the schema', () => {
  const plan = (path: string, line: number) =>
    ({ path, at: { line }, slicing: [{ kind: 'list', at: { line } }] }) as unknown as StreamPlan
  const items = table('items', 'append')
  const mark = planMark(plan('/items', 1), items, 'c1')
  assert.equal(planMark(plan('/items', 2), { ...items, schema: { properties: {} } }, 'c1'), mark)
  assert.notEqual(planMark(plan('/carts', 1), items, 'c1'), mark)
  assert.notEqual(planMark(plan('/items', 1), table('items', 'dedup'), 'c1'), mark)
  assert.notEqual(planMark(plan('/items', 1), items, 'c2'), mark)
  assert.equal(fingerprint([1]).length, 32)
})
