/** Where the files of a connection are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathsOf, stagedTable } from '../../../src/destinations/jsonl/paths.ts'

const ownOf = (connection: string) => pathsOf('rows', connection).own

test('two connections never share a folder, also where the file system knows no capitals', () => {
  assert.equal(ownOf('shop'), 'rows/_turnleaf/connections/shop')
  assert.match(ownOf('Shop'), /\/connections\/Shop-[\da-f]{8}$/)
  assert.match(ownOf('a/b'), /\/connections\/a_b-[\da-f]{8}$/)
  assert.notEqual(ownOf('a/b'), ownOf('a:b').replace('a:b', 'a/b'))
})

test('what is staged for a table is queried by the name of its file', () => {
  assert.equal(stagedTable('orders.jsonl'), '_turnleaf_staged_orders')
})
