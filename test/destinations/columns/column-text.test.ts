/** What a value looks like in a column of text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalText, jsonText, spelledTime } from '../../../src/destinations/columns/column-text.ts'
import { LongDecimal } from '../../../src/std/json.ts'

test('half of a character becomes U+FFFD, and what looks like its escape stays', () => {
  assert.equal(jsonText({ a: '😀' }), '{"a":"😀"}')
  assert.equal(jsonText(['\ud83d', '\udfff.', '\ud800']), '["\ufffd","\ufffd.","\ufffd"]')
  assert.equal(jsonText(String.raw`\ud83d`), String.raw`"\\ud83d"`)
  assert.equal(jsonText(`${String.raw`\ud83d`}\ud83d`), `"${String.raw`\\ud83d`}\ufffd"`)
  assert.equal(jsonText('\u0007\ud83d'), '"\\u0007\ufffd"')
})

test('times are spelled in one way, to the microsecond; all else stays', () => {
  const rows: [text: string, spelled: string][] = [
    ['2024-01-01 10:00', '2024-01-01T10:00:00'],
    ['2024-01-01T10:00:00.500', '2024-01-01T10:00:00.500000'],
    ['2024-01-01T10:00:00.000001+02:00', '2024-01-01T08:00:00.000001Z'],
    ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
    ['9999-12-31T23:00:00-02:00', '10000-01-01T01:00:00Z'],
    ['2024-01-01', '2024-01-01'],
    ['2024-02-30T10:00:00Z', '2024-02-30T10:00:00Z'],
    ['soon', 'soon'],
  ]
  for (const [text, spelled] of rows) assert.equal(spelledTime(text), spelled)
})

test('a whole decimal is written without `.0`', () => {
  assert.equal(decimalText(new LongDecimal('12345678901234567890.0')), '12345678901234567890')
  assert.equal(decimalText(new LongDecimal('12345678901234567890.10')), '12345678901234567890.10')
})
