/** Records → columns: types, widening, names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ColumnType, fits, join, typeOfTime, typeOfValue } from '../../../src/destinations/columns/column-type.ts'
import { declaredType, openColumns } from '../../../src/destinations/columns/columns.ts'
import { float, LongDecimal } from '../../../src/std/json.ts'

const duck = { maxBytes: 1000, isCaseSensitive: false }
const postgres = { maxBytes: 63, isCaseSensitive: true, reserved: new Set(['ctid', 'xmin']) }

test('a value has the narrowest type that holds it', () => {
  const rows: [unknown, ColumnType][] = [
    [true, 'boolean'],
    [1, 'int'],
    [2n ** 60n, 'bigint'],
    [2n ** 63n, 'decimal'],
    [new LongDecimal('0.12345678901234567891'), 'decimal'],
    [new LongDecimal(`0.${'1'.repeat(20_000)}`), 'text'],
    [-(10n ** 20_000n), 'text'],
    [10n ** 16_383n - 1n, 'decimal'],
    [10n ** 16_383n, 'text'],
    [1n - 10n ** 16_383n, 'decimal'],
    [-(10n ** 16_383n), 'text'],
    [-(2n ** 63n), 'bigint'],
    [0.1, 'double'],
    [1e300, 'double'],
    [float(2), 'double'],
    [new LongDecimal('1234567890.123456789'), 'decimal'],
    ['2024-01-01', 'text'],
    [{}, 'json'],
    [[1], 'json'],
  ]
  for (const [value, type] of rows) assert.equal(typeOfValue(value), type, String(value))
})

const types: ColumnType[] = [
  ...(['boolean', 'int', 'bigint', 'double', 'decimal'] as const),
  ...(['date', 'timestamp', 'timestamptz', 'json', 'text'] as const),
]

test('widening does not depend on the order in which values come', () => {
  for (const a of types) {
    for (const b of types) {
      assert.equal(join(a, b), join(b, a))
      for (const c of types) assert.equal(join(join(a, b), c), join(a, join(b, c)), `${a} ${b} ${c}`)
    }
  }
})

test('integers widen to doubles only while doubles hold them', () => {
  assert.equal(join('int', 'double'), 'double')
  assert.equal(join('bigint', 'double'), 'decimal')
  assert.equal(join('int', 'text'), 'text')
  assert.ok(fits('double', 5) && !fits('double', 2n ** 60n) && fits('decimal', 0.5))
  const long = new LongDecimal('0.12345678901234567891')
  assert.ok(!fits('double', long) && !fits('bigint', long) && fits('decimal', long) && fits('text', long))
})

test('only what a database would take is a time', () => {
  const rows: [string, ColumnType][] = [
    ['2024-02-29', 'date'],
    ['2023-02-29', 'text'],
    ['2024-01-01T10:00:00Z', 'timestamptz'],
    ['2024-01-01 10:00:00.123456+05:30', 'timestamptz'],
    ['2024-01-01T10:00:00.1234567Z', 'text'],
    ['2024-01-01T10:00:00', 'timestamp'],
    ['2024-01-01T24:00:00', 'text'],
    ['0000-00-00', 'text'],
    ['n/a', 'text'],
  ]
  for (const [text, type] of rows) assert.equal(typeOfTime(text), type, text)
})

test('every day of the calendar is a date, and no other is', () => {
  const lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  const text = (year: string, month: number, day: number) =>
    `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  for (const [index, length] of lengths.entries()) {
    for (const day of [1, 28, length]) assert.equal(typeOfTime(text('2024', index + 1, day)), 'date', `${index + 1}`)
    for (const day of [0, length + 1]) assert.equal(typeOfTime(text('2024', index + 1, day)), 'text', `${index + 1}`)
  }
  for (const month of [0, 13]) assert.equal(typeOfTime(text('2024', month, 1)), 'text')
  for (const leap of ['2000', '0004', '9996']) assert.equal(typeOfTime(text(leap, 2, 29)), 'date', leap)
  for (const common of ['1900', '2100', '2023', '0001']) assert.equal(typeOfTime(text(common, 2, 29)), 'text', common)
  assert.equal(typeOfTime('2024-12-31T23:59:59Z'), 'timestamptz')
  assert.equal(typeOfTime('2024-12-31T23:59:60Z'), 'text')
})

test('a table starts with the columns its schema declares, and fields that come later get theirs', () => {
  const schema = {
    properties: { id: { type: ['null', 'integer'] }, at: { type: 'string', format: 'date-time' }, any: {} },
  }
  const columns = openColumns(null, schema, duck)
  assert.deepEqual(
    columns.all.map(({ name, type }) => [name, type]),
    [
      ['id', 'int'],
      ['at', 'timestamptz'],
    ],
  )
  const { added, widened } = columns.makeRoom([{ id: 1, at: '2024-01-01 10:00:00', any: null, more: [1] }])
  assert.deepEqual(
    added.map(({ name, type }) => [name, type]),
    [['more', 'json']],
  )
  // The column had no values yet: it gets the type of the first ones.
  assert.deepEqual(
    widened.map(({ column, from, wasUsed }) => [column.type, from, wasUsed]),
    [['timestamp', 'timestamptz', false]],
  )
  assert.deepEqual(
    columns.makeRoom([{ id: 1.5 }]).widened.map(({ column }) => column.type),
    ['double'],
  )
})

test('names survive: case, length, emoji, reserved words, our own', () => {
  const long = 'x'.repeat(300)
  const keys = ['Name', 'name', 'NAME', 'select', '😀', '', long, `${long}y`, '_turnleaf_run', 'a\u0000b', 'ctid']
  const record = Object.fromEntries(keys.map((key) => [key, 1]))
  const inDuck = openColumns(null, null, duck)
  inDuck.makeRoom([record])
  assert.deepEqual(
    inDuck.all.map(({ name }) => name),
    ['Name', 'name_2', 'NAME_3', 'select', '😀', '_', long, `${long}y`, '_turnleaf_run_2', 'a_b', 'ctid'],
  )
  const inPostgres = openColumns(null, null, postgres)
  inPostgres.makeRoom([record])
  const names = inPostgres.all.map(({ name }) => name)
  assert.ok(names.every((name) => Buffer.byteLength(name) <= 63))
  assert.equal(new Set(names).size, keys.length)
  assert.deepEqual(names.slice(0, 3), ['Name', 'name', 'NAME'])
  assert.equal(names.at(-1), 'ctid_2')
})

test('stored columns are opened again', () => {
  const first = openColumns(null, null, duck)
  first.makeRoom([{ Id: 1, id: 'x' }])
  const again = openColumns(JSON.parse(JSON.stringify(first.all)), null, duck)
  assert.deepEqual(
    again.makeRoom([{ id: 'y', Id: 2n ** 70n }]).widened.map(({ column }) => [column.name, column.type]),
    [['Id', 'decimal']],
  )
})

test('a schema declares the type of a column, or leaves it to the first value', () => {
  const rows: [schema: unknown, type: ColumnType | null][] = [
    [{ type: 'boolean' }, 'boolean'],
    [{ type: 'integer' }, 'int'],
    [{ type: 'number' }, 'double'],
    [{ type: 'number', airbyte_type: 'integer' }, 'int'],
    [{ type: 'number', airbyte_type: 'big_number' }, 'decimal'],
    [{ type: ['null', 'object'] }, 'json'],
    [{ type: ['array', 'null'] }, 'json'],
    [{ type: 'string' }, 'text'],
    [{ type: 'string', format: 'email' }, 'text'],
    [{ type: 'string', format: 'date' }, 'date'],
    [{ type: 'string', format: 'date-time' }, 'timestamptz'],
    [{ type: 'string', format: 'date-time', airbyte_type: 'timestamp_without_timezone' }, 'timestamp'],
    [{ type: ['integer', 'number'] }, 'double'],
    [{ type: ['integer', 'string'] }, 'text'],
    [{ type: 'null' }, null],
    [{ type: ['string', 'any'] }, null],
    [{ type: ['any', 'string'] }, null],
    [{}, null],
    [null, null],
    [true, null],
  ]
  for (const [schema, type] of rows) assert.equal(declaredType(schema), type, JSON.stringify(schema))
})

test('a column of times that became text remembers it, and one that never was does not', () => {
  const schema = { properties: { at: { type: 'string', format: 'date-time' }, n: { type: 'integer' } } }
  const columns = openColumns(null, schema, duck)
  columns.makeRoom([{ at: '2024-01-01T10:00:00Z', n: 1 }])
  columns.makeRoom([{ at: 'soon', n: 'many', later: null }])
  assert.deepEqual(columns.all, [
    { key: 'at', name: 'at', type: 'text', isUsed: true, wasTime: true },
    { key: 'n', name: 'n', type: 'text', isUsed: true },
  ])
  assert.equal(columns.of('later'), undefined)
})

test('a first value that is no time decides the type of its column anew', () => {
  const schema = {
    properties: { at: { type: 'string', format: 'date-time' }, day: { type: 'string', format: 'date' } },
  }
  const columns = openColumns(null, schema, duck)
  const { added, widened } = columns.makeRoom([
    { at: 5, day: '2024-01-01T10:00:00' },
    { at: 6, day: null },
  ])
  assert.deepEqual(added, [])
  assert.deepEqual(
    widened.map(({ column, from, wasUsed }) => [column.name, column.type, from, wasUsed]),
    [
      ['at', 'int', 'timestamptz', false],
      ['day', 'timestamp', 'date', false],
    ],
  )
  assert.deepEqual(columns.makeRoom([{ at: 7 }]), { added: [], widened: [] })
})

test('a column that was added and widened by the same records is only added', () => {
  const { added, widened } = openColumns([], null, duck).makeRoom([{ a: 1 }, { a: 1.5 }, { a: 'x' }])
  assert.deepEqual(added, [{ key: 'a', name: 'a', type: 'text', isUsed: true }])
  assert.deepEqual(widened, [])
})
