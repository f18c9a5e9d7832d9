/** A text opens as the engine reads it, or says where it is broken. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDocument } from '../../src/document/open-document.ts'
import { Float } from '../../src/std/json.ts'

const readable: [name: string, text: string, value: unknown][] = [
  ['words as PyYAML has them', 'a: yes\nb: off\nc: ~\nd: "no"\n', { a: true, b: false, c: null, d: 'no' }],
  ['numbers', 'a: 010\nb: 1:30\nc: 1e5\nd: 2.0\n', { a: 8, b: 90, c: '1e5', d: new Float(2) }],
  ['long integers', 'a: 12345678901234567890\n', { a: 12345678901234567890n }],
  ['JSON by its own rules', '{"a": 1e5, "b": "yes", "<<": 1}', { a: 100000, b: 'yes', '<<': 1 }],
  ['dates stay text', 'a: 2020-01-01\n', { a: '2020-01-01' }],
  [
    'aliases and merges',
    'a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\ne: *x\n',
    { a: { b: 1, c: 2 }, d: { c: 3, b: 1 }, e: { b: 1, c: 2 } },
  ],
  ['the last of one name', 'a: 1\na: 2\n', { a: 2 }],
  ['a byte order mark', '\uFEFFa: 1\n', { a: 1 }],
  ['a document that is only opened', '---\n', null],
  ['a value that is no object', 'x\n', 'x'],
]

for (const [name, text, value] of readable) {
  test(name, () => assert.deepEqual(openDocument(text), { text, value, problem: null }))
}

const broken: [name: string, text: string, line: number, column: number][] = [
  ['an empty text', '', 1, 1],
  ['a quote that is not closed', 'a: 1\nb: "x\n', 3, 1],
  ['a wrong indentation', 'a:\n    b: 1\n  c: 2\n', 3, 3],
  ['a tab', 'a:\n\tb: 1\n', 2, 1],
  ['an alias without an anchor', 'a: *x\n', 1, 4],
  ['an anchor that holds itself', 'a: &x [*x]\n', 1, 8],
  ['two documents', 'a: 1\n---\nb: 2\n', 2, 1],
  ['a key that is a list', '[a]: 1\n', 1, 1],
  ['an unknown tag', 'a: !secret x\n', 1, 4],
  ['a merge of something else', 'a: {<<: 1}\n', 1, 5],
  ['a text nested too deep', '['.repeat(300), 1, 256],
]

for (const [name, text, line, column] of broken) {
  test(`${name} is a problem, not an exception`, () => {
    const { value, problem } = openDocument(text)
    assert.equal(value, null)
    assert.ok(problem !== null && problem.message.length > 10)
    assert.deepEqual([problem.line, problem.column], [line, column])
  })
}
