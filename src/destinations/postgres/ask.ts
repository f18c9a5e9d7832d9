/** A question in SQL → its answer, and nothing changed. */
import { ConnectorError } from '../../std/errors.ts'
import type { QueryResult } from '../destination.ts'
import { quoted } from './sql.ts'
import type { Session } from './session.ts'

/** A cursor: of an answer with a million rows only those that are shown travel. */
export async function ask({ query, runOne, fetch, schema }: Session, sql: string, limit: number): Promise<QueryResult> {
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
