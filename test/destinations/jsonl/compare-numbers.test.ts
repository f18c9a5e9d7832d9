/** Numbers of any length are in order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareJsonNumbers, type JsonNumber } from '../../../src/destinations/jsonl/compare-cursors.ts'
import { parseJson } from '../../../src/std/json.ts'

const inOrder = [
  '-1e300',
  '-12345678901234567.89',
  '-12345678901234567.88',
  '-12345678901234567',
  '-1.5',
  '-0.12345678901234567891',
  '-0.1234567890123456789',
  `-0.${'0'.repeat(400)}1`,
  '0.0',
  `0.${'0'.repeat(400)}1`,
  '0.0000001',
  '0.00000010000000000000000001',
  '2.0',
  '9.99999999999999999999',
  '10',
  '10.00000000000000000001',
  '9999999999999999.99',
  '10000000000000000',
  '12345678901234567.89',
  '12345678901234568',
  '123456789012345678901234567890.5',
  '1e300',
  `${'9'.repeat(400)}.4`,
  `${'9'.repeat(400)}.5`,
]

test('numbers are compared to the last digit', () => {
  const numbers = parseJson(`[${inOrder.join()}]`).value as JsonNumber[]
  for (const [at, one] of numbers.entries()) {
    for (const [place, other] of numbers.entries()) {
      assert.equal(
        Math.sign(compareJsonNumbers(one, other)),
        Math.sign(at - place),
        `${inOrder[at]} and ${inOrder[place]}`,
      )
    }
  }
})
