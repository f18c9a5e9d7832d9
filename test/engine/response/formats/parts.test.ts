import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FormatError, longestItem, startOf } from '../../../../src/engine/response/formats/item-parser.ts'
import type { Items } from '../../../../src/engine/response/formats/items.ts'
import { parseLines } from '../../../../src/engine/response/formats/lines.ts'
import { partsOf } from '../../../../src/engine/response/formats/parts.ts'

const mebibyte = 1024 * 1024

async function seen(...items: readonly Partial<Items>[]) {
  const parts: unknown[] = []
  async function* source() {
    for (const one of items) yield { values: [], hasFloats: false, bytes: 0, ...one }
  }
  for await (const { value, bytes, hasFloats, isLast } of partsOf(source())) {
    parts.push([(value as unknown[]).join(''), bytes, hasFloats, isLast])
  }
  return parts
}

test('parts: one of four mebibytes is full, one that lacks a byte is not', async () => {
  const full = { values: ['a'], bytes: 4 * mebibyte }
  const rest = { values: ['b'], bytes: 5 }
  assert.deepEqual(await seen(full, rest), [
    ['a', 4 * mebibyte, false, false],
    ['b', 5, false, true],
  ])
  assert.deepEqual(await seen({ ...full, bytes: 4 * mebibyte - 1 }, rest), [['ab', 4 * mebibyte + 4, false, true]])
})

test('parts: bytes without an item make no part of their own', async () => {
  assert.deepEqual(await seen({ values: ['a'], bytes: 4 * mebibyte }, { bytes: 7 }), [
    ['a', 4 * mebibyte + 7, false, true],
  ])
})

test('parts: a number with a fraction is remembered from then on', async () => {
  const one = { values: ['a'], bytes: 4 * mebibyte }
  assert.deepEqual(
    (await seen(one, { ...one, hasFloats: true }, one)).map((part) => (part as unknown[])[2]),
    [true, true, true],
  )
})

test('an item of 32 Mi characters is taken, one of a character more is not', () => {
  assert.equal(longestItem, 32 * mebibyte)
  const half = 'x'.repeat(longestItem / 2)
  const lines = parseLines()
  assert.deepEqual([lines.read(half), lines.read(half)], [[], []])
  assert.equal((lines.end()[0] as { record: string }).record.length, longestItem)
  const again = parseLines()
  again.read(half)
  assert.throws(
    () => again.read(`${half}x`),
    (error) => {
      assert.ok(error instanceof FormatError && error.isTooLarge)
      assert.equal(error.message, 'line 1 is longer than 33554432 characters')
      return true
    },
  )
})

test('a message quotes eighty characters, and says when there were more', () => {
  assert.equal(startOf('x'.repeat(80)), JSON.stringify('x'.repeat(80)))
  assert.equal(startOf('x'.repeat(81)), JSON.stringify(`${'x'.repeat(80)}…`))
})
