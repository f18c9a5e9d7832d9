/** Schedules in the database of the workers: any worker starts them, none twice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../helpers/postgres.ts'
import { until } from '../helpers/until.ts'
import { openWorkers } from '../../src/workers/open.ts'
import {
  endAbandoned,
  endScheduled,
  setSharedSchedules,
  sharedSchedules,
  startDue,
} from '../../src/workers/schedules.ts'
import { linesOf, workerWorld } from './world.ts'

test('5,000 schedules: all that are due start once, whichever process looks; a connection with a job gets no second', async () => {
  await using database = await freshDatabase()
  await using one = await openWorkers(database.url)
  await using other = await openWorkers(database.url)
  const names = Array.from({ length: 5000 }, (_, index) => `c${String(index).padStart(4, '0')}`)
  // A new schedule with `every` is due at once, one with `cron` at its next time.
  const given = names.map((connection, index) => ({
    connection,
    schedule: index % 5 === 4 ? { cron: '0 0 1 1 *' } : { every: '1h' },
  }))
  await setSharedSchedules(one.database, given)
  assert.equal((await sharedSchedules(other.database)).length, 5000)
  const due = names.filter((_, index) => index % 5 !== 4)
  await one.queue.submitSync({ connection: 'c0000', options: {} })
  const started = await Promise.all([startDue(one.database, one.queue), startDue(other.database, other.queue)])
  assert.deepEqual(started.flat().toSorted(), due.slice(1))
  const jobs = await database.query('SELECT singleton_key FROM turnleaf_queue.job ORDER BY 1')
  assert.deepEqual(
    jobs.map(({ singleton_key }) => singleton_key),
    due,
  )
  // Nothing is due until the next hour.
  assert.deepEqual(await startDue(one.database, one.queue), [])
  const [first, second] = await sharedSchedules(one.database)
  assert.equal(first?.state?.last, null)
  assert.equal(second?.state?.last?.status, 'running')
})

test('a run that failed is tried again later, one that ended waits for its time, one that was removed is forgotten', async () => {
  await using database = await freshDatabase()
  await using workers = await openWorkers(database.url)
  const { database: own } = workers
  await setSharedSchedules(
    own,
    ['bad', 'good'].map((connection) => ({ connection, schedule: { every: '1s' } })),
  )
  await startDue(own, workers.queue)
  const failed = { status: 'failed', exitStatus: 1, run: null, error: null } as const
  await endScheduled(own, 'bad', 100, failed)
  await endScheduled(own, 'good', 100, { ...failed, status: 'complete', exitStatus: 0 })
  assert.equal(await endScheduled(own, 'none', 100, failed), null)
  const rows = await database.query(
    `SELECT connection, next_at > now() + interval '30 seconds' AS waits FROM turnleaf_workers.schedules ORDER BY 1`,
  )
  assert.deepEqual(rows, [
    { connection: 'bad', waits: true },
    { connection: 'good', waits: false },
  ])
})

test('a run whose job was given up or cancelled has ended; one that a worker ended a moment ago is left to it', async () => {
  await using database = await freshDatabase()
  await using workers = await openWorkers(database.url)
  const { database: own, queue } = workers
  const names = ['cancelled', 'died', 'ended', 'waits']
  await setSharedSchedules(
    own,
    names.map((connection) => ({ connection, schedule: { every: '1h' } })),
  )
  assert.deepEqual((await startDue(own, queue)).toSorted(), names)
  assert.deepEqual(await endAbandoned(own, queue), [])
  const end = (connection: string, state: string) =>
    database.query(
      `UPDATE turnleaf_queue.job SET state = $2, completed_on = now(), retry_count = 5 WHERE singleton_key = $1`,
      [connection, state],
    )
  await end('cancelled', 'cancelled')
  // As the queue leaves a job whose worker was silent too often.
  await end('died', 'failed')
  await end('ended', 'completed')
  const abandoned = await endAbandoned(own, queue)
  assert.deepEqual(abandoned.map(({ stored }) => stored.name).toSorted(), ['cancelled', 'died'])
  const listed = await sharedSchedules(own)
  assert.deepEqual(
    listed.map(({ name, state }) => [name, state?.last?.status, state?.last?.error?.code, state?.failures]),
    [
      ['cancelled', 'cancelled', undefined, 0],
      ['died', 'failed', 'workers/died', 1],
      ['ended', 'running', undefined, 0],
      ['waits', 'running', undefined, 0],
    ],
  )
  assert.deepEqual(await endAbandoned(own, queue), [])
  // Its worker died before it could store the end of the run.
  await database.query(
    `UPDATE turnleaf_queue.job SET completed_on = now() - interval '2 minutes', output = $1 WHERE singleton_key = 'ended'`,
    [{ ending: 'complete', records: 6 }],
  )
  await database.query(
    `UPDATE turnleaf_workers.schedules SET state = jsonb_set(state, '{last,startedAt}', '0') WHERE connection = 'ended'`,
  )
  const [late] = await endAbandoned(own, queue)
  assert.deepEqual([late?.stored.name, late?.stored.state?.last?.status], ['ended', 'complete'])
})

test('a scheduled run that uses up its tries is listed as failed, with its error, before the next time', async () => {
  await using world = await workerWorld()
  await world.connect('shop', { destination: 'postgres://someone@127.0.0.1:1/none' })
  await world.connect('lost')
  {
    await using workers = await openWorkers(world.database.url)
    const schedule = { every: '1h' }
    await setSharedSchedules(workers.database, [
      { connection: 'shop', schedule },
      { connection: 'lost', schedule },
    ])
    await startDue(workers.database, workers.queue)
    await world.database.query(`UPDATE turnleaf_queue.job SET retry_limit = 0`)
    await world.database.query(
      `UPDATE turnleaf_queue.job SET state = 'failed', completed_on = now() WHERE singleton_key = 'lost'`,
    )
  }
  await using worker = await world.worker()
  const list = async () =>
    linesOf((await world.run(['schedule', 'list', '--json', '--on'])).stdout) as unknown as {
      connection: string
      failures: number
      last: { status: string; error: { code: string } | null }
    }[]
  let listed = await list()
  for (let tries = 0; listed.some(({ last }) => last.status === 'running') && tries < 200; tries++)
    listed = await list()
  assert.deepEqual(
    listed.map(({ connection, failures, last }) => [connection, failures, last.status, last.error?.code]),
    [
      ['lost', 1, 'failed', 'workers/died'],
      ['shop', 1, 'failed', 'destinations/unreachable'],
    ],
  )
  const jobs = await world.jobs()
  assert.deepEqual(Object.fromEntries(jobs.map((job) => [job.connection, job.error?.code])), {
    lost: 'workers/died',
    shop: 'destinations/unreachable',
  })
  worker.child.kill('SIGTERM')
  await worker.ended
})

test('a worker runs a schedule that the command line adds; the list shows how it ended; secrets stay out', async () => {
  await using world = await workerWorld()
  await world.connect('shop')
  const plain = await world.run([
    'schedule',
    'add',
    'shop',
    '--every',
    '1h',
    '--webhook',
    'https://a.example/x',
    '--on',
  ])
  assert.equal(plain.code, 2)
  assert.match(plain.stderr, /^schedules\/webhook: .*must be a reference/)
  const wrong = await world.run(['schedule', 'add', 'shop', '--cron', '61 * * * *', '--on'])
  assert.match(wrong.stderr, /^schedules\/cron: /)
  const hooked: unknown[] = []
  const added = await world.run(['schedule', 'add', 'shop', '--every', '1h', '--webhook', '${SHOP_HOOK}', '--on'])
  assert.equal(added.code, 0, added.stderr)
  assert.match(added.stderr, /^The schedule is in postgres:.* Next run: now\.\n$/)
  world.onPost((body) => hooked.push(JSON.parse(body)))
  await using worker = await world.worker([], { SHOP_HOOK: `${world.api.url}/hook` })
  await until('the scheduled run has ended', async () => {
    const [listed] = linesOf((await world.run(['schedule', 'list', '--json', '--on'])).stdout) as unknown[]
    const { last } = listed as { last: { status: string } | null }
    assert.notEqual(last?.status, 'failed', JSON.stringify(listed))
    return last?.status === 'complete'
  })
  worker.child.kill('SIGTERM')
  await worker.ended
  assert.deepEqual(
    hooked.map((one) => (one as { status: string }).status),
    ['complete'],
  )
  assert.deepEqual(await world.ids('shop'), [1, 2, 3, 4, 5, 6])
  assert.match((await world.run(['schedule', 'pause', 'shop', '--on'])).stderr, /^Paused/)
  assert.match((await world.run(['schedule', 'resume', 'shop', '--on'])).stderr, /^Resumed/)
  assert.match((await world.run(['schedule', 'remove', 'shop', '--on'])).stderr, /^Removed/)
  assert.match((await world.run(['schedule', 'run', 'shop', '--on'])).stderr, /^schedules\/none: /)
})
