import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { duckdbFailure } from '../../../src/destinations/duckdb/failures.ts'
import { filesAs, queryFiles } from '../../../src/destinations/duckdb/query.ts'
import { ConnectorError } from '../../../src/std/errors.ts'
import { temporaryFolder } from './places.ts'

const lockedBy = (holder: string) =>
  new Error(`IO Error: Could not set lock on file "shop.duckdb": Conflicting lock is held in ${holder}. See also …`)

test('duckdb: who holds the file is named, with the program where DuckDB knows it', () => {
  for (const [holder, named] of [
    ['/usr/bin/python3 (PID 4711)', 'process 4711 (/usr/bin/python3)'],
    ['(PID 4711)', 'process 4711'],
    ['an unknown place', 'another process'],
  ] as const) {
    const { code, message } = duckdbFailure(lockedBy(holder), 'duckdb:shop.duckdb')
    assert.deepEqual([code, message], ['destinations/busy', `duckdb:shop.duckdb is held by ${named}.`])
  }
})

test('duckdb: a file that was cut is damaged, which free space does not repair', () => {
  const cut = new Error(
    'IO Error: Could not read enough bytes from file "shop.duckdb": attempted to read 262144 bytes from location 536576',
  )
  assert.equal(duckdbFailure(cut, 'duckdb:shop.duckdb').code, 'destinations/unreadable')
})

test('duckdb: of a file that it gave up on before, the failure of the disk is named', () => {
  const gaveUp = (original: string) =>
    duckdbFailure(
      new Error(
        `FATAL Error: Failed: database has been invalidated because of a previous fatal error.\nOriginal error: "${original}"`,
      ),
      'parquet:shop',
    )
  const full = gaveUp(
    'Failed to create checkpoint: Could not write file "shop/staging.duckdb": No space left on device',
  )
  assert.equal(full.code, 'destinations/write-refused')
  assert.match(
    full.message,
    /^DuckDB cannot write to parquet:shop: Failed .*"shop\/staging\.duckdb": No space left on device$/,
  )
  assert.equal(gaveUp('Something else').code, 'destinations/lost')
})

test('duckdb: a disk without room for what memory cannot hold is full', () => {
  const full = new Error(
    'FATAL Error: Failed to create checkpoint because of error: failed to offload data block of size 32.0 KiB (384.0 KiB/406.7 KiB used).',
  )
  assert.equal(duckdbFailure(full, 'duckdb:shop.duckdb').code, 'destinations/write-refused')
})

test('files: a damaged table is named where a query needs it, and stops no query of another', async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, 'orders.json'), '{"id":1}\n{"id":2}\n')
  await writeFile(join(folder.path, 'items.parquet'), 'cut')
  const tables = new Map([
    ['items', filesAs('read_parquet', join(folder.path, 'items.parquet'))],
    ['orders', filesAs('read_json', join(folder.path, 'orders.json'))],
  ])
  assert.deepEqual((await queryFiles(tables, 'select count(*) from orders', 5)).rows, [[2]])
  await assert.rejects(queryFiles(tables, 'select * from items', 5), (error) => {
    assert.ok(error instanceof ConnectorError)
    assert.equal(error.code, 'destinations/unreadable')
    assert.match(error.message, /^The table "items" cannot be read: .*too small to be a Parquet file/)
    return true
  })
  await assert.rejects(queryFiles(tables, 'select nothing from orders', 5), { code: 'destinations/query-refused' })
})
