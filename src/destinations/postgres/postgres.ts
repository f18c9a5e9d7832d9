/** The Postgres destination: tables and checkpoints in one schema of a database. */
import { createHash } from 'node:crypto'
import type { Commit, Destination, OpenDestination, QueryResult, Step, TableRows } from '../destination.ts'
import { ConnectorError } from '../../std/errors.ts'
import { parseAddress } from './address.ts'
import { sqlState } from './failure.ts'
import { hasSchema, prepareSchema, readAllCheckpoints, readCheckpoints, writeCheckpoints } from './schema.ts'
import { discard, publishTable } from './publish.ts'
import { connect, type PostgresSession } from './session.ts'
import { quoted, storable } from './sql.ts'
import { openTables, type Tables } from './tables.ts'
import { rewindRows, writePages } from './write.ts'

export type PostgresOptions = {
  /** The schema of the tables; `?schema=` of the address, or `public`, when absent. Created if missing. */
  readonly schema?: string | undefined
  /** How long to wait for the lock of a killed sync, or for readers of a table: 5 s unless given. */
  readonly lockWaitMs?: number
}

/** @example postgresDestination('postgres://loader:secret@localhost/shop?sslmode=require', { schema: 'crm' }) */
export function postgresDestination(url: string, options: PostgresOptions = {}): Required<Destination> {
  const address = parseAddress(url, options.schema)
  // For the server, 0 means no limit.
  const lockWaitMs = Math.max(1, options.lockWaitMs ?? 5000)
  return {
    address: address.shown,
    async open(connection) {
      const session = await connect(address, lockWaitMs)
      try {
        await takeLock(session, storable(connection))
        await prepareSchema(session)
        return openFor(session, storable(connection))
      } catch (error) {
        await session.close()
        throw error
      }
    },
    async inspect(prefix) {
      const session = await connect(address, lockWaitMs)
      try {
        return (await hasSchema(session)) ? await readAllCheckpoints(session, prefix) : []
      } finally {
        await session.close()
      }
    },
    async query(sql, limit) {
      const session = await connect(address, lockWaitMs)
      try {
        return await queryRows(session, sql, limit)
      } finally {
        await session.close()
      }
    },
  }
}

function openFor(session: PostgresSession, connection: string): OpenDestination {
  const tables = openTables(session, connection)
  return {
    notes: (prefix) => readCheckpoints(session, connection, prefix),
    async commit(commit: Commit) {
      try {
        await session.transaction(async () => {
          for (const step of commit.steps) await applyStep(session, tables, step)
          await writeCheckpoints(session, connection, commit)
        })
      } catch (error) {
        tables.reset()
        throw error
      }
    },
    count: ({ name }) => session.transaction(() => countTableRows(session, tables, name)),
    close: () => session.close(),
  }
}

async function applyStep(session: PostgresSession, tables: Tables, step: Step): Promise<void> {
  switch (step.kind) {
    case 'write':
      return await writePages(session, tables, step.table, step.pages)
    case 'rewind':
      return await rewindRows(session, tables, step.table, step.rows)
    case 'publish':
      return await publishTable(session, tables, step.table)
    case 'discard':
      return await discard(session, tables, step.table)
  }
}

/** Uses a cursor: of a million rows only those that are shown are transferred. */
export async function queryRows(
  { query, runOne, fetch, schema }: PostgresSession,
  sql: string,
  limit: number,
): Promise<QueryResult> {
  try {
    await query('BEGIN READ ONLY')
    await query(`SELECT set_config('search_path', $1, true)`, [`${quoted(schema)}, public`])
    await runOne(`DECLARE answer NO SCROLL CURSOR FOR ${sql.replace(/;\s*$/, '')}`)
    const { columns, rows } = await fetch(`FETCH ${limit + 1} FROM answer`)
    return { columns, rows: rows.slice(0, limit), isCut: rows.length > limit }
  } catch (cause) {
    if (cause instanceof ConnectorError && cause.code === 'destinations/lost') throw cause
    const said = cause instanceof Error ? cause.message : String(cause)
    throw new ConnectorError('destinations/query-refused', said, { cause })
  } finally {
    await query('ROLLBACK').catch(() => {})
  }
}

export async function countTableRows({ query }: PostgresSession, tables: Tables, stream: string): Promise<TableRows> {
  const known = await tables.of(stream)
  const count = async (place: string) => {
    const [row] = await query(`SELECT count(*)::text AS rows FROM ${place}`)
    return Number(row?.rows ?? 0)
  }
  return {
    published: known.live === null ? 0 : await count(tables.liveName(known)),
    staged: known.staged === null ? 0 : await count(tables.stagedName(known)),
    stagedAs: known.staged === null ? null : tables.stagedLabel(known),
  }
}

export async function takeLock(session: PostgresSession, connection: string): Promise<void> {
  const key = lockKey(session.schema, connection)
  try {
    await session.query(`SELECT set_config('lock_timeout', $1, false)`, [`${session.lockWaitMs}ms`])
    await session.query('SELECT pg_advisory_lock($1)', [key])
    await session.query('SET lock_timeout = 0')
  } catch (error) {
    // lock_not_available
    if (sqlState(error) !== '55P03') throw error
    throw busy(session, connection, await holderOf(session, key), error)
  }
}

/** Advisory locks are 64-bit numbers, one space per database. */
function lockKey(schema: string, connection: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify(['turnleaf', schema, connection]))
    .digest()
  return String(digest.readBigInt64BE())
}

/** Who holds it, as far as we are allowed to see. */
async function holderOf({ query }: PostgresSession, key: string): Promise<string> {
  const rows = await query(
    `SELECT pid, application_name AS program, client_addr::text AS host FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND (classid::bigint << 32 | objid::bigint) = $1`,
    [key],
  )
  const [row] = rows
  if (row === undefined) return ''
  const words = [`server process ${String(row.pid)}`, row.program, row.host].filter(Boolean)
  return ` (${words.join(', ')})`
}

function busy({ address }: PostgresSession, connection: string, holder: string, cause: unknown): ConnectorError {
  return new ConnectorError(
    'destinations/busy',
    `Another sync of the connection "${connection}" to ${address} is running${holder}.`,
    { cause },
  )
}
