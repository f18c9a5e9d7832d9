/** Steps that are done with one statement. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step } from '../../../src/destinations/destination.ts'
import { groupRewinds } from '../../../src/destinations/postgres/write.ts'
import { page, publish, table, write } from '../behaviours.ts'

const rewind = (name: string, slice: string, runs: string[], mode: 'append' | 'dedup' = 'append'): Step => ({
  kind: 'rewind',
  table: table(name, mode),
  rows: { slice, runs, fromPage: 1 },
})

test('rewinds of one read that follow each other are one group, whatever their slices', () => {
  const steps: Step[] = [
    rewind('items', 'a', ['r1']),
    rewind('items', 'b', ['r1']),
    rewind('items', 'c', ['r1']),
    rewind('items', 'd', ['r1', 'r2']),
    rewind('carts', 'e', ['r1', 'r2']),
    rewind('carts', 'f', ['r1', 'r2'], 'dedup'),
    write(table('carts', 'append'), page([{ id: 1 }])),
    write(table('carts', 'append'), page([{ id: 2 }])),
    rewind('carts', 'g', ['r1']),
    publish(table('carts', 'append')),
    rewind('carts', 'h', ['r1']),
  ]
  assert.deepEqual(groupRewinds([]), [])
  const groups = groupRewinds(steps)
  assert.deepEqual(
    groups.map((group) => group.length),
    [3, 1, 1, 1, 1, 1, 1, 1, 1],
  )
  assert.deepEqual(groups.flat(), steps)
})
