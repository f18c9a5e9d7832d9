/** Queries in a process of their own: what they may do, what ends them, and what a sync notices of them. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { outputOf, queryInProcess } from '../../../src/destinations/duckdb/query-in-process.ts'
import { duckdbDestination } from '../../../src/destinations/duckdb/duckdb.ts'
import { ConnectorError } from '../../../src/std/errors.ts'
import { until } from '../../helpers/until.ts'
import { lookInto, openDatabase } from '../../../src/destinations/duckdb/database.ts'

/** Runs until it is ended. */
const endless = 'select count(*) from range(1000000000) a, range(1000000000) b where a.range * b.range % 7 = 3'

async function makeDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'turnleaf-apart-'))
  const file = join(folder, 'shop.duckdb')
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  await connection.run('create table orders as select range as id from range(1000)')
  connection.closeSync()
  instance.closeSync()
  return {
    file,
    address: `duckdb:${file}`,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
    folder,
  }
}

/** The query processes that this one started and that still run; other tests may have a database server of their own. */
function children(): number[] {
  return readdirSync('/proc/self/task')
    .flatMap((thread) => textOf(`/proc/self/task/${thread}/children`).split(' ').filter(Boolean).map(Number))
    .filter((pid) => textOf(`/proc/${pid}/cmdline`).includes('query-process'))
}

