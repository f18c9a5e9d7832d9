/** Paused processes: the next one takes over, and the one that wakes up late writes nothing. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { leadClaim } from '../../../src/destinations/destination.ts'
import { postgresDestination } from '../../../src/destinations/postgres/postgres.ts'
import { ConnectorError } from '../../../src/std/errors.ts'
import { freshDatabase } from '../../helpers/postgres.ts'
import { rowsOfPage } from './claimant.ts'
import { type PostgresPlace, postgresPlace } from './place.ts'

let database: ReturnType<typeof freshDatabase> | undefined
const freshPlace = async () => postgresPlace((await (database ??= freshDatabase())).url)
after(async () => (await database)?.[Symbol.asyncDispose]())

const program = fileURLToPath(new URL('./claimant.js', import.meta.url))
const leaseMs = 400

/** A process that commits a page when it is told to. */
function claimant(place: PostgresPlace, ...claim: (string | number)[]) {
  const child = spawn(process.execPath, [program, place.url, place.schema, leaseMs, ...claim].map(String), {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const exited = once(child, 'exit')
  const said = async () => String((await lines.next()).value)
  return {
    child,
    said,
    order: () => void child.stdin.write('commit\n'),
    async commits() {
      child.stdin.write('commit\n')
      return await said()
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGCONT')
      child.stdin.end()
      await exited
    },
  }
}

/** Rows, and how many of them are there more than once. */
async function count(place: PostgresPlace) {
  const [row] = await place.query(
    'SELECT count(*)::int AS rows, (count(*) - count(DISTINCT id))::int AS doubled FROM orders',
  )
  return row
}

async function until(place: PostgresPlace, sql: string, values: readonly unknown[]) {
  while ((await place.query(sql, values)).length === 0) await sleep(50)
}

/** Waits until the server has waited for this process for longer than the lease. */
async function untilSilent(place: PostgresPlace, pid: number | undefined) {
  const sql = `SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Client'
    AND state_change < clock_timestamp() - make_interval(secs => $2)`
  await until(place, sql, [`turnleaf ${pid}`, leaseMs / 1000])
}

test('a paused sync is taken over by the next one, and refused when it wakes up', async () => {
  await using place = await freshPlace()
  await using paused = claimant(place)
  assert.equal(await paused.said(), 'opened 0')
  assert.equal(await paused.commits(), 'committed')
  paused.child.kill('SIGSTOP')
  await untilSilent(place, paused.child.pid)
  await using next = claimant(place)
  assert.equal(await next.said(), 'opened 1')
  assert.equal(await next.commits(), 'committed')
  paused.child.kill('SIGCONT')
  assert.equal(await paused.commits(), 'destinations/taken-over')
  assert.equal(await next.commits(), 'committed')
  assert.deepEqual(await count(place), { rows: 3 * rowsOfPage, doubled: 0 })
})

test('a sync that runs is not taken over, however long nothing is committed', async () => {
  await using place = await freshPlace()
  await using running = claimant(place)
  assert.equal(await running.said(), 'opened 0')
  const [opened] = await place.query('SELECT clock_timestamp()::text AS at')
  const passed = 'SELECT WHERE clock_timestamp() > $1::timestamptz + make_interval(secs => $2)'
  await until(place, passed, [opened?.at, (3 * leaseMs) / 1000])
  await using next = claimant(place)
  assert.equal(await next.said(), 'destinations/busy')
  assert.equal(await running.commits(), 'committed')
})

test('a sync that was paused in the middle of a commit is taken over: nothing of the commit stays', async () => {
  await using place = await freshPlace()
  await using paused = claimant(place, 'part/1')
  assert.equal(await paused.said(), 'opened 0')
  assert.equal(await paused.commits(), 'committed')
  const lock = new Client({ connectionString: place.url })
  await lock.connect()
  await lock.query(`BEGIN; LOCK TABLE "${place.schema}"."_turnleaf_notes" IN SHARE MODE`)
  paused.order()
  const waits = `SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`
  await until(place, waits, [`turnleaf ${paused.child.pid}`])
  paused.child.kill('SIGSTOP')
  await lock.query('COMMIT')
  await lock.end()
  await untilSilent(place, paused.child.pid)
  await using next = claimant(place, 'part/1')
  assert.equal(await next.said(), 'opened 1')
  assert.equal(await next.commits(), 'committed')
  paused.child.kill('SIGCONT')
  assert.equal(await paused.said(), 'destinations/taken-over')
  assert.deepEqual(await count(place), { rows: 2 * rowsOfPage, doubled: 0 })
})

/** One process is paused before it commits page 2, another one with a claim commits that page; then the first wakes up. */
async function wakeAfter(place: PostgresPlace, claim: string, claimOfNext: string) {
  await using paused = claimant(place, claim)
  assert.equal(await paused.said(), 'opened 0')
  assert.equal(await paused.commits(), 'committed')
  paused.child.kill('SIGSTOP')
  await untilSilent(place, paused.child.pid)
  await using next = claimant(place, claimOfNext)
  assert.equal(await next.said(), 'opened 1')
  assert.equal(await next.commits(), 'committed')
  paused.child.kill('SIGCONT')
  return { woken: await paused.commits(), ...(await count(place)) }
}

test('a claim that was taken again is refused: no row is written twice', async () => {
  await using place = await freshPlace()
  const refused = { woken: 'destinations/taken-over', rows: 2 * rowsOfPage, doubled: 0 }
  assert.deepEqual(await wakeAfter(place, 'part/1', 'part/1'), refused)
})

test('control: without a claim in common, the paused process does write rows twice', async () => {
  await using place = await freshPlace()
  const doubled = { woken: 'committed', rows: 3 * rowsOfPage, doubled: rowsOfPage }
  assert.deepEqual(await wakeAfter(place, 'part/1', 'another'), doubled)
})

test('a part ends with the lead that planned it', async () => {
  await using place = await freshPlace()
  const lead = await place.destination.open('shop', leadClaim)
  const epoch = lead.claim?.epoch ?? 0
  await using part = claimant(place, 'part/1', epoch)
  assert.equal(await part.said(), 'opened 0')
  assert.equal(await part.commits(), 'committed')
  const next = await place.destination.open('shop', leadClaim)
  assert.equal(next.claim?.epoch, epoch + 1)
  assert.equal(await part.commits(), 'destinations/taken-over')
  await assert.rejects(lead.commit({ steps: [], forget: [], notes: new Map([['a', 'b']]) }), {
    code: 'destinations/taken-over',
  })
  await using late = claimant(place, 'part/2', epoch)
  assert.equal(await late.said(), 'destinations/taken-over')
  for (const open of [lead, next]) await open.close()
  assert.deepEqual(await count(place), { rows: rowsOfPage, doubled: 0 })
})

test('a sync and workers keep each other out, and the message says who is there', async () => {
  await using place = await freshPlace()
  const workers = [
    await place.destination.open('shop', { name: 'a' }),
    await place.destination.open('shop', { name: 'b' }),
  ]
  await assert.rejects(place.destination.open('shop'), (error) => {
    assert.ok(error instanceof ConnectorError)
    assert.equal(error.code, 'destinations/busy')
    assert.match(error.message, /^2 workers are syncing the connection "shop" to postgres:.+turnleaf \d+/)
    assert.match(error.hint, /workers/)
    return true
  })
  for (const open of workers) await open.close()
  const alone = await postgresDestination(place.url, { schema: place.schema }).open('shop')
  await assert.rejects(place.destination.open('shop', { name: 'a' }), {
    code: 'destinations/busy',
    message: /^Another sync of the connection "shop"/,
  })
  await alone.close()
})
