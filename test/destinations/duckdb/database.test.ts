/** A file that several connections of this process share, and the memory that DuckDB may use for it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { betweenCommits, openDatabase, whileNotWritten } from '../../../src/destinations/duckdb/database.ts'
import { temporaryFolder } from './places.ts'

test('memory grows with columns, texts and keys, and doubles where that was not enough', async () => {
  await using folder = await temporaryFolder()
  const database = await openDatabase(join(folder.path, 'shop.duckdb'), 'duckdb:shop.duckdb', 'a')
  const session = await database.connect()
  const limit = async () => {
    const [row] = await session.rows(`SELECT current_setting('memory_limit') AS most`)
    return row?.most
  }
  assert.equal(await limit(), '64.0 MiB')
  await session.provideFor({ columns: 16 })
  assert.equal(await limit(), '84.0 MiB')
  await session.provideFor({ columns: 8, rowBytes: 8192 })
  assert.equal(await limit(), '148.0 MiB')
  assert.equal(session.rowBytes(), 8192)
  // A tenth more is not worth a change.
  await session.provideFor({ columns: 16, rowBytes: 9000 })
  assert.deepEqual([await limit(), session.rowBytes()], ['148.0 MiB', 8192])
  await session.provideFor({ columns: 1, keys: 2 ** 22 })
  assert.equal(await limit(), '180.0 MiB')
  await session.provideFor({ columns: 16, rowBytes: 8192, keys: 2 ** 22 })
  assert.equal(await limit(), '180.0 MiB')
  assert.equal(await session.provideMore(), true)
  assert.equal(await limit(), '380.0 MiB')
  await session.withAllMemory(async () => assert.notEqual(await limit(), '380.0 MiB'))
  assert.equal(await limit(), '380.0 MiB')
  let times = 1
  while (times < 30 && (await session.provideMore())) times++
  assert.ok(times < 30, 'there is an end')
  session.close()
  await database.release()
})

test('a claim is held once, and the file is open until the last one is released', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'deep', 'shop.duckdb')
  const open = (claim: string) => openDatabase(file, 'duckdb:shop.duckdb', claim)
  const [one, other] = await Promise.all([open('a'), open('b')])
  await assert.rejects(open('a'), {
    code: 'destinations/busy',
    message: 'duckdb:shop.duckdb is held by another sync in this process.',
  })
  const isOpen = async () => (await betweenCommits(file, async () => true)) ?? false
  await one.release()
  await one.release()
  assert.equal(await isOpen(), true)
  assert.equal(await whileNotWritten(file, async () => true), null)
  await other.release()
  assert.equal(await isOpen(), false)
  assert.equal(await whileNotWritten(file, async () => true), true)
  await (await open('a')).release()
})

test('work comes one at a time, also after some that failed', async () => {
  await using folder = await temporaryFolder()
  const database = await openDatabase(join(folder.path, 'shop.duckdb'), 'duckdb:shop.duckdb', 'a')
  const order: string[] = []
  const work = (name: string) => async () => {
    order.push(`${name} begins`)
    await new Promise((resolve) => setImmediate(resolve))
    order.push(`${name} ends`)
    if (name === 'first') throw new Error('no')
  }
  const first = assert.rejects(database.exclusively(work('first')), /^Error: no/)
  await Promise.all([first, database.exclusively(work('second'))])
  assert.deepEqual(order, ['first begins', 'first ends', 'second begins', 'second ends'])
  await database.release()
})

test('a reader is ended by a sync that needs the file, which waits for it', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'shop.duckdb')
  let begins = () => {}
  const begun = new Promise<void>((resolve) => (begins = resolve))
  let hasEnded = false
  const read = whileNotWritten(path, async (taken) => {
    begins()
    await new Promise((resolve) => taken.addEventListener('abort', resolve))
    hasEnded = true
    throw new Error('it was ended')
  })
  await begun
  const database = await openDatabase(path, 'duckdb:shop.duckdb', 'a')
  assert.equal(hasEnded, true)
  assert.equal(await read, null)
  await database.release()
  await assert.rejects(
    whileNotWritten(path, () => Promise.reject(new Error('of its own'))),
    /of its own/,
  )
})