/** Empty once the thread or process is gone. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const oneChild = () => until('a process of a query runs', () => children()[0])

function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'answered',
    (error: unknown) => (error instanceof ConnectorError ? error.code : (error as Error).name),
  )
}

test('a process that writes more than a result may have is ended, and none of that is kept', async () => {
  const read = async (...parts: string[]) => {
    let ends = 0
    const text = await outputOf(Readable.from(parts.map((part) => Buffer.from(part))), 6, () => void ends++)
    return [text, ends]
  }
  assert.deepEqual(await read(), ['', 0])
  assert.deepEqual(await read('€', '€'), ['€€', 0])
  assert.deepEqual(await read('€', '€', 'x', 'y'), ['€€', 2])
})

// What else is answered, and what is refused: confined-query.test.ts.
test('one SELECT is answered, and what shows settings of the server is refused', async () => {
  await using shop = await makeDatabase()
  const ask = (sql: string) => queryInProcess(shop.file, shop.address, sql, 10)
  const [counted, described] = await Promise.all([ask('select count(*) from orders'), ask('describe orders')])
  assert.deepEqual(counted.rows, [[1000]])
  assert.ok(described.rows.length > 0)
  assert.equal(await codeOf(ask('from duckdb_settings()')), 'destinations/query-refused')
  assert.deepEqual(readdirSync(shop.folder), ['shop.duckdb'], 'nothing is left next to the database')
})

test('a query that takes too much memory is ended with an error of its own, by DuckDB or by its process', async () => {
  await using shop = await makeDatabase()
  const greedy = 'select list(range) from range(200000000)'
  const ask = (limits: object) => codeOf(queryInProcess(shop.file, shop.address, greedy, 10, { limits }))
  assert.equal(await ask({ databaseMebibytes: 64, spillMebibytes: 64 }), 'destinations/query-memory')
  assert.equal(await ask({ databaseMebibytes: 2000, processMebibytes: 300 }), 'destinations/query-memory')
  const long = queryInProcess(shop.file, shop.address, "select repeat('x', 3000000)", 10, {
    limits: { resultMebibytes: 1 },
  })
  assert.equal(await codeOf(long), 'destinations/query-memory')
})

test('a query ends with its signal: the process is gone when the answer is', async () => {
  await using shop = await makeDatabase()
  const hangUp = new AbortController()
  const asked = codeOf(queryInProcess(shop.file, shop.address, endless, 10, { signal: hangUp.signal }))
  await oneChild()
  hangUp.abort()
  assert.equal(await asked, 'AbortError')
  assert.deepEqual(children(), [])
  const late = queryInProcess(shop.file, shop.address, endless, 10, { signal: AbortSignal.timeout(300) })
  assert.equal(await codeOf(late), 'destinations/query-time')
  assert.deepEqual(children(), [])
})

test('a process that dies is an error of the query, and of nothing else', async () => {
  await using shop = await makeDatabase()
  const asked = codeOf(queryInProcess(shop.file, shop.address, endless, 10))
  process.kill(await oneChild(), 'SIGABRT')
  assert.equal(await asked, 'destinations/query-died')
  assert.deepEqual((await queryInProcess(shop.file, shop.address, 'select 1', 10)).rows, [[1]])
})

test('a sync that begins takes the file from a query, which is then answered from a copy', async () => {
  await using shop = await makeDatabase()
  const asked = queryInProcess(shop.file, shop.address, 'select count(*) from orders, range(4000000)', 10)
  const first = await oneChild()
  const database = await openDatabase(shop.file, shop.address, 'shop')
  assert.ok(!children().includes(first), 'the process that had the file open is gone')
  const session = await database.connect()
  await database.exclusively(() => session.run('insert into orders values (1000)'))
  const during = await queryInProcess(shop.file, shop.address, 'select count(*) from orders', 10)
  assert.deepEqual(during.rows, [[1001]], 'what was committed is seen')
  await session.run('begin')
  await session.run('insert into orders values (1001)')
  const uncommitted = await queryInProcess(shop.file, shop.address, 'select count(*) from orders', 10)
  assert.deepEqual(uncommitted.rows, [[1001]], 'and nothing else')
  await session.run('commit')
  session.close()
  await database.release()
  assert.ok(Number((await asked).rows[0]?.[0]) >= 4_000_000_000)
})

test('a look into the file and a sync that opens it at the same moment both end', { timeout: 60_000 }, async () => {
  await using shop = await makeDatabase()
  const destination = duckdbDestination(shop.file)
  const count = async () => (await destination.query('select count(*) from orders', 10)).rows
  for (let round = 0; round < 20; round++) {
    const opened = openDatabase(shop.file, shop.address, 'shop')
    const looks = Array.from({ length: 6 }, async (_, index) => {
      // Each at another point of the opening.
      for (let turn = 0; turn < index; turn++) await new Promise(setImmediate)
      return count()
    })
    const database = await opened
    const during = count()
    await database.release()
    for (const rows of await Promise.all([...looks, during])) assert.deepEqual(rows, [[1000]])
  }
})

test('a look that lasts longer than the sync keeps the file open for the next sync', async () => {
  await using shop = await makeDatabase()
  const first = await openDatabase(shop.file, shop.address, 'shop')
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const look = lookInto(shop.file, shop.address, async (session) => {
    await held
    return session.rows('select count(*)::int as n from orders')
  })
  await first.release()
  const second = await openDatabase(shop.file, shop.address, 'shop')
  const session = await second.connect()
  await session.run('insert into orders values (1000)')
  letGo()
  assert.deepEqual(await look, [{ n: 1001 }], 'one instance: it sees what the other committed')
  session.close()
  await second.release()
})

test('at a terminal too, only one SELECT is answered, and none that calls what would end the process', async () => {
  await using shop = await makeDatabase()
  const destination = duckdbDestination(shop.file)
  const ask = (sql: string) => codeOf(destination.query?.(sql, 10) ?? Promise.resolve())
  const path = join(shop.folder, 'log')
  const logging = `enable_logging(level = 'trace', storage = 'file', storage_config = {'path': '${path}'})`
  assert.equal(await ask(`call ${logging}`), 'destinations/not-one-select')
  assert.equal(await ask(`from ${logging}`), 'destinations/query-refused')
  assert.equal(await ask('insert into orders values (1)'), 'destinations/not-one-select')
  assert.equal(await ask(`select count(*) from read_blob('${shop.file}')`), 'answered')
})
