/** Values cast to the types of the stream's schema. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitToSchema, type Misfit } from '../../../src/engine/records/coerce.ts'
import { float, LongDecimal, parseJson } from '../../../src/std/json.ts'
import { recordsOf } from './transforming.ts'

const list = (items?: object) => ({ type: 'array', ...(items && { items }) })

/** Expected results are what Airbyte's own class (CDK 7.28.2) gives. */
const rows: [schema: object, value: string, expected: unknown][] = [
  [{ type: 'string' }, '1', '1'],
  [{ type: 'string' }, '2.0', '2.0'],
  [{ type: 'string' }, 'true', 'True'],
  // Airbyte: '0.12345678901234568'.
  [{ type: 'string' }, '0.12345678901234567891', '0.12345678901234567891'],
  [{ type: 'string' }, 'null', 'None'],
  [{ type: ['null', 'string'] }, 'null', null],
  [{ type: 'string' }, '{"a":[1,null]}', "{'a': [1, None]}"],
  [{ type: ['string', 'integer'] }, '1', 1],
  [{}, '1', 1],
  [{ type: 'number' }, '1', float(1)],
  [{ type: ['number', 'null'] }, '" 1.5 "', 1.5],
  [{ type: 'number' }, '"1_0"', float(10)],
  [{ type: 'number' }, '0.12345678901234567891', new LongDecimal('0.12345678901234567891')],
  // Airbyte: the nearest double, so that two ids become one.
  [{ type: 'number' }, '1234567890123456789', 1234567890123456789n],
  [{ type: 'number' }, '"1234567890123456789"', 1234567890123456789n],
  [{ type: 'number' }, '" -0.12345678901234567891 "', new LongDecimal('-0.12345678901234567891')],
  [{ type: 'number' }, '"9007199254740994"', 9007199254740994],
  [{ type: 'number' }, '"0.10"', 0.1],
  [{ type: 'number' }, '"0012345678901234567891"', 12345678901234567000],
  [{ type: 'integer' }, '12345678901234567.89', 12345678901234568n],
  [{ type: 'boolean' }, '0.12345678901234567891', true],
  [list(), '0.12345678901234567891', [new LongDecimal('0.12345678901234567891')]],
  [{ type: 'number' }, 'true', float(1)],
  [{ type: 'number' }, '"x"', 'x'],
  [{ type: 'number' }, 'null', null],
  [{ type: 'number' }, '[1]', [1]],
  [{ type: 'integer' }, '"12"', 12],
  [{ type: 'integer' }, '"123456789012345678901"', 123456789012345678901n],
  [{ type: 'integer' }, '-1.7', -1],
  [{ type: 'integer' }, '2.0', 2],
  [{ type: 'integer' }, 'false', 0],
  [{ type: 'integer' }, '"1.5"', '1.5'],
  [{ type: 'integer' }, '{}', {}],
  [{ type: 'boolean' }, '" YES "', true],
  [{ type: 'boolean' }, '"off"', false],
  [{ type: 'boolean' }, '"maybe"', 'maybe'],
  [{ type: 'boolean' }, '0', false],
  [{ type: 'boolean' }, 'null', false],
  [{ type: ['boolean', 'null'] }, 'null', null],
  [{ type: 'boolean' }, '[]', false],
  [list(), '1', [1]],
  [list(), 'null', [null]],
  [list({ type: ['null', 'string'] }), '1', ['1']],
  [list({ type: 'string' }), '"x"', 'x'],
  [list({ type: ['object'] }), '"x"', 'x'],
  [list({ type: 'string' }), '[1,2]', ['1', '2']],
  [list(), '{"a":1}', { a: 1 }],
  [{ type: 'object' }, '1', 1],
  [{ type: 'object', properties: { b: { type: 'string' } } }, '{"b":1,"c":2}', { b: '1', c: 2 }],
  [{ properties: { b: list({ properties: { c: { type: 'integer' } } }) } }, '{"b":[{"c":"3"}]}', { b: [{ c: 3 }] }],
]
for (const [schema, value, expected] of rows) {
  test(`${JSON.stringify(schema)} makes of ${value}`, () => {
    const record = { a: parseJson(value).value }
    assert.deepEqual(fitToSchema(record, { properties: { a: schema } }), { a: expected })
    assert.deepEqual(record, { a: parseJson(value).value }, 'changed in place')
  })
}

test('what JSON cannot write is not made', () => {
  const schema = { properties: { a: { type: 'number' } } }
  for (const a of ['nan', 'inf', 10n ** 400n]) assert.deepEqual(fitToSchema({ a }, schema), { a })
})

test('names of the prototype are members like any other', () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}')
  const fitted = fitToSchema(JSON.parse('{"__proto__":1,"constructor":2}'), schema)
  assert.equal(JSON.stringify(fitted), '{"__proto__":"1","constructor":2}')
})

const schema = { type: 'object', properties: { id: { type: 'string' }, n: { type: 'number' } } }
const stream = {
  schema_loader: { type: 'InlineSchemaLoader', schema },
  transformations: [{ type: 'KeysToLower' }],
}

test('schema_normalization: Default casts after filter and transformations, to plain numbers', () => {
  const record_filter = { type: 'RecordFilter', condition: '{{ record.ID is number }}' }
  const selector = { schema_normalization: 'Default', record_filter }
  assert.deepEqual(recordsOf({ selector, stream }, '[{"ID":1,"n":"5"},{"ID":"x"}]'), [{ id: '1', n: 5 }])
})

test('without it, and without a schema, values stay', () => {
  assert.deepEqual(recordsOf({ selector: { schema_normalization: 'None' }, stream }, '[{"ID":1}]'), [{ id: 1 }])
  assert.deepEqual(recordsOf({ selector: { schema_normalization: 'Default' } }, '[{"id":1}]'), [{ id: 1 }])
})

test('a value that cannot be cast stays, and is reported with its field and the expected type', () => {
  const wanted = {
    properties: {
      price: { type: ['null', 'number'] },
      lines: { type: 'array', items: { type: 'object', properties: { count: { type: 'integer' } } } },
      either: { type: ['string', 'boolean'] },
      kept: { type: 'integer' },
      odd: { type: 'money' },
    },
  }
  const misfits: Misfit[] = []
  const record = { price: 'free', lines: [{ count: 'x' }, { count: '2' }], either: 1, kept: 2.0, odd: 1, more: 1 }
  const fitted = fitToSchema(record, wanted, { onMisfit: (misfit) => misfits.push(misfit) })
  assert.deepEqual(fitted, { ...record, lines: [{ count: 'x' }, { count: 2 }] })
  assert.deepEqual(misfits, [
    { field: 'price', wanted: ['null', 'number'], value: 'free' },
    { field: 'lines[].count', wanted: ['integer'], value: 'x' },
    { field: 'either', wanted: ['string', 'boolean'], value: 1 },
  ])
})

test('a truth value is no number to a schema, a whole float is an integer', () => {
  const misfits: string[] = []
  const wanted = { properties: { a: { type: ['integer', 'string'] }, b: { type: ['integer', 'string'] } } }
  fitToSchema({ a: true, b: float(2) }, wanted, { onMisfit: ({ field }) => misfits.push(field) })
  assert.deepEqual(misfits, ['a'])
})
