import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  emptyWindow,
  lineAt,
  windowLines,
  partLength,
  withPart,
} from '../../../src/builder/test-reads/body/text-window.ts'

test('parts that follow each other are one text: a line continues across them', () => {
  const window = withPart(withPart(emptyWindow, 3, 'a\nb'), 4, 'c\nd')
  assert.deepEqual(
    windowLines(window).map(({ text }) => text),
    ['a', 'bc', 'd'],
  )
  assert.equal(windowLines(window)[0]?.at, 3 * partLength)
})

test('a part far away begins a new window', () => {
  assert.deepEqual(withPart(withPart(emptyWindow, 0, 'a'), 7, 'b'), { first: 7, parts: ['b'] })
})

test('a window grows no further than a screen can scroll; the far end goes', () => {
  let window = emptyWindow
  for (let number = 0; number < 20; number++) window = withPart(window, number, String(number))
  assert.deepEqual([window.first, window.parts.length], [12, 8])
  assert.deepEqual(withPart(window, 11, '11').parts, ['11', '12', '13', '14', '15', '16', '17', '18'])
})

test('a line of any length is broken, and nothing of it is lost', () => {
  const lines = windowLines(withPart(emptyWindow, 0, `${'x'.repeat(2500)}\n\nz`))
  assert.deepEqual(
    lines.map(({ at, text }) => [at, text.length]),
    [
      [0, 1000],
      [1000, 1000],
      [2000, 500],
      [2501, 0],
      [2502, 1],
    ],
  )
})

test('a place is found again by where it begins', () => {
  const lines = windowLines(withPart(emptyWindow, 0, 'ab\ncd\nef'))
  assert.deepEqual(
    [0, 1, 2, 3, 5, 6, 99].map((at) => lineAt(lines, at)),
    [0, 0, 0, 1, 1, 2, 2],
  )
})
