/** When pages become a commit, and what is in it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareDestination } from '../../src/sync/shared-destination.ts'
import { openWriter } from '../../src/sync/writer.ts'
import type { Commit } from '../../src/destinations/destination.ts'
import { page, publish, table } from '../destinations/behaviours.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'

const items = table('items', 'append')
const note = (key: string) => ({ key, text: () => `at ${key}` })
const records = (count: number) => Array.from({ length: count }, (_, id) => ({ id }))

async function opened() {
  const to = memoryDestination()
  const clock = { now: 0 }
  const commits: Commit[] = []
  to.onCommit = (commit) => void commits.push(commit)
  const writer = openWriter(
    shareDestination(await to.open('shop')),
    () => clock.now,
    () => {},
  )
  return { writer, clock, commits, to }
}

test('only what there is to commit is committed: a step, a checkpoint, or one to forget', async () => {
  const { writer, commits } = await opened()
  await writer.flush()
  assert.deepEqual(commits, [])
  writer.forget('slice/')
  await writer.flush()
  writer.checkpoint(note('a'))
  await writer.flush()
  writer.step(publish(items))
  await writer.flush()
  await writer.flush()
  assert.deepEqual(commits, [
    { steps: [], forget: ['slice/'], notes: new Map() },
    { steps: [], forget: [], notes: new Map([['a', 'at a']]) },
    { steps: [publish(items)], forget: [], notes: new Map() },
  ])
})

test('five thousand records, eight mebibytes or a second make a commit', async () => {
  const isFull = async (count: number, bytes: number, afterMs: number) => {
    const { writer, clock, commits } = await opened()
    clock.now = afterMs
    await writer.write(items, page(records(count)), bytes, note('a'))
    // The destination is asked in its turn.
    await new Promise((resolve) => setImmediate(resolve))
    const isCommitted = commits.length === 1
    await writer.flush()
    assert.equal(commits.length, 1)
    return isCommitted
  }
  const most = 8 * 1024 * 1024
  assert.deepEqual(
    [await isFull(4999, 0, 0), await isFull(5000, 0, 0), await isFull(1, most - 1, 0), await isFull(1, most, 0)],
    [false, true, false, true],
  )
  assert.deepEqual([await isFull(1, 0, 999), await isFull(1, 0, 1000)], [false, true])
})

test('pages of one table in a row are one step, empty ones none; the checkpoint comes with both', async () => {
  const { writer, commits } = await opened()
  const other = table('other', 'append')
  const [one, two, three] = [page([{ id: 1 }]), page([{ id: 2 }]), page([{ id: 3 }])]
  await writer.write(items, one, 0, note('a'))
  await writer.write(items, page([]), 0, note('b'))
  await writer.write(items, two, 0, note('a'))
  await writer.write(other, three, 0, note('c'))
  await writer.write(items, three, 0, note('a'))
  await writer.flush()
  assert.deepEqual(commits[0]?.steps, [
    { kind: 'write', table: items, pages: [one, two] },
    { kind: 'write', table: other, pages: [three] },
    { kind: 'write', table: items, pages: [three] },
  ])
  assert.deepEqual([...(commits[0]?.notes.keys() ?? [])], ['a', 'b', 'c'])
})

test('after a failure nothing more is written, and why is known', async () => {
  const { writer, to, commits } = await opened()
  to.breakAt = { commit: 1, when: 'before' }
  assert.equal(writer.failure(), null)
  writer.step(publish(items))
  await assert.rejects(writer.flush(), { code: 'destinations/lost' })
  assert.ok(writer.failure() !== null)
  await assert.rejects(writer.flush(), { code: 'destinations/lost' })
  assert.equal(commits.length, 1)
})
