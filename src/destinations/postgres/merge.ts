/** Merges staged rows into the live table: one row per key, in set operations. */
import type { Column } from '../columns/columns.ts'
import { digitsPattern, fractionPattern, longestDigits, timePattern } from '../columns/cursor-text.ts'
import { matchColumns } from '../columns/match-columns.ts'
import { sourceColumns, type Table } from '../destination.ts'
import { alterTable, type LiveTable, renameStaged, type StagedTable, type StreamTables, type Tables } from './tables.ts'
import type { PostgresSession } from './session.ts'
import { literal, nameRules, orderColumn, quoted } from './sql.ts'

type WithStaged = StreamTables & { readonly staged: StagedTable }
type WithBoth = WithStaged & { readonly live: LiveTable }

export async function mergeStaged(session: PostgresSession, tables: Tables, before: WithBoth, table: Table) {
  const { query } = session
  const [live, staged] = [tables.liveName(before), tables.stagedName(before)]
  const { into, intoChanges, from, fromChanges } = matchColumns(before.live.columns, before.staged.columns, nameRules)
  await alterTable(session, live, intoChanges)
  await alterTable(session, staged, fromChanges)

  const liveKey = dedupKey(table, into)
  const stagedKey = dedupKey(table, from)
  await prepareKey(session, [liveKey, stagedKey])
  const distinctBy = JSON.stringify(table.primaryKey)
  const mayIndex = await fitsIndex(session, staged, stagedKey)
  if (before.live.distinctBy !== distinctBy || !mayIndex) await dropKeyIndex(session, tables.indexName(before))
  if (before.live.distinctBy !== distinctBy) await query(deleteLosers(live, liveKey, liveOrder))
  await query(deleteLosers(staged, stagedKey, stagedOrder(before.staged)))
  // Neither table was analyzed since it was filled: without statistics, a join may be slow.
  await query(`ANALYZE ${staged} ${columnsOf(stagedKey)}; ANALYZE ${live} ${columnsOf(liveKey)}`)

  const pairs = [...pairedColumns(into, from), ...sourceColumns.map((name) => ({ into: name, from: name }))]
  await query(updateWinners(live, staged, pairs, liveKey, stagedKey))
  await query(insertNew(live, staged, pairs, liveKey, stagedKey))
  await query(`DROP TABLE ${staged}`)
  if (mayIndex) await createKeyIndex(session, live, tables.indexName(before), liveKey)
  return { ...before, live: { columns: into, distinctBy }, staged: null }
}

/** The staged rows become the table, where there is none yet. */
export async function adoptStaged(session: PostgresSession, tables: Tables, before: WithStaged, table: Table) {
  const staged = tables.stagedName(before)
  const key = dedupKey(table, before.staged.columns)
  await prepareKey(session, [key])
  await session.query(deleteLosers(staged, key, stagedOrder(before.staged)))
  const live = await renameStaged(session, tables, before)
  await createKeyIndex(session, live, tables.indexName(before), key)
  const distinctBy = JSON.stringify(table.primaryKey)
  return { ...before, live: { columns: before.staged.columns, distinctBy }, staged: null }
}

function stagedOrder({ isOrdered }: StagedTable): readonly string[] {
  return [isOrdered ? quoted(orderColumn) : 'ctid']
}

/** The order of arrival, as far as published rows show it. */
const liveOrder = ['"_turnleaf_extracted_at"', '"_turnleaf_page"', 'ctid']

/** A column of the live table, and that of the staged one with the same field; null where records no longer have it. */
type Pair = { readonly into: string; readonly from: string | null }

type Named = { readonly key: string; readonly name: string }

function pairedColumns(into: readonly Named[], from: readonly Named[]): Pair[] {
  const names = new Map(from.map(({ key, name }) => [key, name]))
  return into.map(({ key, name }) => ({ into: name, from: names.get(key) ?? null }))
}

function deleteLosers(place: string, key: DedupKey, order: readonly string[]): string {
  const best = [
    ...(key.cursor === null ? [] : [`${key.cursor('t')} DESC NULLS LAST`]),
    ...order.map((by) => `t.${by} DESC`),
  ]
  return `DELETE FROM ${place} t USING (
      SELECT t.ctid AS place, row_number() OVER (PARTITION BY ${key.parts('t').join(', ')} ORDER BY ${best.join(', ')}) AS rank
      FROM ${place} t WHERE ${isKeyed(key, 't')}
    ) ranked WHERE t.ctid = ranked.place AND ranked.rank > 1`
}

/** Updates in place: foreign keys may refer to the rows, and columns that users added keep their values. */
function updateWinners(live: string, staged: string, pairs: readonly Pair[], liveKey: DedupKey, stagedKey: DedupKey) {
  const values = pairs.map(({ into, from }) => `${quoted(into)} = ${from === null ? 'NULL' : `s.${quoted(from)}`}`)
  const [old, fresh] = [liveKey.cursor?.('l'), stagedKey.cursor?.('s')]
  const wins = old === undefined ? 'true' : `(${old} IS NULL OR ${fresh ?? 'NULL'} >= ${old})`
  return `UPDATE ${live} l SET ${values.join(', ')} FROM ${staged} s WHERE ${isSame(liveKey, stagedKey)} AND ${wins}`
}

function insertNew(live: string, staged: string, pairs: readonly Pair[], liveKey: DedupKey, stagedKey: DedupKey) {
  const given = pairs.filter(({ from }) => from !== null)
  const into = given.map((pair) => quoted(pair.into)).join(', ')
  const from = given.map((pair) => `s.${quoted(pair.from ?? '')}`).join(', ')
  return `INSERT INTO ${live} (${into}) SELECT ${from} FROM ${staged} s
    WHERE (${isKeyed(stagedKey, 's')}) IS NOT TRUE OR NOT EXISTS (SELECT FROM ${live} l WHERE ${isSame(liveKey, stagedKey)})`
}

