/** `--on postgres://…` → a pool of sessions that the queue, progress and schedules share. */
import type { Pool, PoolClient } from 'pg'
import { parseAddress } from '../destinations/postgres/address.ts'
import { statementFailure, unreachable } from '../destinations/postgres/failure.ts'

export type Rows = readonly Readonly<Record<string, unknown>>[]

export type Query = (sql: string, values?: readonly unknown[]) => Promise<Rows>

export type QueueSession = {
  readonly query: Query
  /** For the queue: what the driver returns and throws. */
  readonly raw: (sql: string, values?: readonly unknown[]) => Promise<{ rows: unknown[] }>
}

export type QueueDatabase = QueueSession & {
  /** Without a password. */
  readonly address: string
  /** Rolls back when the work fails. */
  readonly transaction: <Result>(work: (session: QueueSession) => Promise<Result>) => Promise<Result>
  readonly close: () => Promise<void>
}

/** Throws `destinations/unreachable` where there is no server, or it refuses us. */
export async function openQueueDatabase(url: string): Promise<QueueDatabase> {
  const { shown: address, attempts } = parseAddress(url)
  const pool = await firstPool(address, attempts)
  return {
    address,
    ...sessionOf(pool, address),
    async transaction(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw unreachable(address, error)
      })
      const session = sessionOf(client, address)
      let isBroken = false
      try {
        await session.query('BEGIN')
        const result = await work(session)
        await session.query('COMMIT')
        return result
      } catch (error) {
        await session.query('ROLLBACK').catch(() => {
          isBroken = true
        })
        throw error
      } finally {
        client.release(isBroken)
      }
    },
    close: () => pool.end(),
  }
}

function sessionOf(client: Pool | PoolClient, address: string): QueueSession {
  // Without values, the simple protocol: it allows several statements in one text.
  const raw = (sql: string, values?: readonly unknown[]) =>
    values === undefined || values.length === 0 ? client.query(sql) : client.query(sql, [...values])
  return {
    raw,
    async query(sql, values) {
      try {
        return (await raw(sql, values)).rows as Rows
      } catch (error) {
        throw statementFailure(address, error)
      }
    },
  }
}

async function firstPool(address: string, attempts: readonly string[]): Promise<Pool> {
  const { Pool } = await import('pg')
  let refused: unknown
  let last: string | undefined
  for (const connectionString of attempts) {
    const pool = new Pool({
      connectionString,
      // A worker needs few at a time, and a hundred workers must not use up the sessions of the server.
      max: 4,
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: 20_000,
      keepAlive: true,
      application_name: `turnleaf worker ${process.pid}`,
    })
    // A session that ends while it is idle is replaced by the next statement.
    pool.on('error', () => {})
    // One that ends between two statements, or in the moment it is handed out, fails the next one. Without a listener the process would end.
    pool.on('connect', (client) => client.on('error', () => {}))
    try {
      await pool.query('SELECT')
      return pool
    } catch (error) {
      refused = error
      last = connectionString
      await pool.end()
      if (!(error instanceof Error && error.message.includes('does not support SSL'))) break
    }
  }
  throw unreachable(address, refused, last)
}
