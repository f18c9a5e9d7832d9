/** Workers of different versions on one database. `npm run test:chaos -- versions` runs a real older one. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { said } from '../cli/run-cli.ts'
import { manifestOf, stream } from '../cli/shop.ts'
import { option } from '../helpers/manifests.ts'
import { followJob } from '../../src/workers/follow.ts'
import { openWorkers } from '../../src/workers/open.ts'
import { workerWorld } from './world.ts'

const newerWorker = fileURLToPath(new URL('worker-of-format.js', import.meta.url))
const shops = Array.from({ length: 12 }, (_, index) => `shop${index}`)

/** The API of the world, with a stream of one slice and one of twelve. */
async function versionsWorld() {
  const world = await workerWorld()
  const requester = { request_headers: { 'x-key': "{{ config['api_key'] }}" } }
  const sliced = stream(world.api.url, { name: 'orders', requester }) as { retriever: Record<string, unknown> }
  sliced.retriever.partition_router = {
    type: 'ListPartitionRouter',
    values: shops,
    cursor_field: 'shop',
    request_option: option('request_parameter', 'shop'),
  }
  await world.write('connectors/many/manifest.json', manifestOf([sliced]))
  return world
}

async function ended(world: Awaited<ReturnType<typeof workerWorld>>, connection: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const job = (await world.jobs()).find((one) => one.connection === connection)
    if (job?.state === 'ended') return
    await setTimeout(100)
  }
  assert.fail(`The job of ${connection} did not end: ${JSON.stringify(await world.jobs())}`)
}

describe('versions', { concurrency: 2 }, () => {
  test('an older worker leaves newer jobs and their parts to a newer one, which also runs older jobs', async () => {
    await using world = await versionsWorld()
    await world.connect('later')
    await world.connect('parts', { connector: 'many', mode: 'full-refresh-append' })
    for (const name of ['now', 'next']) await world.connect(name)
    await using workers = await openWorkers(world.database.url)
    for (const connection of ['later', 'parts']) await workers.queue.submitSync({ connection, options: {}, format: 2 })
    await using older = await world.worker(['--part-size', '4', '--split-from', '8'])
    // Submitted after those that it leaves, and not held up by them.
    assert.equal((await world.run(['sync', 'now', '--on'])).code, 0)
    const states = Object.fromEntries((await world.jobs()).map(({ connection, state }) => [connection, state]))
    assert.deepEqual(states, { later: 'waiting', parts: 'waiting', now: 'ended' })

    await using newer = await world.otherWorker(newerWorker, ['2'])
    await ended(world, 'later')
    await ended(world, 'parts')
    assert.deepEqual(await world.ids('later'), [1, 2, 3, 4, 5, 6])
    assert.equal((await world.ids('parts')).length, 6 * shops.length)
    older.child.kill('SIGTERM')
    await older.ended
    assert.equal((await world.run(['sync', 'next', '--on'])).code, 0)
    newer.child.kill('SIGTERM')
    await newer.ended

    const [left, ran] = [await older.log(), await newer.log()]
    assert.deepEqual(
      left.filter(({ event }) => event === 'newer-jobs').map(({ format }) => format),
      [2],
    )
    const endedBy = (log: typeof left) =>
      log.flatMap(({ event, connection = '' }) => (event === 'job-ended' ? [connection] : [])).toSorted()
    assert.deepEqual([endedBy(left), endedBy(ran)], [['now'], ['later', 'next', 'parts']])
    const parts = (log: typeof left) => log.filter(({ event }) => event === 'part-ended').length
    assert.deepEqual([parts(left), parts(ran)], [0, 3])
    assert.ok(!ran.some(({ event }) => event === 'newer-jobs'))
  })

  test('an older command follows a newer job: it overlooks what it does not know, and says how the job ended', async () => {
    await using world = await workerWorld()
    await world.connect('shop')
    await using worker = await world.worker()
    const hold = world.hold()
    await using follower = world.start(['sync', 'shop', '--on'])
    await hold.held
    await said(follower.child.stderr, 'Syncing')
    await using workers = await openWorkers(world.database.url)
    const [job] = await workers.queue.list(1)
    const id = String(job?.id)
    await world.database.query(
      `INSERT INTO turnleaf_workers.progress (job, key, attempt, position, event)
       VALUES ($1, 'later', 0, nextval('turnleaf_workers.progress_order'), '{"kind": "later", "format": 2}')`,
      [id],
    )
    hold.release()
    assert.equal(await follower.ended, 0)
    await world.database.query(
      `UPDATE turnleaf_workers.progress SET event = event || '{"format": 2}' WHERE job = $1 AND key = 'run-ended'`,
      [id],
    )
    const seen: string[] = []
    const followed = await followJob(id, {
      query: workers.database.query,
      queue: workers.queue,
      onEvent: ({ kind }) => seen.push(kind),
      signal: new AbortController().signal,
    })
    assert.ok(seen.includes('run-started') && !seen.includes('run-ended') && !seen.includes('later'))
    assert.deepEqual(followed, {
      kind: 'result',
      result: null,
      outcome: { ending: 'complete', records: 6 },
      isCancelled: false,
    })
    worker.child.kill('SIGTERM')
    await worker.ended
  })

  test('tables with additions of a newer version are used, those of an older one are added to; those that a newer one changed are refused', async () => {
    await using world = await workerWorld()
    await world.connect('shop')
    assert.equal((await world.run(['jobs'])).code, 0)
    for (const table of ['version', 'progress', 'schedules', 'slices'])
      await world.database.query(`ALTER TABLE turnleaf_workers.${table} ADD COLUMN later int NOT NULL DEFAULT 7`)
    await using worker = await world.worker()
    assert.equal((await world.run(['sync', 'shop', '--on'])).code, 0)
    assert.equal((await world.run(['schedule', 'add', 'shop', '--every', '1h', '--on'])).code, 0)
    worker.child.kill('SIGTERM')
    await worker.ended
    // As an older version would have left them.
    await world.database.query('DROP TABLE turnleaf_workers.schedules, turnleaf_workers.slices')
    await world.database.query('ALTER TABLE turnleaf_workers.version DROP COLUMN additions')
    assert.equal((await world.run(['schedule', 'add', 'shop', '--every', '1h', '--on'])).code, 0)
    await world.database.query('UPDATE turnleaf_workers.version SET version = 2')
    const refused = await world.run(['worker'])
    assert.equal(refused.code, 1)
    assert.match(
      refused.stderr,
      /^workers\/queue-version: The tables of the workers in .* have version 2; this Turnleaf/,
    )
  })
})
