/** Names, literals and keys, as far as no server is needed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseName } from '../../../src/destinations/columns/column-name.ts'
import type { Column } from '../../../src/destinations/columns/columns.ts'
import type { ColumnType } from '../../../src/destinations/columns/column-type.ts'
import { dedupKey, fitsIndex } from '../../../src/destinations/postgres/merge.ts'
import type { PostgresSession } from '../../../src/destinations/postgres/session.ts'
import {
  converted,
  internalName,
  literal,
  nameRules,
  quoted,
  storable,
} from '../../../src/destinations/postgres/sql.ts'
import { table } from '../behaviours.ts'

const free = (wanted: string) => chooseName(wanted, nameRules, () => false)

test('a name of 63 bytes stays, a longer one ends in a hash, between characters', () => {
  assert.equal(free('x'.repeat(63)), 'x'.repeat(63))
  assert.match(free('x'.repeat(64)), /^x{54}_[\da-f]{8}$/)
  assert.notEqual(free('x'.repeat(64)), free('x'.repeat(65)))
  for (const before of ['', 'x', 'xx', 'xxx']) {
    const name = free(before + '€'.repeat(30))
    assert.match(name, new RegExp(`^${before}€{17,18}_[\\da-f]{8}$`))
    assert.ok(Buffer.byteLength(name) <= 63, name)
  }
})

test('names that differ by case are two, those of the system are none', () => {
  const isTaken = (name: string) => name === 'id'
  assert.equal(chooseName('ID', nameRules, isTaken), 'ID')
  assert.equal(chooseName('id', nameRules, isTaken), 'id_2')
  assert.equal(free('ctid'), 'ctid_2')
  assert.equal(free('XMIN'), 'XMIN_2')
  assert.equal(free('_turnleaf_order'), '_turnleaf_order_2')
})

test('quotes and backslashes are written so that they end nothing', () => {
  assert.equal(quoted('a"b'), '"a""b"')
  assert.equal(literal("it's"), "'it''s'")
  assert.equal(literal(String.raw`a\'b`), String.raw` E'a\\''b'`)
  assert.equal(literal('a\u0000b'), "'a\ufffdb'")
})

test('a column is converted only where the type in the database differs, and a double keeps its digits', () => {
  assert.equal(converted('c', 'int', 'bigint'), 'c')
  assert.equal(converted('c', 'int', 'decimal'), 'c::numeric')
  assert.equal(converted('c', 'int', 'double'), 'c::double precision')
  assert.equal(converted('c', 'double', 'decimal'), 'c::text::numeric')
  assert.equal(converted('c', 'json', 'text'), 'c::text')
  assert.match(converted('c', 'timestamptz', 'text'), /AT TIME ZONE 'UTC'.*\|\| 'Z'$/)
  assert.doesNotMatch(converted('c', 'timestamp', 'text'), /'Z'/)
  assert.match(converted('c', 'double', 'text'), /1e21/)
})

test('a text is stored as it is, without U+0000', () => {
  assert.equal(storable('a\u0000b\u0000'), 'a\ufffdb\ufffd')
  assert.equal(storable('a\\u0000'), 'a\\u0000')
})

test('internal names differ by connection and stream, and fit', () => {
  const names = [internalName('staged', 'a', 'bc'), internalName('staged', 'ab', 'c'), internalName('index', 'a', 'bc')]
  assert.equal(new Set(names).size, 3)
  for (const name of names) assert.match(name, /^_turnleaf_(staged|index)_[\da-f]{24}$/)
})

function keyOf(...types: ColumnType[]) {
  const columns = types.map((type, index): Column => ({ key: `k${index}`, name: `k${index}`, type, isUsed: true }))
  return dedupKey(table('items', 'dedup', { primaryKey: columns.map(({ key }) => [key]) }), columns)
}

test('a key of at most 32 columns may have an index, of types that have an order', async () => {
  const asked: string[] = []
  const query = async (sql: string) => {
    asked.push(sql)
    return [{ fits: true }]
  }
  const fits = (...types: ColumnType[]) => fitsIndex({ query } as unknown as PostgresSession, 't', keyOf(...types))
  assert.equal(await fits(...Array<ColumnType>(32).fill('bigint')), true)
  assert.equal(await fits(...Array<ColumnType>(33).fill('bigint')), false)
  assert.equal(await fits('bigint', 'json'), false)
  assert.equal(await fits(), false)
  assert.deepEqual(asked, [])
  // Only the length of what may be long is looked at.
  assert.equal(await fits('bigint', 'text', 'decimal'), true)
  assert.deepEqual(asked, [
    'SELECT coalesce(max(coalesce(octet_length("k1"::text), 0) + coalesce(octet_length("k2"::text), 0)), 0) <= 2000 AS fits FROM t',
  ])
})

test('a key is read from columns, or from the objects in them; a field that no column has is none', () => {
  const columns: Column[] = [
    { key: 'id', name: 'id_2', type: 'int', isUsed: true },
    { key: 'owner', name: 'owner', type: 'json', isUsed: true },
    { key: 'note', name: 'note', type: 'text', isUsed: true },
    { key: 'at', name: 'at', type: 'timestamptz', isUsed: true },
  ]
  const keyBy = (primaryKey: string[][], cursorField: string | null = null) =>
    dedupKey(table('items', 'dedup', { primaryKey, cursorField }), columns)
  const partsOf = (...path: string[]) => keyBy([path]).parts('t')
  assert.deepEqual(partsOf('id'), ['t."id_2"'])
  assert.deepEqual(partsOf('owner', 'a', "b'c"), [`nullif(t."owner" #> ARRAY['a', 'b''c']::text[], 'null')`])
  assert.deepEqual(partsOf('note', 'a'), [`nullif(pg_temp._turnleaf_json(t."note") #> ARRAY['a']::text[], 'null')`])
  assert.deepEqual(partsOf('id', 'a'), ['NULL'])
  assert.deepEqual(partsOf('none'), ['NULL'])
  assert.deepEqual(keyBy([]).parts('t'), ['NULL'])
  assert.deepEqual(keyBy([['id'], ['owner']]).columns, columns.slice(0, 2))
  for (const key of [[], [['none']], [['id'], ['owner', 'a']], [['id'], ['none']]])
    assert.equal(keyBy(key).columns, null)
  const needsJson = (...path: string[]) => keyBy([['id'], path]).needsJsonOfText
  assert.deepEqual([needsJson('note', 'a'), needsJson('note'), needsJson('owner', 'a')], [true, false, false])
  assert.equal(keyBy([['id']], 'at').cursor?.('t'), 't."at"')
  assert.match(keyBy([['id']], 'note').cursor?.('t') ?? '', /^\(CASE WHEN t\."note" ~/)
  assert.deepEqual([keyBy([['id']], 'none').cursor, keyBy([['id']]).cursor], [null, null])
})
