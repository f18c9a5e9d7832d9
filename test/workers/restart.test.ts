/** The database of queue and tables goes away and comes back. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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

test('a command that follows a job outlasts a restart of Postgres, and reports how the job ended', async () => {
  await using server = await startPostgres()
  await using world = await workerWorld({ size: 12, server: server.url })
  await world.connect('shop')
  await using worker = await world.worker(['--syncs', '1'])
  const { held, release } = world.hold()
  const followed = world.run(['sync', 'shop', '--on'])
  await held
  await server.stop('immediate')
  await setTimeout(1000)
  await server.start()
  release()
  const { code, stdout, stderr } = await followed
  assert.equal(code, 0, stderr)
  assert.match(stdout + stderr, /does not respond: waiting for it/)
  worker.child.kill('SIGTERM')
  assert.equal(await worker.ended, 'SIGTERM')
})

test('the queue is away when a sync into another destination ends: its worker ends the job later, and nothing is read twice', async () => {
  await using server = await startPostgres()
  await using world = await workerWorld({ size: 12, server: server.url })
  await connectToFolder(world)
  await using worker = await world.worker(['--syncs', '1'])
  const { held, release } = world.hold()
  const submitted = await world.run(['sync', 'shop', '--on', '--detach'])
  assert.equal(submitted.code, 0, submitted.stderr)
  await held
  await server.stop('immediate')
  release()
  await runEnded(world)
  // The worker has a job to end, and no queue to end it in.
  await setTimeout(1000)
  const asked = world.api.asked.length
  await server.start()
  await until('the job ends', async () => {
    const [job] = await world.jobs()
    assert.ok(job !== undefined && job.state !== 'failed', JSON.stringify(job))
    return job.state === 'ended'
  })
  worker.child.kill('SIGTERM')
  assert.equal(await worker.ended, 'SIGTERM')
  const events = (await worker.log()).map(({ event }) => event)
  assert.equal(events.filter((event) => event === 'job-taken').length, 1, events.join())
  assert.equal(world.api.asked.length, asked)
})

test('a worker that is stopped while the queue is away ends, and the job that it could not end is not read again', async () => {
  await using server = await startPostgres()
  await using world = await workerWorld({ size: 12, server: server.url })
  await connectToFolder(world)
  await using worker = await world.worker(['--syncs', '1'])
  const { held, release } = world.hold()
  await world.run(['sync', 'shop', '--on', '--detach'])
  await held
  await server.stop('immediate')
  release()
  await runEnded(world)
  worker.child.kill('SIGTERM')
  assert.equal(await worker.ended, 'SIGTERM')
  const asked = world.api.asked.length
  await server.start()
  await using next = await world.worker(['--syncs', '1'])
  await next.logs('job-ended')
  assert.equal(world.api.asked.length, asked)
  next.child.kill('SIGTERM')
  assert.equal(await next.ended, 'SIGTERM')
})

test('the queue is away from a worker that has no job: it says so, and nothing else until the queue is back', async () => {
  await using server = await startPostgres()
  await using world = await workerWorld({ server: server.url })
  await using worker = await world.worker()
  const heard = () => worker.logSoFar().filter(({ event }) => event.startsWith('queue-'))
  await server.stop('fast')
  await until('its last word is that the queue is away', () => heard().at(-1)?.event === 'queue-unreachable')
  // Some questions may have been answered while the server stopped.
  await setTimeout(500)
  const said = heard()
  // Longer than the time after which it would renew leases, if it had any.
  await setTimeout(4000)
  assert.deepEqual(heard(), said)
  assert.match(said.at(-1)?.error?.hint ?? '', /tries again by itself/)
  await server.start()
  await until('its last word is that the queue is back', () => heard().at(-1)?.event === 'queue-reached')
  worker.child.kill('SIGTERM')
  assert.equal(await worker.ended, 'SIGTERM')
})

type World = Awaited<ReturnType<typeof workerWorld>>

/** Into a destination that does not need the database of the queue, and where a second read would append. */
async function connectToFolder(world: World): Promise<void> {
  await world.connect('shop', { destination: 'jsonl:../../out', mode: 'full-refresh-append' })
  const file = join(world.home, 'connections/shop/connection.yaml')
  // A folder has no schemas.
  await writeFile(file, (await readFile(file, 'utf8')).replace('schema: shop\n', ''))
}

function runEnded(world: World): Promise<unknown> {
  let heard = ''
  return until(
    () => `the run ends: ${heard}`,
    async () => {
      const { stdout, stderr } = await world.run(['runs', '--to', 'jsonl:out', '--json'])
      heard = stdout + stderr
      return /"endedAt":\s*"?\d/.test(stdout)
    },
  )
}
