/** `api_budget` as plain data, and each way it can be wrong. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadManifest } from '../../../src/connector/load-manifest.ts'
import { planBudget } from '../../../src/engine/plan/budget.ts'
import { ConnectorError, type ErrorCode } from '../../../src/std/errors.ts'
import { manifestOf } from '../../helpers/manifests.ts'

function planned(api_budget: Record<string, unknown>, config: Record<string, unknown> = {}) {
  const manifest = loadManifest({ ...manifestOf(), api_budget: { type: 'HTTPAPIBudget', ...api_budget } })
  return planBudget({ manifest, config })
}

const moving = (rates: object[], matchers: object[] = []) => ({ type: 'MovingWindowCallRatePolicy', rates, matchers })
const minute = { limit: 10, interval: 'PT1M' }

test('every field, with what config and defaults say', () => {
  const everything = {
    method: 'get',
    url_base: 'https://a.test//',
    url_path_pattern: '^/x',
    weight: "{{ config['w'] }}",
  }
  const plan = planned(
    {
      policies: [
        moving(
          [{ limit: "{{ {'pro': 400}.get(config.tier, 200) }}", interval: 'PT1M30S' }],
          [{ ...everything, params: { page: 1, all: true }, headers: { 'X-Plan': 'pro' } }],
        ),
        { type: 'FixedWindowCallRatePolicy', period: 'P1D', call_limit: 5, matchers: [] },
        { type: 'UnlimitedCallRatePolicy', matchers: [] },
      ],
      ratelimit_reset_header: 'X-Reset',
      status_codes_for_ratelimit_hit: [],
    },
    { tier: 'pro', w: 3 },
  )
  assert.deepEqual(plan, {
    policies: [
      {
        kind: 'moving',
        rates: [{ limit: 400, intervalMs: 90_000 }],
        matchers: [
          {
            method: 'GET',
            origin: 'https://a.test',
            path: '^/x',
            query: { page: '1', all: 'True' },
            headers: { 'x-plan': 'pro' },
            weight: 3,
          },
        ],
      },
      { kind: 'fixed', limit: 5, intervalMs: 86_400_000, matchers: [] },
      { kind: 'unlimited', matchers: [] },
    ],
    resetHeader: 'x-reset',
    remainingHeader: 'ratelimit-remaining',
    exhaustedStatuses: [429],
  })
})

test('no budget is none', () => {
  assert.equal(planBudget({ manifest: loadManifest(manifestOf()), config: {} }), null)
})

const rate = '/api_budget/policies/0/rates/0'
const match = '/api_budget/policies/0/matchers/0'
const faults: [name: string, policy: object, code: ErrorCode, at: string][] = [
  ['a limit of 0', moving([{ ...minute, limit: 0 }]), 'plan/invalid-budget', `${rate}/limit`],
  ['a limit below 0', moving([{ ...minute, limit: -5 }]), 'plan/invalid-budget', `${rate}/limit`],
  ['a limit that rounds to 0', moving([{ ...minute, limit: '{{ 1 / 2 }}' }]), 'plan/invalid-budget', `${rate}/limit`],
  ['a limit that is a word', moving([{ ...minute, limit: "{{ 'many' }}" }]), 'plan/invalid-number', `${rate}/limit`],
  ['no rate', moving([]), 'plan/invalid-budget', '/api_budget/policies/0/rates'],
  ['an interval in words', moving([{ limit: 1, interval: '1 minute' }]), 'plan/invalid-duration', `${rate}/interval`],
  ['an interval of months', moving([{ limit: 1, interval: 'P1M' }]), 'plan/invalid-duration', `${rate}/interval`],
  ['no time at all', moving([{ limit: 1, interval: 'PT0S' }]), 'plan/invalid-duration', `${rate}/interval`],
  ['time that goes back', moving([{ limit: 1, interval: '-PT5S' }]), 'plan/invalid-duration', `${rate}/interval`],
  [
    'a fixed window without calls',
    { type: 'FixedWindowCallRatePolicy', period: 'PT1M', call_limit: 0, matchers: [] },
    'plan/invalid-budget',
    '/api_budget/policies/0/call_limit',
  ],
  [
    'a fixed window of words',
    { type: 'FixedWindowCallRatePolicy', period: 'daily', call_limit: 1, matchers: [] },
    'plan/invalid-duration',
    '/api_budget/policies/0/period',
  ],
  ['a weight of 0', moving([minute], [{ weight: 0 }]), 'plan/invalid-budget', `${match}/weight`],
  ['a weight above the limit', moving([minute], [{ weight: 11 }]), 'plan/invalid-budget', `${match}/weight`],
  [
    'a pattern that is none',
    moving([minute], [{ url_path_pattern: '(a' }]),
    'manifest/invalid-value',
    `${match}/url_path_pattern`,
  ],
  [
    'a pattern that only backtracking runs',
    moving([minute], [{ url_path_pattern: '(?=a)b' }]),
    'manifest/invalid-value',
    `${match}/url_path_pattern`,
  ],
  [
    'a pattern longer than any',
    moving([minute], [{ url_path_pattern: 'a'.repeat(2000) }]),
    'manifest/invalid-value',
    `${match}/url_path_pattern`,
  ],
]
for (const [name, policy, code, pointer] of faults) {
  test(`refused at its place: ${name}`, () => {
    assert.throws(
      () => planned({ policies: [policy] }),
      (error) => {
        assert.ok(error instanceof ConnectorError)
        assert.deepEqual([error.code, error.at?.pointer], [code, pointer])
        return true
      },
    )
  })
}

test('the budgets of public connectors can be planned', () => {
  for (const file of readdirSync('test/manifests')) {
    const manifest = loadManifest(readFileSync(`test/manifests/${file}`, 'utf8'), { file })
    planBudget({ manifest, config: {} })
  }
})
