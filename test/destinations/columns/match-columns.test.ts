/** Columns of two tables → those of one that holds the rows of both. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ColumnType } from '../../../src/destinations/columns/column-type.ts'
import type { Column } from '../../../src/destinations/columns/columns.ts'
import { matchColumns } from '../../../src/destinations/columns/match-columns.ts'

const rules = { maxBytes: 63, isCaseSensitive: false }
const column = (key: string, type: ColumnType, more: Partial<Column> = {}): Column => ({
  key,
  name: key,
  type,
  isUsed: true,
  ...more,
})

test('columns of one field become as wide as either, and both tables get their changes', () => {
  const { into, intoChanges, from, fromChanges } = matchColumns(
    [column('a', 'int'), column('b', 'double'), column('c', 'text')],
    [column('c', 'json'), column('b', 'bigint'), column('a', 'int')],
    rules,
  )
  assert.deepEqual(into, [column('a', 'int'), column('b', 'decimal'), column('c', 'text')])
  assert.deepEqual(from, [column('c', 'text'), column('b', 'decimal'), column('a', 'int')])
  assert.deepEqual(intoChanges, {
    added: [],
    widened: [{ column: column('b', 'decimal'), from: 'double', wasUsed: true }],
  })
  assert.deepEqual(fromChanges.widened, [
    { column: column('c', 'text'), from: 'json', wasUsed: true },
    { column: column('b', 'decimal'), from: 'bigint', wasUsed: true },
  ])
})

test('a column without values becomes what the other is', () => {
  const empty = { isUsed: false }
  const { into, from, intoChanges, fromChanges } = matchColumns(
    [column('a', 'int', empty), column('b', 'json'), column('c', 'date', empty)],
    [column('a', 'text'), column('b', 'boolean', empty), column('c', 'text', empty)],
    rules,
  )
  assert.deepEqual(into, [column('a', 'text'), column('b', 'json'), column('c', 'date', empty)])
  assert.deepEqual(intoChanges.widened, [{ column: into[0], from: 'int', wasUsed: false }])
  assert.deepEqual(
    from.map(({ type }) => type),
    ['text', 'json', 'date'],
  )
  assert.deepEqual(
    fromChanges.widened.map(({ wasUsed }) => wasUsed),
    [false, false],
  )
})

test('a new column gets a name that is free in the table that takes it; names of fields stay apart', () => {
  const { into, intoChanges, from } = matchColumns(
    [column('Name', 'text'), column('name', 'text', { name: 'name_2' })],
    [column('name', 'text'), column('NAME', 'text', { name: 'NAME_2' }), column('_turnleaf_run', 'text')],
    rules,
  )
  assert.deepEqual(
    into.map(({ key, name }) => [key, name]),
    [
      ['Name', 'Name'],
      ['name', 'name_2'],
      ['NAME', 'NAME_2_2'],
      ['_turnleaf_run', '_turnleaf_run_2'],
    ],
  )
  assert.equal(intoChanges.added.length, 2)
  assert.deepEqual(
    from.map(({ name }) => name),
    ['name', 'NAME_2', '_turnleaf_run'],
  )
})

test('a column that becomes text remembers that it held times, in whichever of the tables', () => {
  const isOne = (into: Column, from: Column) => matchColumns([into], [from], rules).into[0]?.wasTime === true
  const wasTime = { wasTime: true } as const
  assert.equal(isOne(column('a', 'timestamptz'), column('a', 'text')), true)
  assert.equal(isOne(column('a', 'text'), column('a', 'date')), true)
  assert.equal(isOne(column('a', 'text'), column('a', 'text', wasTime)), true)
  assert.equal(isOne(column('a', 'text'), column('a', 'int')), false)
  assert.equal(isOne(column('a', 'date'), column('a', 'date')), false)
})
