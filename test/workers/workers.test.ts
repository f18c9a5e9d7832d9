/** Real worker processes on a real Postgres. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { text } from 'node:stream/consumers'
import { said } from '../cli/run-cli.ts'
import { until } from '../helpers/until.ts'
import { linesOf, secret, workerWorld } from './world.ts'

const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('a worker', () => {
  let world: Awaited<ReturnType<typeof workerWorld>>
  let worker: Awaited<ReturnType<(typeof world)['worker']>>
  before(async () => {
    world = await workerWorld()
    await world.connect('shop')
    worker = await world.worker(['--syncs', '1', '--port', '0'])
  })
  after(async () => {
    await worker[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  test('runs what is submitted, and is followed as a sync is', async () => {
    const ran = await world.run(['sync', 'shop', '--on'])
    assert.equal(ran.code, 0, ran.stderr)
    assert.match(ran.stderr, /Submitted the sync of "shop": job/)
    assert.match(ran.stderr, /has taken the job\.\nSyncing 1 stream of "shop"/)
    assert.match(ran.stderr, /orders +6 +4 .*\n[^]*6 records of 1 stream written to postgres:/)
    assert.match(ran.stderr, /^ {2}show {2}npx turnleaf query --connection shop /m)
    assert.deepEqual(await world.ids('shop'), ids(6))

    const json = await world.run(['jobs', '--json'])
    const [job] = linesOf(json.stdout) as unknown as Record<string, unknown>[]
    assert.equal(job?.state, 'ended')
    assert.deepEqual([job.ending, job.records, job.streams, job.streamsEnded], ['complete', 6, 1, 1])
    const listed = await world.run(['jobs', 'list'])
    assert.match(
      listed.stdout,
      /^id +connection +state +worker +progress\n\S+ +shop +complete +\S+ +6 records, 1 of 1 stream\n$/,
    )

    assert.equal((await fetch(`${worker.url}/health`)).status, 200)
    const metrics = await (await fetch(`${worker.url}/metrics`)).text()
    assert.match(metrics, /^turnleaf_worker_records_total 6$/m)
    assert.match(metrics, /^turnleaf_worker_jobs_total\{ending="complete"\} 1$/m)
    assert.match(metrics, /^turnleaf_queue_waiting 0$/m)
  })

  test('more syncs than slots wait for their turn; a connection has one job', async () => {
    const names = ['one', 'two', 'three']
    for (const name of names) await world.connect(name)
    const hold = world.hold()
    const submitted = await Promise.all(names.map((name) => world.run(['sync', name, '--on', '--detach'])))
    const jobIds = submitted.map(({ stdout }) => stdout.trim())
    const again = await world.run(['sync', 'three', '--on', '--detach'])
    assert.equal(again.stdout.trim(), jobIds[2])
    assert.match(again.stderr, /"three" is already waiting or running: following job /)
    await hold.held
    const states = (await world.jobs()).map(({ state }) => state)
    assert.deepEqual(states, ['running', 'waiting', 'waiting', 'ended'])
    hold.release()
    await until('every job ends', async () => (await world.jobs()).every(({ state }) => state === 'ended'))
    for (const name of names) assert.deepEqual(await world.ids(name), ids(6))
  })

  test('a job is cancelled by its id, and by Ctrl-C of who follows it; the next sync resumes', async () => {
    await world.connect('cancelled')
    const first = world.hold()
    const { stdout } = await world.run(['sync', 'cancelled', '--on', '--detach'])
    await first.held
    const cancelled = await world.run(['jobs', 'cancel', stdout.trim()])
    assert.equal(cancelled.code, 0, cancelled.stderr)
    assert.match(cancelled.stderr, /^Cancelled the sync of "cancelled"/)
    await using follower = world.start(['sync', 'cancelled', '--on'])
    const second = world.hold()
    first.release()
    await second.held
    await said(follower.child.stderr, 'has taken the job')
    const rest = text(follower.child.stderr)
    follower.child.kill('SIGINT')
    assert.equal(await follower.ended, 'SIGINT')
    assert.match(await rest, /Cancelling the job/)
    second.release()
    const ended = await world.run(['sync', 'cancelled', '--on'])
    assert.equal(ended.code, 0, ended.stderr)
    assert.deepEqual(await world.ids('cancelled'), ids(6))
    const states = (await world.jobs()).flatMap(({ connection, state }) => (connection === 'cancelled' ? [state] : []))
    assert.deepEqual(states.toSorted(), ['cancelled', 'cancelled', 'ended'])
    const unknown = await world.run(['jobs', 'cancel', '00000000-0000-0000-0000-000000000000'])
    assert.equal(unknown.code, 1)
    assert.match(unknown.stderr, /^workers\/no-job: /)
  })

  test('errors of a worker reach who submitted the sync', async () => {
    await world.connect('unset', { schema: '${NOT_SET}', destination: '${NOT_SET}' })
    const [missing, unset, path] = await Promise.all([
      world.run(['sync', 'absent', '--on']),
      world.run(['sync', 'unset', '--on']),
      world.run(['sync', './shop', '--on']),
    ])
    assert.equal(missing.code, 2)
    assert.match(missing.stderr, /connections\/not-found: There is no connection "absent"/)
    assert.match(missing.stderr, /This is about worker \S+\. Give every worker the same TURNLEAF_HOME/)
    assert.equal(unset.code, 2, unset.stderr)
    assert.match(
      unset.stderr,
      /connections\/missing-variable: .*NOT_SET.*\n +at .*connection\.yaml:\d+:\d+\n.*This is about worker/,
    )
    assert.equal(path.code, 2)
    assert.match(path.stderr, /cli\/arguments: With --on, name a connection/)
  })

  test('stops on SIGTERM; no secret is in its log or in any row', async () => {
    worker.child.kill('SIGTERM')
    assert.equal(await worker.ended, 'SIGTERM')
    const log = JSON.stringify(await worker.log())
    assert.match(log, /"event":"job-ended"/)
    const rows = await world.database.query(
      `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables WHERE table_schema LIKE 'turnleaf%'`,
    )
    let dump = ''
    for (const { name } of rows) dump += JSON.stringify(await world.database.query(`SELECT * FROM ${String(name)}`))
    assert.match(dump, /run-ended/)
    const password = new URL(world.database.url).password
    for (const written of [log, dump]) {
      assert.ok(!written.includes(secret))
      assert.ok(!written.includes(`:${password}@`))
    }
  })
})

describe('workers', { concurrency: 3 }, () => {
  test('a worker that is stopped hands its job back at once', async () => {
    await using world = await workerWorld({ size: 12 })
    await world.connect('shop', { mode: 'full-refresh-append' })
    await using one = await world.worker()
    const hold = world.hold()
    await using follower = world.start(['sync', 'shop', '--on'])
    await hold.held
    one.child.kill('SIGTERM')
    assert.equal(await one.ended, 'SIGTERM')
    // The job of a worker that died is running until its lease ends.
    const [job] = linesOf((await world.run(['jobs', '--json'])).stdout) as unknown as { state: string }[]
    assert.equal(job?.state, 'waiting')
    hold.release()
    await using other = await world.worker()
    await said(follower.child.stderr, 'has taken the job over')
    assert.equal(await follower.ended, 0)
    assert.deepEqual(await world.ids('shop'), ids(12))
    const log = await one.log()
    assert.ok(log.some(({ event, ending }) => event === 'job-ended' && ending === 'interrupted'))
    other.child.kill('SIGTERM')
    await other.ended
  })

  test('a worker that is killed, and one that is paused, lose their jobs to another; no row is doubled', async () => {
    await using world = await workerWorld({ size: 12 })
    await world.connect('killed', { mode: 'full-refresh-append' })
    await world.connect('paused', { mode: 'full-refresh-append' })
    const hold = world.hold()
    await using killed = await world.worker(['--syncs', '1'])
    await using follower = world.start(['sync', 'killed', '--on'])
    await said(follower.child.stderr, 'Syncing')
    await using paused = await world.worker(['--syncs', '1'])
    await using second = world.start(['sync', 'paused', '--on'])
    await said(second.child.stderr, 'Syncing')
    killed.child.kill('SIGKILL')
    paused.child.kill('SIGSTOP')
    await killed.ended
    await using other = await world.worker()
    await said(follower.child.stderr, 'has taken the job over')
    await said(second.child.stderr, 'has taken the job over')
    hold.release()
    assert.equal(await follower.ended, 0)
    assert.equal(await second.ended, 0)
    paused.child.kill('SIGCONT')
    paused.child.kill('SIGTERM')
    await paused.ended
    for (const name of ['killed', 'paused']) assert.deepEqual(await world.ids(name), ids(12))
    const log = await paused.log()
    assert.ok(
      log.some(({ event }) => event === 'job-ended' || event === 'job-failed'),
      JSON.stringify(log),
    )
    other.child.kill('SIGTERM')
    await other.ended
  })

  test('a database that cannot be used is a typed error', async () => {
    await using world = await workerWorld()
    const url = new URL(world.database.url)
    url.password = 'wrong'
    const [refused, nobody, none, absent] = await Promise.all([
      world.run(['worker', '--on', url.href]),
      world.run(['jobs', '--on', 'postgres://someone@127.0.0.1:1/none']),
      world.run(['worker'], { TURNLEAF_ON: '' }),
      world.runAlone(['worker'], { NODE_OPTIONS: `--import ${withoutQueue}` }),
    ])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^destinations\/unreachable: .*password authentication failed/)
    assert.ok(!refused.stderr.includes('wrong'))
    assert.match(nobody.stderr, /^destinations\/unreachable: .*ECONNREFUSED/)
    assert.equal(none.code, 2)
    assert.match(none.stderr, /^cli\/arguments: No database of workers/)
    assert.match(absent.stderr, /^workers\/no-queue: .*\n {2}try {2}.*npm install pg-boss@/)
    assert.equal((await world.run(['jobs'])).code, 0)
    await world.database.query('UPDATE turnleaf_queue.version SET version = 9999')
    const newer = await world.run(['jobs'])
    assert.match(newer.stderr, /^workers\/queue-version: .*has version 9999/)
    await world.database.query('UPDATE turnleaf_queue.version SET version = 1')
    const older = await world.run(['jobs'])
    assert.match(older.stderr, /^workers\/queue-version: .*[^.]\.\n.*drop the schema turnleaf_queue/)
    await world.database.query('DELETE FROM turnleaf_queue.version')
    assert.match((await world.run(['jobs'])).stderr, /^workers\/queue-version: The schema .* is not that of a queue/)
    const other = await world.run(['jobs', '--on', 'mysql://someone:hidden@db/x'])
    assert.equal(other.code, 2)
    assert.match(other.stderr, /^cli\/arguments: Workers share a Postgres database, and mysql: is none\./)
    assert.ok(!other.stderr.includes('hidden'))
    const unset = await world.run(['jobs', '--on', 'postgres://turnleaf:${NO_SUCH_PASSWORD}@db/x'])
    assert.match(unset.stderr, /^cli\/arguments: --on needs NO_SUCH_PASSWORD, which is not set/)
  })
})

/** A loader for which pg-boss is not installed. Node 26 warns of `register`, Node 20 has no `registerHooks`. */
const hook =
  "function resolve(name, context, next) { if (name === 'pg-boss') throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' }); return next(name, context) }"
const withoutQueue = `data:text/javascript,${encodeURIComponent(
  `import module from 'node:module'
${hook}
if (module.registerHooks) module.registerHooks({ resolve })
else module.register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(`export ${hook}`))})`,
)}`
