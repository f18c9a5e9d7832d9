/** Several changes are one edit, and only what differs is written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyChanges, changesBetween } from '../../src/document/edit-resolved.ts'

test('only what differs is changed', () => {
  const before = { type: 'A', size: 1, option: { name: 'x', path: ['a'] } }
  const after = { type: 'B', option: { name: 'x', path: ['a', 'b'] }, more: {} }
  assert.deepEqual(changesBetween(['p'], before, after), [
    { at: ['p', 'type'], value: 'B' },
    { at: ['p', 'size'], value: undefined },
    { at: ['p', 'option', 'path'], value: ['a', 'b'] },
    { at: ['p', 'more'], value: {} },
  ])
  assert.deepEqual(changesBetween(['p'], before, structuredClone(before)), [])
})

test('comments next to unchanged parts stay', () => {
  const text = 'p:\n  type: A # the kind\n  # how many\n  size: 1\n  gone: true\n'
  const changed = applyChanges(text, changesBetween(['p'], { type: 'A', size: 1, gone: true }, { type: 'B', size: 1 }))
  assert.equal(changed, 'p:\n  type: B # the kind\n  # how many\n  size: 1\n')
})
