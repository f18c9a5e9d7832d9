import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeOf, type ResponseOutcome } from '../../../../src/engine/response/outcome.ts'
import { expectingList } from '../../../../src/engine/response/rules/expecting-list.ts'
import { answered } from '../asking.ts'

const now = Date.UTC(2026, 0, 1)
const byRule = (): ResponseOutcome => ({ kind: 'accept', byRule: true })

test('what a rule accepts is accepted; without the list, that is said', () => {
  const judged = (body: string, path: string[] | null = ['data'], status = 200) =>
    expectingList(byRule, { format: 'json', path })(answered(status, body), now)
  assert.deepEqual(judged('{"data":[]}'), { kind: 'accept', byRule: true })
  assert.deepEqual(judged('{"data":[{"id":1}]}'), { kind: 'accept', byRule: true })
  for (const body of ['{"message":"no"}', '{"data":null}']) {
    assert.deepEqual(judged(body), { kind: 'accept', byRule: true, lacksList: true }, body)
  }
  // Only a class knows where the list is, or the body is not JSON.
  assert.deepEqual(judged('{"message":"no"}', null), { kind: 'accept', byRule: true })
  assert.deepEqual(judged('plain words'), { kind: 'accept', byRule: true })
})

const judged = (body: string, path: string[] | null = ['data'], status = 200) =>
  expectingList(outcomeOf, { format: 'json', path })(answered(status, body), now)

const errors: [body: string, path: string[] | null, reason: string, predicate: string][] = [
  ['', ['data'], 'an empty body instead of the list at `data`.', '{{ not response }}'],
  ['', [], 'an empty body instead of a list of records.', '{{ not response }}'],
  ['null', ['data'], '`null` instead of the list at `data`.', '{{ not response }}'],
  ['"too busy"', ['a', 'b'], 'a bare string instead of the list at `a.b`: too busy.', '{{ response is string }}'],
  [
    '{"error":{"message":"too busy"}}',
    ['data'],
    'an error (`error`) instead of the list at `data`: too busy.',
    "{{ response.get('error') | default(false, true) }}",
  ],
  [
    '{"error":"too busy"}',
    null,
    'an error (`error`) instead of records: too busy.',
    "{{ response.get('error') | default(false, true) }}",
  ],
  [
    '{"success":false,"message":"too busy"}',
    ['data'],
    'an error (`success`) instead of the list at `data`: too busy.',
    "{{ response.get('success') == false }}",
  ],
]
for (const [body, path, reason, predicate] of errors) {
  test(`an error in place of the list: ${body === '' ? 'nothing' : body} at ${path?.join('.') ?? 'a place of its own'}`, () => {
    const outcome = judged(body, path)
    assert.ok(outcome.kind === 'retry')
    assert.equal(outcome.code, 'response/error-body')
    assert.equal(outcome.reason, `https://api.shop/v1/orders answered 200 OK with ${reason}`)
    assert.ok(outcome.hint?.endsWith(`predicate: "${predicate}" }\`.`), outcome.hint)
  })
}

test('a list, no content and what only a class can read are no errors', () => {
  assert.deepEqual(judged('{"data":[]}'), { kind: 'accept' })
  assert.deepEqual(judged('', ['data'], 204), { kind: 'accept' })
  assert.deepEqual(judged('', ['data'], 205), { kind: 'accept' })
  assert.deepEqual(judged('', null), { kind: 'accept' })
  assert.equal(judged('', ['data'], 202).kind, 'retry')
  assert.equal(judged('null', ['data'], 204).kind, 'retry')
})
