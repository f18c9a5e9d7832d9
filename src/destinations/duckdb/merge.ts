/** Staged rows → a table that has one row for each key. */
import { type Column, openColumns } from '../columns/columns.ts'
import { matchColumns } from '../columns/match-columns.ts'
import { sourceColumns, type Table } from '../destination.ts'
import { isNewer, ordered, rowOrder, sameKey, winners } from './dedup.ts'
import { temporaryPlace } from './schema-handle.ts'
import { quoted } from './session.ts'
import { alterTable, nameRules, sqlName, type Target } from './target.ts'
import { widened } from './values.ts'

/** @returns the table as it is then; its columns are those of both. What was staged stays as it is. */
export async function mergeInto(live: Target, staged: Target, table: Table): Promise<Target> {
  const { into, intoChanges } = matchColumns(live.columns.all, staged.columns.all, nameRules)
  const merged = { ...live, columns: openColumns(into, table.schema, nameRules) }
  await alterTable(merged, intoChanges)
  await mergeRows(merged, staged, table)
  return merged
}

/** Of a table that was appended to, or had another key, only the rows that a merge would have left. */
export async function keepWinners(target: Target, table: Table): Promise<void> {
  const order = rowOrder(table, target.columns, target.columns)
  await target.place.session.run(
    `DELETE FROM ${sqlName(target)} WHERE rowid NOT IN (SELECT row FROM (${winners(sqlName(target), order)}))`,
  )
  target.place.session.lostRows.add(sqlName(target))
}

async function mergeRows(live: Target, staged: Target, table: Table): Promise<void> {
  const { session } = live.place
  const order = rowOrder(table, staged.columns, live.columns)
  const liveRows = ordered(sqlName(live), rowOrder(table, live.columns, live.columns))
  const winning = temporaryPlace(live.place).table('winners')
  // Only their numbers, keys and cursors: the rows themselves may be larger than memory.
  await session.run(`CREATE TEMP TABLE ${winning} AS ${winners(sqlName(staged), order)}`)
  await session.run(
    `DELETE FROM ${winning} AS staged USING (${liveRows}) AS live
     WHERE ${sameKey('live', 'staged', order)} AND ${isNewer('live', 'staged', order)}`,
  )
  await session.run(
    `DELETE FROM ${sqlName(live)} WHERE rowid IN
     (SELECT live.row FROM (${liveRows}) AS live JOIN ${winning} AS staged ON ${sameKey('live', 'staged', order)})`,
  )
  session.lostRows.add(sqlName(live))
  await session.run(
    `INSERT INTO ${sqlName(live)} (${namesIn(live, staged)}) SELECT ${valuesFor(live, staged)}
     FROM ${sqlName(staged)} WHERE rowid IN (SELECT row FROM ${winning})`,
  )
  await session.run(`DROP TABLE ${winning}`)
}

function namesIn(live: Target, staged: Target): string {
  const names = staged.columns.all.map(({ key }) => quoted((live.columns.of(key) as Column).name))
  return [...names, ...sourceColumns].join(', ')
}

function valuesFor(live: Target, staged: Target): string {
  const values = staged.columns.all.map(({ key, name, type }) =>
    widened(quoted(name), type, (live.columns.of(key) as Column).type),
  )
  return [...values, ...sourceColumns].join(', ')
}
