/** Schedules in the database of the workers: any worker starts them, none twice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../helpers/postgres.ts'
import { openWorkers } from '../../src/workers/open.ts'
import { endScheduled, setSharedSchedules, sharedSchedules, startDue } from '../../src/workers/schedules.ts'
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
  let last: unknown
  while ((last as { status?: string } | null)?.status !== 'complete') {
    const [listed] = linesOf((await world.run(['schedule', 'list', '--json', '--on'])).stdout) as unknown[]
    last = (listed as { last: unknown }).last
  }
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
