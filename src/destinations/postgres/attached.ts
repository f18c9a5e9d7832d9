/** What others have attached to a table: views, indexes, grants. A sync must not take it away. */
import { sourceColumns } from '../destination.ts'
import type { Session } from './session.ts'
import type { LiveTable, StreamTables, Tables } from './tables.ts'

/** Whether nothing would be lost with the table but its rows and its grants. */
export async function isBare(
  { query }: Session,
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

/** Who may read the old table may read the new one, and nobody else. */
export async function copyGrants({ query }: Session, from: string, to: string): Promise<void> {
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

/** A table whose rows would go, or change, with rows of this one; null when there is none. */
export async function wouldDeleteElsewhere({ query }: Session, table: string): Promise<string | null> {
  const rows = await query(
    `SELECT conrelid::regclass::text AS victim FROM pg_constraint
     WHERE contype = 'f' AND confrelid = $1::regclass AND confdeltype IN ('c', 'n', 'd') LIMIT 1`,
    [table],
  )
  return rows[0] === undefined ? null : String(rows[0].victim)
}
