import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFolderAddress, parseFileAddress, withPath } from '../../src/destinations/file-address.ts'

const rows: [address: string, file: ReturnType<typeof parseFileAddress>, isFolder: boolean][] = [
  ['duckdb:shop.duckdb', { kind: 'duckdb', path: 'shop.duckdb' }, false],
  ['parquet:rows/a:b', { kind: 'parquet', path: 'rows/a:b' }, true],
  ['jsonl:', { kind: 'jsonl', path: '' }, true],
  ['postgres://me@host/db', null, false],
  ['toString:x', null, false],
  ['shop.duckdb', null, false],
]

for (const [address, file, isFolder] of rows) {
  test(`${address} is ${file === null ? 'no file' : `a ${isFolder ? 'folder' : 'file'}`}`, () => {
    assert.deepEqual(parseFileAddress(address), file)
    assert.equal(isFolderAddress(address), isFolder)
  })
}

test('only an address with a path gets another one', () => {
  const inHome = (path: string) => `home/${path}`
  assert.equal(withPath('duckdb:shop.duckdb', inHome), 'duckdb:home/shop.duckdb')
  assert.equal(withPath('duckdb:', inHome), 'duckdb:')
  assert.equal(withPath('postgres://me@host/db', inHome), 'postgres://me@host/db')
})
