/** Published rows that are deleted again, because they will be written again. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { RowsOfSlice, Step } from '../../../src/destinations/destination.ts'
import { commit, during, page, publish, records, table, write } from '../behaviours.ts'
import { temporarySchema } from '../duckdb/places.ts'

const orders = table('orders', 'append')
const rewind = (rows: RowsOfSlice): Step => ({ kind: 'rewind', table: orders, rows })

test('parquet: a file loses the rows that are rewound, one or many, and no other', async () => {
  await using place = await temporarySchema('parquet')
  const add = (...steps: Step[]) => during(place, (open) => open.commit(commit([...steps, publish(orders)])))
  const of = (id: number, slice: string, number: number, run = 'run-1') => page([{ id }], { slice, run, page: number })
  await add(write(orders, of(1, 'a', 1), of(2, 'a', 2), of(3, 'b', 2), of(4, 'a', 2, 'run-2')))
  await add(write(orders, of(5, 'a', 3), of(6, 'a', 4)))
  await add(write(orders, of(7, 'b', 1)))
  const untouched = join(place.folder, 'orders', 'orders-3.parquet')
  const before = await readFile(untouched)
  await add(rewind({ slice: 'a', runs: ['run-1'], fromPage: 2 }))
  assert.deepEqual(await records(place, 'orders'), [{ id: 1 }, { id: 3 }, { id: 4 }, { id: 7 }])
  assert.deepEqual(await readFile(untouched), before)
  await add(rewind({ slice: 'a', runs: [], fromPage: 1 }))
  assert.equal((await records(place, 'orders'))?.length, 4)
})