/** Analyzing the key alone takes a quarter of the time of eleven columns. */
function columnsOf({ columns }: DedupKey): string {
  return columns === null ? '' : `(${columns.map(({ name }) => quoted(name)).join(', ')})`
}

function isKeyed(key: DedupKey, alias: string): string {
  return key
    .parts(alias)
    .map((part) => `${part} IS NOT NULL`)
    .join(' AND ')
}

function isSame(liveKey: DedupKey, stagedKey: DedupKey): string {
  const others = stagedKey.parts('s')
  return liveKey
    .parts('l')
    .map((part, index) => `${part} = ${others[index]}`)
    .join(' AND ')
}

export type DedupKey = {
  /** One expression per field; a null is no key. */
  parts(alias: string): readonly string[]
  readonly cursor: ((alias: string) => string) | null
  /** The columns of the key; null where an index cannot cover it: no key, or a field that is not a column. */
  readonly columns: readonly Column[] | null
  /** Whether fields must be read from JSON in text columns. */
  readonly needsJsonOfText: boolean
}

export function dedupKey({ primaryKey, cursorField }: Table, columns: readonly Column[]): DedupKey {
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const fields = primaryKey.map(([first, ...rest]) => ({ column: byKey.get(first ?? ''), rest }))
  const whole = fields.flatMap(({ column, rest }) => (column === undefined || rest.length > 0 ? [] : [column]))
  const cursor = cursorField === null ? undefined : byKey.get(cursorField)
  return {
    // Without a key no two rows are the same.
    parts: (alias) => (fields.length === 0 ? ['NULL'] : fields.map((field) => expression(alias, field))),
    cursor: cursor === undefined ? null : (alias) => ordered(alias, cursor),
    columns: whole.length > 0 && whole.length === fields.length ? whole : null,
    needsJsonOfText: fields.some(({ column, rest }) => column?.type === 'text' && rest.length > 0),
  }
}

type Field = { readonly column: Column | undefined; readonly rest: readonly string[] }

function expression(alias: string, { column, rest }: Field): string {
  // Untyped: it is compared with a column of the other table.
  if (column === undefined) return 'NULL'
  const value = `${alias}.${quoted(column.name)}`
  if (rest.length === 0) return value
  const path = `ARRAY[${rest.map(literal).join(', ')}]::text[]`
  if (column.type === 'json') return `nullif(${value} #> ${path}, 'null')`
  return column.type === 'text' ? `nullif(pg_temp._turnleaf_json(${value}) #> ${path}, 'null')` : 'NULL'
}

function ordered(alias: string, { name, type }: Column): string {
  const value = `${alias}.${quoted(name)}`
  return type === 'text' ? textOrder(value) : value
}

/** The same as `sortableText`, by code points: the order must not depend on the server's locale. */
function textOrder(sql: string): string {
  // The session's zone is UTC, which a time without a zone is in.
  const instant = `to_char(regexp_replace(${sql}, '${fractionPattern}', '')::timestamptz, 'YYYY-MM-DD"T"HH24:MI:SS.')`
  const fraction = `rtrim(coalesce(substring(${sql} from '${fractionPattern}'), ''), '0')`
  const zeros = `repeat('0', ${longestDigits} - length(split_part(${sql}, '.', 1)))`
  return `(CASE WHEN ${sql} ~ '${timePattern}' THEN ${instant} || ${fraction}
    WHEN ${sql} ~ '${digitsPattern}' THEN ${zeros} || ${sql} ELSE ${sql} END) COLLATE "C"`
}

/** A JSON column becomes text when another type arrives; the key is then read from that text. */
async function prepareKey({ query }: PostgresSession, keys: readonly DedupKey[]): Promise<void> {
  if (!keys.some(({ needsJsonOfText }) => needsJsonOfText)) return
  await query(`CREATE OR REPLACE FUNCTION pg_temp._turnleaf_json(text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN RETURN $1::jsonb; EXCEPTION WHEN others THEN RETURN NULL; END $$`)
}

/** An entry of a B-tree has at most 2,704 bytes. */
const maxEntryBytes = 2000

/** Whether every key of the table is short enough, and of a type that can be indexed. */
export async function fitsIndex({ query }: PostgresSession, table: string, { columns }: DedupKey): Promise<boolean> {
  if (columns === null || columns.length > 32 || columns.some(({ type }) => type === 'json')) return false
  const long = columns.filter(({ type }) => type === 'text' || type === 'decimal')
  if (long.length === 0) return true
  const bytes = long.map(({ name }) => `coalesce(octet_length(${quoted(name)}::text), 0)`).join(' + ')
  const [row] = await query(`SELECT coalesce(max(${bytes}), 0) <= ${maxEntryBytes} AS fits FROM ${table}`)
  return row?.fits === true
}

export async function dropKeyIndex({ query }: PostgresSession, index: string): Promise<void> {
  await query(`DROP INDEX IF EXISTS ${index}`)
}

async function createKeyIndex(session: PostgresSession, table: string, index: string, key: DedupKey): Promise<void> {
  const [row] = await session.query(`SELECT to_regclass($1) IS NULL AS missing`, [index])
  if (row?.missing !== true || key.columns === null || !(await fitsIndex(session, table, key))) return
  const columns = key.columns.map(({ name }) => quoted(name)).join(', ')
  // The schema of an index is that of its table.
  await session.query(`CREATE INDEX ${index.slice(index.lastIndexOf('.') + 1)} ON ${table} (${columns})`)
}
