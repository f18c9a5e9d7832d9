import assert from 'node:assert/strict'
import { test } from 'node:test'
import { neededInputs, secretNames, typedValue } from '../../../src/builder/test-reads/inputs/needed-inputs.ts'
import { usesSchema } from '../../../src/builder/test-reads/outcome/uses-schema.ts'

const spec = {
  required: ['api_key', 'since', 'region', 'limit', 'auth', 'toString'],
  properties: {
    api_key: { type: 'string', airbyte_secret: true, title: 'API key' },
    since: { type: ['integer', 'null'] },
    region: { type: 'string', enum: ['eu', 'us'] },
    limit: { type: 'integer', default: 50 },
    auth: { oneOf: [] },
  },
}
const namesOf = (inputs: Record<string, unknown>) => neededInputs(spec, inputs).map(({ name, kind }) => [name, kind])

test('what is required and has neither value nor default is needed', () => {
  assert.deepEqual(namesOf({}), [
    ['api_key', 'text'],
    ['since', 'integer'],
    ['region', 'choice'],
    ['auth', 'nested'],
    ['toString', 'text'],
  ])
  assert.deepEqual(namesOf({ api_key: 'k', since: 0, region: 'eu', auth: {}, toString: 'x' }), [])
})

test('an empty text is no value', () => {
  assert.deepEqual(namesOf({ api_key: '', since: 1, region: 'eu', auth: {}, toString: 'x' }), [['api_key', 'text']])
})

test('a spec of any odd shape needs nothing', () => {
  for (const odd of [null, {}, { required: 'all' }, { required: [1, null] }, { properties: [] }]) {
    assert.deepEqual(neededInputs(odd, {}), [])
  }
})

test('secrets are known by name', () => {
  assert.deepEqual(secretNames(spec), ['api_key'])
})

test('what is typed becomes a value of the kind, with every digit, or none', () => {
  assert.deepEqual(typedValue('integer', '90071992547409931'), { value: 90071992547409931n })
  assert.deepEqual(typedValue('integer', '007'), { value: 7 })
  assert.equal(typedValue('integer', '1.5'), null)
  assert.equal(typedValue('number', 'many'), null)
  assert.deepEqual(typedValue('boolean', 'false'), { value: false })
  assert.deepEqual(typedValue('text', '007'), { value: '007' })
  assert.equal(typedValue('text', ''), null)
})

test('a schema is the stream’s whatever the order of its names', () => {
  const schema = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } }
  const other = { properties: { name: { type: 'string' }, id: { type: 'integer' } }, type: 'object' }
  assert.ok(usesSchema({ type: 'InlineSchemaLoader', schema: other }, schema))
  assert.ok(!usesSchema({ type: 'InlineSchemaLoader', schema: { ...other, type: 'array' } }, schema))
  assert.ok(!usesSchema(undefined, schema))
})
