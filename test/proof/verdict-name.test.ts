/** What people read of a verdict, and which of them is enough. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isAlarm,
  sayVerdict,
  suffices,
  verdictName,
  verdicts,
  worstVerdict,
} from '../../src/proof/verdict/verdict-name.ts'

test('the worst verdict of several reads is theirs', () => {
  const worst = (...all: (typeof verdicts)[number][]) => worstVerdict(all.map((verdict) => ({ verdict })))
  assert.equal(worst('complete', 'unproven'), 'unproven')
  assert.equal(worst('unproven', 'duplicated', 'complete'), 'duplicated')
  assert.equal(worst('duplicated', 'incomplete'), 'incomplete')
  assert.equal(worst('complete', 'complete'), 'complete')
  assert.equal(worst(), null)
})

test('complete always suffices, unproven where it is accepted, and an alarm never', () => {
  assert.deepEqual(
    verdicts.filter((one) => suffices(one, 'complete')),
    ['complete'],
  )
  assert.deepEqual(
    verdicts.filter((one) => suffices(one, 'unproven')),
    ['unproven', 'complete'],
  )
  assert.deepEqual(verdicts.filter(isAlarm), ['incomplete', 'duplicated'])
})

test('people read "not verified" in place of unproven, and the reason after it', () => {
  assert.deepEqual(verdicts.map(verdictName), ['incomplete', 'duplicated', 'not verified', 'complete'])
  assert.equal(sayVerdict({ verdict: 'complete', reason: 'total 3' }), 'complete (total 3)')
  assert.equal(sayVerdict({ verdict: 'unproven', reason: 'no total' }), 'not verified: no total')
  assert.equal(sayVerdict({ verdict: 'incomplete', reason: 'total 3' }), 'incomplete: total 3')
})
