/** Several streams write to one destination. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Commit, OpenDestination } from '../../src/destinations/destination.ts'
import { ConnectorError } from '../../src/std/errors.ts'
import { shareDestination } from '../../src/sync/shared-destination.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { table } from '../destinations/behaviours.ts'

const nothing: Commit = { steps: [], forget: [], notes: new Map() }
const items = table('items', 'append')

test('a checkpoint that several streams write covers the commits before it, and is told of its own', async () => {
  const to = memoryDestination()
  const shared = shareDestination(await to.open('shop'))
  let done = 0
  const receipts = { key: 'run/r1', isShared: true, text: () => `${done} before`, onCommit: () => void done++ } as const
  const both = [
    shared.commit({ ...nothing, notes: new Map([['a', '1']]) }, [receipts]),
    shared.commit(nothing, [receipts]),
  ]
  await Promise.all(both)
  assert.deepEqual(
    [...(to.commits[0]?.notes ?? [])],
    [
      ['a', '1'],
      ['run/r1', '0 before'],
    ],
  )
  assert.deepEqual(
    [...to.notes],
    [
      ['a', '1'],
      ['run/r1', '1 before'],
    ],
  )
  assert.equal(done, 2)
})

test('after a failure that concerns one stream the others are written; after any other, none is', async () => {
  const to = memoryDestination()
  const shared = shareDestination(await to.open('shop'))
  let failure: Error | null = new ConnectorError('destinations/data-refused', 'Too long.')
  to.onCommit = () => {
    if (failure !== null) throw failure
  }
  await assert.rejects(shared.commit(nothing), { code: 'destinations/data-refused' })
  failure = null
  await shared.commit(nothing)
  failure = new ConnectorError('destinations/lost', 'The line went dead.')
  const refused = shared.commit(nothing)
  const next = shared.notes('')
  await assert.rejects(refused, { code: 'destinations/lost' })
  await assert.rejects(next, { code: 'destinations/lost' })
  failure = null
  await assert.rejects(shared.commit(nothing), { code: 'destinations/lost' })
  assert.equal(to.commits.length, 3)
})

test('a destination that knows less says that nothing is gone, and counts nothing', async () => {
  const opened = await memoryDestination().open('shop')
  const least: OpenDestination = {
    notes: (prefix) => opened.notes(prefix),
    commit: (commit) => opened.commit(commit),
    close: () => opened.close(),
  }
  const plain = shareDestination(least)
  assert.equal(await plain.count(items), null)
  assert.deepEqual([await plain.isGone('items'), await plain.isStagedGone('items')], [false, false])
  await plain.check(items)
  const knowing: OpenDestination = {
    ...least,
    count: async () => ({ published: 1, staged: 2, stagedAs: null }),
    isGone: async (stream) => stream === 'items',
    isStagedGone: async (stream) => stream === 'items',
    check: async ({ name }) => Promise.reject(new Error(`${name} is taken`)),
  }
  const asked = shareDestination(knowing)
  assert.deepEqual(await asked.count(items), { published: 1, staged: 2, stagedAs: null })
  assert.deepEqual([await asked.isGone('items'), await asked.isGone('carts')], [true, false])
  assert.deepEqual([await asked.isStagedGone('items'), await asked.isStagedGone('carts')], [true, false])
  await assert.rejects(asked.check(items), /items is taken/)
  assert.equal((await asked.notes('')).size, 0)
})
