/** Records of several groups of properties, put together; what whole-page.test.ts does not see through a server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeChunks } from '../../../src/engine/records/merge-chunks.ts'
import { float, parseJson } from '../../../src/std/json.ts'

const selection = (received: Record<string, unknown>[], isKept: boolean[] | null = null) => ({
  records: received,
  received,
  receivedCount: received.length,
  isKept,
  list: 'found' as const,
})

test('thousands of records with one key that contradict each other stay thousands, and take no time', () => {
  const group = (name: string) => selection(Array.from({ length: 5_000 }, (_, n) => ({ id: 1, [name]: n })))
  const { records } = mergeChunks([group('a'), group('b')], ['id'])
  assert.equal(records.length, 5_000)
  assert.deepEqual(records.at(-1), { id: 1, a: 4_999, b: 4_999 })
})

test('what was received stays as it was', () => {
  const first = { id: 1, inner: { a: 1 } }
  mergeChunks([selection([first]), selection([{ id: 1, inner: { b: 2 } }])], ['id'])
  assert.deepEqual(first, { id: 1, inner: { a: 1 } })
})

test('keys keep every digit, and what is handed on are plain numbers', () => {
  const { value } = parseJson('[12345678901234567890, 12345678901234567891]')
  const [one, other] = value as [bigint, bigint]
  const merged = mergeChunks([selection([{ id: one, a: float(2) }]), selection([{ id: other, b: 1 }])], ['id'])
  assert.deepEqual(merged.records, [
    { id: one, a: 2 },
    { id: other, b: 1 },
  ])
})

test('`__proto__` is a name like any other', () => {
  const record = (text: string) => JSON.parse(text) as Record<string, unknown>
  const groups = [record('{"id":1,"__proto__":{"a":1}}'), record('{"id":1,"__proto__":{"b":2}}')]
  const { records } = mergeChunks(
    groups.map((one) => selection([one])),
    ['id'],
  )
  assert.equal(JSON.stringify(records), '[{"id":1,"__proto__":{"a":1,"b":2}}]')
})

test('a record that no group keeps is not handed on', () => {
  const groups = [selection([{ id: 1 }, { id: 2 }], [false, true]), selection([{ id: 1 }, { id: 2 }], [false, false])]
  const { records, receivedCount, isKept } = mergeChunks(groups, ['id'])
  assert.deepEqual(
    { records, receivedCount, isKept },
    { records: [{ id: 2 }], receivedCount: 2, isKept: [false, true] },
  )
})
