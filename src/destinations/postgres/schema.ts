/** The schema, and our two tables in it: there, or made. */
import { ConnectorError } from '../../std/errors.ts'
import { createNotes, notesTable } from './notes.ts'
import { quoted } from './sql.ts'
import type { Session } from './session.ts'
import { createTables, tablesTable } from './tables.ts'

/** Looks before it makes: whoever may not make a schema may have one made for them. */
export async function prepareSchema(session: Session): Promise<void> {
  const { query, schema } = session
  await refuseEncoding(session)
  if ((await hasSchema(session)) && (await exists(session, tablesTable(schema)))) return
  await session.transaction(async () => {
    // Two connections that are new at the same time must not make the same tables.
    await query(`SELECT pg_advisory_xact_lock(hashtext($1))`, [`turnleaf schema ${schema}`])
    const [row] = await query(`SELECT to_regnamespace($1) IS NULL AS missing`, [quoted(schema)])
    if (row?.missing === true) await query(`CREATE SCHEMA ${quoted(schema)}`)
    if (!(await exists(session, notesTable(schema)))) await createNotes(session)
    if (!(await exists(session, tablesTable(schema)))) await createTables(session)
  })
}

/** Whether a sync has ever been here. */
export async function hasSchema(session: Session): Promise<boolean> {
  return await exists(session, notesTable(session.schema))
}

async function exists({ query }: Session, table: string): Promise<boolean> {
  const [row] = await query(`SELECT to_regclass($1) IS NOT NULL AS there`, [table])
  return row?.there === true
}

/** Said at once, not with the first letter that the database does not have. */
async function refuseEncoding({ query, address }: Session): Promise<void> {
  const [row] = await query(`SELECT current_setting('server_encoding') AS encoding`)
  if (row?.encoding === 'UTF8') return
  throw new ConnectorError(
    'destinations/write-refused',
    `${address} keeps texts in ${String(row?.encoding)}, which does not have every letter.`,
    { hint: `Choose a database with the encoding UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.` },
  )
}
