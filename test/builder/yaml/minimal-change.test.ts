import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asLines, lineBreakOf } from '../../../src/builder/yaml/line-break.ts'
import { minimalChange } from '../../../src/builder/yaml/minimal-change.ts'

test('only what differs is replaced', () => {
  assert.deepEqual(minimalChange('a: 1\nb: 2\n', 'a: 1\nb: 20\n'), { from: 9, to: 9, insert: '0' })
  assert.deepEqual(minimalChange('aaa', 'aa'), { from: 2, to: 3, insert: '' })
  assert.deepEqual(minimalChange('', 'x'), { from: 0, to: 0, insert: 'x' })
  assert.equal(minimalChange('same', 'same'), null)
})

test('the replacement always gives the other text', () => {
  const texts = ['', 'a', 'aa', 'aba', 'abab', 'baab', 'a\nb', '\n\n']
  for (const before of texts) {
    for (const after of texts) {
      const change = minimalChange(before, after) ?? { from: 0, to: 0, insert: '' }
      assert.equal(before.slice(0, change.from) + change.insert + before.slice(change.to), after)
    }
  }
})

test('lines end as they did: all with both characters, or else with one', () => {
  assert.equal(lineBreakOf('a\r\nb\r\n'), '\r\n')
  assert.equal(lineBreakOf('a\r\nb\n'), '\n')
  assert.equal(lineBreakOf('\na\r\n'), '\n')
  assert.equal(lineBreakOf('one line'), '\n')
  assert.equal(asLines('a\r\nb', '\r\n'), 'a\nb')
  assert.equal(asLines('a\r\nb\n', '\n'), 'a\r\nb\n')
})
