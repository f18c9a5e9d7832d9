/** Tables that lost rows in a commit, and are altered or renamed in the same one. */
import assert from 'node:assert/strict'
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { RowsOfSlice, Step, Table } from '../../../src/destinations/destination.ts'
import { commit, during, page, publish, records, table, write } from '../behaviours.ts'
import { query, temporarySchema } from './places.ts'

const traits = { run: 'run-1', slice: '{}' }
const first = page([{ id: 1 }, { id: 2 }], { ...traits, page: 1 })
const second = page([{ id: 3 }], { ...traits, page: 2 })
const rows: RowsOfSlice = { slice: '{}', runs: ['run-1'], fromPage: 2 }
const rewind = (of: Table): Step => ({ kind: 'rewind', table: of, rows })

test('duckdb: a staged table that loses rows is published in the same commit', async () => {
  await using place = await temporarySchema('duckdb')
  const items = table('items', 'overwrite')
  await during(place, async (open) => {
    await open.commit(commit([write(items, first, second)]))
    await open.commit(commit([rewind(items), publish(items)]))
    assert.deepEqual(await open.count?.(items), { published: 2, staged: 0, stagedAs: null })
    // As a crash would leave it: the log has to be replayed.
    const crashed = join(place.folder, 'crashed.duckdb')
    for (const end of ['', '.wal']) await copyFile(join(place.folder, `shop.duckdb${end}`), `${crashed}${end}`)
    const ids = (connection: DuckDBConnection) => connection.runAndReadAll('SELECT id FROM items ORDER BY id')
    assert.deepEqual((await query(crashed, ids)).getRows(), [[1n], [2n]])
  })
  assert.deepEqual(await records(place, 'items'), [{ id: 1 }, { id: 2 }])
})

test('duckdb: columns come to a table that loses rows in the same commit', async () => {
  await using place = await temporarySchema('duckdb')
  const items = table('items', 'append')
  const wider = page([{ id: 4, name: 'x' }], { ...traits, page: 2 })
  await during(place, async (open) => {
    await open.commit(commit([write(items, first, second)]))
    await open.commit(commit([rewind(items), publish(items), write(items, wider)]))
  })
  assert.deepEqual(await records(place, 'items'), [{ id: 1 }, { id: 2 }, { id: 4, name: 'x' }])
})

test('duckdb: while a sync has the file open, its queries see no other file', async () => {
  await using place = await temporarySchema('duckdb')
  const other = join(place.folder, 'other.csv')
  await writeFile(other, 'id\n1\n')
  const items = table('items', 'append')
  await during(place, async (open) => {
    await open.commit(commit([write(items, first)]))
    const ask = async (sql: string) => (await place.destination.query?.(sql, 10, { isOwn: true }))?.rows
    assert.deepEqual(await ask('SELECT count(*) AS n FROM items'), [[2]])
    await assert.rejects(ask(`SELECT * FROM read_csv('${other.replaceAll("'", "''")}')`), {
      code: 'destinations/query-refused',
    })
    // Nor did a query close the file.
    await open.commit(commit([write(items, second)]))
  })
  assert.equal((await records(place, 'items'))?.length, 3)
})
