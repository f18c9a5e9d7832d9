/** What is shown of the runs that a destination remembers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pastRuns } from '../../src/sync/past-runs.ts'

const stored = (
  connection: string,
  run: string,
  startedAt: number,
  endedAt: number | null,
  endings: string[] = [],
) => ({
  connection,
  key: `run/${run}`,
  text: JSON.stringify({ run, startedAt, endedAt, streams: endings.map((ending) => ({ stream: ending, ending })) }),
})

const all = [
  stored('shop', 'first', 1, null, ['complete']),
  stored('mail', 'only', 2, null),
  stored('shop', 'second', 3, 4, ['complete', 'held']),
  stored('shop', 'third', 5, null),
]
const shown = (connection?: string) => pastRuns(all, connection).map(({ run, status }) => `${run} ${status}`)

test('runs come newest first; one that did not end is interrupted once another one of its connection has begun', () => {
  assert.deepEqual(shown(), ['third unfinished', 'second held', 'only unfinished', 'first interrupted'])
  assert.deepEqual(shown('shop'), ['third unfinished', 'second held', 'first interrupted'])
  assert.deepEqual(shown('mail'), ['only unfinished'])
  assert.deepEqual(shown('none'), [])
})
