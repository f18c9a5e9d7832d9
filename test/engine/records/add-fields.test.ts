/** Fields added to a record. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordsOf, transform, transformationTable } from './transforming.ts'

const field = (path: string[], value: string, more: object = {}) => ({
  fields: [{ type: 'AddedFieldDefinition', path, value, ...more }],
})

transformationTable('AddFields', [
  ['objects on the way are made', field(['a', 'b'], 'v'), '{"x":1}', '{"x":1,"a":{"b":"v"}}'],
  ['a list on the way is made for a number', field(['a', '0'], 'v'), '{"x":1}', '{"x":1,"a":["v"]}'],
  ['an object in a made list', field(['a', '2', 'b'], 'v'), '{"x":1}', '{"x":1,"a":[null,null,{"b":"v"}]}'],
  ['a list in a made list', field(['a', '0', '1'], 'v'), '{"x":1}', '{"x":1,"a":[[null,"v"]]}'],
  ['a list is padded', field(['a', '3'], 'v'), '{"a":["x"]}', '{"a":["x",null,null,"v"]}'],
  ['an item of a list', field(['a', '0', 'b'], 'v'), '{"a":[{"c":1}]}', '{"a":[{"c":1,"b":"v"}]}'],
  ['a number is a name in an object', field(['0', '0'], 'v'), '{"x":1}', '{"x":1,"0":["v"]}'],
  ['what was there is replaced', field(['a'], 'v'), '{"a":{"b":1}}', '{"a":"v"}'],
  ['a path is no template', field(['{{ config.k }}'], 'v'), '{"x":1}', '{"x":1,"{{ config.k }}":"v"}'],
  ['a name of the prototype', field(['__proto__', 'x'], 'v'), '{"a":1}', '{"a":1,"__proto__":{"x":"v"}}'],
  [
    'parameters of the field',
    field(['a'], '{{ parameters.p }}', { $parameters: { p: 'v' } }),
    '{"x":1}',
    '{"x":1,"a":"v"}',
  ],
  [
    'a condition on value and path',
    { ...field(['a'], 'v'), condition: "{{ value == 'v' and path[0] == 'a' }}" },
    '{"x":1}',
    '{"x":1,"a":"v"}',
  ],
  [
    'a copy of the record is the record as it was then',
    {
      fields: [
        ['a', '1'],
        ['self', '{{ record }}'],
        ['b', '2'],
        ['__proto__', '3'],
      ].map(([name, value]) => ({
        type: 'AddedFieldDefinition',
        path: [name],
        value,
      })),
    },
    '{"x":1}',
    '{"x":1,"a":1,"self":{"x":1,"a":1},"b":2,"__proto__":3}',
  ],
  ['a condition that is false', { ...field(['a'], 'v'), condition: '{{ record.x > 1 }}' }, '{"x":1}', '{"x":1}'],
  [
    'a long decimal keeps its digits where it is copied',
    field(['b'], '{{ record.a }}'),
    '{"a":0.12345678901234567891}',
    '{"a":0.12345678901234567891,"b":0.12345678901234567891}',
  ],
  [
    'a long decimal in a copied list',
    field(['b'], '{{ [record.a.c] }}'),
    '{"a":{"c":0.12345678901234567891}}',
    '{"a":{"c":0.12345678901234567891},"b":[0.12345678901234567891]}',
  ],
  [
    'a long decimal is a float to arithmetic',
    field(['b'], '{{ record.a * 2 }}'),
    '{"a":0.12345678901234567891}',
    '{"a":0.12345678901234567891,"b":0.24691357802469135}',
  ],
  [
    'a long decimal is the text of a float',
    field(['b'], 'no. {{ record.a }}'),
    '{"a":0.12345678901234567891}',
    '{"a":0.12345678901234567891,"b":"no. 0.12345678901234568"}',
  ],
  ['an empty condition is none', { ...field(['a'], 'v'), condition: '' }, '{"x":1}', '{"x":1,"a":"v"}'],
])

const types: [value: string, none: unknown, string: unknown, number: unknown, integer: unknown, boolean: unknown][] = [
  ['5', 5, '5', '5', 5, '5'],
  ['5.5', 5.5, '5.5', 5.5, '5.5', '5.5'],
  ['True', true, 'True', 'True', true, true],
  ['true', 'true', 'true', 'true', 'true', 'true'],
  ["'5'", '5', '5', "'5'", "'5'", "'5'"],
  ['', '', '', '', '', ''],
  ['None', null, 'None', 'None', 'None', 'None'],
  ['1e3', 1000, '1e3', 1000, '1e3', '1e3'],
  ['[1]', [1], '[1]', '[1]', '[1]', '[1]'],
  ['{{ record.x }}', 2, '2.0', 2, '2.0', '2.0'],
]
for (const [value, ...expected] of types) {
  for (const [index, value_type] of [undefined, 'string', 'number', 'integer', 'boolean'].entries()) {
    test(`AddFields: ${value || 'nothing'} as ${value_type ?? 'what it is'}`, () => {
      const added = transform(
        { type: 'AddFields', ...field(['a'], value, value_type === undefined ? {} : { value_type }) },
        '{"x":2.0}',
      )
      assert.deepEqual((added as { a: unknown }).a, expected[index])
    })
  }
}

test('AddFields: a field sees those added before it', () => {
  const fields = [...field(['a'], 'v').fields, ...field(['b'], '{{ record.a }}w').fields]
  assert.deepEqual(transform({ type: 'AddFields', fields }, '{"x":1}'), { x: 1, a: 'v', b: 'vw' })
})

const refused: [name: string, path: string[], record: string, message: RegExp][] = [
  ['null in the way', ['a', 'b'], '{"a":null}', /`a\.b`: `a` holds/],
  ['a text in the way', ['a', 'b', 'c'], '{"a":{"b":"x"}}', /`a\.b` holds/],
  ['a float in the way', ['a', 'b'], '{"a":2.0}', /`a` holds/],
  ['null in a list in the way', ['a', '0', 'b'], '{"a":[null]}', /`a\.0` holds/],
  ['a name in a list', ['a', 'x'], '{"a":[1]}', /`x` is not a position/],
  ['a negative position', ['a', '-1'], '{"a":[1]}', /`-1` is not a position/],
  ['a position far away', ['a', '4000000000'], '{"a":[1]}', /`4000000000` is not a position/],
]
for (const [name, path, record, message] of refused) {
  test(`AddFields refuses ${name}`, () => {
    const transformation = { type: 'AddFields', ...field(path, 'v') }
    assert.throws(() => transform(transformation, record), { code: 'records/no-place', message })
  })
}

test('a record that the filter drops cannot fail in a transformation', () => {
  const parts = {
    selector: { record_filter: { type: 'RecordFilter', condition: '{{ record.a is mapping }}' } },
    stream: { transformations: [{ type: 'AddFields', ...field(['a', 'b'], 'v') }] },
  }
  assert.deepEqual(recordsOf(parts, '[{"a":null},{"a":{}}]'), [{ a: { b: 'v' } }])
})
