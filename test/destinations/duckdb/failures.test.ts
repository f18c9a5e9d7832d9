import assert from 'node:assert/strict'
import { test } from 'node:test'
import { duckdbFailure } from '../../../src/destinations/duckdb/failures.ts'

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
