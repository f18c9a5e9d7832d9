/** Lines are gathered into chunks, and none is cut. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineChunks } from '../../src/destinations/line-chunks.ts'

const chunksOf = (lines: string[], bytes: number) => [...lineChunks(lines, bytes)].map(String)

test('a chunk has as many lines as fit for certain, at three bytes a letter', () => {
  assert.deepEqual(chunksOf([], 6), [])
  assert.deepEqual(chunksOf(['a\n', 'b\n'], 8), ['a\nb\n'])
  assert.deepEqual(chunksOf(['a\n', 'b\n'], 7), ['a\n', 'b\n'])
  assert.deepEqual(chunksOf(['a\n', 'b\n', 'c\n'], 8), ['a\nb\n', 'c\n'])
  assert.deepEqual(chunksOf(['€\n', '€\n'], 10), ['€\n€\n'])
  assert.deepEqual(chunksOf(['€\n', '€\n'], 9), ['€\n', '€\n'])
})

test('a line longer than a chunk comes whole, and those around it, too', () => {
  const long = `${'€'.repeat(50)}\n`
  assert.deepEqual(chunksOf(['a\n', long, 'b\n'], 6), ['a\n', long, 'b\n'])
  assert.deepEqual(chunksOf([long], 6), [long])
})
