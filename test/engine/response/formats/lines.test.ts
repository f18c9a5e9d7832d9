import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJsonLines, parseLines, unifyLineEnds } from '../../../../src/engine/response/formats/lines.ts'

test('lines: every kind of line end is one, also between two pieces', () => {
  const unified = (...pieces: string[]) => {
    const unify = unifyLineEnds()
    return pieces.map(unify)
  }
  assert.deepEqual(unified('a\r\nb\rc\nd\r\r\n'), ['a\nb\nc\nd\n\n'])
  assert.deepEqual(unified('a\r', '\nb'), ['a\n', 'b'])
  assert.deepEqual(unified('a\r', '', '\nb'), ['a\n', '', 'b'])
  assert.deepEqual(unified('a\r', '\r\nb'), ['a\n', '\nb'])
  assert.deepEqual(unified('a', '\nb', '\nc'), ['a', '\nb', '\nc'])
})

test('lines: each is an item, the empty ones too; the last one needs no line end', () => {
  const itemsOf = (...pieces: string[]) => {
    const parser = parseLines()
    assert.equal(parser.hasFloats, false)
    return [...pieces.flatMap((piece) => parser.read(piece)), ...parser.end()].map(
      (item) => (item as { record: string }).record,
    )
  }
  assert.deepEqual(itemsOf('a\n\nb'), ['a', '', 'b'])
  assert.deepEqual(itemsOf('a\r\n\r\nb\r\n'), ['a', '', 'b'])
  assert.deepEqual(itemsOf('a', 'b', '\nc', '', 'd\ne\n', 'f'), ['ab', 'cd', 'e', 'f'])
  assert.deepEqual(itemsOf(''), [])
  assert.deepEqual(itemsOf('\n'), [''])
})

test('JSON Lines: blank lines are none, and an error counts them', () => {
  const parser = parseJsonLines()
  assert.deepEqual(parser.read('{"a":1}\n \t\n\n[2'), [{ a: 1 }])
  assert.deepEqual(parser.read(']\n'), [[2]])
  assert.throws(() => parser.read('{"a":\n'), { message: 'line 5 is not JSON: "{\\"a\\":"' })
  const cut = parseJsonLines()
  assert.deepEqual(cut.read('1\n{"a'), [1])
  assert.throws(() => cut.end(), { message: 'line 2 is not JSON: "{\\"a"' })
})

test('JSON Lines: a number with a fraction is remembered', () => {
  const parser = parseJsonLines()
  const seen = ['1\n', '1.0\n', '1\n'].map((line) => {
    parser.read(line)
    return parser.hasFloats
  })
  assert.deepEqual(seen, [false, true, true])
})
