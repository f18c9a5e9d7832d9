/** Which run a sync resumes, and what a run remembers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StreamReceipt } from '../../src/sync/receipt.ts'
import { openSyncRun, type RunInput } from '../../src/sync/runs.ts'
import { shareDestination } from '../../src/sync/shared-destination.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'

const day = 24 * 60 * 60 * 1000
const begun = Date.UTC(2026, 10, 15, 8, 17)

async function place() {
  const to = memoryDestination()
  const destination = shareDestination(await to.open('shop'))
  const start = (afterMs: number, more: Partial<RunInput> = {}) =>
    openSyncRun(destination, {
      now: () => begun + afterMs,
      random: () => 0.25,
      configMark: 'c1',
      manifestMark: 'm1',
      isFresh: false,
      freshStart: undefined,
      ...more,
    })
  const stored = () => [...to.notes].flatMap(([key, text]) => (key.startsWith('run/') ? [JSON.parse(text)] : []))
  return { start, stored, destination }
}

const receipt = (stream: string, records = 1) => ({ stream, ending: 'complete', records }) as StreamReceipt

test('a run is named by the second that it began in, and by chance', async () => {
  const { start, stored } = await place()
  const run = await start(999)
  assert.equal(run.name, '20261115T081700Z-4000')
  assert.deepEqual([run.continues, run.isOtherConfig, run.receipts], [false, false, []])
  const times = { startedAt: begun + 999, endedAt: null, attempts: 1 }
  assert.deepEqual(stored(), [{ run: run.name, ...times, manifest: 'm1', streams: [] }])
  assert.equal((await start(5000, { random: () => 0.00002, isFresh: true })).name, '20261115T081705Z-0001')
})

const resumed: [name: string, isResumed: boolean, afterMs: number, more?: Partial<RunInput>][] = [
  ['the same again', true, 1000],
  ['less than a day later', true, day - 1],
  ['a day later', false, day],
  ['another config', false, 1000, { configMark: 'c2' }],
  ['another manifest', false, 1000, { manifestMark: 'm2' }],
  ['a fresh start', false, 1000, { isFresh: true }],
  ['a start with a name', true, 1000, { freshStart: 'job-1' }],
  ['a fresh start with another name', false, 1000, { isFresh: true, freshStart: 'job-1' }],
]

for (const [name, isResumed, afterMs, more] of resumed) {
  test(`${name} ${isResumed ? 'resumes' : 'does not resume'} a run that did not end`, async () => {
    const { start, stored } = await place()
    const first = await start(0)
    const second = await start(afterMs, { random: () => 0.5, ...more })
    assert.equal(second.continues, isResumed)
    assert.equal(second.name === first.name, isResumed)
    assert.equal(second.isOtherConfig, more?.configMark !== undefined)
    const attempts = stored().map((one) => one.attempts)
    assert.deepEqual(attempts, isResumed ? [2] : [1, 1])
  })
}

test('a run that ended is resumed by the next attempt at the same start alone', async () => {
  const { start, stored } = await place()
  const job = { isFresh: true, freshStart: 'job-1' }
  const first = await start(0, job)
  await first.end([receipt('orders')])
  assert.equal(stored()[0].endedAt, begun)
  const again = await start(1000, job)
  assert.deepEqual([again.continues, again.name, again.receipts.length], [true, first.name, 1])
  assert.deepEqual([stored()[0].endedAt, stored()[0].freshStart], [null, 'job-1'])
  await again.end([])
  assert.equal((await start(2000, { freshStart: 'job-2' })).continues, false)
  await (await start(3000)).end([])
  assert.equal((await start(4000)).continues, false)
})

test('where another machine with a clock that is ahead has begun a run, the next one is still the newest', async () => {
  const { start, stored } = await place()
  const ahead = await start(3000)
  await ahead.end([])
  const next = await start(0, { random: () => 0.5 })
  assert.equal(stored().find(({ run }) => run === next.name).startedAt, begun + 3001)
  assert.equal((await start(10, { random: () => 0.75 })).name, next.name)
})

test('receipts are kept by stream: the newer replaces the older, and those of other attempts stay', async () => {
  const { start, stored, destination } = await place()
  const run = await start(0)
  const commitWith = (one: StreamReceipt) =>
    destination.commit({ steps: [], forget: [], notes: new Map() }, [run.checkpointWith(one)])
  await commitWith(receipt('orders', 1))
  await commitWith(receipt('carts', 2))
  await commitWith(receipt('orders', 3))
  const shown = () => stored()[0].streams.map((one: StreamReceipt) => [one.stream, one.records])
  assert.deepEqual(shown(), [
    ['carts', 2],
    ['orders', 3],
  ])
  await run.end([receipt('carts', 4)])
  assert.deepEqual(shown(), [
    ['orders', 3],
    ['carts', 4],
  ])
})

test('five hundred runs are remembered besides the new one', async () => {
  const { start, stored, destination } = await place()
  const old = Array.from({ length: 501 }, (_, index) => ({ run: `r${index}`, startedAt: index, streams: [] }))
  const notes = new Map(old.map((one) => [`run/${one.run}`, JSON.stringify(one)]))
  await destination.commit({ steps: [], forget: [], notes })
  await start(0)
  const runs = stored().map(({ run }) => run)
  assert.deepEqual([runs.length, runs.includes('r0'), runs.includes('r1')], [501, false, true])
})
