/** Fields under other names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { snakeCase } from '../../../src/engine/records/snake-case.ts'
import { transformationTable } from './transforming.ts'

transformationTable('KeysToLower', [
  ['the names of the record', {}, '{"Id":1,"userNAME":"x"}', '{"id":1,"username":"x"}'],
  ['not the names inside', {}, '{"A":{"B":1},"L":[{"C":1}]}', '{"a":{"B":1},"l":[{"C":1}]}'],
  ['a name that was lower case gives way', {}, '{"A":1,"a":2}', '{"a":1}'],
  ['also when it comes later', {}, '{"a":2,"A":1}', '{"a":1}'],
  ['nothing to change', {}, '{"a":1}', '{"a":1}'],
  ['a name of the prototype', {}, '{"__PROTO__":{"x":1},"__proto__":2}', '{"__proto__":{"x":1}}'],
])

transformationTable('KeysToSnakeCase', [
  ['objects inside, but not in lists', {}, '{"aB":{"cD":1},"eF":[{"gH":1}]}', '{"a_b":{"c_d":1},"e_f":[{"gH":1}]}'],
  ['of two that become one, the later stays', {}, '{"aB":1,"a_b":2,"A-B":3}', '{"a_b":3}'],
  ['a name of the prototype', {}, '{"__proto__":1,"toString":2}', '{"_proto_":1,"to_string":2}'],
])

const names: [name: string, expected: string][] = [
  ['createdAt', 'created_at'],
  ['HTTPServer2', 'httpserver_2'],
  ['user ID', 'user_id'],
  ['Größe (cm)', 'grosse_cm_'],
  ['Жизнь', 'zhizn_'],
  ['日本', 'ri_ben'],
  ['1st', '_1_st'],
  ['_x_', '_x_'],
  ['__x__y__', '_x_y_'],
  ['a.b-c', 'a_b_c'],
  ['%', ''],
  ['', ''],
  ['AB12cd', 'ab_12_cd'],
]
for (const [name, expected] of names) {
  test(`KeysToSnakeCase: ${name || 'the empty name'}`, () => assert.equal(snakeCase(name), expected))
}

transformationTable('KeysReplace', [
  ['every place in a name', { old: ' ', new: '_' }, '{"a b c":1}', '{"a_b_c":1}'],
  [
    'objects inside, but not in lists',
    { old: 'a', new: 'b' },
    '{"a":{"a":1},"c":[{"a":1}]}',
    '{"b":{"b":1},"c":[{"a":1}]}',
  ],
  ['of two that become one, the later stays', { old: 'a', new: 'b' }, '{"a":1,"b":2}', '{"b":2}'],
  ['templates', { old: '{{ record.id }}', new: '{{ config.k }}' }, '{"id":"x","xy":1}', '{"id":"x","ay":1}'],
  ['the slice', { old: 'x', new: '{{ stream_slice.shop }}' }, '{"x":1}', '{"s1":1}'],
  ['parameters', { old: 'x', new: '{{ parameters.to }}', $parameters: { to: 'y' } }, '{"x":1}', '{"y":1}'],
  ['a number is its text', { old: '1', new: '2.0' }, '{"a1":1}', '{"a2.0":1}'],
  ['nothing special in a replacement', { old: 'a', new: '$&' }, '{"ab":1}', '{"$&b":1}'],
  ['a name of the prototype', { old: 'x', new: '__proto__' }, '{"x":{"y":1}}', '{"__proto__":{"y":1}}'],
])
