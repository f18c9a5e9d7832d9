/** The shape of a response: lists of objects stand out, and no list is longer than one item. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathKey, treeRows } from '../../../../src/builder/stream/records/response-tree.ts'

const body = {
  total: 2n,
  data: { items: [{ id: 1, lines: [{ sku: 'a' }] }, { id: 2 }], tags: ['a', 'b'], none: [] },
}
const shown = (...turned: string[][]) =>
  treeRows(body, new Set(turned.map(pathKey))).map(({ path, words }) => `${path.join('.')}: ${words}`)

test('objects are open, lists are closed', () => {
  assert.deepEqual(shown(), [
    ': 2 fields',
    'total: 2',
    'data: 3 fields',
    'data.items: list of 2 objects',
    'data.tags: list of 2 values',
    'data.none: empty list',
  ])
})

test('one item represents all of a list', () => {
  const rows = shown(['data', 'items'], ['data', 'items', '*'])
  assert.ok(rows.includes('data.items.*: 2 fields'))
  assert.ok(rows.includes('data.items.*.lines: list of 1 object'))
})

test('what was closed by hand is closed', () => {
  assert.deepEqual(shown(['data']), [': 2 fields', 'total: 2', 'data: 3 fields'])
})

test('only lists of objects look like records', () => {
  const likely = treeRows(body, new Set()).filter(({ isLikely }) => isLikely)
  assert.deepEqual(
    likely.map(({ path }) => path),
    [['data', 'items']],
  )
  assert.equal(treeRows([{ id: 1 }], new Set())[0]?.isLikely, true)
  assert.equal(treeRows('text', new Set())[0]?.kind, 'value')
})

test('a hundred thousand fields and items are rows, quickly made', () => {
  const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]))
  assert.equal(
    treeRows({ wide, long: Array.from({ length: 100_000 }, (_, id) => ({ id })) }, new Set()).length,
    100_003,
  )
})
