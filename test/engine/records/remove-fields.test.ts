/** Fields removed from a record. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { globMatcher } from '../../../src/engine/records/match-path.ts'
import { transform, transformationTable } from './transforming.ts'

const at = (...field_pointers: string[][]) => ({ field_pointers })
const where = (condition: string) => ({ ...at(['**']), condition })

transformationTable('RemoveFields', [
  ['fields, nested or not', at(['a'], ['b', 'c']), '{"a":1,"b":{"c":1,"d":2}}', '{"b":{"d":2}}'],
  ['nothing there', at(['x'], ['a', 'b']), '{"a":1}', '{"a":1}'],
  ['an item of a list leaves null', at(['a', '1']), '{"a":[1,2,3]}', '{"a":[1,null,3]}'],
  ['the last item leaves nothing', at(['a', '2']), '{"a":[1,2,3]}', '{"a":[1,2]}'],
  ['a negative position', at(['a', '-1']), '{"a":[1,2,3]}', '{"a":[1,2]}'],
  ['every item', at(['a', '*']), '{"a":[1,2,3]}', '{"a":[null,null]}'],
  ['in every item', at(['a', '*', 'x']), '{"a":[{"x":1},{"x":2,"y":3},4]}', '{"a":[{},{"y":3},4]}'],
  ['in every object', at(['a', '*', 'x']), '{"a":{"p":{"x":1},"q":3}}', '{"a":{"p":{},"q":3}}'],
  ['anywhere', at(['**', 'x']), '{"x":1,"b":{"x":1,"y":[{"x":2}]}}', '{"b":{"y":[{}]}}'],
  ['below a name, itself included', at(['a', '**']), '{"a":{"x":1},"b":1}', '{"b":1}'],
  ['a pattern', at(['a*'], ['?_x']), '{"ab":1,"b_x":2,"cc_x":3}', '{"cc_x":3}'],
  ['a set of characters', at(['[ab]x']), '{"ax":1,"[ab]x":3}', '{"[ab]x":3}'],
  ['an empty path', at([]), '{"a":1}', '{"a":1}'],
  ['an empty condition is none', { ...at(['a']), condition: '' }, '{"a":1,"b":1}', '{"b":1}'],
  [
    'every value that meets a condition',
    where('{{ property is none }}'),
    '{"a":null,"b":{"c":null,"d":[null,1,null]}}',
    '{"b":{"d":[null,1]}}',
  ],
  ['objects never meet a condition', where('{{ true }}'), '{"a":{"b":1},"c":{},"d":[]}', '{"a":{},"c":{},"d":[]}'],
  [
    'a condition takes nothing that no path points at',
    { ...at(['a'], ['b', '*']), condition: '{{ property == 1 }}' },
    '{"a":1,"b":{"x":1,"y":2,"z":{"x":1}},"c":1}',
    '{"b":{"y":2,"z":{"x":1}},"c":1}',
  ],
  [
    'a condition and two paths',
    { ...at(['a'], ['b']), condition: '{{ property is none }}' },
    '{"a":null,"b":null,"c":null}',
    '{"c":null}',
  ],
  ['a whole float is a value', where('{{ property == 2 }}'), '{"a":2.0,"b":3.0}', '{"b":3}'],
  ['nothing inside a float', at(['a', 'value'], ['a', '*']), '{"a":2.0}', '{"a":2}'],
  ['a name of the prototype', at(['__proto__']), '{"__proto__":{"x":1},"a":1}', '{"a":1}'],
  ['next to a name of the prototype', at(['a']), '{"__proto__":{"x":1},"a":1}', '{"__proto__":{"x":1}}'],
])

test('RemoveFields: a condition knows the property, not the record', () => {
  const transformation = { type: 'RemoveFields', ...where('{{ record.a }}') }
  assert.throws(() => transform(transformation, '{"a":1}'), { code: 'template/unknown-name' })
})

const globs: [pattern: string, matching: string[], others: string[]][] = [
  ['*', ['', 'a', 'a\nb'], []],
  ['a*c*', ['ac', 'abcd', 'a c c'], ['a', 'bac']],
  ['?', ['a', '😀'], ['', 'ab']],
  ['[a-c]', ['a', 'b', 'c'], ['d', '-']],
  ['[!a-c]', ['d', '-', '!'], ['a', '']],
  ['[a-]', ['a', '-'], ['b']],
  ['[]]', [']'], ['[', '[]]']],
  ['[!]a]', ['b', '['], [']', 'a']],
  ['[^a]', ['^', 'a'], ['b']],
  ['[z-a]', [], ['a', 'z', '-']],
  ['[]', ['[]'], ['']],
  ['[!]', ['[!]'], ['a']],
  ['a[b', ['a[b'], ['ab']],
]
for (const [pattern, matching, others] of globs) {
  test(`the pattern ${pattern}`, () => {
    for (const text of matching) assert.equal(globMatcher(pattern)(text), true, text)
    for (const text of others) assert.equal(globMatcher(pattern)(text), false, text)
  })
}

test('a pattern of many wildcards takes no time', () => {
  assert.equal(globMatcher(`${'*a'.repeat(200)}b`)('a'.repeat(2000)), false)
})
