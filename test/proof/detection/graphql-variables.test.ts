import assert from 'node:assert/strict'
import { test } from 'node:test'
import { variablesIn } from '../../../src/proof/detection/slots.ts'

test('variables are reported with their types, and the arguments that take them', () => {
  const query = `# all of them ($no: Int)
    query List($first: Int = 50, $after : String, $ids: [ID!]!, $n: Int!) {
      orders(first: $first, after: $after, page: { size: $n }) { nodes { id } } byId(ids: $ids) { id }
    }`
  assert.deepEqual(variablesIn(query), [
    { name: 'first', type: 'Int', isRequired: false, argument: 'first' },
    { name: 'after', type: 'String', isRequired: false, argument: 'after' },
    { name: 'ids', type: 'ID', isRequired: true, argument: 'ids' },
    { name: 'n', type: 'Int', isRequired: true, argument: 'size' },
  ])
})

test('a query without variables has none, nor has one that is no query', () => {
  for (const text of ['{ orders { id } }', 'query { orders(first: 5) { id } }', 'first: $n', '', 'query(']) {
    assert.deepEqual(variablesIn(text), [])
  }
})
