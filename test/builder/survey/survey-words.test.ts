import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byOutcome, type SurveyOutcome, surveyWords } from '../../../src/builder/survey/survey-words.ts'
import type { SurveyResult } from '../../../src/server/wire/survey.ts'

const resultOf = (outcome: SurveyOutcome, fault: string = outcome): SurveyResult => ({
  stream: 'items',
  fault,
  does: 'sends something else',
  outcome,
  says: 'something happened',
  expected: 10,
  missing: 0,
  doubled: 0,
  requests: 1,
  verdict: null,
  error: null,
  ifCounted: null,
})

test('faults that do not apply are not counted among those that were tried', () => {
  const results = (['survives', 'survives', 'reports', 'does not apply'] as const).map((one) => resultOf(one))
  assert.equal(surveyWords(results), 'Survives 2 of 3 faults, reports 1, misses none')
  assert.equal(surveyWords([resultOf('misses')]), 'Survives 0 of 1 faults, reports none, misses 1')
})

test('what needs attention comes first, otherwise the order stays', () => {
  const results = [
    resultOf('survives', 'one'),
    resultOf('does not apply', 'two'),
    resultOf('misses', 'three'),
    resultOf('reports', 'four'),
    resultOf('survives', 'five'),
  ]
  assert.deepEqual(
    byOutcome(results).map(({ fault }) => fault),
    ['three', 'four', 'one', 'five', 'two'],
  )
})
