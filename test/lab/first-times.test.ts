/** What the lab remembers: which questions wait for their answer, and no more of them than it may. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFirstTimes } from '../../src/lab/lab.ts'

test('a question is new, then not, then new again', () => {
  const isFirstTime = createFirstTimes()
  assert.deepEqual([isFirstTime('a'), isFirstTime('b'), isFirstTime('a'), isFirstTime('a')], [true, true, false, true])
})

test('the oldest question is forgotten when there are too many', () => {
  const isFirstTime = createFirstTimes(2)
  for (const question of ['a', 'b', 'c']) isFirstTime(question)
  assert.equal(isFirstTime('b'), false)
  assert.equal(isFirstTime('a'), true)
})
