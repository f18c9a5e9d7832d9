/** What earlier syncs left of a stream → the read to resume, or a new one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseRead, staleAfterMs } from '../../src/sync/choose-read.ts'
import type { ReadCheckpoint } from '../../src/sync/checkpoints.ts'
import type { Table, TableMode } from '../../src/destinations/destination.ts'

const reading: ReadCheckpoint = { readAt: 1000, runs: ['first'], plan: 'p1' }
const state = { day: '2024-01-04' }
const input = {
  run: 'second',
  now: 2000,
  plan: 'p1',
  isIncremental: true,
  isFresh: false,
  isGone: false,
  isStagedGone: false,
}

const choose = (left: ReadCheckpoint | null, more: Partial<typeof input> = {}) =>
  chooseRead({ stream: { state, readIn: null, reading: left, failures: 0 }, slices: [] }, { ...input, ...more })

const undoneIn = (mode: TableMode, left: ReadCheckpoint) => {
  const table: Table = { name: 'events', mode, primaryKey: [], cursorField: null, schema: null }
  return choose(left, { plan: 'p2' })
    .undo(table)
    .map(({ kind }) => kind)
}

test('a read that was interrupted is resumed, and names the runs that wrote it', () => {
  assert.deepEqual(choose(reading).checkpoint, { ...reading, runs: ['first', 'second'] })
})

test('a new read begins where the plan changed, the read was given up, or everything is read again', () => {
  const begun = { readAt: 2000, runs: ['second'], plan: 'p1' }
  assert.deepEqual(choose(null).checkpoint, begun)
  assert.deepEqual(choose(reading, { plan: 'p2' }).checkpoint, { ...begun, plan: 'p2' })
  assert.deepEqual(choose({ ...reading, isGivenUp: true }).checkpoint, begun)
  assert.deepEqual(choose(reading, { isFresh: true }).checkpoint, begun)
})

test('where the table is gone, nothing is left of what was read, also by the same run', () => {
  const begun = { ...reading, runs: ['second'] }
  assert.deepEqual(choose(begun, { isFresh: true }).checkpoint, begun)
  const { checkpoint, state: from, known, undo } = choose({ ...begun, isGivenUp: true }, { isGone: true })
  assert.deepEqual([checkpoint.readAt, from, known], [2000, undefined, []])
  const table: Table = { name: 'events', mode: 'append', primaryKey: [], cursorField: null, schema: null }
  assert.deepEqual(
    undo(table).map(({ kind }) => kind),
    ['discard'],
  )
})

test('a full refresh is resumed for a day; an incremental read, however late', () => {
  const isResumed = (afterMs: number, isIncremental: boolean) =>
    choose(reading, { now: reading.readAt + afterMs, isIncremental }).checkpoint.readAt === reading.readAt
  assert.equal(isResumed(staleAfterMs - 1, false), true)
  assert.equal(isResumed(staleAfterMs, false), false)
  assert.equal(isResumed(staleAfterMs, true), true)
})

test('the state counts for incremental reads, unless everything is read again', () => {
  assert.deepEqual(choose(null).state, state)
  assert.equal(choose(null, { isFresh: true }).state, undefined)
  assert.equal(choose(null, { isIncremental: false }).state, undefined)
})

test('staged rows of a read that is not resumed are discarded, except appended ones that the state covers', () => {
  assert.deepEqual(undoneIn('append', reading), ['discard'])
  assert.deepEqual(undoneIn('dedup', { ...reading, isGivenUp: true }), ['discard'])
  assert.deepEqual(undoneIn('append', { ...reading, isGivenUp: true }), [])
})
