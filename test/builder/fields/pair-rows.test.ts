/** Rows of names and values, among them those that cannot be written yet. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultOf, matchRows, moved, withNewRow, withRow } from '../../../src/builder/fields/pair-rows.ts'

const rowsOf = (...keys: string[]) => matchRows([], keys)

test('rows keep their identity while the manifest says the same', () => {
  const rows = rowsOf('limit', 'sort')
  assert.equal(matchRows(rows, ['limit', 'sort']), rows)
})

test('a name that came or went elsewhere comes or goes here, and drafts stay', () => {
  const rows = withNewRow(rowsOf('limit', 'sort'))
  const after = matchRows(rows, ['sort', 'state'])
  assert.deepEqual(
    after.map(({ key }) => key),
    ['sort', 'state', null],
  )
  assert.equal(after[0]?.id, rows[1]?.id)
  assert.equal(after[2]?.id, rows[2]?.id)
  assert.equal(new Set(after.map(({ id }) => id)).size, 3)
})

test('a name that is empty or taken is a fault of the row that was typed into', () => {
  const rows = withNewRow(rowsOf('limit', 'sort'))
  const draft = rows[2]
  assert.ok(draft !== undefined)
  assert.equal(faultOf(rows, draft), 'empty')
  const clash = withRow(rows, { ...draft, typed: 'sort' })
  assert.deepEqual(
    clash.map((row) => faultOf(clash, row)),
    [null, null, 'taken'],
  )
})

test('a row moves by one place and never past the ends', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 2, 1), ['a', 'c', 'b'])
  assert.deepEqual(moved(['a', 'b'], 0, -1), ['a', 'b'])
  assert.deepEqual(moved(['a', 'b'], 1, 2), ['a', 'b'])
})
