import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectorError } from '../../../src/std/errors.ts'
import { Float } from '../../../src/std/json.ts'
import { parseText } from '../../../src/engine/manifest/parse.ts'
import { nodeAt, objectAt } from './node-at.ts'

const read = (text: string): unknown => parseText(text).value

function refusal(text: string): ConnectorError {
  try {
    parseText(text)
  } catch (error) {
    assert.ok(error instanceof ConnectorError)
    return error
  }
  throw new assert.AssertionError({ message: 'the text was read' })
}

const scalars: [string, unknown][] = [
  ['yes', true],
  ['Off', false],
  ['y', 'y'],
  ['~', null],
  ['', null],
  ['010', 8],
  ['0x1F', 31],
  ['0b11', 3],
  ['0x_1', 1],
  ['0x_', '0x_'],
  ['-0b__', '-0b__'],
  ['089', '089'],
  ['1_000', 1000],
  ['1:30', 90],
  ['-1:30', -90],
  ['1e5', '1e5'],
  ['1.5e+3', new Float(1500)],
  ['1.0', new Float(1)],
  ['1.10', 1.1],
  ['.5', 0.5],
  ['.inf', Infinity],
  ['12345678901234567890', 12345678901234567890n],
  ['2020-01-01', '2020-01-01'],
  ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
  ["'yes'", 'yes'],
  ['"10"', '10'],
  ['!!str 10', '10'],
  ['!!float 3', new Float(3)],
  ['|\n  a\n  b\n', 'a\nb\n'],
]

test('plain values are read as PyYAML reads them', () => {
  for (const [text, expected] of scalars) assert.deepEqual(read(`a: ${text}`), { a: expected }, text)
})

test('keys stay the text their author wrote', () => {
  assert.deepEqual(read('on: 1\n007: 2\n~: 3\n1.50: 4'), { on: 1, '007': 2, '~': 3, '1.50': 4 })
})

test('JSON is read by the rules of JSON, tabs included', () => {
  assert.deepEqual(read('{\n\t"a": 1e5,\n\t"b": [true, null, 2.0, 12345678901234567890], "yes": "\\ud83d\\ude00"}'), {
    a: 100000,
    b: [true, null, new Float(2), 12345678901234567890n],
    yes: '😀',
  })
})

test('anchors, aliases and merge keys', () => {
  const text = 'a: &a {x: 1, y: 2}\nb:\n  y: 3\n  <<: *a\nc:\n  <<: [{x: 9}, *a]\nd: *a'
  assert.deepEqual(read(text), { a: { x: 1, y: 2 }, b: { y: 3, x: 1 }, c: { x: 9, y: 2 }, d: { x: 1, y: 2 } })
})

test('every value knows its line and column', () => {
  const { value, places } = parseText('\uFEFF# head\r\na:\r\n  - b: "x"\r\n    c:\r\n  - &k 5\r\n', 'm.yaml')
  const a = nodeAt(value, 'a')
  const first = nodeAt(a, 0)
  assert.deepEqual(places.at(first, 'b'), { pointer: '/a/0/b', file: 'm.yaml', line: 3, column: 8 })
  assert.deepEqual(places.atKey(first, 'c'), { pointer: '/a/0/c', file: 'm.yaml', line: 4, column: 5 })
  assert.deepEqual(places.at(a, 1), { pointer: '/a/1', file: 'm.yaml', line: 5, column: 8 })
  assert.deepEqual(places.at(first), { pointer: '/a/0', file: 'm.yaml', line: 3, column: 5 })
})

test('a pointer escapes slash and tilde', () => {
  const { value, places } = parseText('a/b:\n  c~d: 1')
  assert.equal(places.at(nodeAt(value, 'a/b'), 'c~d').pointer, '/a~1b/c~0d')
})

test('the last of two equal keys counts, and is reported', () => {
  const { value, problems } = parseText('a: 1\nb: 2\na: 3')
  assert.deepEqual(value, { a: 3, b: 2 })
  assert.deepEqual(
    problems.map(({ code, severity, message, at }) => [code, severity, message, at.line]),
    [['manifest/duplicate-key', 'warning', '`a` is written twice; the first one, on line 1, is ignored.', 3]],
  )
})

test('a key named __proto__ is a key', () => {
  const parsed = objectAt(read('__proto__: {polluted: 1}\nconstructor: 2'))
  assert.deepEqual(Object.keys(parsed), ['__proto__', 'constructor'])
  assert.equal(parsed.polluted, undefined)
  assert.equal('polluted' in {}, false)
})

const unreadable: [string, string, RegExp, string][] = [
  ['empty text', '', /is empty/, '1:1'],
  ['only comments', '# nothing\n', /is empty/, '1:1'],
  ['two documents', 'a: 1\n---\nb: 2', /more than one document/, '2:1'],
  ['two documents with their marks', '# one\n---\na: |\n  ---\n---\nb: 2\n', /more than one document/, '5:1'],
  ['a document after the end of one', 'a: 1\n...\nb: 2\n', /more than one document/, '2:1'],
  ['a merge of a number', 'a:\n  b: 1\n  <<: 5\n  c: 2\n', /`<<` takes an object/, '3:3'],
  ['a tab as indent', 'a:\n\tb: 1', /tab characters/, '2:1'],
  ['an open quote', 'a: "x\nb: 2', /not readable as YAML or JSON/, '2:1'],
  ['a wrong indent', 'a: 1\n  b: 2', /bad indentation/, '2:4'],
  ['a zero byte', 'a: \0', /null byte/, '1:4'],
  ['an object as key', '? {a: 1}\n: 2', /A key must be text/, '1:3'],
  ['an alias as key', 'a: &x {b: 1}\n*x : 2', /A key must be text/, '2:1'],
  ['an alias without anchor', 'a: *x', /\*x names no anchor/, '1:4'],
  ['an unknown tag', 'a: !!python/object {}', /The tag !!python\/object/, '1:4'],
  ['a merge of text', 'a:\n  <<: text', /`<<` takes an object/, '2:3'],
  ['deep brackets', '['.repeat(10_000), /nested deeper than 256 levels/, '1:256'],
]

for (const [name, text, message, place] of unreadable) {
  test(`refused with a place: ${name}`, () => {
    const error = refusal(text)
    assert.equal(error.code, 'manifest/syntax')
    assert.match(error.message, message)
    assert.equal(`${error.at?.line}:${error.at?.column}`, place)
    assert.ok(!error.message.includes('\n'))
  })
}

test('an alias inside its own anchor is a circle', () => {
  assert.equal(refusal('a: &x\n  b: *x').code, 'manifest/circular-reference')
})
