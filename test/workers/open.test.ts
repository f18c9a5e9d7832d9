/** Processes that start at the same time on an empty database. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { postgresPlace } from '../destinations/postgres/place.ts'
import { freshDatabase } from '../helpers/postgres.ts'
import { ConnectorError } from '../../src/std/errors.ts'
import { openQueueDatabase } from '../../src/workers/database.ts'
import { openWorkers } from '../../src/workers/open.ts'
import { prepareTables } from '../../src/workers/tables.ts'

const processes = 6
const each = <Result>(work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: processes }, (_, index) => work(index)))

test('workers create their tables once', async () => {
  for (let round = 0; round < 5; round++) {
    await using database = await freshDatabase()
    const opened = await each(() => openQueueDatabase(database.url))
    try {
      await Promise.all(opened.map(prepareTables))
    } finally {
      await Promise.all(opened.map((one) => one.close()))
    }
  }
})

test('workers create the tables of the queue once', async () => {
  await using database = await freshDatabase()
  const opened = await each(() => openWorkers(database.url))
  await Promise.all(opened.map((one) => one[Symbol.asyncDispose]()))
  assert.equal((await database.query('SELECT FROM turnleaf_queue.version')).length, 1)
})

test('a session that the server ends in the middle of a transaction fails that transaction, and nothing else', async () => {
  await using database = await freshDatabase()
  const own = await openQueueDatabase(database.url)
  try {
    await assert.rejects(
      own.transaction(async ({ query }) => {
        const [row] = await query('SELECT pg_backend_pid() AS pid')
        await database.query('SELECT pg_terminate_backend($1, 5000)', [row?.pid])
        // The end of the session arrives while no statement waits for it.
        await setTimeout(100)
        await query('SELECT 1')
      }),
      { code: 'destinations/lost' },
    )
    assert.deepEqual(await own.transaction(({ query }) => query('SELECT 1 AS one')), [{ one: 1 }])
  } finally {
    await own.close()
  }
})

test('a server that has no session left is not one that cannot be reached, and the hint says so', async () => {
  await using database = await freshDatabase()
  const role = `crowded_${randomBytes(6).toString('hex')}`
  await database.query(`CREATE ROLE ${role} LOGIN PASSWORD 'crowded' CONNECTION LIMIT 1`)
  const url = new URL(database.url)
  url.username = role
  url.password = 'crowded'
  const own = await openQueueDatabase(url.href)
  const isFull = (error: unknown) => {
    assert.ok(error instanceof ConnectorError)
    assert.equal(error.code, 'destinations/unreachable')
    assert.match(error.message, /has no session left: too many connections for role/)
    assert.match(error.hint, /max_connections/)
    return true
  }
  try {
    await own.transaction(async () => {
      await assert.rejects(own.query('SELECT'), isFull)
      await assert.rejects(
        own.transaction(async () => {}),
        isFull,
      )
      await assert.rejects(openQueueDatabase(url.href), isFull)
    })
  } finally {
    await own.close()
    await database.query(`DROP ROLE ${role}`)
  }
})

test('syncs of several connections create the tables of a schema once', async () => {
  await using database = await freshDatabase()
  for (let round = 0; round < 5; round++) {
    const { destination } = postgresPlace(database.url)
    const opened = await each((index) => destination.open(`shop${index}`))
    await Promise.all(opened.map((one) => one.close()))
  }
})
