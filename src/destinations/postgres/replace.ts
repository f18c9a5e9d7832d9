/** The staged table in the place of the live one: by its name where that harms nobody, else row by row. */
import { matchColumns } from '../columns/match-columns.ts'
import { ConnectorError } from '../../std/errors.ts'
import { sourceColumns } from '../destination.ts'
import { alterTable, renameStaged } from './alter.ts'
import { sqlState } from './failure.ts'
import { copyGrants, isBare, wouldDeleteElsewhere } from './attached.ts'
import { nameRules, quoted } from './sql.ts'
import type { Session } from './session.ts'
import type { LiveTable, StagedTable, StreamTables, Tables } from './tables.ts'

type WithStaged = StreamTables & { readonly staged: StagedTable }
type WithBoth = WithStaged & { readonly live: LiveTable }

export async function replaceTable(session: Session, tables: Tables, before: WithStaged): Promise<StreamTables> {
  const { live, staged } = before
  if (live === null) await renameStaged(session, tables, before)
  else if (!(await swapTables(session, tables, { ...before, live })))
    return await replaceRows(session, tables, { ...before, live })
  return { ...before, live: { columns: staged.columns, distinctBy: null }, staged: null }
}

/** False where the table must stay because of what hangs on it, or of who is reading it. */
async function swapTables(session: Session, tables: Tables, before: WithBoth): Promise<boolean> {
  const [live, staged] = [tables.liveName(before), tables.stagedName(before)]
  if (!(await isBare(session, tables, before))) return false
  try {
    await session.attempt(async () => {
      // Whoever reads for longer than this keeps reading: the rows are then replaced beneath.
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

/** Readers go on seeing the old rows until the transaction is committed; views, indexes, policies stay. */
async function replaceRows(session: Session, tables: Tables, before: WithBoth): Promise<StreamTables> {
  const [live, staged] = [tables.liveName(before), tables.stagedName(before)]
  const victim = await wouldDeleteElsewhere(session, live)
  if (victim !== null) throw cascades(session, live, victim)
  await session.query(`SET CONSTRAINTS ALL DEFERRED; DELETE FROM ${live}`)

  const { into, intoChanges, from, fromChanges } = matchColumns(before.live.columns, before.staged.columns, nameRules)
  await alterTable(session, live, intoChanges)
  await alterTable(session, staged, fromChanges)
  const names = new Map(into.map(({ key, name }) => [key, name]))
  const given = [...from.map(({ name }) => name), ...sourceColumns].map(quoted).join(', ')
  const taken = [...from.map(({ key, name }) => names.get(key) ?? name), ...sourceColumns].map(quoted).join(', ')
  await session.query(`INSERT INTO ${live} (${taken}) SELECT ${given} FROM ${staged}; DROP TABLE ${staged}`)
  return { ...before, live: { columns: into, distinctBy: null }, staged: null }
}

function cascades({ address }: Session, live: string, victim: string): ConnectorError {
  return new ConnectorError(
    'destinations/write-refused',
    `${address}: replacing the rows of ${live} would change or delete rows of ${victim}, because of a foreign key with an action ON DELETE.`,
    { hint: 'Take that action from the foreign key, or read the stream incrementally with deduplication.' },
  )
}
