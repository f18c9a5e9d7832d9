/** What answers mean by a manifest's rules. Rows marked CDK were run through Airbyte's engine 7.28.2 and agree with it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CustomPlan } from '../../../../src/engine/custom/component.ts'
import type { ResponseOutcome } from '../../../../src/engine/response/outcome.ts'
import { ErrorHandler, type Interpretation } from '../../../../src/engine/response/rules/judge-with-class.ts'
import { outcomeWith } from '../../../../src/engine/response/rules/outcome-with.ts'
import { loadManifest, planStream } from '../../../../src/index.ts'
import { manifestOf } from '../../../helpers/manifests.ts'
import { answered } from '../asking.ts'

const now = Date.UTC(2026, 0, 1)
const config = { wanted: 'no' }

type Handler = Record<string, unknown>
type Answered = ReturnType<typeof answered>

function judge(error_handler: Handler, response: Answered): ResponseOutcome {
  const { errors } = planStream(loadManifest(manifestOf({ requester: { error_handler } })), 'items', config).requester
  return outcomeWith(errors.rules, config)(response, now)
}

const filters = (...response_filters: Handler[]): Handler => ({ type: 'DefaultErrorHandler', response_filters })
const inTurn = (...error_handlers: Handler[]): Handler => ({ type: 'CompositeErrorHandler', error_handlers })
const on = (status: number, action: string) => filters({ http_codes: [status], action })
const always = (action: string) => filters({ predicate: '{{ True }}', action })
const saying = (error_message_contains: string, action: string) => filters({ error_message_contains, action })
const when = (predicate: string, action: string) => filters({ predicate, action })

const rows: [name: string, handler: Handler, response: Answered, kind: ResponseOutcome['kind']][] = [
  ['no rule: the status decides', filters(), answered(404), 'fail'],
  ['no rule: success stays one', filters(), answered(200), 'accept'],
  ['the status matches', on(404, 'IGNORE'), answered(404), 'ignore'],
  ['another status does not', on(404, 'IGNORE'), answered(400), 'fail'],
  ['FAIL', on(500, 'FAIL'), answered(500), 'fail'],
  ['REDUCE_PAGE_SIZE', on(500, 'REDUCE_PAGE_SIZE'), answered(500), 'smaller-page'],
  ['SPLIT_REQUEST_WINDOW', on(400, 'SPLIT_REQUEST_WINDOW'), answered(400), 'smaller-window'],
  ['RETRY', on(404, 'RETRY'), answered(404), 'retry'],
  ['RATE_LIMITED', on(403, 'RATE_LIMITED'), answered(403), 'retry'],
  ['SUCCESS on a refusal has no records to look for', on(404, 'SUCCESS'), answered(404), 'ignore'],
  ['IGNORE on a success leaves its records', always('IGNORE'), answered(200), 'accept'],
  [
    'the first match decides',
    filters({ http_codes: [404], action: 'IGNORE' }, { http_codes: [404], action: 'FAIL' }),
    answered(404),
    'ignore',
  ],
  [
    'CDK: a filter without an action decides nothing',
    filters({ http_codes: [404] }, { http_codes: [404], action: 'IGNORE' }),
    answered(404),
    'ignore',
  ],
  [
    'any of the three is enough',
    filters({ http_codes: [418], predicate: '{{ False }}', error_message_contains: 'gone', action: 'IGNORE' }),
    answered(400, '{"message":"is gone"}'),
    'ignore',
  ],

  [
    'CDK: a predicate on success',
    when("{{ response.error == 'no' }}", 'FAIL'),
    answered(200, '{"error":"no"}'),
    'fail',
  ],
  [
    'a predicate that is false',
    when("{{ response.error == 'no' }}", 'FAIL'),
    answered(200, '{"error":"yes"}'),
    'accept',
  ],
  ['CDK: a predicate over what is not there', when('{{ response.a.b == 1 }}', 'IGNORE'), answered(400, '{}'), 'fail'],
  ['CDK: a predicate over a list', when('{{ response[0].id == 1 }}', 'IGNORE'), answered(400, '[{"id":1}]'), 'ignore'],
  [
    'CDK: header names ignore case',
    when("{{ headers['X-Left'] == '0' }}", 'RETRY'),
    answered(403, '', { 'x-left': '0' }),
    'retry',
  ],
  ['what is not JSON is an empty object', when("{{ 'a' in response }}", 'IGNORE'), answered(400, '<html>'), 'fail'],
  ['an empty predicate matches nothing', when('', 'IGNORE'), answered(400), 'fail'],
  [
    'a predicate sees the config',
    when('{{ response.error == config.wanted }}', 'IGNORE'),
    answered(400, '{"error":"no"}'),
    'ignore',
  ],
  [
    'a predicate sees the parameters',
    { ...when("{{ response.error == parameters['p'] }}", 'IGNORE'), $parameters: { p: 'no' } },
    answered(400, '{"error":"no"}'),
    'ignore',
  ],

  [
    'CDK: words next to a description',
    saying('invalid_grant', 'IGNORE'),
    answered(400, '{"error":"invalid_grant","error_description":"Expired"}'),
    'ignore',
  ],
  ['CDK: words in plain text', saying('try later', 'RETRY'), answered(400, 'please try later'), 'retry'],
  ['CDK: words in a list', saying('b', 'RETRY'), answered(400, '{"errors":[{"detail":"a"},{"detail":"b"}]}'), 'retry'],
  ['CDK: a number says nothing', saying('7', 'RETRY'), answered(400, '{"message":7,"error":"7"}'), 'fail'],
  [
    'words far into the body',
    saying('end', 'RETRY'),
    answered(400, JSON.stringify({ message: `${'x'.repeat(5000)} end` })),
    'retry',
  ],
  ['words that are not said', saying('gone', 'IGNORE'), answered(400, '{"message":"no"}'), 'fail'],

  [
    'CDK in turn: a status that asks for another try is the last word',
    inTurn(on(404, 'IGNORE'), on(500, 'FAIL')),
    answered(500),
    'retry',
  ],
  ['CDK in turn: a rate limit is not', inTurn(on(404, 'IGNORE'), on(429, 'IGNORE')), answered(429), 'ignore'],
  ['CDK in turn: a refusal is not', inTurn(on(404, 'IGNORE'), on(403, 'IGNORE')), answered(403), 'ignore'],
  ['CDK in turn: success is', inTurn(filters(), always('FAIL')), answered(200), 'accept'],
  [
    'CDK in turn: RATE_LIMITED gives way to success',
    inTurn(always('RATE_LIMITED'), filters()),
    answered(200),
    'accept',
  ],
  ['CDK in turn: nested', inTurn(inTurn(on(403, 'FAIL')), on(403, 'IGNORE')), answered(403), 'ignore'],
  ['in turn: the last word counts', inTurn(on(403, 'RATE_LIMITED'), on(403, 'FAIL')), answered(403), 'fail'],
  [
    'CDK in turn: a reset is the last word',
    inTurn(on(400, 'RESET_PAGINATION'), on(400, 'FAIL')),
    answered(400),
    'reset',
  ],
  [
    'CDK in turn: a token to refresh is not',
    inTurn(on(401, 'REFRESH_TOKEN_THEN_RETRY'), on(401, 'FAIL')),
    answered(401),
    'fail',
  ],
  ['in turn: a status that carries no list is not', inTurn(filters(), on(304, 'FAIL')), answered(304), 'fail'],
  ['SUCCESS on 400, the first of the refusals', on(400, 'SUCCESS'), answered(400), 'ignore'],
  ['SUCCESS below it', on(399, 'SUCCESS'), answered(399), 'accept'],
  ['in turn: RETRY wins', inTurn(on(403, 'RETRY'), on(403, 'FAIL')), answered(403), 'retry'],
]
for (const [name, handler, response, kind] of rows) {
  test(`rules: ${name}`, () => assert.equal(judge(handler, response).kind, kind))
}

const said = (error_message: string) => filters({ http_codes: [400], action: 'FAIL', error_message })

const messages: [name: string, error_message: string, expected: RegExp][] = [
  [
    'from the response',
    'Said {{ response.error }}',
    /^Said no \(https:\/\/api\.shop\/v1\/orders answered 400 Bad Request\)$/,
  ],
  ['from a header', "{{ headers['X-Why'] }}", /^because \(/],
  ['that gives nothing', "{{ '' }}", /answered 400 Bad Request, and says: no$/],
  ['that fails does not hide the failure', '{{ response.a.b }}', /answered 400 Bad Request, and says: no$/],
  ['with control characters', 'a\u001b[31m', /^a\\u001b\[31m/],
]
for (const [name, error_message, expected] of messages) {
  test(`rules: a message ${name}`, () => {
    const outcome = judge(said(error_message), answered(400, '{"error":"no"}', { 'x-why': 'because' }))
    assert.match(outcome.kind === 'fail' ? outcome.message : '', expected)
  })
}

test('rules: a failure knows its type and its place', () => {
  const outcome = judge(filters({ http_codes: [409], action: 'FAIL', failure_type: 'transient_error' }), answered(409))
  assert.ok(outcome.kind === 'fail')
  assert.equal(outcome.failureType, 'transient_error')
  assert.deepEqual(outcome.at, { pointer: '/streams/0/retriever/requester/error_handler/response_filters/0' })
})

test('rules: RETRY keeps the wait the server asks for', () => {
  const outcome = judge(on(403, 'RETRY'), answered(403, '', { 'retry-after': '7' }))
  assert.equal(outcome.kind === 'retry' && outcome.waitMs, 7000)
})

test('rules: a rate limit, a token to refresh and pages to start again are distinguished', () => {
  const flags = (handler: Handler, status: number) => {
    const { kind, isRateLimited, needsRefresh } = judge(handler, answered(status)) as Record<string, unknown>
    return [kind, isRateLimited, needsRefresh]
  }
  assert.deepEqual(flags(filters(), 429), ['retry', true, undefined])
  assert.deepEqual(flags(filters(), 503), ['retry', undefined, undefined])
  assert.deepEqual(flags(on(403, 'RATE_LIMITED'), 403), ['retry', true, undefined])
  assert.deepEqual(flags(on(401, 'REFRESH_TOKEN_THEN_RETRY'), 401), ['retry', undefined, true])
  assert.deepEqual(flags(on(400, 'RESET_PAGINATION'), 400), ['reset', undefined, undefined])
})

test('rules: what is accepted says by whom, and what is ignored that its list may be missing', () => {
  assert.deepEqual(judge(on(200, 'SUCCESS'), answered(200)), { kind: 'accept', byRule: true })
  assert.deepEqual(judge(on(200, 'IGNORE'), answered(200)), { kind: 'accept', byRule: true, lacksList: true })
  assert.deepEqual(judge(filters(), answered(200)), { kind: 'accept' })
})

test('rules: a message of a thousand characters is shown, and no more of it', () => {
  for (const length of [1000, 1001]) {
    const outcome = judge(said('x'.repeat(length)), answered(400))
    assert.match(outcome.kind === 'fail' ? outcome.message : '', /^x{1000} \(https/)
  }
})

test('rules: the hint of a failure is the usual one, unless the manifest has words or a reason of its own', () => {
  const hintOf = (handler: Handler, status: number) => {
    const outcome = judge(handler, answered(status))
    return outcome.kind === 'fail' ? outcome.hint : outcome.kind
  }
  const own = 'The manifest takes this response for a failure.'
  assert.match(hintOf(on(404, 'FAIL'), 404) ?? '', /Check `url_base` and `path`/)
  assert.equal(hintOf(said('No.'), 400), own)
  assert.equal(hintOf(on(200, 'FAIL'), 200), own)
})

/** What a response means where a class says this, and a filter after it ignores a 404. */
function judgedByClass(opinion: unknown, response = answered(400, '{"error":"no"}')) {
  const custom: CustomPlan = { role: 'error handler', className: 'Portal', fields: {}, at: { pointer: '/handler' } }
  class Portal extends ErrorHandler {
    interpret() {
      return opinion as Interpretation | null
    }
  }
  const { errors } = planStream(
    loadManifest(manifestOf({ requester: { error_handler: on(404, 'IGNORE') } })),
    'items',
    config,
  ).requester
  const handlers = new Map([[custom, new Portal({ config: {}, parameters: {} })]])
  return outcomeWith({ kind: 'custom', custom, otherwise: errors.rules }, config, handlers)(response, now)
}

