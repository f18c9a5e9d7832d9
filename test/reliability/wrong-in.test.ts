/** The judge of the table can fail: each kind of wrong cell is found. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFault } from '../../src/lab/faults.ts'
import type { Cell } from './cell.ts'
import { methods } from './methods.ts'
import { wrongIn } from './wrong-in.ts'

const [method] = methods as [(typeof methods)[number]]
const healthy: Cell = {
  method,
  fault: null,
  lost: 0,
  doubled: 0,
  end: 'short-page',
  error: null,
  verdict: 'complete',
  reason: '',
  findings: [],
  fixed: null,
}

const hurt: Partial<Cell> = {
  fault: findFault('capped-size'),
  lost: 40,
  verdict: 'incomplete',
  findings: ['missing/page-size-capped'],
}

const wrong: [what: string, cell: Partial<Cell>][] = [
  ['a loss that is called complete', { lost: 1 }],
  ['a doubled record that is called complete', { doubled: 1 }],
  ['a loss that is called unproven', { lost: 1, verdict: 'unproven' }],
  ['a loss that is called duplicated', { lost: 1, verdict: 'duplicated' }],
  ['a doubled record that is called incomplete', { doubled: 1, verdict: 'incomplete' }],
  ['an alarm without a loss', { verdict: 'incomplete' }],
  ['an alarm without a doubled record', { verdict: 'duplicated' }],
  ['an error without a loss', { error: 'refused', verdict: null }],
  ['an end without a verdict', { verdict: null }],
  ['doubt without a reason', { verdict: 'unproven' }],
  ['deleted rows that are called complete', { lost: 1, fault: findFault('deleted-rows') }],
  ['a wrong total that doubles', { verdict: 'duplicated', fault: findFault('wrong-total') }],
  ['a finding where nothing is wrong', { findings: ['api/short-page'] }],
  ['a loss without a finding', { ...hurt, findings: [] }],
  ['a loss by another name', { ...hurt, findings: ['api/short-page'] }],
  ['a change that fixes half of it', { ...hurt, fixed: { ...healthy, lost: 1, verdict: 'incomplete' } }],
  ['a change that doubles', { ...hurt, fixed: { ...healthy, doubled: 1 } }],
  ['a change that is refused', { ...hurt, fixed: { ...healthy, error: 'refused' } }],
]

for (const [what, cell] of wrong) test(what, () => assert.notEqual(wrongIn({ ...healthy, ...cell }), null))

test('what is right passes', () => {
  assert.equal(wrongIn(healthy), null)
  assert.equal(wrongIn({ ...healthy, ...hurt }), null)
  assert.equal(wrongIn({ ...healthy, ...hurt, fixed: healthy }), null)
  assert.equal(wrongIn({ ...healthy, ...hurt, verdict: null, error: 'refused' }), null)
  const moved: Partial<Cell> = { fault: findFault('deleted-rows'), findings: ['api/rows-moved'] }
  assert.equal(wrongIn({ ...healthy, ...moved, lost: 1, verdict: 'unproven' }), null)
})
