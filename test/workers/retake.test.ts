/** A worker that takes a job again which the queue has taken from it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../helpers/until.ts'
import type { LogLine } from '../../src/workers/job-run.ts'
import { openWorkers } from '../../src/workers/open.ts'
import { startWorker } from '../../src/workers/worker.ts'
import { workerWorld } from './world.ts'

test('a worker that takes a job again stops its attempt before, and keeps the new one', async () => {
  await using world = await workerWorld({ size: 12 })
  await world.connect('shop')
  Object.assign(process.env, world.env)
  await using workers = await openWorkers(world.database.url, { isWorker: true })
  const { database, queue, openBudget } = workers
  const said: LogLine[] = []
  const stop = new AbortController()
  const worker = startWorker(database, queue, {
    name: 'one',
    home: world.home,
    defaultDestination: () => world.database.url,
    slots: { sync: 2, part: 1 },
    rules: { partSize: 100, fromSlices: 200 },
    openBudget,
    log: (line) => said.push(line),
    signal: stop.signal,
  })
  const heard = (attempt: number) => said.filter((line) => line.attempt === attempt).map(({ event }) => event)
  const { held, release } = world.hold()
  try {
    const { id } = await queue.submitSync({ connection: 'shop', options: {} })
    await held
    // As the queue does with a lease that has ended, while the database was away from the worker.
    await world.database.query(`UPDATE turnleaf_queue.job SET state = 'retry' WHERE id = $1`, [id])
    await until('the job is taken again', () => heard(1).includes('job-taken'))
    await until('the attempt before has ended', () => heard(0).length === 2)
    // The new one is among those whose leases are renewed, and that are waited for.
    assert.equal(worker.running('sync'), 1)
    release()
    await until('the job has ended', async () => (await queue.find('sync', id))?.state === 'ended')
    assert.deepEqual(heard(1), ['job-taken', 'job-ended'])
    assert.deepEqual(
      await world.ids('shop'),
      world.all.map(({ id: one }) => one),
    )
  } finally {
    release()
    stop.abort()
    await worker.ended
  }
})
