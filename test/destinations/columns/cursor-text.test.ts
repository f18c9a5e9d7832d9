/** Texts of cursors sort as what they mean. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCursorTime, longestDigits, sortableText } from '../../../src/destinations/columns/cursor-text.ts'

test('a time becomes the same instant in UTC, with the digits of its fraction that count', () => {
  const rows: [text: string, sortable: string][] = [
    ['2024-02-29', '2024-02-29T00:00:00.'],
    ['2024-01-01T10:00', '2024-01-01T10:00:00.'],
    ['2024-01-01 10:00:05', '2024-01-01T10:00:05.'],
    ['2024-01-01T10:00:05.120Z', '2024-01-01T10:00:05.12'],
    ['2024-01-01T10:00:05.123456789Z', '2024-01-01T10:00:05.123456789'],
    ['2024-01-01T10:00:05.000 +01:30', '2024-01-01T08:30:05.'],
    ['2024-01-01T00:30:00-0100', '2024-01-01T01:30:00.'],
    ['2024-01-01T00:30:00+15', '2023-12-31T09:30:00.'],
  ]
  for (const [text, sortable] of rows) {
    assert.equal(sortableText(text), sortable)
    assert.equal(isCursorTime(text), true, text)
  }
})

test('what only looks like a time stays as it is', () => {
  const days = ['2023-02-29', '2024-02-30', '1900-02-29', '2024-04-31', '2024-13-01', '2024-00-01', '2024-01-00']
  const times = ['2024-01-01T24:00', '2024-01-01T10:60', '2024-01-01T10:00:60', '2024-01-01T10', '2024-01-01T10:00:00.']
  const zones = ['2024-01-01T10:00+16', '2024-01-01Z', '2024-01-01T10:00+1', '0999-01-01', '3000-01-01', ' 2024-01-01']
  for (const text of [...days, ...times, ...zones]) {
    assert.equal(isCursorTime(text), false, text)
    assert.equal(sortableText(text), text)
  }
  for (const leap of ['2000-02-29', '2400-02-29', '1200-02-29', '1996-02-29']) assert.equal(isCursorTime(leap), true)
})

test('digits sort as numbers, up to forty of them', () => {
  const ascending = ['7', '007.5', '8', '10', '10.25', '9'.repeat(longestDigits)]
  const sortable = ascending.map(sortableText)
  assert.deepEqual(sortable.toSorted(), sortable)
  assert.equal(sortableText('12.5'), `${'0'.repeat(38)}12.5`)
  for (const text of ['9'.repeat(longestDigits + 1), '-5', '1e3', '5.', '.5', ''])
    assert.equal(sortableText(text), text)
})
