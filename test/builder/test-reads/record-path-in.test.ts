/** Where the records of a test are, if not where the field path says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordPathIn } from '../../../src/builder/test-reads/outcome/record-path-in.ts'

const rows = [{ id: 1 }, { id: 2 }, { id: 3 }]

test('one record that is the object around a list: the list is found, from where the path leads', () => {
  const found = { path: ['data'], length: 3, isEnvelope: true }
  assert.deepEqual(recordPathIn({ data: rows, total: 9 }, [], [1]), found)
  assert.deepEqual(recordPathIn({ data: rows, total: 9 }, [], [1, 1, 1]), found)
  assert.deepEqual(recordPathIn({ data: { items: rows } }, ['data'], [1]), { ...found, path: ['data', 'items'] })
})

test('no record, and nothing at the path: the list that is there is found', () => {
  assert.deepEqual(recordPathIn({ data: rows }, ['items'], [0]), { path: ['data'], length: 3, isEnvelope: false })
})

test('a path that is right, or may be, is left alone', () => {
  for (const [body, path, received] of [
    [{ data: rows }, ['data'], [3]],
    [{ data: [], other: rows }, ['data'], [0]],
    [{ id: 7, lines: rows }, [], [1]],
    [{ data: rows }, [], []],
    [{ data: [{ items: rows }] }, ['data', '*'], [1]],
    ['text', [], [1]],
  ] as const) {
    assert.equal(recordPathIn(body, path, received), null, JSON.stringify(body))
  }
})
