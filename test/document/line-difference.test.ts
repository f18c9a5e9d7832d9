import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lineDifference } from '../../src/document/line-difference.ts'

const signs = { same: ' ', added: '+', removed: '-' }
const shown = (before: string, after: string) =>
  lineDifference(before, after).map(({ kind, text, number }) => `${number}${signs[kind]}${text}`)

describe('the difference of two texts', () => {
  test('equal texts differ in nothing', () => assert.deepEqual(shown('a\nb\n', 'a\nb\n'), ['1 a', '2 b']))
  test('a changed line is removed and added in its place', () =>
    assert.deepEqual(shown('a\nb\nc', 'a\nx\nc'), ['1 a', '2-b', '2+x', '3 c']))
  test('everything is new where nothing was', () => assert.deepEqual(shown('', 'a\nb'), ['1+a', '2+b']))
  test('a final newline and kinds of line ends are no difference', () =>
    assert.deepEqual(shown('a\r\nb\r\n', 'a\nb'), ['1 a', '2 b']))
  test('a moved line keeps the others in place', () =>
    assert.deepEqual(shown('a\nb\nc\nd', 'b\nc\na\nd'), ['1-a', '1 b', '2 c', '3+a', '4 d']))

  test('whatever the texts: without the added lines it is the one, without the removed the other', () => {
    let state = 1
    const random = (below: number) => {
      state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
      return Math.floor((state / 4_294_967_296) * below)
    }
    for (let round = 0; round < 500; round += 1) {
      const text = () => Array.from({ length: random(14) }, () => 'abcdefgh'[random(2 + random(7))]).join('\n')
      const [before, after] = [text(), text()]
      const lines = lineDifference(before, after)
      const without = (kind: string) => lines.filter((line) => line.kind !== kind).map((line) => line.text)
      assert.deepEqual(without('added'), before === '' ? [] : before.split('\n'))
      assert.deepEqual(without('removed'), after === '' ? [] : after.split('\n'))
    }
  })

  test('two changes far apart in 40,000 lines are two changes', () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => (index % 3 === 0 ? `key${index}:` : '  type: x'))
    const changed = lines.with(100, 'changed: 1').with(39_000, 'changed: 2')
    const differing = lineDifference(lines.join('\n'), changed.join('\n')).filter(({ kind }) => kind !== 'same')
    assert.equal(differing.length, 4)
  })
})
