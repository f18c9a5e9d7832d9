import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fit, indentJson, narrowed, row } from '../../src/cli/terminal/print.ts'

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

test('a row that is too long loses width where the texts are longest, and no digit', () => {
  const columns = [{ width: 20, isNumber: true }, { width: 50 }, { width: 8 }, { width: 30 }]
  const widths = (rowWidth: number) => narrowed(columns, rowWidth).map(({ width }) => width)
  assert.deepEqual(widths(117), [20, 50, 8, 30])
  assert.deepEqual(widths(100), [20, 33, 8, 30])
  assert.deepEqual(widths(77), [20, 20, 8, 20])
  assert.deepEqual(widths(40), [20, 12, 8, 12], 'texts stay recognizable')
})
