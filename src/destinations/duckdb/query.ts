/** A SQL query → its rows. Read-only. */
import type { DuckDBValueConverter, Json } from '@duckdb/node-api'
import { ConnectorError } from '../../std/errors.ts'
import type { QueryOptions, QueryResult } from '../destination.ts'
import { refuseAllButOneSelect } from './one-select.ts'
import { literal, openDuckSession, quoted, type DuckSession } from './session.ts'
import { loadDuckDb } from './load.ts'
import { messageOf } from '../../std/text/message-of.ts'

export async function queryRows(
  session: DuckSession,
  sql: string,
  limit: number,
  { signal, isConfined = false }: QueryOptions = {},
): Promise<QueryResult> {
  const interrupt = () => session.connection.interrupt()
  await session.run('BEGIN TRANSACTION READ ONLY')
  signal?.addEventListener('abort', interrupt)
  try {
    await refuseAllButOneSelect(session, sql, isConfined)
    const reader = await session.connection.streamAndReadUntil(sql, limit + 1)
    const rows = reader.convertRows(toPlain(session))
    return { columns: reader.deduplicatedColumnNames(), rows: rows.slice(0, limit), isCut: rows.length > limit }
  } catch (cause) {
    throw refused(cause)
  } finally {
    signal?.removeEventListener('abort', interrupt)
    await session.run('ROLLBACK').catch(() => {})
  }
}

/** JSON values, but integers stay numbers: the driver makes strings of those with 64 bits. */
function toPlain({ duckdb }: DuckSession): DuckDBValueConverter<Json | bigint> {
  const toJson = duckdb.JsonDuckDBValueConverter as DuckDBValueConverter<Json | bigint>
  return (value, type, convert) => {
    if (typeof value !== 'bigint') return toJson(value, type, convert)
    return Number.isSafeInteger(Number(value)) ? Number(value) : value
  }
}

function refused(cause: unknown): ConnectorError {
  if (cause instanceof ConnectorError) return cause
  const said = messageOf(cause)
  return new ConnectorError('destinations/query-refused', said.trimEnd(), { cause })
}

/** What reads a table, as SQL: `read_parquet('shop/orders/*.parquet')`; or a function that looks at the files first. */
export type TableSource = string | ((session: DuckSession) => Promise<string>)

/** Queries tables that are files: each is a temporary view. @param tables by name. */
export async function queryFiles(
  tables: ReadonlyMap<string, TableSource>,
  sql: string,
  limit: number,
): Promise<QueryResult> {
  const { DuckDBInstance } = await loadDuckDb()
  const instance = await DuckDBInstance.create(':memory:')
  const session = await openDuckSession(instance)
  try {
    return await queryViews(session, tables, sql, limit)
  } finally {
    session.close()
    instance.closeSync()
  }
}

/** Each table is a view that only this session sees. A damaged one is reported where the query needs it. */
export async function queryViews(
  session: DuckSession,
  tables: ReadonlyMap<string, TableSource>,
  sql: string,
  limit: number,
): Promise<QueryResult> {
  const damaged = new Map<string, unknown>()
  for (const [name, source] of tables) {
    try {
      const rows = typeof source === 'string' ? source : await source(session)
      await session.run(`CREATE TEMP VIEW ${quoted(name)} AS SELECT * FROM ${rows}`)
    } catch (cause) {
      damaged.set(name, cause)
    }
  }
  try {
    return await queryRows(session, sql, limit)
  } catch (error) {
    const said = messageOf(error)
    for (const [name, cause] of damaged) if (said.includes(name)) throw unreadable(name, cause)
    throw error
  }
}

function unreadable(table: string, cause: unknown): ConnectorError {
  if (cause instanceof ConnectorError) return cause
  const [said = ''] = messageOf(cause).split('\n', 1)
  return new ConnectorError('destinations/unreadable', `The table "${table}" cannot be read: ${said}`, { cause })
}

/** `read_parquet('…')` of all files that match the pattern. */
export function filesAs(
  reader: 'read_parquet' | 'read_json' | 'read_ndjson_objects',
  pattern: string,
  options = '',
): string {
  return `${reader}(${literal(pattern)}${options})`
}
