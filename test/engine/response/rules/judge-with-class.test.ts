/** What a class makes of a request that failed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CustomPlan } from '../../../../src/engine/custom/component.ts'
import type { ErrorRules } from '../../../../src/engine/plan/error-handler.ts'
import {
  ErrorHandler,
  failureOutcomeWith,
  type Interpretation,
} from '../../../../src/engine/response/rules/judge-with-class.ts'
import { ConnectorError } from '../../../../src/std/errors.ts'
import { hasCode } from '../asking.ts'

const filters: ErrorRules = { kind: 'filters', filters: [] }
const failure = new ConnectorError('response/unreachable', 'Nobody is there.')
const at = { pointer: '/handler' }

/** The outcome of a failure where these classes are asked in turn; null is one without an opinion. */
function judged(...opinions: readonly unknown[]) {
  class Opinion extends ErrorHandler {
    readonly opinion: unknown
    constructor(opinion: unknown) {
      super({ config: {}, parameters: {} })
      this.opinion = opinion
    }
    interpret() {
      return this.opinion as Interpretation | null
    }
  }
  const plans = opinions.map(
    (_, index): CustomPlan => ({ role: 'error handler', className: `C${index}`, fields: {}, at }),
  )
  const handlers = new Map(plans.map((plan, index) => [plan, new Opinion(opinions[index])]))
  const members = plans.map((custom): ErrorRules => ({ kind: 'custom', custom, otherwise: filters }))
  return failureOutcomeWith({ kind: 'in-turn', members }, handlers)(failure)
}

test('a failure: each action has its outcome, in the words of the class', () => {
  const reason = 'Nobody is there.'
  assert.deepEqual(judged({ action: 'ignore' }), { kind: 'ignore', reason })
  assert.deepEqual(judged({ action: 'accept' }), { kind: 'ignore', reason })
  assert.deepEqual(judged({ action: 'reset', message: 'Anew' }), { kind: 'reset', reason: `Anew (${reason})` })
  assert.deepEqual(judged({ action: 'retry', waitSeconds: 0 }), { kind: 'retry', reason, ownWaitMs: 0 })
  assert.deepEqual(judged({ action: 'retry', waitSeconds: 0.0015 }), { kind: 'retry', reason, ownWaitMs: 2 })
  assert.deepEqual(judged({ action: 'rate-limited' }), { kind: 'retry', reason, isRateLimited: true })
  assert.deepEqual(judged({ action: 'refresh' }), { kind: 'retry', reason, needsRefresh: true })
  assert.deepEqual(judged({ action: 'fail', message: 'Closed', failureType: 'config_error' }), {
    kind: 'fail',
    code: 'response/unreachable',
    message: `Closed (${reason})`,
    at,
    failureType: 'config_error',
  })
})

test('a failure without an opinion is tried again, whatever comes next', () => {
  assert.equal(judged(null), null)
  assert.equal(judged(undefined), null)
  assert.equal(judged(null, { action: 'ignore' }), null)
  assert.equal(failureOutcomeWith(filters, new Map())(failure), null)
})

test('a failure: after a refusal, a rate limit or a token to refresh the next one is asked, after all else it is not', () => {
  for (const action of ['fail', 'rate-limited', 'refresh']) {
    assert.equal(judged({ action }, { action: 'reset' })?.kind, 'reset', action)
  }
  for (const [action, kind] of [
    ['accept', 'ignore'],
    ['ignore', 'ignore'],
    ['retry', 'retry'],
  ]) {
    assert.equal(judged({ action }, { action: 'reset' })?.kind, kind, action)
  }
  assert.equal(judged({ action: 'reset' }, { action: 'ignore' })?.kind, 'reset')
})

test('an opinion of another kind is an error that says what is wrong with it', () => {
  const refused = (opinion: unknown, words: RegExp) =>
    assert.throws(() => judged(opinion), hasCode('custom/class-failed', words))
  refused('retry', /a string, not an object with an `action`/)
  refused({ action: 'again' }, /`again` is none of accept, ignore, retry/)
  refused({ action: 'retry', message: 7 }, /a number, not a string as its `message`/)
  refused({ action: 'retry', waitSeconds: -1 }, /a number, not a number of seconds as its `waitSeconds`/)
  refused({ action: 'retry', waitSeconds: '3' }, /a string, not a number of seconds/)
})
