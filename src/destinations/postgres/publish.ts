/** Publishes staged rows: they replace the table, or are merged into it. */
import { openColumns } from '../columns/columns.ts'
import { matchColumns } from '../columns/match-columns.ts'
import { sourceColumns, type Table } from '../destination.ts'
import { ConnectorError } from '../../std/errors.ts'
import {
  alterTable,
  createTable,
  type LiveTable,
  renameStaged,
  type StagedTable,
  type StreamTables,
  type Tables,
} from './tables.ts'
import { sqlState } from './failure.ts'
import { adoptStaged, dropKeyIndex, mergeStaged } from './merge.ts'
import type { PostgresSession } from './session.ts'
import { nameRules, quoted } from './sql.ts'

export async function publishTable(session: PostgresSession, tables: Tables, table: Table): Promise<void> {
  const before = await tables.of(table.name)
  await tables.keep(await published(session, tables, before, table))
}

async function published(
  session: PostgresSession,
  tables: Tables,
  before: StreamTables,
  table: Table,
): Promise<StreamTables> {
  const { live, staged } = before
  if (table.mode === 'overwrite') {
    const replacement = staged ?? (await createDeclared(session, tables.stagedName(before), table))
    return await replaceTable(session, tables, { ...before, staged: replacement })
  }
  if (table.mode === 'append' || staged === null)
    return { ...before, live: live ?? (await createDeclared(session, tables.liveName(before), table)) }
  return live === null
    ? await adoptStaged(session, tables, { ...before, staged }, table)
    : await mergeStaged(session, tables, { ...before, live, staged }, table)
}

/** Creates a table without rows, with the columns that the schema declares. */
async function createDeclared(session: PostgresSession, place: string, { schema }: Table) {
  const columns = openColumns(null, schema, nameRules).all
  await createTable(session, place, columns, { isOrdered: false })
  return { columns, distinctBy: null, isOrdered: false }
}

export async function discard({ query }: PostgresSession, tables: Tables, table: Table): Promise<void> {
  const before = await tables.of(table.name)
  if (before.staged !== null) await query(`DROP TABLE IF EXISTS ${tables.stagedName(before)}`)
  else if (!(await tables.isGone(table.name))) return
  await tables.keep({ ...before, staged: null })
}

type WithStaged = StreamTables & { readonly staged: StagedTable }
type WithBoth = WithStaged & { readonly live: LiveTable }

async function replaceTable(session: PostgresSession, tables: Tables, before: WithStaged): Promise<StreamTables> {
  const { live, staged } = before
  if (live === null) await renameStaged(session, tables, before)
  else if (!(await swapTables(session, tables, { ...before, live })))
    return await replaceRows(session, tables, { ...before, live })
  return { ...before, live: { columns: staged.columns, distinctBy: null }, staged: null }
}

/** False where the table must stay because something depends on it or is reading it. */
async function swapTables(session: PostgresSession, tables: Tables, before: WithBoth): Promise<boolean> {
  const [live, staged] = [tables.liveName(before), tables.stagedName(before)]
  if (!(await isDroppable(session, tables, before))) return false
  try {
    await session.attempt(async () => {
      // Where a reader takes longer than this, rows are replaced instead of the table.
      await session.query(
        `SET LOCAL lock_timeout = ${session.lockWaitMs}; LOCK TABLE ${live}; SET LOCAL lock_timeout = 0`,
      )
      await copyGrants(session, live, staged)
      await session.query(`DROP TABLE ${live}`)
      await renameStaged(session, tables, before)
    })
    return true
  } catch (error) {
    // lock_not_available; dependent_objects_still_exist: a function that returns such rows, for one.
    if (['55P03', '2BP01'].includes(sqlState(error) ?? '')) return false
    throw error
  }
}

