import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJsonItems } from '../../../../src/engine/response/formats/json-items.ts'

function itemsIn(text: string, path = 'data'): unknown[] {
  const parser = parseJsonItems(path)
  return [...parser.read(text), ...parser.end()]
}

test('JSON items: a number of ten thousand digits is one, of a digit more is none', () => {
  const ofDigits = (count: number) => `{"data":[${'1'.repeat(count)}]}`
  assert.deepEqual(itemsIn(ofDigits(10_000)), [BigInt('1'.repeat(10_000))])
  assert.throws(() => itemsIn(ofDigits(10_001)), /is not JSON, at character 10$/)
})

test('JSON items: a thousand levels around the list are followed, one more is refused', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  assert.deepEqual(itemsIn(nested(1_000)), [])
  assert.throws(() => itemsIn(nested(1_001)), /the JSON nests deeper than 1000 levels at character 5002$/)
})
