/** Which field identifies the records of a stream that names no key. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assumedKey } from '../../../src/engine/pagination/assumed-key.ts'
import type { JsonRecord } from '../../../src/engine/plan/plan.ts'

const rows: [name: string, records: JsonRecord[], key: string[][]][] = [
  ['two records with an id each', [{ id: 1 }, { id: 2 }], [['id']]],
  ['ids that are text', [{ id: 'a' }, { id: 'b' }], [['id']]],
  ['ids that are long integers', [{ id: 2n ** 60n }, { id: 2n ** 61n }], [['id']]],
  [
    'the most usual of several names',
    [
      { key: 'a', uuid: 'c', id: 1 },
      { key: 'b', uuid: 'd', id: 2 },
    ],
    [['id']],
  ],
  [
    'another name where the ids repeat',
    [
      { id: 1, uuid: 'a' },
      { id: 1, uuid: 'b' },
    ],
    [['uuid']],
  ],
  ['another name where one has no id', [{ id: 1, uuid: 'a' }, { uuid: 'b' }], [['uuid']]],
  ['no field where the ids repeat', [{ id: 1 }, { id: 2 }, { id: 1 }], []],
  ['no field where ids are objects', [{ id: { a: 1 } }, { id: { a: 2 } }], []],
  ['no field where ids are flags', [{ id: true }, { id: false }], []],
  ['no field under another name', [{ name: 'a' }, { name: 'b' }], []],
  ['nothing in one record alone', [{ id: 1 }], []],
  ['nothing in an empty page', [], []],
]
for (const [name, records, key] of rows) {
  test(`assumed as the key: ${name}`, () => assert.deepEqual(assumedKey(records), key))
}
