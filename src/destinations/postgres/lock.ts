/** One sync of a connection at a time: a lock that lives as long as the session, and not a moment longer. */
import { createHash } from 'node:crypto'
import { ConnectorError } from '../../std/errors.ts'
import { sqlState } from './failure.ts'
import type { Session } from './session.ts'

export async function takeLock(session: Session, connection: string): Promise<void> {
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

/** Advisory locks are numbers of 64 bits, and belong to the database. */
function lockKey(schema: string, connection: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify(['turnleaf', schema, connection]))
    .digest()
  return String(digest.readBigInt64BE())
}

/** Who holds it, as far as we may see. */
async function holderOf({ query }: Session, key: string): Promise<string> {
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

function busy({ address }: Session, connection: string, holder: string, cause: unknown): ConnectorError {
  return new ConnectorError(
    'destinations/busy',
    `Another sync of the connection "${connection}" to ${address} is under way${holder}.`,
    { cause },
  )
}
