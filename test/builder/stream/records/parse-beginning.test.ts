/** A response that was cut is read as far as it goes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseBeginning } from '../../../../src/builder/stream/records/parse-beginning.ts'

const whole =
  '{"meta": {"next": null, "n": 12345678901234567890}, "data": [{"id": 1, "tags": ["a\\"]", "b"]}, {"id": 2}], "x": true}'

test('what was not cut is read whole, digits and all', () => {
  assert.deepEqual(parseBeginning('{"n": 12345678901234567890}'), { n: 12345678901234567890n })
  assert.deepEqual(parseBeginning('[]'), [])
  assert.equal(parseBeginning('7'), 7)
})

test('wherever it was cut, what comes before the cut is read, and never more', () => {
  for (let end = 1; end < whole.length; end++) {
    const value = parseBeginning(whole.slice(0, end)) as Record<string, unknown>
    assert.equal(typeof value, 'object', whole.slice(0, end))
    for (const key of Object.keys(value)) assert.ok(['meta', 'data', 'x'].includes(key))
  }
})

test('a list that was cut keeps its whole items, and what is whole of the last', () => {
  assert.deepEqual(parseBeginning('{"data": [{"id": 1}, {"id": 2, "na'), { data: [{ id: 1 }, { id: 2 }] })
  assert.deepEqual(parseBeginning('{"data": [{"id": 12'), { data: [{}] })
  assert.deepEqual(parseBeginning('{"data"'), {})
})

test('what is no JSON is nothing', () => {
  for (const text of ['', '<html>', '{]', 'nul']) assert.equal(parseBeginning(text), undefined, text)
})
