/** A change as people read it: what goes, what comes, and the lines around. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedRuns, lineDifference } from '../../src/document/line-difference.ts'

const marks = { same: ' ', removed: '-', added: '+' }

/** With two lines around; a gap between runs. */
function shown(before: string, after: string): string[] {
  const runs = changedRuns(lineDifference(before, after), 2)
  return runs.flatMap((run, index) => [
    ...(index === 0 ? [] : ['…']),
    ...run.map(({ kind, number, text }) => `${marks[kind]}${number} ${text}`),
  ])
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`)

test('equal texts differ in nothing', () => {
  assert.deepEqual(shown('a\nb\n', 'a\nb\n'), [])
})

test('a changed line is shown with the two before and the two after it', () => {
  const before = numbered(9)
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
  const before = numbered(20)
  const after = before.toSpliced(17, 1).toSpliced(2, 0, 'new')
  assert.deepEqual(shown(before.join('\n'), after.join('\n')), [
    ' 1 line 1',
    ' 2 line 2',
    '+3 new',
    ' 4 line 3',
    ' 5 line 4',
    '…',
    ' 17 line 16',
    ' 18 line 17',
    '-18 line 18',
    ' 19 line 19',
    ' 20 line 20',
  ])
})

test('added and removed lines at the ends are shown', () => {
  assert.deepEqual(shown('a\r\nb', 'b'), ['-1 a', ' 1 b'])
  assert.deepEqual(shown('', 'a'), ['+1 a'])
})

test('texts that have nothing in common are compared in no time, and shown up to a limit', () => {
  const text = (word: string) => Array.from({ length: 5_000 }, (_, index) => `${word} ${index}`).join('\n')
  const lines = lineDifference(text('old'), text('new'))
  assert.equal(lines.length, 10_000)
  assert.ok(changedRuns(lines, 2, 100).flat().length < 110)
})
