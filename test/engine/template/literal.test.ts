import assert from 'node:assert/strict'
import { test } from 'node:test'
import { literalEval } from '../../../src/engine/template/literal/literal.ts'
import { repr } from '../../../src/engine/template/values/python-text.ts'

const read: readonly (readonly [text: string, value: string])[] = [
  ['123', '123'],
  ['-5', '-5'],
  ['+5', '5'],
  [' 5', '5'],
  ['5 ', '5'],
  ['\n5\n', '5'],
  ['00', '0'],
  ['1.0', '1.0'],
  ['1.10', '1.1'],
  ['.5', '0.5'],
  ['1.', '1.0'],
  ['1e5', '100000.0'],
  ['1E-7', '1e-07'],
  ['1e400', 'inf'],
  ['1_000', '1000'],
  ['0x1F', '31'],
  ['0b11', '3'],
  ['0o17', '15'],
  ['12345678901234567890', '12345678901234567890'],
  ['-9007199254740993', '-9007199254740993'],
  ['True', 'True'],
  ['False', 'False'],
  ['None', 'None'],
  ['[1,2]', '[1, 2]'],
  ['[]', '[]'],
  ['{}', '{}'],
  ['()', '()'],
  ['{"a":1}', "{'a': 1}"],
  ['{1: "a", (1, 2): b"x"}', "{1: 'a', (1, 2): b'x'}"],
  ['{1}', '{1}'],
  ['set()', 'set()'],
  ['1,2', '(1, 2)'],
  ['1,', '(1,)'],
  ['(1)', '1'],
  ['((1, 2), [3,],)', '((1, 2), [3])'],
  ['"abc"', "'abc'"],
  ["'it\\'s'", '"it\'s"'],
  ['"""a\nb"""', "'a\\nb'"],
  ["u'x'", "'x'"],
  ["r'\\n'", "'\\\\n'"],
  ['"a" "b"', "'ab'"],
  ["'\\x41\\u00e9\\101\\d'", "'AéA\\\\d'"],
  ["b'x\\xff'", "b'x\\xff'"],
  ['...', 'Ellipsis'],
  ['1 # c', '1'],
  ['[1, # one\n 2]', '[1, 2]'],
]

const kept: readonly string[] = [
  '',
  'abc',
  '007',
  '0777',
  'true',
  'null',
  'nan',
  'inf',
  '2024-01-01',
  '2024-10-10',
  '2024-01-01T00:00:00Z',
  '1-2',
  '1+2j',
  '3j',
  '--5',
  '-True',
  '{"a":true}',
  '{"a":null}',
  '[a,b]',
  'MQ==',
  '10L',
  '1.2.3',
  '1 2',
  '"abc',
  "f'x'",
  '"a" b"b"',
  '{[1]: 2}',
  '[1',
  '1)',
  '\n 5',
  '_1',
  '1_',
  '1__0',
  "'\\x1'",
  "'\\N{DASH}'",
  '5\0',
  '9'.repeat(4301),
  `${'['.repeat(300)}${']'.repeat(300)}`,
]

test('texts that are Python literals become their value', () => {
  for (const [text, value] of read) {
    const found = literalEval(text)
    assert.notEqual(found, undefined, text)
    assert.equal(repr(found ?? null), value, text)
  }
})

test('all other texts stay texts', () => {
  for (const text of kept) assert.equal(literalEval(text), undefined, text)
})
