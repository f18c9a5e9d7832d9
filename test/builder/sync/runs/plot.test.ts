/** Runs → their plot and their words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plotOf } from '../../../../src/builder/sync/runs/plot.ts'
import {
  runEnd,
  runEndTone,
  runEndWords,
  recordsOf,
  shortAddress,
} from '../../../../src/builder/sync/runs/run-words.ts'
import type { ConnectorRun } from '../../../../src/server/wire/run.ts'

type Receipt = ConnectorRun['streams'][number]

const receipt = (records: number, verdict: Receipt['verdict'] = 'complete', stream = 'orders'): Receipt => ({
  stream,
  ending: 'complete',
  pages: 1,
  records,
  verdict,
  reason: '',
  tookMs: 1,
})

const run = (minute: number, seconds: number | null, streams: Receipt[], changes: Partial<ConnectorRun> = {}) => {
  const startedAt = Date.UTC(2026, 0, 1, 0, minute)
  return {
    run: `run-${minute}`,
    connection: 'shop',
    destination: 'here',
    to: 'duckdb:/home/me/shop.duckdb',
    sync: null,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: seconds === null ? null : new Date(startedAt + seconds * 1000).toISOString(),
    attempts: 1,
    status: 'complete',
    streams,
    progress: [],
    ...changes,
  } satisfies ConnectorRun
}

test('one run is no comparison, and one that has not ended has no duration', () => {
  assert.equal(plotOf([]), null)
  assert.equal(plotOf([run(2, null, []), run(1, 1, [receipt(10)])]), null)
})

test('the oldest run is first; the most records and the longest duration reach the top', () => {
  const plot = plotOf([run(3, 4, [receipt(50)]), run(2, 1, [receipt(60), receipt(40)]), run(1, 2, [])])
  assert.deepEqual(
    plot?.runs.map(({ run: name, records, ms }) => [name, records, ms]),
    [
      ['run-1', 0, 2000],
      ['run-2', 100, 1000],
      ['run-3', 50, 4000],
    ],
  )
  assert.deepEqual([plot?.mostRecords, plot?.longestMs], [100, 4000])
  assert.deepEqual(
    plot?.runs.map(({ barTop }) => barTop),
    [96, 8, 52],
  )
  assert.equal(plot?.runs[2]?.lineY, 8)
  const xs = plot?.runs.map(({ x }) => x) ?? []
  assert.deepEqual(
    xs,
    xs.toSorted((one, other) => one - other),
  )
})

test('runs without a record are drawn, and many runs are cut to the latest', () => {
  assert.deepEqual(
    plotOf([run(2, 0, []), run(1, 0, [])])?.runs.map(({ barTop, lineY }) => [barTop, lineY]),
    [
      [96, 96],
      [96, 96],
    ],
  )
  const many = plotOf(Array.from({ length: 90 }, (_, index) => run(90 - index, 1, [receipt(1)])))
  assert.deepEqual([many?.runs.length, many?.runs.at(-1)?.run], [40, 'run-90'])
})

test('a run is said by its lowest verdict where it was read to its end, and by its ending otherwise', () => {
  const said = (streams: Receipt[], status: ConnectorRun['status'] = 'complete') => {
    const outcome = runEnd(run(1, 1, streams, { status }))
    return [runEndWords(outcome), runEndTone(outcome)]
  }
  assert.deepEqual(said([receipt(1)]), ['complete', 'good'])
  assert.deepEqual(said([receipt(1), receipt(1, 'unproven')]), ['not verified', 'plain'])
  assert.deepEqual(said([receipt(1, 'duplicated')], 'incomplete'), ['duplicated', 'warning'])
  assert.deepEqual(said([receipt(1)], 'held'), ['held', 'warning'])
  assert.deepEqual(said([], 'failed'), ['failed', 'bad'])
  assert.deepEqual(said([], 'unfinished'), ['unfinished', 'plain'])
})

test('a stream that was read counts once, whatever is committed of it', () => {
  const progress = [
    { stream: 'orders', pages: 1, records: 5 },
    { stream: 'customers', pages: 1, records: 7 },
  ]
  assert.equal(recordsOf(run(1, null, [receipt(10)], { progress })), 17)
})

test('an address is shown by its last part; a database as it is', () => {
  assert.equal(shortAddress('duckdb:/home/me/shop.duckdb'), 'duckdb:shop.duckdb')
  assert.equal(shortAddress('jsonl:out'), 'jsonl:out')
  assert.equal(shortAddress('postgres://me@db:5432/shop'), 'postgres://me@db:5432/shop')
})
