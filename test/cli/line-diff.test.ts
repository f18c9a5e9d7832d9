/** A change as people read it: what goes, what comes, and the lines around. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineDiff } from '../../src/cli/line-diff.ts'

const marks = { same: ' ', removed: '-', added: '+', gap: '…' }

function shown(before: string, after: string): string[] {
  return lineDiff(before, after).map(
    ({ kind, number, text }) => `${marks[kind]}${kind === 'gap' ? '' : number} ${text}`,
  )
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`)

test('equal texts differ in nothing', () => {
  assert.deepEqual(shown('a\nb\n', 'a\nb\n'), [])
})

test('a changed line stands between the two before and the two behind it', () => {
  const before = lines(9)
  assert.deepEqual(shown(before.join('\n'), before.with(4, 'other').join('\n')), [
    ' 3 line 3',
    ' 4 line 4',
    '-5 line 5',
    '+5 other',
    ' 6 line 6',
    ' 7 line 7',
  ])
})

test('changes that are far apart have a gap between them, and numbers of their own text', () => {
  const before = lines(20)
  const after = before.toSpliced(17, 1).toSpliced(2, 0, 'new')
  assert.deepEqual(shown(before.join('\n'), after.join('\n')), [
    ' 1 line 1',
    ' 2 line 2',
    '+3 new',
    ' 4 line 3',
    ' 5 line 4',
    '… ',
    ' 17 line 16',
    ' 18 line 17',
    '-18 line 18',
    ' 19 line 19',
    ' 20 line 20',
  ])
})

test('lines that came and went at the ends are told, and line ends of any kind are none', () => {
  assert.deepEqual(shown('a\r\nb', 'b'), ['-1 a', ' 1 b'])
  assert.deepEqual(shown('', 'a'), ['-1 ', '+1 a'])
  assert.deepEqual(shown('a\r\nb\r\n', 'a\nb\n'), [])
})

test('texts that have nothing in common are compared in no time', () => {
  const before = Array.from({ length: 5_000 }, (_, index) => `old ${index}`)
  const after = Array.from({ length: 5_000 }, (_, index) => `new ${index}`)
  assert.equal(lineDiff(before.join('\n'), after.join('\n')).length, 10_000)
})
