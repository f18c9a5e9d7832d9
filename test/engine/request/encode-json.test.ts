/** As Python's `json.dumps` writes it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeJson } from '../../../src/engine/request/encode-json.ts'
import { Float } from '../../../src/std/json.ts'
import { hasCode } from '../response/asking.ts'

const at = { pointer: '/body' }

const rows: [value: unknown, text: string][] = [
  [{ a: 1, b: [true, null, 'x'] }, '{"a": 1, "b": [true, null, "x"]}'],
  [{}, '{}'],
  [[], '[]'],
  ['~\u007fé€😀', String.raw`"~\u007f\u00e9\u20ac\ud83d\ude00"`],
  ['"\\\n/', String.raw`"\"\\\n/"`],
  [{ é: 'é' }, String.raw`{"\u00e9": "\u00e9"}`],
  [new Map<unknown, unknown>([[1, 'x']]), '{"1": "x"}'],
  [new Float(2), '2.0'],
  [12345678901234567890n, '12345678901234567890'],
  [undefined, 'null'],
]
for (const [value, text] of rows) {
  test(`JSON body: ${text}`, () => assert.equal(encodeJson(value, at), text))
}

test('JSON body: what JSON cannot hold is refused', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, new Date(0)]) {
    assert.throws(() => encodeJson({ value }, at), hasCode('request/invalid-body', /A JSON body cannot hold/))
  }
})
