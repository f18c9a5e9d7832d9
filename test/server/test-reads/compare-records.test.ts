import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonRecord } from '../../../src/engine/plan/plan.ts'
import { compareRecords } from '../../../src/server/test-reads/compare-records.ts'

const list = (records: readonly object[]) => ({
  total: records.length,
  at: (index: number) => records[index] as JsonRecord,
})

const kinds = (compared: Awaited<ReturnType<typeof compareRecords>>) =>
  compared.examples.map(({ kind, key, fields }) => [kind, key, ...fields].join(' '))

test('records with a key are same, changed, added or missing', async () => {
  const before = list([{ id: 1, name: 'a', n: 1 }, { id: 2, name: 'b' }, { id: 3 }])
  const after = list([{ id: 3 }, { id: 1, name: 'z', n: 2 }, { id: 4 }])
  const compared = await compareRecords(before, after, [['id']])
  const { same, changed, added, missing, key } = compared
  assert.deepEqual({ same, changed, added, missing, key }, { same: 1, changed: 1, added: 1, missing: 1, key: ['id'] })
  assert.deepEqual(kinds(compared), ['changed 1 name n', 'added 4', 'missing 2'])
})

test('without a key whole records are compared, as often as they are there', async () => {
  const compared = await compareRecords(list([{ a: 1 }, { a: 1 }, { a: 2 }]), list([{ a: 1 }, { a: 3 }]), [])
  const { same, changed, added, missing, key } = compared
  assert.deepEqual({ same, changed, added, missing, key }, { same: 1, changed: 0, added: 1, missing: 2, key: null })
})

test('a key that a record lacks is no key', async () => {
  const compared = await compareRecords(list([{ id: 1 }]), list([{ other: 1 }]), [['id']])
  assert.equal(compared.key, null)
  assert.deepEqual([compared.added, compared.missing], [1, 1])
})

test('a key that is there twice pairs record by record', async () => {
  const compared = await compareRecords(
    list([
      { id: 1, v: 1 },
      { id: 1, v: 2 },
    ]),
    list([{ id: 1, v: 1 }]),
    [['id']],
  )
  assert.deepEqual([compared.same, compared.missing, compared.changed], [1, 1, 0])
})
