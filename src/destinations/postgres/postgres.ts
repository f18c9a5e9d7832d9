/** The Postgres destination: tables and checkpoints in one schema of a database. */
import {
  type Claim,
  type Commit,
  type Destination,
  type HeldClaim,
  leadClaim,
  type OpenDestination,
  type QueryResult,
  type Step,
  type TableRows,
} from '../destination.ts'
import { ConnectorError, hasCode } from '../../std/errors.ts'
import { type Address, parseAddress } from './address.ts'
import { assertHeld, takeClaim } from './claims.ts'
import { stepFailure } from './failure.ts'
import { keepAlive, takeLock } from './lock.ts'
import { hasSchema, prepareSchema, readAllCheckpoints, readCheckpoints, writeCheckpoints } from './schema.ts'
import { discard, publishTable } from './publish.ts'
import { connect, type PostgresSession } from './session.ts'
import { quoted, storable } from './sql.ts'
import { ChangesTables, openTables, type Tables } from './tables.ts'
import { groupRewinds, rewindRows, writePages } from './write.ts'
import { messageOf } from '../../std/text/message-of.ts'

export type PostgresOptions = {
  /** The schema of the tables; `?schema=` of the address, or `public`, when absent. Created if missing. */
  readonly schema?: string | undefined
  /** How long to wait for the lock of a killed sync, or for readers of a table: 5 s unless given. */
  readonly lockWaitMs?: number
  /** How long the process of a sync may be paused before the next sync takes over: 60 s unless given, the same in all processes. */
  readonly leaseMs?: number
}

/** @example postgresDestination('postgres://loader:secret@localhost/shop?sslmode=require', { schema: 'crm' }) */
export function postgresDestination(url: string, options: PostgresOptions = {}): Required<Destination> {
  const address = parseAddress(url, options.schema)
  // For the server, 0 means no limit.
  const lockWaitMs = Math.max(1, options.lockWaitMs ?? 5000)
  const leaseMs = options.leaseMs ?? 60_000
  return {
    address: address.shown,
    canShare: true,
    async open(connection, claim) {
      const session = await connect(address, lockWaitMs)
      try {
        return await openFor(session, { address, connection: storable(connection), claim, leaseMs })
      } catch (error) {
        await session.close()
        throw error
      }
    },
    async inspect(prefix) {
      const session = await connect(address, lockWaitMs)
      try {
        return (await hasSchema(session)) ? await readAllCheckpoints(session, prefix) : []
      } finally {
        await session.close()
      }
    },
    async query(sql, limit) {
      const session = await connect(address, lockWaitMs)
      try {
        return await queryRows(session, sql, limit)
      } finally {
        await session.close()
      }
    },
  }
}

type Opening = {
  readonly address: Address
  readonly connection: string
  readonly claim: Claim | undefined
  readonly leaseMs: number
}

async function openFor(session: PostgresSession, opening: Opening): Promise<OpenDestination> {
  const { connection, claim = leadClaim, leaseMs } = opening
  const isShared = opening.claim !== undefined
  const lock = await takeLock(session, connection, { isShared, leaseMs })
  await prepareSchema(session)
  const own = await lock.waitFor(() => takeClaim(session, connection, claim))
  const held = claim.under === undefined ? [own] : [own, claim.under]
  // Of a lead that was replaced: nothing of it may be read.
  await assertHeld(session, connection, held)
  const stopBeating = keepAlive(session, leaseMs)
  const tables = openTables(session, connection, isShared)
  const apply = (commit: Commit, mayChange: boolean) =>
    session.transaction(async () => {
      await assertHeld(session, connection, held)
      await tables.begin(mayChange)
      for (const group of groupRewinds(commit.steps)) await applySteps(session, tables, group)
      await writeCheckpoints(session, connection, commit)
    })
  const guarded = <Result>(work: () => Promise<Result>) => orTakenOver(work, opening, session, held)
  return {
    claim: own,
    notes: (prefix) => guarded(() => readCheckpoints(session, connection, prefix)),
    async commit(commit: Commit) {
      try {
        await guarded(async () => {
          try {
            await apply(commit, commit.steps.some(changesTables))
          } catch (error) {
            if (!(error instanceof ChangesTables)) throw error
            await apply(commit, true)
          }
        })
      } catch (error) {
        tables.reset()
        throw error
      }
    },
    count: ({ name }) =>
      guarded(() =>
        session.transaction(async () => {
          await tables.begin(false)
          return await countTableRows(session, tables, name)
        }),
      ),
    isGone: (stream) =>
      guarded(() =>
        session.transaction(async () => {
          await tables.begin(false)
          return await tables.isGone(stream)
        }),
      ),
    isStagedGone: (stream) =>
      guarded(() =>
        session.transaction(async () => {
          await tables.begin(false)
          return await tables.isStagedGone(stream)
        }),
      ),
    check: ({ name }) =>
      guarded(() =>
        session.transaction(async () => {
          await tables.begin(false)
          await tables.refuseTaken(name)
        }),
      ),
    async close() {
      stopBeating()
      await session.close()
    },
  }
}

