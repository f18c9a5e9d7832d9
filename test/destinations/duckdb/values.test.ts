/** Values of records → values of DuckDB. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ColumnType } from '../../../src/destinations/columns/column-type.ts'
import { toDuckDB, widened } from '../../../src/destinations/duckdb/values.ts'
import { float, LongDecimal } from '../../../src/std/json.ts'

test('a text column shows a value as JSON does, and a number as DuckDB does', () => {
  const rows: [value: unknown, text: string][] = [
    ['plain', 'plain'],
    ['2024-01-01 10:00', '2024-01-01 10:00'],
    [true, 'true'],
    [{ a: [1, 'x'] }, '{"a":[1,"x"]}'],
    [0, '0'],
    [-0, '-0'],
    [float(2), '2'],
    [0.5, '0.5'],
    [0.0001, '0.0001'],
    [0.00009, '9e-05'],
    [-0.00009, '-9e-05'],
    [9_999_999_999_999_998, '9999999999999998'],
    [1e16, '1e+16'],
    [1.5e300, '1.5e+300'],
    [1e-7, '1e-07'],
    [2n ** 70n, '1180591620717411303424'],
    [new LongDecimal('1234567890.123456789'), '1234567890.123456789'],
  ]
  const asText = toDuckDB({ type: 'text' })
  for (const [value, text] of rows) assert.equal(asText(value), text)
  const wasTime = toDuckDB({ type: 'text', wasTime: true })
  assert.equal(wasTime('2024-01-01 10:00'), '2024-01-01T10:00:00')
  assert.equal(wasTime(5), '5')
})

test('other columns have numbers, days and microseconds', () => {
  const rows: [type: ColumnType, value: unknown, written: unknown][] = [
    ['boolean', false, false],
    ['int', 5, 5],
    ['bigint', 2n ** 60n, 2n ** 60n],
    ['double', float(2), 2],
    ['double', 3n, 3],
    ['decimal', 0.5, '0.5'],
    ['decimal', new LongDecimal('12345678901234567890.0'), '12345678901234567890'],
    ['date', '1970-01-02', 1],
    ['timestamp', '1970-01-01T00:00:01', 1_000_000n],
    ['timestamptz', '1970-01-01T01:00:01+01:00', 1_000_000n],
    ['json', 'x', '"x"'],
  ]
  for (const [type, value, written] of rows) assert.deepEqual(toDuckDB({ type })(value), written, type)
})

test('a column is converted only where its type in the database differs', () => {
  assert.equal(widened('c', 'int', 'bigint'), 'c')
  assert.equal(widened('c', 'decimal', 'text'), 'c')
  assert.equal(widened('c', 'int', 'double'), 'CAST(c AS DOUBLE)')
  assert.equal(widened('c', 'int', 'text'), 'CAST(c AS VARCHAR)')
  assert.match(widened('c', 'double', 'decimal'), /^regexp_replace/)
  assert.match(widened('c', 'timestamp', 'text'), /strftime\(c, .* \|\| ''$/)
  assert.match(widened('c', 'timestamptz', 'text'), /epoch_us\(c\).* \|\| 'Z'$/)
})
