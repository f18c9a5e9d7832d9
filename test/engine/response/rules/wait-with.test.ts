/** How long a manifest waits. Rows marked CDK were run through Airbyte's engine 7.28.2 and agree with it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CustomPlan } from '../../../../src/engine/custom/component.ts'
import type { ErrorPlan } from '../../../../src/engine/plan/error-handler.ts'
import { type BackoffContext, BackoffStrategy, waitWith } from '../../../../src/engine/response/rules/wait-with.ts'
import { loadManifest, planStream } from '../../../../src/index.ts'
import { manifestOf } from '../../../helpers/manifests.ts'
import { answered, hasCode } from '../asking.ts'

const now = Date.UTC(2026, 0, 1)
const config = { wait: 3, tries: '2', name: 'X-Reset', none: '' }

function errorsOf(error_handler: Record<string, unknown>): ErrorPlan {
  return planStream(loadManifest(manifestOf({ requester: { error_handler } })), 'items', config).requester.errors
}

type Strategy = { type: string } & Record<string, unknown>

function waitMs(strategies: Strategy[], headers: Record<string, string> | null, attempt = 1): number | null {
  const response = headers === null ? null : answered(429, '', headers)
  const chosen = waitWith(errorsOf({ backoff_strategies: strategies }).waits)({ attempt, response, now, random: 0.5 })
  return chosen?.waitMs ?? null
}

const constant = (backoff_time_in_seconds: number | string, more = {}): Strategy => ({
  type: 'ConstantBackoffStrategy',
  backoff_time_in_seconds,
  ...more,
})
const exponential = (more = {}): Strategy => ({ type: 'ExponentialBackoffStrategy', ...more })
const byHeader = (more = {}): Strategy => ({ type: 'WaitTimeFromHeader', header: 'Retry-After', ...more })
const until = (more = {}): Strategy => ({ type: 'WaitUntilTimeFromHeader', header: 'X-Reset', ...more })
const after = (value: string) => ({ 'retry-after': value })
const reset = (seconds: number) => ({ 'x-reset': String(now / 1000 + seconds) })

const rows: [name: string, strategies: Strategy[], headers: Record<string, string> | null, expected: number | null][] =
  [
    ['none', [], {}, null],
    ['constant', [constant(5)], {}, 5000],
    ['CDK: constant, from the config', [constant('{{ config.wait }}')], {}, 3000],
    ['constant, with chance', [constant(5, { jitter_range_in_seconds: 2 })], {}, 7000],
    ['constant, after a network failure', [constant(5)], null, 5000],
    ['CDK: exponential, first', [exponential()], {}, 10_000],
    ['exponential, own factor', [exponential({ factor: '{{ config.wait }}' })], {}, 6000],
    ['CDK: header in seconds', [byHeader()], after('7.5'), 7500],
    ['CDK: header absent', [byHeader()], {}, null],
    ['a header named as something every object has', [byHeader({ header: 'constructor' })], {}, null],
    ['header after a network failure', [byHeader()], null, null],
    ['CDK: header with a date', [byHeader()], after('Thu, 01 Jan 2026 00:01:30 GMT'), null],
    ['CDK: header, the part that matches', [byHeader({ regex: '[0-9]+' })], after('12s'), 12_000],
    ['CDK: header, a match elsewhere', [byHeader({ regex: '[0-9]+' })], after('in 12'), null],
    ['CDK: header, no match', [byHeader({ regex: 'x[0-9]+' })], after('12'), 12_000],
    ['header, a pattern that reads as a list', [byHeader({ regex: '[0-9]' })], after('34'), 3000],
    ['header within its limit', [byHeader({ max_waiting_time_in_seconds: 12 })], after('11'), 11_000],
    ['header of 0 says nothing', [byHeader(), constant(2)], after('0'), 2000],
    ['CDK: until', [until()], reset(30), 30_000],
    ['until, the name from the config', [until({ header: '{{ config.name }}' })], reset(30), 30_000],
    ['CDK: until a time gone by', [until()], reset(-30), null],
    ['CDK: until a time gone by, at least', [until({ min_wait: 5 })], reset(-30), 5000],
    ['CDK: until, header absent, at least', [until({ min_wait: '{{ config.wait }}' })], {}, 3000],
    ['until, later than the least', [until({ min_wait: 5 })], reset(30), 30_000],
    ['until, the part that matches', [until({ regex: '\\d+' })], { 'x-reset': `${now / 1000 + 9};w=1` }, 9000],
    ['exponential, with chance', [exponential({ jitter_range_in_seconds: 2 })], {}, 12_000],
    ['a part of a millisecond', [byHeader()], after('0.0001'), 1],
    ['header with an exponent', [byHeader()], after(' 1e1 '), 10_000],
    ['header without a digit in front', [byHeader()], after('.5'), 500],
    ['header with a sign', [byHeader()], after('+5.'), 5000],
    ['header below nothing', [byHeader(), constant(2)], after('-5'), 2000],
    ['until, after a network failure, at least', [until({ min_wait: 5 })], null, 5000],
    ['until, header absent, at least less than a second', [until({ min_wait: 0.5 })], {}, 500],
    ['until a time of 0', [until()], { 'x-reset': '0' }, null],
    ['constant of 0', [constant(0), constant(1)], {}, 1000],
    ['the first that knows', [byHeader(), constant(4), constant(6)], {}, 4000],
  ]
for (const [name, strategies, headers, expected] of rows) {
  test(`waits: ${name}`, () => assert.equal(waitMs(strategies, headers), expected))
}

test('waits: exponential doubles', () => {
  assert.deepEqual(
    [1, 2, 3].map((attempt) => waitMs([exponential()], {}, attempt)),
    [10_000, 20_000, 40_000],
  )
})

test('waits: the limit of the manifest ends the read, and is named', () => {
  const limited = { max_waiting_time_in_seconds: 12 }
  const words = /`retry-after` asks for a wait of 12 s; max_waiting_time_in_seconds is 12/
  assert.throws(() => waitMs([byHeader(limited)], after('12')), hasCode('response/gave-up', words))
  assert.throws(() => waitMs([until(limited)], reset(13)), hasCode('response/gave-up', /`x-reset`.*13 s/))
})

test('waits: what is no number and no pattern is refused while planning', () => {
  assert.throws(() => waitMs([constant('{{ config.none }}')], {}), hasCode('plan/invalid-number', /gives nothing/))
  assert.throws(() => errorsOf({ max_retries: '{{ config.name }}' }), hasCode('plan/invalid-number', /`X-Reset`/))
  assert.throws(() => waitMs([byHeader({ regex: '(' })], {}), hasCode('manifest/invalid-value', /regular expression/))
})

test('retries: five, unless the handler says otherwise; of several handlers the first one counts', () => {
  assert.equal(errorsOf({}).maxRetries, 5)
  assert.equal(errorsOf({ max_retries: 0 }).maxRetries, 0)
  assert.equal(errorsOf({ max_retries: "{{ config['tries'] }}" }).maxRetries, 2)
  assert.equal(errorsOf({ max_retries: "{{ config['none'] }}" }).maxRetries, 5)
  const type = 'CompositeErrorHandler'
  const nested = { type, error_handlers: [{ type, error_handlers: [{ max_retries: 3 }] }, { max_retries: 7 }] }
  assert.equal(errorsOf(nested).maxRetries, 3)
})

test('waits: those of several handlers form one list', () => {
  const [one, two] = [{ backoff_strategies: [byHeader()] }, { backoff_strategies: [constant(4)] }]
  const { waits } = errorsOf({ type: 'CompositeErrorHandler', error_handlers: [one, two] })
  assert.deepEqual(
    waits.map(({ kind }) => kind),
    ['for-header', 'constant'],
  )
})

const fromResponse = (wait_time_in_seconds: string, more = {}): Strategy => ({
  type: 'WaitTimeFromResponse',
  wait_time_in_seconds,
  ...more,
})

test('a wait that a template takes from the response, or leaves to the next strategy', () => {
  const waitAfter = (body: string, strategies: Strategy[], headers = {}) => {
    const wait = waitWith(errorsOf({ backoff_strategies: strategies }).waits, new Map(), config)
    return wait({ attempt: 1, response: answered(429, body, headers), now, random: 0.5 })?.waitMs ?? null
  }
  const inBody = fromResponse('{{ response.retry.after }}')
  assert.equal(waitAfter('{"retry": {"after": 2.5}}', [inBody]), 2500)
  assert.equal(waitAfter('{"retry": {"after": "7"}}', [inBody]), 7000)
  assert.equal(waitAfter('{}', [fromResponse('{{ config.wait * headers["X-N"] | int }}')], { 'x-n': '2' }), 6000)
  for (const body of ['{}', '[]', 'busy', '{"retry": {"after": "soon"}}', '{"retry": {"after": -1}}']) {
    assert.equal(waitAfter(body, [inBody, constant(5)]), 5000, body)
  }
  const limited = { ...inBody, max_waiting_time_in_seconds: 10 }
  assert.equal(waitAfter('{"retry": {"after": 9}}', [limited]), 9000)
  assert.throws(() => waitAfter('{"retry": {"after": 10}}', [limited]), hasCode('response/gave-up'))
})

test('waits: whether the server named it, and whether the manifest has a limit for it, is known', () => {
  const chosen = (strategy: Strategy, headers: Record<string, string>) =>
    waitWith(errorsOf({ backoff_strategies: [strategy] }).waits)({
      attempt: 1,
      response: answered(429, '', headers),
      now,
      random: 0.5,
    })
  assert.deepEqual(chosen(constant(5), {}), { waitMs: 5000, hasOwnLimit: false })
  assert.deepEqual(chosen(byHeader(), after('5')), { waitMs: 5000, hasOwnLimit: false, isFromServer: true })
  const limited = { max_waiting_time_in_seconds: 12 }
  assert.deepEqual(chosen(byHeader(limited), after('5')), { waitMs: 5000, hasOwnLimit: true, isFromServer: true })
  assert.throws(() => chosen(byHeader(limited), after('12.3')), {
    message: 'The header `retry-after` asks for a wait of 13 s; max_waiting_time_in_seconds is 12.',
    hint: 'Run again in 13 s.',
  })
})

test('waits: a class is told of the try, and has seconds or leaves it to the next', () => {
  const told: unknown[] = []
  const plan: CustomPlan = { role: 'backoff strategy', className: 'ByQuota', fields: {}, at: { pointer: '' } }
  class ByQuota extends BackoffStrategy {
    readonly given: unknown
    constructor(given: unknown) {
      super({ config: {}, parameters: {} })
      this.given = given
    }
    waitSeconds({ attempt, response, now: moment }: BackoffContext) {
      told.push([attempt, response?.status ?? null, moment])
      return this.given as number
    }
  }
  const waitOf = (given: unknown, response: ReturnType<typeof answered> | null = null) => {
    const waits = [
      { kind: 'custom', custom: plan } as const,
      { kind: 'constant', seconds: 9, jitterSeconds: 0 } as const,
    ]
    return waitWith(waits, new Map([[plan, new ByQuota(given)]]))({ attempt: 2, response, now, random: 0 })?.waitMs
  }
  assert.deepEqual(
    [1.5, 0, -1, null, undefined].map((given) => waitOf(given)),
    [1500, 9000, 9000, 9000, 9000],
  )
  assert.equal(waitOf(1, answered(429)), 1000)
  assert.deepEqual(
    [told[0], told.at(-1)],
    [
      [2, null, now],
      [2, 429, now],
    ],
  )
  for (const given of ['3', Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(() => waitOf(given), hasCode('custom/class-failed', /a number of seconds/))
})

test('waits: a template that gives nothing, or has no response, leaves it to the next strategy', () => {
  const waitOf = (template: string, response: ReturnType<typeof answered> | null) =>
    waitWith(errorsOf({ backoff_strategies: [fromResponse(template), constant(5)] }).waits)({
      attempt: 1,
      response,
      now,
      random: 0,
    })?.waitMs
  assert.equal(waitOf("{{ '' }}", answered(429)), 5000)
  assert.equal(waitOf('{{ none }}', answered(429)), 5000)
  assert.equal(waitOf('{{ response.after }}', null), 5000)
  assert.equal(waitOf('{{ 3 if not response else 4 }}', null), 3000)
})
