import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeWithin, type SecretPlace } from '../../../src/engine/secrets/placed-secrets.ts'

const words: SecretPlace = { in: 'words' }
const headers: SecretPlace = { in: 'header', name: null }
const named: SecretPlace = { in: 'header', name: 'X-Key' }

const rows: [what: string, node: object, name: string, around: SecretPlace, expected: SecretPlace][] = [
  ['fields with headers', { type: 'HttpRequester' }, 'request_headers', words, headers],
  ['an address', { type: 'HttpRequester' }, 'path', words, { in: 'path' }],
  ['the values of a list of partitions', { type: 'ListPartitionRouter' }, 'values', words, { in: 'value' }],
  ['what partitions are called', { type: 'ListPartitionRouter' }, 'cursor_field', words, words],
  ['values of anything else', { type: 'AddFields' }, 'values', words, words],
  ['a header', { 'X-Key': '' }, 'X-Key', headers, named],
  ['a header that is called value', { value: '' }, 'value', headers, { in: 'header', name: 'value' }],
  ['a header that is called type', { type: '', other: '' }, 'other', headers, { in: 'header', name: 'other' }],
  ['the value of a component', { type: 'KeyValue' }, 'value', named, named],
  ['the name of a component', { type: 'KeyValue' }, 'key', named, { in: 'header', name: 'key' }],
  ['a member of a list', [''], '0', named, named],
]

for (const [what, node, name, around, expected] of rows) {
  test(`the place of ${what}`, () => assert.deepEqual(placeWithin(node, name, around), expected))
}
