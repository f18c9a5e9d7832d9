/** Numbers stored as digits are ordered by value. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalOrder } from '../../../src/destinations/duckdb/merge.ts'
import { query } from './places.ts'

const inOrder = [
  '-1e+300',
  '-12345678901234567.89',
  '-12345678901234567.88',
  '-12345678901234567',
  '-1.5',
  '-0.12345678901234567891',
  '-0.1234567890123456789',
  '-1e-07',
  '0',
  '1e-07',
  '0.00000010000000000000000001',
  '0.5',
  '9.99999999999999999999',
  '10',
  '10.00000000000000000001',
  '9999999999999999.99',
  '1e+16',
  '12345678901234567.89',
  '12345678901234568',
  '123456789012345678901234567890.5',
  '1e+300',
  '9'.repeat(400),
]

test('decimals are in order, nulls have none', async () => {
  const values = inOrder.map((text) => `('${text}')`).toReversed()
  const rows = await query(':memory:', async (connection) => {
    const reader = await connection.runAndReadAll(
      `SELECT n FROM (VALUES (NULL), ${values.join()}) AS t(n) ORDER BY ${decimalOrder('n').join()} NULLS LAST`,
    )
    return reader.getRows().map(([number]) => number)
  })
  assert.deepEqual(rows, [...inOrder, null])
})

test('what is the same number has the same order', async () => {
  const [first, second] = ['12.5', '0.0125e+03'].map((text) => decimalOrder(`'${text}'`).join())
  const rows = await query(':memory:', async (connection) => {
    const reader = await connection.runAndReadAll(
      `SELECT (${first}) = (${second}), (${decimalOrder("'0'").join()}) = (${decimalOrder("'-0'").join()})`,
    )
    return reader.getRows()
  })
  assert.deepEqual(rows, [[true, true]])
})
