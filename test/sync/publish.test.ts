/** Whose held rows are published, and what is said where none are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publish } from '../../src/index.ts'
import type { Destination } from '../../src/destinations/destination.ts'
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
