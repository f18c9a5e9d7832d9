/**
 * The lock of a connection: one sync alone, or several processes that share it, each with a claim.
 *
 * The server ends a lock with its session, so a killed sync leaves none. A process that is paused keeps its session: one
 * whose session waited for it longer than the lease is taken to be paused, and the next process that needs the lock ends
 * that session. Only the server's clock counts. Commits do not rely on this judgement: see claims.ts.
 */
import { createHash } from 'node:crypto'
import { ConnectorError } from '../../std/errors.ts'
import { sqlState } from './failure.ts'
import type { PostgresSession } from './session.ts'

export type ConnectionLock = {
  /** Does something that may have to wait for another writer of the connection; throws `destinations/busy` when that takes too long. */
  waitFor<Result>(work: () => Promise<Result>): Promise<Result>
}

export type LockRules = {
  readonly isShared: boolean
  /** How long a session may wait for its process before another one ends it. */
  readonly leaseMs: number
}

export async function takeLock(
  session: PostgresSession,
  connection: string,
  { isShared, leaseMs }: LockRules,
): Promise<ConnectionLock> {
  const key = lockKey(session.schema, connection)
  const lock: ConnectionLock = {
    async waitFor(work) {
      try {
        return await within(session, session.lockWaitMs, work)
      } catch (error) {
        if (!isLockTimeout(error)) throw error
        if (!(await endPaused(session, key, leaseMs))) throw await busy(session, connection, key, error)
      }
      // What a session held is free a moment after its end.
      try {
        return await within(session, Math.max(session.lockWaitMs, 5000), work)
      } catch (error) {
        throw isLockTimeout(error) ? await busy(session, connection, key, error) : error
      }
    },
  }
  const sql = isShared ? 'SELECT pg_advisory_lock_shared($1)' : 'SELECT pg_advisory_lock($1)'
  await lock.waitFor(() => session.query(sql, [key]))
  return lock
}

async function within<Result>({ query }: PostgresSession, ms: number, work: () => Promise<Result>): Promise<Result> {
  await query(`SELECT set_config('lock_timeout', $1, false)`, [`${ms}ms`])
  try {
    return await work()
  } finally {
    await query('SET lock_timeout = 0').catch(() => {})
  }
}

/** lock_not_available */
function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/** Advisory locks are 64-bit numbers, one space per database. */
export function lockKey(...names: readonly string[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify(['turnleaf', ...names]))
    .digest()
  return String(digest.readBigInt64BE())
}

/** For the rest of a transaction, one process at a time: those that want to create the same tables. */
export async function takeTurn(query: PostgresSession['query'], what: string): Promise<void> {
  await query('SELECT pg_advisory_xact_lock(hashtext($1))', [what])
  // A server process remembers which tables were missing, and asks again when it locks one: what was created while this one waited
  // would be unknown to it.
  await query('SELECT FROM pg_catalog.pg_class LIMIT 0')
}

/**
 * The session reports to the server while its process has nothing else for it to do.
 * Returns a function that ends that.
 */
export function keepAlive(session: PostgresSession, leaseMs: number): () => void {
  const timer = setInterval(session.beat, leaseMs / 4)
  timer.unref()
  return () => clearInterval(timer)
}

const holders = `
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND (classid::bigint << 32 | objid::bigint) = $1
    AND pid <> pg_backend_pid()`

/** The server waits for the process: between statements, or within one for the rows of a COPY. A hidden state is null. */
const isPaused = `wait_event_type = 'Client' AND state_change < clock_timestamp() - make_interval(secs => $2)`

/** Ends the sessions of paused processes. False where there is none that may be ended. */
async function endPaused(session: PostgresSession, key: string, leaseMs: number): Promise<boolean> {
  const { query } = session
  const paused = () =>
    query(`SELECT pid, state ${holders} AND ${isPaused}`, [key, leaseMs / 1000]).then((rows) =>
      rows.map(({ pid, state }) => ({ pid: Number(pid), isCopying: state === 'active' })),
    )
  const before = await paused()
  const copied = before.some(({ isCopying }) => isCopying) ? await copiedBytes(session) : new Map<number, string>()
  if (copied.size > 0) await query('SELECT pg_sleep(1)')
  const copiedSince = copied.size > 0 ? await copiedBytes(session) : copied
  // Rows of a COPY that arrive slowly come from a process that runs.
  const ended = before.filter(({ pid }) => copied.get(pid) === copiedSince.get(pid)).map(({ pid }) => pid)
  if (ended.length === 0) return false
  try {
    // Asked once more: one that woke up in between keeps its session.
    const rows = await query(
      `SELECT pg_terminate_backend(pid) AS ended ${holders} AND ${isPaused} AND pid = ANY ($3)`,
      [key, leaseMs / 1000, ended],
    )
    return rows.length > 0
  } catch (error) {
    // insufficient_privilege: the session of another role.
    if (sqlState(error) === '42501') return false
    throw error
  }
}

/** How much of each running COPY has arrived; servers before version 14 do not report it. */
async function copiedBytes({ query }: PostgresSession): Promise<ReadonlyMap<number, string>> {
  const [row] = await query(`SELECT to_regclass('pg_catalog.pg_stat_progress_copy') IS NOT NULL AS known`)
  if (row?.known !== true) return new Map()
  const rows = await query('SELECT pid, bytes_processed::text AS bytes FROM pg_stat_progress_copy')
  return new Map(rows.map(({ pid, bytes }) => [Number(pid), String(bytes)]))
}

async function busy(
  session: PostgresSession,
  connection: string,
  key: string,
  cause: unknown,
): Promise<ConnectorError> {
  // Who holds it, as far as we are allowed to see.
  const rows = await session.query(
    `SELECT pid, mode, application_name AS program, client_addr::text AS host ${holders} ORDER BY pid`,
    [key],
  )
  const [first] = rows
  const words = first === undefined ? [] : [`server process ${String(first.pid)}`, first.program, first.host]
  const holder = words.length === 0 ? '' : ` (${words.filter(Boolean).join(', ')})`
  const place = `the connection "${connection}" to ${session.address}`
  if (first?.mode !== 'ShareLock')
    return new ConnectorError('destinations/busy', `Another sync of ${place} is running${holder}.`, { cause })
  const count = rows.length === 1 ? 'A worker is' : `${rows.length} workers are`
  return new ConnectorError('destinations/busy', `${count} syncing ${place}${holder}.`, {
    cause,
    hint: 'Wait until the workers have ended this sync, or stop it there; then run again.',
  })
}
