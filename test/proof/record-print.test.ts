/** A print distinguishes a record from a later version of itself, by what changes in practice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Float } from '../../src/std/json.ts'
import { printOf } from '../../src/proof/keys/record-print.ts'

const record = {
  id: 7,
  name: 'Ada',
  amount: 12.25,
  active: true,
  account: 9007199254740993n,
  note: `${'x'.repeat(880)} version 1`,
  updated_at: '2026-05-01T12:34:56.000+00:00',
  address: { city: 'Bern', zip: '3000' },
  lines: [{ sku: 'a' }, { sku: 'b' }],
  tags: ['a', 'b'],
}

test('equal records have equal prints', () => {
  assert.equal(printOf({ ...record }, undefined), printOf(record, undefined))
})

const changes: Record<string, object> = {
  'a whole number': { id: 8 },
  decimals: { amount: 12.250000001 },
  'a sign': { amount: -12.25 },
  'a number beyond 32 bits': { id: 7 + 2 ** 32 },
  'a short text': { name: 'Eda' },
  'a flag': { active: false },
  'a flag that is gone': { active: null },
  'the last digit of a long number': { account: 9007199254740992n },
  'the end of a long text': { note: `${'x'.repeat(880)} version 2` },
  'the length of a long text': { note: `${'x'.repeat(881)} version 1` },
  'a member of an object': { address: { city: 'Bern', zip: '3001' } },
  'a member of a list of objects': { lines: [{ sku: 'a' }, { sku: 'c' }] },
  'the length of a list': { tags: ['a'] },
  'a minute': { updated_at: '2026-05-01T12:35:56.000+00:00' },
  'a second': { updated_at: '2026-05-01T12:34:57.000+00:00' },
}
for (const [name, change] of Object.entries(changes)) {
  test(`a record that changes has another: ${name}`, () => {
    assert.notEqual(printOf({ ...record, ...change }, undefined), printOf(record, undefined))
  })
}

test('of very many fields the one that changes with the record counts wherever it is', () => {
  const wide = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`field${index}`, index]))
  assert.notEqual(printOf({ ...wide, version: 1 }, 'version'), printOf({ ...wide, version: 2 }, 'version'))
})

test('texts of other alphabets and values that are no JSON of their own have prints, too', () => {
  const texts = ['', 'Ω', '日本語', '🙂', '\u0000', new Float(2), {}, []].map((name) =>
    printOf({ name, id: 1 }, undefined),
  )
  assert.equal(new Set(texts.slice(0, 5)).size, 5)
})
