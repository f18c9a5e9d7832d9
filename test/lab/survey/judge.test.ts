import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectorError } from '../../../src/std/errors.ts'
import type { Verdict } from '../../../src/proof/verdict/verdict-name.ts'
import { judgeRead, whyUnfit } from '../../../src/lab/survey/judge.ts'
import type { ReadResult } from '../../../src/lab/survey/read-first-slice.ts'

const healthy = ['1', '2', '3', '4']
const loop = new ConnectorError('pagination/loop', 'It does not end.')

function readResult(came: readonly string[], verdict: Verdict | null, rest: Partial<ReadResult> = {}): ReadResult {
  const judgement = verdict === null ? null : { verdict, reason: 'so it is' }
  return { came, pages: 2, requests: 2, verdict: judgement, error: null, isEndless: false, unanswered: [], ...rest }
}

const rows: [string, ReadResult, string, string][] = [
  [
    'every record, proven',
    readResult(healthy, 'complete'),
    'survives',
    'All 4 records were read, none twice; the receipt says complete: so it is.',
  ],
  [
    'every record, unproven: honest',
    readResult(healthy, 'unproven'),
    'survives',
    'All 4 records were read, none twice; the receipt says not verified: so it is.',
  ],
  [
    'every record, and a record that is new',
    readResult([...healthy, '5'], 'unproven'),
    'survives',
    'All 4 records were read, none twice; the receipt says not verified: so it is.',
  ],
  [
    'every record, but a false alarm',
    readResult(healthy, 'incomplete'),
    'reports',
    'All 4 records were read, but the receipt says incomplete: so it is.',
  ],
  [
    'one missing, and reported',
    readResult(['1', '2', '3'], 'incomplete'),
    'reports',
    '1 of 4 records is missing, and the receipt says incomplete: so it is.',
  ],
  [
    'two missing, and not reported',
    readResult(['1', '2'], 'unproven'),
    'misses',
    '2 of 4 records are missing, and the receipt says not verified: so it is.',
  ],
  [
    'missing, although proven complete',
    readResult(['1', '2'], 'complete'),
    'misses',
    '2 of 4 records are missing, and the receipt says complete: so it is.',
  ],
  [
    'duplicated, and reported',
    readResult([...healthy, '4'], 'duplicated'),
    'reports',
    '1 of 4 records was read twice, and the receipt says duplicated: so it is.',
  ],
  [
    'missing and doubled',
    readResult(['1', '1', '2'], 'unproven'),
    'misses',
    '2 of 4 records are missing and 1 was read twice, and the receipt says not verified: so it is.',
  ],
  [
    'nothing was read',
    readResult([], null),
    'misses',
    '4 of 4 records are missing, and the receipt says not verified: nothing was read.',
  ],
  [
    'an error',
    readResult(['1'], null, { error: loop }),
    'reports',
    'The read stops with pagination/loop: It does not end.',
  ],
  [
    'no end',
    readResult(healthy, null, { isEndless: true, requests: 401 }),
    'misses',
    'The read had not ended after 401 requests.',
  ],
]

for (const [name, result, outcome, says] of rows) {
  test(`outcome: ${name}`, () => {
    const judged = judgeRead(result, healthy)
    assert.deepEqual([judged.outcome, judged.says], [outcome, says])
  })
}

const unfit: [string, ReadResult, RegExp | null][] = [
  ['a read to its end', readResult(healthy, 'unproven'), null],
  ['an error', readResult([], null, { error: loop }), /^does not read even without a fault: It does not end\.$/],
  ['no end', readResult(healthy, null, { isEndless: true }), /^does not end/],
  [
    'an unknown request',
    readResult(healthy, 'complete', { unanswered: ['GET https://a.test/b'] }),
    /GET https:\/\/a\.test\/b/,
  ],
  ['no records', readResult([], 'unproven'), /no record/],
  ['records that are alike', readResult(['1', '1'], 'unproven'), /cannot be distinguished/],
  ['one page where there should be more', readResult(healthy, 'unproven', { pages: 1 }), /reads only one page/],
  [
    'an alarm',
    readResult(healthy, 'incomplete'),
    /^gets responses from the local API that contradict each other: so it is$/,
  ],
]

for (const [name, result, why] of unfit) {
  test(`fit for a survey: ${name}`, () => {
    const said = whyUnfit(result, true)
    if (why === null) assert.equal(said, null)
    else assert.match(said ?? '', why)
  })
}
