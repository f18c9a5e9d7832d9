/**
 * Schedules in the database of the workers. Whichever worker finds one due starts it: a row is locked, its state is
 * stored and its job submitted in one transaction. The decisions are those of `decide`; only the database's clock counts.
 */
import { isOnlyReferences } from '../connections/references.ts'
import { type Schedule, timeAfter } from '../connections/schedule.ts'
import {
  currentState,
  decide,
  type EndedRun,
  endedState,
  nextStart,
  type ScheduleState,
  type StoredSchedule,
} from '../schedules/decide.ts'
import { ConnectorError, hasCode } from '../std/errors.ts'
import { stringifyJson } from '../std/json.ts'
import type { Query, QueueDatabase } from './database.ts'
import type { Queue, QueuedJob, SyncTask } from './queue.ts'
import { ownSchema } from './tables.ts'

const table = `${ownSchema}.schedules`

/** How many are started in one transaction. */
const atOnce = 500

export type SharedSchedule = { readonly connection: string; readonly schedule: Schedule }

/** Adds schedules, or replaces them. Times count from now on. */
export async function setSharedSchedules(database: QueueDatabase, given: readonly SharedSchedule[]): Promise<void> {
  for (const { schedule } of given) refusePlainWebhook(schedule)
  const now = await databaseNow(database.query)
  const rows = given.map(({ connection, schedule }) => {
    const state = currentState(schedule, null, now)
    return { connection, schedule, state, next: timeOf(nextStart(schedule, state, now)) }
  })
  await database.query(
    `INSERT INTO ${table} (connection, schedule, state, next_at)
     SELECT connection, schedule, state, next FROM jsonb_to_recordset($1::jsonb)
       AS given (connection text, schedule jsonb, state jsonb, next timestamptz)
     ON CONFLICT (connection) DO UPDATE
     SET schedule = excluded.schedule, state = excluded.state, next_at = excluded.next_at`,
    [stringifyJson(rows)],
  )
}

/** An address may be a secret, and the database holds none. */
function refusePlainWebhook({ webhook }: Schedule): void {
  if (webhook === undefined || isOnlyReferences(webhook)) return
  throw new ConnectorError('schedules/webhook', 'In the database of workers, the webhook must be a reference.', {
    hint: 'Write ${NAME}, a variable of the workers, or file:PATH, from the folder of the connection.',
  })
}

/** Pausing ends no run. Times that pass meanwhile are one run after resuming. */
export async function pauseSharedSchedule(
  database: QueueDatabase,
  connection: string,
  isPaused: boolean,
): Promise<void> {
  await change(database, connection, ({ schedule, state }) => {
    const { paused: _, ...rest } = schedule
    return { schedule: isPaused ? { ...rest, paused: true } : rest, state }
  })
}

export async function removeSharedSchedule({ query }: QueueDatabase, connection: string): Promise<void> {
  const rows = await query(`DELETE FROM ${table} WHERE connection = $1 RETURNING connection`, [connection])
  if (rows.length === 0) throw none(connection)
}

export async function sharedSchedules({ query }: QueueDatabase): Promise<readonly StoredSchedule[]> {
  return storedIn(await query(`SELECT connection, schedule, state FROM ${table} ORDER BY connection COLLATE "C"`))
}

export async function findSharedSchedule({ query }: QueueDatabase, connection: string): Promise<StoredSchedule> {
  const [found] = storedIn(
    await query(`SELECT connection, schedule, state FROM ${table} WHERE connection = $1`, [connection]),
  )
  if (found === undefined) throw none(connection)
  return found
}

/** Starts what is due; returns the connections whose sync was submitted. */
export async function startDue(database: QueueDatabase, queue: Queue): Promise<readonly string[]> {
  const started: string[] = []
  for (;;) {
    const batch = await startSome(database, queue)
    started.push(...batch.started)
    if (batch.looked < atOnce) return started
  }
}

async function startSome(database: QueueDatabase, queue: Queue) {
  return database.transaction(async (session) => {
    const { query } = session
    const rows = await query(
      `SELECT connection, schedule, state FROM ${table} WHERE next_at <= clock_timestamp()
       ORDER BY next_at LIMIT ${atOnce} FOR UPDATE SKIP LOCKED`,
    )
    if (rows.length === 0) return { looked: 0, started: [] }
    const now = await databaseNow(query)
    const decided = storedIn(rows).map((stored) => {
      const { start, wakeAt } = decide([stored], new Set(), now, 1)
      return { stored, state: start[0]?.state ?? null, wakeAt }
    })
    const due = decided.filter(({ state }) => state !== null).map(({ stored }) => stored.name)
    const tasks = due.map((connection): SyncTask => ({ connection, options: {}, isScheduled: true }))
    // A connection that has a job keeps it.
    const submitted = new Set(await queue.submitSyncs(tasks, session))
    const changed = decided.map(({ stored: { name, schedule, state: before }, state, wakeAt }) => {
      const current = state ?? currentState(schedule, before, now)
      const kept = submitted.has(name) ? current : { ...current, last: before?.last ?? null }
      return {
        connection: name,
        state: kept,
        next: timeOf(state === null ? wakeAt : laterThan(schedule, current, now)),
      }
    })
    await query(
      `UPDATE ${table} AS known SET state = given.state, next_at = given.next
       FROM jsonb_to_recordset($1::jsonb) AS given (connection text, state jsonb, next timestamptz)
       WHERE known.connection = given.connection`,
      [stringifyJson(changed)],
    )
    return { looked: rows.length, started: [...submitted] }
  })
}

