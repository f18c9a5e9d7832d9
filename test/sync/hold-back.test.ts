/** When rows that were read replace a table, and when they are held. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdBack } from '../../src/sync/gate.ts'

const unproven = { verdict: 'unproven', reason: 'the API reports no total' } as const
const incomplete = { verdict: 'incomplete', reason: 'the last page says there is more' } as const
const rules = { require: 'unproven', acceptDrop: false } as const
const rows = (published: number, staged: number) => ({ published, staged, stagedAs: null })
const isHeld = (...given: Parameters<typeof holdBack>) => holdBack(...given) !== null

test('without proof, less than half of the rows are held', () => {
  assert.equal(isHeld(unproven, rows(10, 4), rules), true)
  assert.equal(isHeld(unproven, rows(10, 5), rules), false)
  assert.equal(isHeld({ verdict: 'complete', reason: 'total 1' }, rows(10, 1), rules), false)
})

test('an incomplete read is held, and an unproven one where a complete one is required', () => {
  assert.equal(isHeld(incomplete, rows(10, 10), rules), true)
  assert.equal(isHeld(unproven, rows(10, 10), { ...rules, require: 'complete' }), true)
  assert.equal(isHeld(unproven, rows(10, 10), rules), false)
})

test('a table without rows has nothing to protect, and a drop that is accepted is not held', () => {
  assert.equal(isHeld(incomplete, rows(0, 1), rules), false)
  assert.equal(isHeld(incomplete, rows(1, 0), rules), true)
  assert.equal(isHeld(incomplete, rows(10, 0), { ...rules, acceptDrop: true }), false)
})

test('what is held says why, and how many rows there are', () => {
  const held = holdBack(unproven, { published: 10, staged: 4, stagedAs: 'orders__held' }, rules)
  assert.deepEqual({ ...held, reason: '' }, { reason: '', staged: 4, existing: 10, stagedAs: 'orders__held' })
  assert.match(held?.reason ?? '', /has less than half as many rows as the table$/)
})
