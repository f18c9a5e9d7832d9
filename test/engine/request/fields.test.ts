/** What the templates of a query, of headers and of a body come to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldsPlan, JsonPlan } from '../../../src/engine/plan/requester.ts'
import {
  evaluateBodyText,
  evaluateFields,
  evaluateJson,
  isMapping,
  settleBody,
} from '../../../src/engine/request/fields.ts'
import { compileTemplate } from '../../../src/engine/template/template.ts'

const at = { pointer: '/p' }
const template = compileTemplate
const fields = (...named: [string, string][]): FieldsPlan =>
  named.map(([name, value]) => ({ name: template(name), value: template(value) }))
const scope = { config: { a: 'x', map: { b: 1, c: null }, list: [1], none: null } }

test('fields without a value are left out, and names are text', () => {
  const found = evaluateFields(
    fields(['a', '{{ config.a }}'], ['{{ 1 + 1 }}', 'y'], ['b', "{{ '' }}"], ['c', '{{ config.nope }}']),
    scope,
    'param',
  )
  assert.deepEqual(found, [
    { name: 'a', value: 'x' },
    { name: '2', value: 'y' },
  ])
  assert.deepEqual(evaluateFields(null, scope, 'param'), [])
})

test('one template gives all fields; what is no mapping is none of a query, and an error among headers', () => {
  assert.deepEqual(evaluateFields(template('{{ config.map }}'), scope, 'param'), [{ name: 'b', value: 1 }])
  assert.deepEqual(evaluateFields(template('{{ config.map }}'), scope, 'header'), [{ name: 'b', value: 1 }])
  assert.deepEqual(evaluateFields(template('{{ config.list }}'), scope, 'param'), [])
  assert.deepEqual(evaluateFields(template("{{ '' }}"), scope, 'header'), [])
  assert.throws(() => evaluateFields(template('{{ config.list }}'), scope, 'header'), {
    code: 'request/invalid-header',
    message: /The headers `\{\{ config\.list \}\}` give .*, not a mapping\./,
  })
})

test('a body that may be a form is one where its template gives a mapping', () => {
  const kind = (source: string) => settleBody({ kind: 'text-or-form', value: template(source) }, scope).kind
  assert.equal(kind('{{ config.map }}'), 'form')
  assert.equal(kind('{{ config.a }}'), 'text')
  assert.equal(kind('{{ config.list }}'), 'text')
  assert.deepEqual(settleBody({ kind: 'none' }, scope), { kind: 'none' })
  assert.deepEqual([new Map(), {}, [], null, 'a'].map(isMapping), [true, true, false, false, false])
})

test('the text of a body is as it was written, and nothing where it is null', () => {
  assert.equal(evaluateBodyText(template('{{ config.a }}'), scope), 'x')
  assert.equal(evaluateBodyText(template('{{ config.none }}'), scope), '')
  assert.equal(evaluateBodyText(template('1.50'), scope), '1.50')
})

const literal = (value: unknown): JsonPlan => ({ kind: 'literal', value })
const ofTemplate = (source: string): JsonPlan => ({ kind: 'template', template: template(source) })

test('in a JSON body, empty members of an object are left out, and empty items of a list are null', () => {
  const plan: JsonPlan = {
    kind: 'object',
    members: [
      { key: template('{{ config.a }}'), value: literal(0) },
      { key: template('gone'), value: literal(null) },
      { key: template('also'), value: ofTemplate('{{ config.none }}') },
      {
        key: template('list'),
        value: { kind: 'list', items: [literal(null), literal(false), ofTemplate("{{ '' }}")] },
      },
    ],
  }
  assert.deepEqual(evaluateJson(plan, scope, at), { x: 0, list: [null, false, null] })
})

test('a JSON body is an object, or nothing', () => {
  assert.deepEqual(evaluateJson(ofTemplate('{{ config.map }}'), scope, at), { b: 1, c: null })
  assert.deepEqual(evaluateJson(ofTemplate('{{ config.none }}'), scope, at), {})
  assert.deepEqual(evaluateJson(literal(''), scope, at), {})
  assert.deepEqual(evaluateJson(literal(null), scope, at), {})
  for (const plan of [literal([1]), literal('a'), literal(0), ofTemplate('{{ config.list }}')]) {
    assert.throws(() => evaluateJson(plan, scope, at), {
      code: 'request/invalid-body',
      message: /The JSON body gives .*, not an object\./,
    })
  }
})
