/** What a destination remembers of streams, whichever connection has synced them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heldStreams, knownStreams } from '../../src/sync/held-streams.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'

const plain = { state: null, readIn: null, reading: null, failures: 0 }
const held = { reason: 'fewer rows', staged: 1, existing: 9, stagedAs: null, run: 'r1' }

test('streams have their own names again, and what is held of them comes without its table', async () => {
  const destination = {
    ...memoryDestination(),
    inspect: async (prefix: string) => [
      {
        connection: 'shop',
        key: `${prefix}big%20carts`,
        text: JSON.stringify({ ...plain, held: { ...held, table: {} } }),
      },
      { connection: 'mail', key: `${prefix}lists`, text: JSON.stringify(plain) },
    ],
  }
  assert.deepEqual(await heldStreams(destination), [{ connection: 'shop', stream: 'big carts', ...held }])
  assert.deepEqual(await knownStreams(destination), [
    { connection: 'shop', stream: 'big carts' },
    { connection: 'mail', stream: 'lists' },
  ])
})

test('a destination that cannot be inspected has none', async () => {
  assert.deepEqual(await heldStreams(memoryDestination()), [])
  assert.deepEqual(await knownStreams(memoryDestination()), [])
})