/** The time after those that are settled; the end of the run may move it. */
function laterThan(schedule: Schedule, { settledUntil }: ScheduleState, now: number): number {
  const next = timeAfter(schedule, settledUntil)
  return next > now ? next : timeAfter(schedule, now)
}

/** Stores how a scheduled run ended; null where the schedule was removed meanwhile. */
export async function endScheduled(
  database: QueueDatabase,
  connection: string,
  tookMs: number,
  ended: EndedRun,
): Promise<StoredSchedule | null> {
  try {
    return await change(database, connection, ({ schedule, state }, now) => {
      const current = currentState(schedule, state, now)
      const startedAt = now - tookMs
      const last = { startedAt, endedAt: null, status: 'running', exitStatus: null, run: null, error: null } as const
      return { schedule, state: endedState(schedule, { ...current, last }, ended, now) }
    })
  } catch (error) {
    if (hasCode(error, 'schedules/none')) return null
    throw error
  }
}

export type AbandonedRun = {
  readonly stored: StoredSchedule
  readonly startedAt: number
  readonly endedAt: number
  readonly outcome: EndedRun & { readonly receipts: readonly [] }
}

/** What ended a job a moment ago stores that itself. */
const ownEndMs = 60_000

/** Schedules that run, while their job has ended without storing it: its workers died, or it was cancelled. */
export async function endAbandoned(database: QueueDatabase, queue: Queue): Promise<readonly AbandonedRun[]> {
  const running = await database.query(
    `SELECT connection FROM ${table} WHERE state->'last'->>'status' = 'running' AND state->'last'->>'endedAt' IS NULL`,
  )
  if (running.length === 0) return []
  const now = await databaseNow(database.query)
  const abandoned: AbandonedRun[] = []
  for (const job of await queue.lastScheduled(running.map(({ connection }) => String(connection)))) {
    if (job.state === 'ended' && now - (job.endedAt?.getTime() ?? now) < ownEndMs) continue
    const outcome = { ...outcomeOf(job), receipts: [] } as const
    let startedAt: number | null = null
    const stored = await change(database, job.connection, (before, at) => {
      const { last } = before.state ?? {}
      // Another worker may have seen it too, or the schedule has started anew.
      const isOurs = last?.status === 'running' && last.startedAt <= (job.endedAt?.getTime() ?? at)
      if (!isOurs || before.state === null) return before
      startedAt = last.startedAt
      return { schedule: before.schedule, state: endedState(before.schedule, before.state, outcome, at) }
    })
    if (startedAt !== null) abandoned.push({ stored, startedAt, endedAt: now, outcome })
  }
  return abandoned
}

function outcomeOf({ state, outcome }: QueuedJob): EndedRun {
  const ending = outcome?.ending ?? 'failed'
  const error = outcome?.error
  return {
    status: state === 'cancelled' ? 'cancelled' : ending === 'read' ? 'failed' : ending,
    exitStatus: state === 'cancelled' ? null : ending === 'complete' ? 0 : 1,
    run: null,
    error:
      error === undefined ? null : { code: error.code ?? 'unexpected', message: error.message, hint: error.hint ?? '' },
  }
}

type Changed = { readonly schedule: Schedule; readonly state: ScheduleState | null }

async function change(
  database: QueueDatabase,
  connection: string,
  work: (stored: StoredSchedule, now: number) => Changed,
): Promise<StoredSchedule> {
  return database.transaction(async ({ query }) => {
    const sql = `SELECT connection, schedule, state FROM ${table} WHERE connection = $1 FOR UPDATE`
    const [stored] = storedIn(await query(sql, [connection]))
    if (stored === undefined) throw none(connection)
    const now = await databaseNow(query)
    const { schedule, state } = work(stored, now)
    const next = nextStart(schedule, currentState(schedule, state, now), now)
    await query(`UPDATE ${table} SET schedule = $2, state = $3, next_at = $4 WHERE connection = $1`, [
      connection,
      stringifyJson(schedule),
      stringifyJson(state),
      timeOf(next),
    ])
    return { name: connection, schedule, state }
  })
}

function storedIn(rows: Awaited<ReturnType<Query>>): StoredSchedule[] {
  return rows.map(({ connection, schedule, state }) => ({
    name: String(connection),
    schedule: schedule as Schedule,
    state: state as ScheduleState | null,
  }))
}

/** Machines may disagree about the time; the database is one. */
export async function databaseNow(query: Query): Promise<number> {
  const [row] = await query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now')
  return Math.floor(Number(row?.now))
}

/** Null for a time that never comes, or a schedule that is paused. */
function timeOf(ms: number | null): string | null {
  return ms === null || !Number.isFinite(ms) ? null : new Date(ms).toISOString()
}

function none(connection: string): ConnectorError {
  return new ConnectorError('schedules/none', `The connection "${connection}" has no schedule in this database.`, {
    hint: 'Add one with `npx turnleaf schedule add … --on`; `npx turnleaf schedule list --on` lists the existing ones.',
  })
}
