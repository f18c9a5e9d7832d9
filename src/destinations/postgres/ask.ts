/** A question in SQL → its answer, and nothing changed. */
import { ConnectorError } from '../../errors.ts'
import type { QueryResult } from '../destination.ts'
import { quoted } from './sql.ts'
import type { Session } from './session.ts'

/** A cursor: of an answer with a million rows only those that are shown travel. */
export async function ask({ query, schema }: Session, sql: string, limit: number): Promise<QueryResult> {
  try {
    await query('BEGIN READ ONLY')
    await query(`SELECT set_config('search_path', $1, true)`, [`${quoted(schema)}, public`])
    await query(`DECLARE answer NO SCROLL CURSOR FOR ${sql.replace(/;\s*$/, '')}`)
    const found = await query(`FETCH ${limit + 1} FROM answer`)
    const columns = Object.keys(found[0] ?? {})
    const rows = found.slice(0, limit).map((row) => columns.map((name) => row[name]))
    return { columns, rows, isCut: found.length > limit }
  } catch (cause) {
    if (cause instanceof ConnectorError && cause.code === 'destinations/lost') throw cause
    const said = cause instanceof Error ? cause.message : String(cause)
    throw new ConnectorError('destinations/query-refused', said, { cause })
  } finally {
    await query('ROLLBACK').catch(() => {})
  }
}