test('rules: a class has the first word, in its own words or those of the response, with its own wait', () => {
  const answer = 'https://api.shop/v1/orders answered 400 Bad Request'
  const reason = `${answer}, and says: no`
  assert.deepEqual(judgedByClass({ action: 'retry', waitSeconds: 1.5 }), { kind: 'retry', reason, ownWaitMs: 1500 })
  assert.deepEqual(judgedByClass({ action: 'retry', message: 'Moves.' }), {
    kind: 'retry',
    reason: `Moves. (${answer})`,
  })
  assert.deepEqual(judgedByClass({ action: 'rate-limited' }), { kind: 'retry', reason, isRateLimited: true })
  assert.deepEqual(judgedByClass({ action: 'ignore', waitSeconds: 3 }), { kind: 'ignore', reason })
  assert.deepEqual(judgedByClass({ action: 'smaller-page' }), { kind: 'smaller-page', reason })
  assert.deepEqual(judgedByClass({ action: 'accept' }, answered(200)), { kind: 'accept', byRule: true })
  assert.deepEqual(judgedByClass({ action: 'fail', message: 'Closed.', failureType: 'config_error' }), {
    kind: 'fail',
    code: 'response/rejected',
    message: `Closed. (${answer})`,
    at: { pointer: '/handler' },
    hint: 'The manifest takes this response for a failure.',
    failureType: 'config_error',
  })
  const plain = judgedByClass({ action: 'fail' })
  assert.ok(plain.kind === 'fail')
  assert.match(plain.hint ?? '', /Check the parameters/)
  assert.equal(plain.failureType, undefined)
})

test('rules: a class without an opinion leaves it to the filters, and those to the status', () => {
  assert.equal(judgedByClass(null, answered(404)).kind, 'ignore')
  assert.equal(judgedByClass(undefined, answered(403)).kind, 'fail')
})