/** The process that takes over may have ended the session of this one: that is what to report then, not a lost session. */
async function orTakenOver<Result>(
  work: () => Promise<Result>,
  { address, connection }: Opening,
  { lockWaitMs }: PostgresSession,
  held: readonly HeldClaim[],
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!hasCode(error, 'destinations/lost')) throw error
    const session = await connect(address, lockWaitMs).catch(() => null)
    if (session === null) throw error
    try {
      await assertHeld(session, connection, held)
    } catch (answer) {
      throw hasCode(answer, 'destinations/taken-over') ? answer : error
    } finally {
      await session.close()
    }
    throw error
  }
}

/** The others change tables only where a record needs a new column. */
function changesTables({ kind }: Step): boolean {
  return kind === 'publish' || kind === 'discard'
}

async function applySteps(session: PostgresSession, tables: Tables, group: readonly [Step, ...Step[]]): Promise<void> {
  // If this fails, a table of ours is missing, and no stream can be written.
  await tables.of(group[0].table.name)
  try {
    await applyGroup(session, tables, group)
  } catch (error) {
    throw stepFailure(error)
  }
}

async function applyGroup(session: PostgresSession, tables: Tables, group: readonly [Step, ...Step[]]): Promise<void> {
  const [step] = group
  switch (step.kind) {
    case 'write':
      return await writePages(session, tables, step.table, step.pages)
    case 'rewind':
      return await rewindRows(
        session,
        tables,
        step.table,
        group.flatMap((one) => (one.kind === 'rewind' ? [one.rows] : [])),
      )
    case 'publish':
      return await publishTable(session, tables, step.table)
    case 'discard':
      return await discard(session, tables, step.table)
  }
}

/** Uses a cursor: of a million rows only those that are shown are transferred. */
async function queryRows(
  { query, runOne, fetch, schema }: PostgresSession,
  sql: string,
  limit: number,
): Promise<QueryResult> {
  try {
    await query('BEGIN READ ONLY')
    await query(`SELECT set_config('search_path', $1, true)`, [`${quoted(schema)}, public`])
    await runOne(`DECLARE answer NO SCROLL CURSOR FOR ${sql.replace(/;\s*$/, '')}`)
    const { columns, rows } = await fetch(`FETCH ${limit + 1} FROM answer`)
    return { columns, rows: rows.slice(0, limit), isCut: rows.length > limit }
  } catch (cause) {
    if (hasCode(cause, 'destinations/lost')) throw cause
    const said = messageOf(cause)
    throw new ConnectorError('destinations/query-refused', said, { cause })
  } finally {
    await query('ROLLBACK').catch(() => {})
  }
}

async function countTableRows({ query }: PostgresSession, tables: Tables, stream: string): Promise<TableRows> {
  const known = await tables.of(stream)
  const count = async (place: string) => {
    const [row] = await query(`SELECT count(*)::text AS rows FROM ${place}`)
    return Number(row?.rows ?? 0)
  }
  return {
    published: known.live === null ? 0 : await count(tables.liveName(known)),
    staged: known.staged === null ? 0 : await count(tables.stagedName(known)),
    stagedAs: known.staged === null ? null : tables.stagedLabel(known),
  }
}
