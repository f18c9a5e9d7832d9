/** Values as trees of names, in the words of Python. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { access, nameMember } from '../../../src/builder/templates/template-names.ts'
import { parseJson } from '../../../src/std/json.ts'

test('types are Python’s, and numbers keep their digits', () => {
  const { value } = parseJson('{"a": 12345678901234567890, "b": 2.0, "c": null, "d": true, "e": [1, 2], "f": "x"}')
  const members = nameMember('response', value).members?.() ?? []
  assert.deepEqual(
    members.map(({ name, type, sample }) => [name, type, sample]),
    [
      ['a', 'int', '12345678901234567890'],
      ['b', 'float', '2.0'],
      ['c', 'NoneType', 'null'],
      ['d', 'bool', 'true'],
      ['e', 'list', '2 items'],
      ['f', 'str', '"x"'],
    ],
  )
})

test('a member is written as a template must write it', () => {
  const response = { items: 1, 'odd key': 2, "it's": 3, plain: 4, '0': 5 }
  const written = (nameMember('response', response).members?.() ?? []).map((member) => access('response', member))
  assert.deepEqual(
    new Set(written),
    new Set([
      // Jinja would take `.items` for the method.
      "response['items']",
      "response['odd key']",
      "response['it\\'s']",
      'response.plain',
      "response['0']",
    ]),
  )
  const [first] = nameMember('list', [7]).members?.() ?? []
  assert.equal(first && access('response.data', first), 'response.data[0]')
})

test('a long text is cut, and a long list opened only in part', () => {
  assert.ok(nameMember('a', 'x'.repeat(1_000_000)).sample.length < 70)
  assert.equal(
    nameMember(
      'a',
      Array.from({ length: 10_000 }, () => 1),
    ).members?.().length,
    200,
  )
})
