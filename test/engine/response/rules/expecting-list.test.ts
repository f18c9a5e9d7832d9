import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
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
  ['7', ['data'], 'a bare string instead of the list at `data`: 7.', '{{ response is string }}'],
  [
    '{"meta":{"status":500,"message":"inside"},"message":"outside"}',
    ['data'],
    'an error (`meta.status`) instead of the list at `data`: outside.',
    "{{ (response.get('meta') or {}).get('status') == 500 }}",
  ],
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

test('a predicate compares a status with what it was, and a text without what would end it', () => {
  const predicates: [body: string, predicate: string][] = [
    ['{"status":429}', "response.get('status') == 429"],
    ['{"meta":{"code":503}}', "(response.get('meta') or {}).get('code') == 503"],
    ['{"code":"it\'s \\"invalid\\" {x}"}', "response.get('code') == 'its invalid x'"],
    ['{"is_error":true}', "response.get('is_error') == true"],
  ]
  for (const [body, predicate] of predicates) {
    const outcome = judged(body)
    assert.ok(outcome.kind === 'retry')
    assert.ok(outcome.hint?.endsWith(`predicate: "{{ ${predicate} }}" }\`.`), outcome.hint)
  }
})

test('a failure stays one, and a body that comes as a stream or packed is left to the decoder', () => {
  const { stream: _none, ...head } = answered(200, '')
  const stream = { chunks: (async function* () {})(), discard() {} }
  const judge = expectingList(outcomeOf, { format: 'json', path: ['data'] })
  assert.deepEqual(judge({ ...head, stream }, now), { kind: 'accept' })
  assert.deepEqual(judge(answered(200, gzipSync('{"error":"x"}')), now), { kind: 'accept' })
  assert.equal(judge(answered(404, '{"data":[]}'), now).kind, 'fail')
})

const ofItems = (body: string, byItsRule: typeof byRule = outcomeOf as typeof byRule) =>
  expectingList(byItsRule, { format: 'items', path: null })(answered(200, body), now)

test('in a format of items, a body that is one object of an error is one; anything more is left to the decoder', () => {
  for (const body of [
    '{"error":"busy"}',
    ' \n{"error":"busy"}',
    '{"error":"busy"}\n',
    '{"error":\n{"message":"busy"}}',
  ]) {
    const outcome = ofItems(body)
    assert.ok(outcome.kind === 'retry', body)
    assert.match(outcome.reason, /answered 200 OK with an error \(`error`\) instead of records: busy\.$/)
  }
  for (const body of [
    '{"error":"busy"}\n{"error":"busy"}',
    '{"id":1,"error":"busy"}',
    'error,{"error":"busy"}',
    '',
    '[]',
  ])
    assert.deepEqual(ofItems(body), { kind: 'accept' }, body)
})

test('an error in a format of items starts within twenty characters, and is sixteen KiB at most', () => {
  const error = '{"error":"busy"}'
  assert.equal(ofItems(' '.repeat(19) + error).kind, 'retry')
  assert.equal(ofItems(' '.repeat(20) + error).kind, 'accept')
  const padded = (length: number) => error.padEnd(length)
  assert.equal(ofItems(padded(16 * 1024)).kind, 'retry')
  assert.equal(ofItems(padded(16 * 1024 + 1)).kind, 'accept')
})

test('an error that a rule accepts is no record; one that it ignores is ignored', () => {
  const ignoring = (): ResponseOutcome => ({ kind: 'accept', byRule: true, lacksList: true })
  assert.deepEqual(ofItems('{"error":"busy"}', byRule), { kind: 'accept', byRule: true })
  assert.deepEqual(ofItems('{"error":"busy"}', ignoring), {
    kind: 'ignore',
    reason: 'https://api.shop/v1/orders answered 200 OK, and says: busy',
  })
  assert.deepEqual(ofItems('{"id":1}', ignoring), { kind: 'accept', byRule: true, lacksList: true })
  assert.deepEqual(ofItems('<error>busy</error>', byRule), { kind: 'accept', byRule: true })
})

test('an error in XML is one, unless a record is where the list should be', () => {
  const inXml = (body: string, path: string[] | null = ['items', 'item']) =>
    expectingList(outcomeOf, { format: 'xml', path })(answered(200, body), now)
  const said = inXml('<response><error>quota is over.</error></response>', ['response', 'item'])
  assert.ok(said.kind === 'retry')
  assert.equal(
    said.reason,
    'https://api.shop/v1/orders answered 200 OK with an error (`response.error`) instead of the list at `response.item`: quota is over.',
  )
  assert.match(said.hint ?? '', /action: IGNORE, error_message_contains: '<error' \}`\.$/)
  const byAttribute = inXml('<response status="failed"><message>busy</message></response>')
  assert.ok(byAttribute.kind === 'retry')
  assert.match(byAttribute.hint ?? '', /error_message_contains: 'status=' \}`\.$/)
  for (const body of [
    '<items><item><error>late</error></item></items>',
    '<items><item>1</item></items>',
    '<items><note>1</note></items>',
    '<error>busy',
  ])
    assert.deepEqual(inXml(body), { kind: 'accept' }, body)
})

test('an error in XML that is all of the body is one, at any place of the list', () => {
  const inXml = (body: string, path: string[]) =>
    expectingList(outcomeOf, { format: 'xml', path })(answered(200, body), now).kind
  assert.equal(inXml('<error>busy</error>', []), 'retry')
  assert.equal(inXml('<items><error>late</error></items>', ['items']), 'accept')
})

test('without a place of the list, only a plain error in XML is one', () => {
  const inXml = (body: string) => expectingList(outcomeOf, { format: 'xml', path: null })(answered(200, body), now).kind
  assert.equal(inXml('<error>busy</error>'), 'retry')
  assert.equal(inXml('<items><error>busy</error></items>'), 'accept')
})
