/** The database of queue and tables goes away and comes back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { until } from '../helpers/until.ts'
import { startPostgres } from '../helpers/postgres-server.ts'
import { workerWorld } from './world.ts'

test('Postgres restarts under a worker in the middle of a sync: the job ends complete, and no row is lost or doubled', async () => {
  await using server = await startPostgres()
  await using world = await workerWorld({ size: 12, server: server.url })
  await world.connect('shop')
  await using worker = await world.worker(['--syncs', '1'])
  const { held, release } = world.hold()
  const submitted = await world.run(['sync', 'shop', '--on', '--detach'])
  assert.equal(submitted.code, 0, submitted.stderr)
  await held
  await server.stop('immediate')
  // The worker has something to write, and nowhere to write it to.
  release()
  await setTimeout(1000)
  await server.start()
  await until('the job ends', async () => {
    const [job] = await world.jobs()
    assert.ok(job !== undefined && job.state !== 'failed', JSON.stringify(job))
    return job.state === 'ended'
  })
  assert.deepEqual(
    await world.ids('shop'),
    world.all.map(({ id }) => id),
  )
  worker.child.kill('SIGTERM')
  assert.equal(await worker.ended, 'SIGTERM')
})
