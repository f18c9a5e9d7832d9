import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fit, indentJson, row } from '../../src/cli/terminal/print.ts'

test('JSON is indented as text, so that nothing in it changes', () => {
  const value = { a: [1, { b: 'x,{"y":[]}\\' }], c: {}, d: [], e: null, 'f"': true }
  assert.equal(indentJson(JSON.stringify(value)), JSON.stringify(value, null, 2))
  assert.equal(indentJson('{"id":9007199254740993123,"f":2.0}'), '{\n  "id": 9007199254740993123,\n  "f": 2.0\n}')
})

test('numbers are aligned to the right', () => {
  assert.equal(row([{ width: 6 }, { width: 5, isNumber: true }], ['ab', '12', 'rest']), 'ab          12   rest')
})

test('a line is cut to the width of the window', () => {
  assert.equal(fit('abcdef', 6), 'abcdef')
  assert.equal(fit('abcdefg', 6), 'abcde…')
})
