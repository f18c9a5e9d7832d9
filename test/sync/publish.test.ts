/** Whose held rows are published, and what is said where none are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publish } from '../../src/index.ts'
import type { Destination, OpenDestination, Table } from '../../src/destinations/destination.ts'
import { page, write } from '../destinations/behaviours.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'

const table = { name: 'orders', mode: 'overwrite', primaryKey: [], cursorField: null, schema: null }
const plain = { state: null, readIn: null, reading: null, failures: 0 }
const held = { ...plain, held: { reason: 'fewer rows', staged: 1, existing: 9, stagedAs: null, run: 'r1', table } }

/** A destination with what syncs of two connections left; it is opened for the connection that is in `opened`. */
function holding(streams: readonly [connection: string, stream: string, checkpoint: object][]) {
  const opened: string[] = []
  const destination: Destination = {
    ...memoryDestination(),
    inspect: async (prefix) =>
      streams.map(([connection, stream, one]) => ({
        connection,
        key: `${prefix}${stream}`,
        text: JSON.stringify(one),
      })),
    open: async (connection) => {
      opened.push(connection)
      throw new Error('far enough')
    },
  }
  return { destination, opened }
}

test('the connection that holds rows of the stream need not be named, unless there are several', async () => {
  const one = holding([
    ['shop', 'orders', held],
    ['mail', 'orders', plain],
    ['mail', 'lists', held],
  ])
  await assert.rejects(publish('orders', { to: one.destination }), /far enough/)
  assert.deepEqual(one.opened, ['shop'])
  const two = holding([
    ['shop', 'orders', held],
    ['mail', 'orders', held],
  ])
  await assert.rejects(publish('orders', { to: two.destination }), {
    code: 'sync/several-held',
    message: 'Rows of "orders" are held for several connections: "shop", "mail".',
  })
  await assert.rejects(publish('orders', { to: two.destination, connection: 'mail' }), /far enough/)
  assert.deepEqual(two.opened, ['mail'])
})

test('where nothing is held, the error names what is, of that connection', async () => {
  const { destination, opened } = holding([
    ['shop', 'orders', plain],
    ['shop', 'carts', held],
    ['mail', 'lists', held],
  ])
  const refused = async (stream: string, connection?: string) => {
    const error: unknown = await publish(stream, { to: destination, connection }).catch((reason: unknown) => reason)
    const { code, message, hint } = error as { code: string; message: string; hint?: string }
    return [code, message, hint]
  }
  const nothing = ['sync/nothing-held', 'No rows of "orders" are held in memory:.']
  assert.deepEqual(await refused('orders'), [...nothing, 'Rows are held of "carts", "lists".'])
  assert.deepEqual(await refused('orders', 'shop'), [...nothing, 'Rows are held of "carts".'])
  assert.deepEqual(await refused('order'), [
    'sync/unknown-stream',
    'No sync to memory: has a stream "order".',
    'Did you mean "orders"?',
  ])
  assert.deepEqual((await refused('lists', 'shop')).slice(0, 2), [
    'sync/unknown-stream',
    'No sync of connection "shop" to memory: has a stream "lists".',
  ])
  assert.deepEqual(opened, [])
})

/** A destination in memory with staged rows of orders, which the run r1 has held, and nine rows in the table. */
async function holdingOrders(more: { count?: boolean; isStagedGone?: boolean; staged?: number } = {}) {
  const memory = memoryDestination()
  const opened = await memory.open('default')
  const live = { ...table, mode: 'overwrite' } as Table
  const { staged = 1 } = more
  const pages = (count: number) => [page(Array.from({ length: count }, (_, id) => ({ id })))]
  await opened.commit({
    steps: [write(live, ...pages(9)), { kind: 'publish', table: live }],
    forget: [],
    notes: new Map(),
  })
  const receipts = ['orders', 'carts'].map((stream) => ({ stream, ending: 'held', held: { reason: 'fewer rows' } }))
  const notes = new Map([
    ['stream/orders', JSON.stringify({ ...plain, held: { ...held.held, staged } })],
    ['slice/orders/1', '{}'],
    ['part/orders/1', '{}'],
    ['slice/orders2/1', '{}'],
    ['run/r1', JSON.stringify({ run: 'r1', streams: [...receipts, { stream: 'orders', ending: 'failed' }] })],
  ])
  await opened.commit({ steps: [write(live, ...pages(staged))], forget: [], notes })
  await opened.close()
  let isOpen = false
  const open = async (connection: string) => {
    const given = await memory.open(connection)
    isOpen = true
    const close = async () => {
      isOpen = false
      await given.close()
    }
    const known: OpenDestination = { ...given, close, isStagedGone: async () => more.isStagedGone === true }
    if (more.count === false) delete known.count
    return known
  }
  return { memory, to: { ...memory, open } as Destination, isOpen: () => isOpen }
}

test('what is published is the table from then on, and the receipt of its run says when', async () => {
  const { memory, to, isOpen } = await holdingOrders()
  const before = Date.now()
  assert.deepEqual(await publish('orders', { to }), {
    stream: 'orders',
    connection: 'default',
    to: 'memory:',
    run: 'r1',
    before: 9,
    after: 1,
  })
  assert.equal(memory.tables.get('orders')?.length, 1)
  const { 'run/r1': run = '', 'stream/orders': stream = '', ...others } = Object.fromEntries(memory.notes)
  assert.deepEqual(JSON.parse(stream), { ...plain, readIn: 'r1' })
  assert.deepEqual(others, { 'slice/orders2/1': '{}' })
  const [orders, carts, failed] = JSON.parse(run).streams
  assert.equal(orders.held.reason, 'fewer rows')
  assert.ok(orders.held.publishedAt >= before)
  assert.deepEqual([carts.held, failed.held], [{ reason: 'fewer rows' }, undefined])
  assert.equal(isOpen(), false)
  await assert.rejects(publish('orders', { to }), { code: 'sync/nothing-held', hint: /nothing to publish/ })
})

test('where the destination does not count, the sync that held the rows has; its run need not be known', async () => {
  const { memory, to } = await holdingOrders({ count: false })
  const opened = await memory.open('default')
  await opened.commit({ steps: [], forget: ['run/'], notes: new Map() })
  await opened.close()
  const { before, after } = await publish('orders', { to, connection: 'shop' })
  assert.deepEqual([before, after], [9, 1])
  assert.deepEqual([...memory.notes.keys()].toSorted(), ['slice/orders2/1', 'stream/orders'])
})

test('rows that are gone are not published, unless there were none', async () => {
  const gone = await holdingOrders({ isStagedGone: true, staged: 2 })
  await assert.rejects(publish('orders', { to: gone.to }), {
    code: 'destinations/unreadable',
    message: 'The held rows of "orders" (2 rows) are gone: something else has deleted them.',
  })
  assert.equal(gone.isOpen(), false)
  assert.equal(gone.memory.tables.get('orders')?.length, 9)
  const empty = await holdingOrders({ isStagedGone: true, staged: 0 })
  assert.equal((await publish('orders', { to: empty.to })).after, 0)
  assert.deepEqual(empty.memory.tables.get('orders'), [])
})

test('the stream and the destination must be named', async () => {
  const { to } = await holdingOrders()
  await assert.rejects(publish('', { to }), { code: 'plan/invalid-option' })
  await assert.rejects(publish('orders', { to, connection: 5 as unknown as string }), { code: 'plan/invalid-option' })
  await assert.rejects(publish('orders', {} as never), { code: 'plan/invalid-option' })
})
