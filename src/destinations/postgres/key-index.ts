/** An index on the key columns of a table, where they can have one: a merge then finds its rows without reading them all. */
import type { DedupKey } from './dedup-key.ts'
import { quoted } from './sql.ts'
import type { Session } from './session.ts'

/** An entry of a B-tree has at most 2,704 bytes. */
const maxEntryBytes = 2000

/** Whether every key of the table is short enough, and of a type that an index takes. */
export async function fitsIndex({ query }: Session, table: string, { columns }: DedupKey): Promise<boolean> {
  if (columns === null || columns.length > 32 || columns.some(({ type }) => type === 'json')) return false
  const long = columns.filter(({ type }) => type === 'text' || type === 'decimal')
  if (long.length === 0) return true
  const bytes = long.map(({ name }) => `coalesce(octet_length(${quoted(name)}::text), 0)`).join(' + ')
  const [row] = await query(`SELECT coalesce(max(${bytes}), 0) <= ${maxEntryBytes} AS fits FROM ${table}`)
  return row?.fits === true
}

export async function dropKeyIndex({ query }: Session, index: string): Promise<void> {
  await query(`DROP INDEX IF EXISTS ${index}`)
}

export async function makeKeyIndex(session: Session, table: string, index: string, key: DedupKey): Promise<void> {
  const [row] = await session.query(`SELECT to_regclass($1) IS NULL AS missing`, [index])
  if (row?.missing !== true || key.columns === null || !(await fitsIndex(session, table, key))) return
  const columns = key.columns.map(({ name }) => quoted(name)).join(', ')
  // The schema of an index is that of its table.
  await session.query(`CREATE INDEX ${index.slice(index.lastIndexOf('.') + 1)} ON ${table} (${columns})`)
}
