import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluateTemplate } from '../../../src/engine/template/evaluate-template.ts'

test('plain JSON in, plain JavaScript out', () => {
  const context = { config: { page: 1, id: null } }
  const rows: readonly (readonly [string, unknown])[] = [
    ['{{ config.page + 1 }}', 2],
    ['{{ 4 / 2 }}', 2],
    ['{{ 2 ** 64 }}', 18446744073709551616n],
    ['{{ (1, 2) }}', [1, 2]],
    ['{{ {1} }}'.replace('{1}', '[1] | unique | list'), [1]],
    ["{{ {'a': (1.0, none)} }}", { a: [1, null] }],
    ['{{ config.id }}', null],
    ["{{ {1: 'a'} }}", { '1': 'a' }],
    ["b'x'", "b'x'"],
    ['...', 'Ellipsis'],
    ['{{ now_utc() }}', '2024-01-01 00:00:00+00:00'],
  ]
  for (const [text, value] of rows)
    assert.deepEqual(evaluateTemplate(text, context, { now: '2024-01-01T00:00:00Z' }), value, text)
})

test('a dropped key is null', () => {
  assert.equal(evaluateTemplate('{{ config.nope }}', { config: {} }, { as: 'param' }), null)
  assert.equal(evaluateTemplate('{{ config.nope.x }}', { config: {} }, { as: 'boolean' }), false)
})

test('slices and records have attributes, and their entries', () => {
  const context = {
    stream_slice: { partition: { id: 'a', keys: 1 }, cursor_slice: { start: 1 }, extra_fields: { name: 'n' } },
    last_record: { id: 7, data: 'own' },
  }
  assert.equal(evaluateTemplate('{{ stream_partition.id }}{{ stream_interval.start }}', context), 'a1')
  assert.equal(evaluateTemplate('{{ stream_slice.extra_fields.name }}', context), 'n')
  assert.equal(evaluateTemplate("{{ stream_slice['keys'] }}", context), 1)
  assert.equal(evaluateTemplate('{{ last_record.data.id }}', context), 7)
  assert.equal(evaluateTemplate("{{ last_record['data'] }}", context), 'own')
})

test('headers ignore case, an exact name first', () => {
  const headers = { 'X-Next': '2', link: { next: { url: 'https://a' } }, Link: 'raw' }
  assert.equal(evaluateTemplate("{{ headers['x-next'] }}", { headers }), 2)
  assert.equal(evaluateTemplate('{{ headers.link.next.url }}', { headers }), 'https://a')
  assert.equal(evaluateTemplate("{{ headers['Link'] }}", { headers }), 'raw')
  assert.equal(evaluateTemplate("{{ 'nope' in headers }}", { headers }), false)
})

test('json_loads is the function it is in Python', () => {
  const context = { json_loads: { __callable__: 'json.loads' }, config: { key: '{"a": 2.0}' } }
  assert.equal(evaluateTemplate("{{ json_loads(config.key)['a'] ~ '' }}", context), 2)
})

test('a misspelt name of a chain is answered with the name that is there', () => {
  const hintOf = (template: string, context: Record<string, unknown>) => {
    try {
      evaluateTemplate(template, context)
    } catch (error) {
      return (error as { hint: string }).hint
    }
    return null
  }
  const config = { credentials: { token: 'x' } }
  assert.equal(hintOf('{{ config.credentails.token }}', { config }), 'Did you mean `credentials`?')
  assert.equal(hintOf("{{ config['Credentials']['token'] }}", { config }), 'Did you mean `credentials`?')
  assert.match(hintOf('{{ config.other.token }}', { config }) ?? '', /^Guard it/)
})