/** Readers see the old rows until the transaction is committed; views, indexes and policies stay. */
async function replaceRows(session: PostgresSession, tables: Tables, before: WithBoth): Promise<StreamTables> {
  const [live, staged] = [tables.liveName(before), tables.stagedName(before)]
  const victim = await wouldDeleteElsewhere(session, live)
  if (victim !== null) throw cascades(session, live, victim)
  await session.query(`SET CONSTRAINTS ALL DEFERRED; DELETE FROM ${live}`)
  if (before.live.distinctBy !== null) await dropKeyIndex(session, tables.indexName(before))

  const { into, intoChanges, from, fromChanges } = matchColumns(before.live.columns, before.staged.columns, nameRules)
  await alterTable(session, live, intoChanges)
  await alterTable(session, staged, fromChanges)
  const names = new Map(into.map(({ key, name }) => [key, name]))
  const given = [...from.map(({ name }) => name), ...sourceColumns].map(quoted).join(', ')
  const taken = [...from.map(({ key, name }) => names.get(key) ?? name), ...sourceColumns].map(quoted).join(', ')
  await session.query(`INSERT INTO ${live} (${taken}) SELECT ${given} FROM ${staged}; DROP TABLE ${staged}`)
  return { ...before, live: { columns: into, distinctBy: null }, staged: null }
}

function cascades({ address }: PostgresSession, live: string, victim: string): ConnectorError {
  return new ConnectorError(
    'destinations/write-refused',
    `${address}: replacing the rows of ${live} would change or delete rows of ${victim}, because of a foreign key with an action ON DELETE.`,
    { hint: 'Remove that action from the foreign key, or use the mode incremental_dedup or full_refresh_dedup.' },
  )
}

/** Whether dropping the table would lose nothing but its rows and grants. */
async function isDroppable(
  { query }: PostgresSession,
  tables: Tables,
  before: StreamTables & { readonly live: LiveTable },
): Promise<boolean> {
  const columns = [...before.live.columns.map(({ name }) => name), ...sourceColumns]
  const [row] = await query(bare, [tables.liveName(before), columns, tables.indexName(before)])
  return row?.bare === true
}

const bare = `
  SELECT c.relkind = 'r' AND c.relowner = (SELECT oid FROM pg_roles WHERE rolname = current_user)
    AND c.reloptions IS NULL AND c.relreplident = 'd' AND NOT c.relrowsecurity
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = c.oid
      AND d.deptype IN ('n', 'a') AND d.objid IS DISTINCT FROM to_regclass($3)::oid)
    AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = c.oid)
    AND NOT EXISTS (SELECT FROM pg_description d WHERE d.classoid = 'pg_class'::regclass AND d.objoid = c.oid)
    AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      AND (a.attacl IS NOT NULL OR a.attname <> ALL ($2::text[]))) AS bare
  FROM pg_class c WHERE c.oid = $1::regclass`

/** Roles that may read the old table may read the new one, and no others. */
async function copyGrants({ query }: PostgresSession, from: string, to: string): Promise<void> {
  const rows = await query(grants, [from, to])
  for (const { statement } of rows) await query(String(statement))
}

const grants = `
  SELECT DISTINCT 1 AS step, format('REVOKE ALL ON TABLE %s FROM %s', $2::text, who) AS statement
  FROM pg_class c, aclexplode(c.relacl) a, LATERAL (${grantee()}) g
  WHERE c.oid = $2::regclass AND a.grantee <> c.relowner
  UNION ALL
  SELECT 2, format('GRANT %s ON TABLE %s TO %s%s', a.privilege_type, $2::text, who,
    CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' END)
  FROM pg_class c, aclexplode(c.relacl) a, LATERAL (${grantee()}) g
  WHERE c.oid = $1::regclass AND a.grantee <> c.relowner
  ORDER BY step`

function grantee(): string {
  return `SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END AS who`
}

/** A table whose rows would be deleted or changed with rows of this one; null when there is none. */
async function wouldDeleteElsewhere({ query }: PostgresSession, table: string): Promise<string | null> {
  const rows = await query(
    `SELECT conrelid::regclass::text AS victim FROM pg_constraint
     WHERE contype = 'f' AND confrelid = $1::regclass AND confdeltype IN ('c', 'n', 'd') LIMIT 1`,
    [table],
  )
  return rows[0] === undefined ? null : String(rows[0].victim)
}
