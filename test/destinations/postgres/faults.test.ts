/** What may go wrong between a sync and its server: every time a clear error, and nothing lost. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import type { Destination } from '../../../src/destinations/destination.ts'
import { postgresDestination } from '../../../src/destinations/postgres/postgres.ts'
import { ConnectorError, type ErrorCode } from '../../../src/std/errors.ts'
import { startPostgres } from '../../helpers/postgres-server.ts'
import { freshDatabase } from '../../helpers/postgres.ts'
import { commit, page, publish, records, table, write } from '../behaviours.ts'
import { postgresPlace } from './place.ts'

let database: ReturnType<typeof freshDatabase> | undefined
const shared = () => (database ??= freshDatabase())
after(async () => (await database)?.[Symbol.asyncDispose]())

const orders = table('orders', 'append')

/** An error of that code that names the address, says this, and hides the password, also where it came from. */
const refuses =
  (code: ErrorCode, words: RegExp, secret = 'turnleaf@') =>
  (error: unknown) => {
    assert.ok(error instanceof ConnectorError, String(error))
    assert.equal(error.code, code)
    assert.match(error.message, words)
    assert.match(error.message, /postgres:\/\//)
    const cause = error.cause instanceof Error ? `${error.cause.message}\n${JSON.stringify(error.cause)}` : ''
    assert.doesNotMatch(`${error.message}\n${cause}`, new RegExp(secret))
    return true
  }

const withChange = (url: string, change: (url: URL) => void) => {
  const changed = new URL(url)
  change(changed)
  return changed.href
}

test('who cannot be reached is named, with the reason and without the password', async () => {
  const { url } = await shared()
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const address = closed.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  closed.close()
  await once(closed, 'close')

  const faults: [string, RegExp][] = [
    [withChange(url, (it) => (it.password = 'hunter2')), /password authentication failed/],
    [withChange(url, (it) => (it.pathname = '/nowhere')), /database "nowhere" does not exist/],
    [withChange(url, (it) => (it.hostname = 'no.such.host.invalid')), /ENOTFOUND|EAI_AGAIN/],
    [withChange(url, (it) => (it.port = String(port))), /ECONNREFUSED/],
    [withChange(url, (it) => it.searchParams.set('sslmode', 'require')), /does not support SSL/],
  ]
  for (const [faulty, words] of faults) {
    const destination = postgresDestination(faulty)
    for (const attempt of [() => destination.open('shop'), () => destination.inspect?.('')])
      await assert.rejects(async () => attempt(), refuses('destinations/unreachable', words, 'hunter2'))
  }
})

test('an address that is no URL is not repeated: it may hold a password', () => {
  for (const text of ['postgres://me:hunter2@:x/db', 'postgres:hunter2', 'mysql://me:hunter2@host/db'])
    assert.throws(
      () => postgresDestination(text),
      (error) => error instanceof ConnectorError && !error.message.includes('hunter2'),
    )
})

test('an sslmode that psql does not have is refused before anything is sent', () => {
  for (const mode of ['required', 'no-verify'])
    assert.throws(
      () => postgresDestination(`postgres://me:hunter2@db.example/shop?sslmode=${mode}`),
      (error) => {
        assert.ok(error instanceof ConnectorError)
        assert.equal(error.code, 'destinations/unknown')
        assert.match(error.hint, /disable, allow, prefer, require, verify-ca, verify-full/)
        return !error.message.includes('hunter2')
      },
    )
})

test('an address is shown without password and parameters', () => {
  const shown = (url: string) => postgresDestination(url).address
  assert.equal(
    shown('postgres://me:hunter2@db.example:5433/shop?sslmode=require'),
    'postgres://me@db.example:5433/shop',
  )
  assert.equal(
    shown('postgresql://me@/shop?host=/var/run/postgresql&password=hunter2'),
    'postgres://me@/var/run/postgresql/shop',
  )
  assert.equal(shown('postgres://%F0%9F%92%9A:a%40b@localhost/x%20y'), 'postgres://%F0%9F%92%9A@localhost/x%20y')
})

/** A role of the server that is gone at the end, with what it has. */
async function freshRole(): Promise<AsyncDisposable & { readonly name: string; readonly url: string }> {
  const { url, query } = await shared()
  const name = `role_${randomBytes(6).toString('hex')}`
  await query(`CREATE ROLE ${name} LOGIN PASSWORD 'hunter2'`)
  return {
    name,
    url: withChange(url, (it) => ([it.username, it.password] = [name, 'hunter2'])),
    async [Symbol.asyncDispose]() {
      await query(`DROP OWNED BY ${name} CASCADE`)
      await query(`DROP ROLE ${name}`)
    },
  }
}

test('a role that may not write fails at once', async () => {
  const { url, query } = await shared()
  await using role = await freshRole()
  const schema = 'reserved'
  await query(`CREATE SCHEMA ${schema}`)
  await query(`GRANT USAGE ON SCHEMA ${schema} TO ${role.name}`)
  const asReader = role.url
  const missing = postgresDestination(asReader, { schema: 'another' })
  await assert.rejects(missing.open('shop'), refuses('destinations/write-refused', /permission denied for database/))
  const closed = postgresDestination(asReader, { schema })
  await assert.rejects(
    closed.open('shop'),
    refuses('destinations/write-refused', /permission denied for schema reserved/),
  )
  const readOnly = withChange(url, (it) => it.searchParams.set('options', '-c default_transaction_read_only=on'))
  await assert.rejects(
    postgresDestination(readOnly).open('shop'),
    refuses('destinations/write-refused', /read-only transaction/),
  )
  assert.deepEqual(await missing.inspect?.(''), [])
})

test('a role that may write needs no right to make schemas', async () => {
  const { query } = await shared()
  await using role = await freshRole()
  await query(`CREATE SCHEMA loaded AUTHORIZATION ${role.name}`)
  const open = await postgresDestination(role.url, { schema: 'loaded' }).open('shop')
  await open.commit(commit([write(orders, page([{ id: 1 }]))]))
  await open.close()
  assert.deepEqual(await query('SELECT id FROM loaded.orders'), [{ id: '1' }])
})

test('who holds the lock is named', async () => {
  await using place = postgresPlace((await shared()).url)
  const open = await place.destination.open('shop')
  const [holder] = await place.query(
    `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1`,
  )
  const words = new RegExp(`"shop".+server process ${String(holder?.pid)}, turnleaf ${process.pid}`)
  await assert.rejects(place.destination.open('shop'), refuses('destinations/busy', words))
  const other = await place.destination.open('bank')
  await other.close()
  await open.close()
})

test('a session that the server ends is lost; what was committed stays, and the lock is free', async () => {
  await using place = postgresPlace((await shared()).url)
  const open = await place.destination.open('shop')
  await open.commit(commit([write(orders, page([{ id: 1 }]))], { page: '1' }))
  await place.query(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted`)
  for (let again = 0; again < 2; again++) {
    const next = open.commit(commit([write(orders, page([{ id: 2 }]))], { page: '2' }))
    await assert.rejects(next, refuses('destinations/lost', /was lost/))
  }
  await open.close()
  const reopened = await place.destination.open('shop')
  assert.deepEqual([...(await reopened.notes(''))], [['page', '1']])
  await reopened.commit(commit([write(orders, page([{ id: 2 }]))], { page: '2' }))
  await reopened.close()
  assert.deepEqual(await records(place, 'orders'), [{ id: 1 }, { id: 2 }])
})

/** Commits numbered records until the session is lost; returns the last number that was committed for certain. */
async function commitUntilLost(
  destination: Destination,
  from: number,
  onCommit: (id: number) => void,
): Promise<number> {
  const open = await destination.open('shop')
  for (let id = from; ; id++) {
    try {
      const batch = page(Array.from({ length: 500 }, (_, part) => ({ id, part, text: 'x'.repeat(200) })))
      await open.commit(commit([write(orders, batch)], { last: String(id) }))
    } catch (error) {
      await open.close()
      refuses('destinations/lost', /was lost/)(error)
      return id - 1
    }
    onCommit(id)
  }
}

test('a server that crashes or restarts in the middle of commits loses nothing, and nothing comes twice', async () => {
  await using server = await startPostgres()
  await using fresh = await freshDatabase(server.url)
  await using place = postgresPlace(fresh.url)
  let last = 0
  for (const how of ['fast', 'immediate', 'fast', 'immediate'] as const) {
    const stopAt = last + 3
    let stopped: Promise<void> = Promise.resolve()
    const certain = await commitUntilLost(place.destination, last + 1, (id) => {
      if (id === stopAt) stopped = server.stop(how)
    })
    await stopped
    await assert.rejects(place.destination.open('shop'), refuses('destinations/unreachable', /ECONNREFUSED/))
    await server.start()
    const open = await place.destination.open('shop')
    last = Number((await open.notes('last')).get('last'))
    await open.close()
    // The response to a commit may be lost: then it counts, although the client does not know.
    assert.ok(last === certain || last === certain + 1, `${last} of ${certain}`)
    const [counted] = await place.query('SELECT count(*) AS rows, max(id) AS last FROM orders')
    assert.deepEqual(counted, { rows: last * 500, last })
  }
})

/** What happens to the server in the middle of a COPY that is larger than any buffer, and what the sync makes of it. */
const accidents: [string, ErrorCode, string][] = [
  ['a row is refused', 'destinations/data-refused', `RAISE 'not this one'`],
  ['the disk is full', 'destinations/write-refused', `RAISE disk_full`],
  ['the session is ended', 'destinations/lost', 'PERFORM pg_terminate_backend(pg_backend_pid())'],
]

for (const [what, code, statement] of accidents) {
  test(`${what} in the middle of a large COPY: nothing of it is kept`, async () => {
    await using place = postgresPlace((await shared()).url)
    const open = await place.destination.open('shop')
    await open.commit(commit([write(orders, page([{ id: 1, text: 'x' }]))], { page: '1' }))
    const body = `BEGIN IF NEW.id = 500 THEN ${statement}; END IF; RETURN NEW; END`
    await place.query(`CREATE FUNCTION accident() RETURNS trigger LANGUAGE plpgsql AS $$ ${body} $$`)
    await place.query(
      `CREATE TRIGGER accident BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION "${place.schema}".accident()`,
    )
    const many = page(Array.from({ length: 20_000 }, (_, id) => ({ id, text: 'x'.repeat(1000) })))
    const large = open.commit(commit([write(orders, many)], { page: '2' }))
    await assert.rejects(large, refuses(code, what === 'the session is ended' ? /was lost/ : /refused/))
    await place.query('DROP TRIGGER accident ON orders')
    if (code !== 'destinations/lost') await open.commit(commit([write(orders, many)], { page: '2' }))
    await open.close()
    const [row] = await place.query('SELECT count(*) AS n FROM orders')
    assert.deepEqual(row, { n: code === 'destinations/lost' ? 1 : 20_001 })
  })
}

test('a statement that takes too long is ended, and the next commit may succeed', async () => {
  await using place = postgresPlace((await shared()).url)
  const limited = withChange(place.url, (it) => it.searchParams.set('options', '-c statement_timeout=200'))
  const open = await postgresDestination(limited, { schema: place.schema }).open('shop')
  await open.commit(commit([write(orders, page([{ id: 1 }]))]))
  await place.query(`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(9); END $$`)
  await place.query(
    `CREATE TRIGGER slow BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION "${place.schema}".slow()`,
  )
  const slow = open.commit(commit([write(orders, page([{ id: 2 }]))]))
  await assert.rejects(slow, refuses('destinations/write-refused', /ended a statement/))
  await place.query('DROP TRIGGER slow ON orders')
  await open.commit(commit([write(orders, page([{ id: 3 }])), publish(orders)]))
  await open.close()
  assert.deepEqual(await records(place, 'orders'), [{ id: 1 }, { id: 3 }])
})
