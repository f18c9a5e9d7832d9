/** No password of an address is shown. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutPasswords } from '../../src/destinations/without-passwords.ts'

test('the password of every address in a text is left out, wherever it is written', () => {
  const rows: [text: string, shown: string][] = [
    ['postgres://me:p@ss:w/rd@host:5432/db', 'postgres://me:…@host:5432/db'],
    ['from postgres://:secret@a/db to postgres://me:secret@b/db.', 'from postgres://:…@a/db to postgres://me:…@b/db.'],
    [
      'postgres://host/db?user=me&Password=secret&sslmode=require',
      'postgres://host/db?user=me&Password=…&sslmode=require',
    ],
    ["'postgres://host/db?password=secret'", "'postgres://host/db?password=…'"],
    ['postgres://me@host:5432/db', 'postgres://me@host:5432/db'],
    ['duckdb:shop.duckdb', 'duckdb:shop.duckdb'],
  ]
  for (const [text, shown] of rows) assert.equal(withoutPasswords(text), shown)
})
