import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from '../../../../src/builder/sync/query/csv.ts'
import { firstRowsOf } from '../../../../src/builder/sync/query/sql.ts'
import { parseJson } from '../../../../src/std/json.ts'

const cases: readonly [what: string, value: unknown, text: string][] = [
  ['a text as it is', 'größe m', 'größe m'],
  ['a text with a comma in quotes', 'a, b', '"a, b"'],
  ['quotes doubled', 'the "big" one', '"the ""big"" one"'],
  ['line breaks kept', 'two\nlines', '"two\nlines"'],
  ['an empty text in quotes', '', '""'],
  ['nothing as nothing', null, ''],
  ['every digit of a whole number', parseJson('9223372036854775807').value, '9223372036854775807'],
  ['every digit of a decimal', parseJson('0.12345678901234567891').value, '0.12345678901234567891'],
  ['nested values as JSON', { a: [1, 'b'] }, '"{""a"":[1,""b""]}"'],
  ['what is no text without quotes', true, 'true'],
]

for (const [what, value, text] of cases) {
  test(`CSV has ${what}`, () => {
    assert.equal(csvOf({ columns: ['before', 'value'], rows: [[1, value]] }), `before,value\r\n1,${text}\r\n`)
  })
}

test('a response without rows still names its columns', () => {
  assert.equal(csvOf({ columns: ['a', 'b"c'], rows: [] }), 'a,"b""c"\r\n')
})

test('tables are queried by their full name, whatever it is', () => {
  assert.equal(firstRowsOf({ schema: 'main', name: 'orders' }), 'select * from "orders" limit 100')
  assert.equal(firstRowsOf({ schema: 'shop', name: 'a "b"' }), 'select * from "shop"."a ""b""" limit 100')
})
