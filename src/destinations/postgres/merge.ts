/** Staged rows → the live table: of all rows with the same key one stays. Whole sets at a time. */
import { matchColumns } from '../columns/match-columns.ts'
import { sourceColumns, type Table } from '../destination.ts'
import { alterTable, renameStaged } from './alter.ts'
import { dropKeyIndex, fitsIndex, makeKeyIndex } from './key-index.ts'
import { dedupKey, type DedupKey, prepareKey } from './dedup-key.ts'
import { nameRules, orderColumn, quoted } from './sql.ts'
import type { Session } from './session.ts'
import type { LiveTable, StagedTable, StreamTables, Tables } from './tables.ts'

type WithStaged = StreamTables & { readonly staged: StagedTable }
type WithBoth = WithStaged & { readonly live: LiveTable }

export async function mergeStaged(session: Session, tables: Tables, before: WithBoth, table: Table) {
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
  // Nobody has counted either table since it was filled: without figures, a join may take a slow path.
  await query(`ANALYZE ${staged} ${columnsOf(stagedKey)}; ANALYZE ${live} ${columnsOf(liveKey)}`)

  const pairs = [...pairedColumns(into, from), ...sourceColumns.map((name) => ({ into: name, from: name }))]
  await query(updateWinners(live, staged, pairs, liveKey, stagedKey))
  await query(insertNew(live, staged, pairs, liveKey, stagedKey))
  await query(`DROP TABLE ${staged}`)
  if (mayIndex) await makeKeyIndex(session, live, tables.indexName(before), liveKey)
  return { ...before, live: { columns: into, distinctBy }, staged: null }
}

/** The staged rows become the table: there is none yet. */
export async function adoptStaged(session: Session, tables: Tables, before: WithStaged, table: Table) {
  const staged = tables.stagedName(before)
  const key = dedupKey(table, before.staged.columns)
  await prepareKey(session, [key])
  await session.query(deleteLosers(staged, key, stagedOrder(before.staged)))
  const live = await renameStaged(session, tables, before)
  await makeKeyIndex(session, live, tables.indexName(before), key)
  const distinctBy = JSON.stringify(table.primaryKey)
  return { ...before, live: { columns: before.staged.columns, distinctBy }, staged: null }
}

function stagedOrder({ isOrdered }: StagedTable): readonly string[] {
  return [isOrdered ? quoted(orderColumn) : 'ctid']
}

/** What came last, as far as rows can tell that have been there before. */
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

/** In place, not deleted and inserted: rows of others may refer to them, and columns that others added keep their values. */
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

/** To look at the key alone costs a quarter of looking at eleven columns. */
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
