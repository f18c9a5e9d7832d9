import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileTemplate, type EvaluateAs } from '../../../src/engine/template/template.ts'
import { codeOf, python } from './evaluating.ts'

test('a condition is false for the false values of Airbyte and for nothing else', () => {
  for (const value of ['False', 'false', '{}', '[]', '()', '', '0', '0.0', '0.00', false, 0, [], {}]) {
    assert.equal(python('{{ config.v }}', { config: { v: value } }, 'boolean'), 'False', JSON.stringify(value))
  }
  for (const value of [null, 'None', 'null', 'no', 'FALSE', ' ', 1, 'a', [0]]) {
    assert.equal(python('{{ config.v }}', { config: { v: value } }, 'boolean'), 'True', String(value))
  }
})

const rows: readonly (readonly [as: EvaluateAs, value: unknown, expected: string])[] = [
  ['string', '12', '12'],
  ['string', '', "''"],
  ['param', '12', "'12'"],
  ['param', 12, "'12'"],
  ['param', null, "'None'"],
  ['param', ['a'], "['a']"],
  ['param', '["a"]', "['a']"],
  ['param', '"a"', "'a'"],
  ['param', '(1, 2)', "'(1, 2)'"],
  ['param', '', 'dropped'],
  ['header', '1.10', '1.1'],
  ['header', 'None', 'None'],
  ['header', '', 'dropped'],
  ['json', '123', '123'],
  ['json', { a: [1] }, "{'a': [1]}"],
  ['str_typed', '12', "'12'"],
  ['str_typed', '"12"', "'12'"],
  ['str_typed', 12, "'12'"],
]

test('each place reads the text by its own rule', () => {
  for (const [as, value, expected] of rows)
    assert.equal(python('{{ config.v }}', { config: { v: value } }, as), expected, `${as} ${String(value)}`)
})

test('something undefined is an error in a field, false in a condition, and drops a key', () => {
  const template = compileTemplate('{{ config.a.b }}')
  const evaluate = (as: EvaluateAs) => template.evaluate({ config: {} }, as)
  assert.equal(
    codeOf(() => evaluate('string')),
    'template/undefined',
  )
  assert.equal(evaluate('boolean'), false)
  assert.equal(evaluate('param'), undefined)
  assert.equal(evaluate('header'), undefined)
  assert.equal(evaluate('json'), undefined)
})

test('a value of the scope is given back as it is, not copied', () => {
  const list = [{ id: 1 }]
  assert.equal(compileTemplate('{{ config.rows }}').evaluate({ config: { rows: list } }), list)
})

test('plain text is read as a literal, too', () => {
  assert.equal(compileTemplate('12').evaluate({}), 12)
  assert.equal(compileTemplate('12').isPlain, true)
  assert.equal(compileTemplate('a {b}').evaluate({}), 'a {b}')
})
