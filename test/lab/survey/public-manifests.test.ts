/**
 * Manifests that people run, of every kind of pagination, against an API that misbehaves: a quarter of them, and all with
 * `npm run test:proof`.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { FaultOutcome, SurveyResult } from '../../../src/lab/survey/result.ts'
import { survey } from '../../../src/lab/survey/survey.ts'
import { someOf } from '../../helpers/proof.ts'

/** What may become of a fault, whatever the manifest is like. */
const possible: Readonly<Record<string, readonly FaultOutcome[]>> = {
  cycle: ['reports', 'does not apply'],
  'ignored-parameter': ['reports', 'does not apply'],
  'repeated-cursor': ['reports', 'does not apply'],
  html: ['reports', 'does not apply'],
  'rate-limit': ['survives'],
  'capped-size': ['survives', 'misses', 'does not apply'],
  'short-page': ['survives', 'misses', 'does not apply'],
}

const names = `airtable apify-dataset auth0 coinmarketcap commission-junction gong iterable metabase ramp rollbar sendgrid stockdata
  testrail thinkific-courses thinkific workable zendesk-chat`

describe('survey of public manifests', { concurrency: 2 }, () => {
  for (const name of someOf(names.split(/\s+/))) {
    test(`${name}: reads without a fault, and every fault has an outcome that can be`, async () => {
      const text = readFileSync(`test/manifests/source-${name}.yaml`, 'utf8')
      const { results } = await survey(text, { faults: Object.keys(possible) })
      assert.ok(results.length > 0, 'no stream was surveyed')
      assert.deepEqual(results.filter(isImpossible), [])
    })
  }
})

function isImpossible({ fault, outcome, expected }: SurveyResult): boolean {
  return !possible[fault]?.includes(outcome) || (outcome !== 'does not apply' && expected === 0)
}
