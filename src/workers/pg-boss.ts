/** The queue in Postgres. This is the only file that knows pg-boss. */
import { randomUUID } from 'node:crypto'
import type { CommandResponse, JobInsert, PgBoss } from 'pg-boss'
import { statementFailure } from '../destinations/postgres/failure.ts'
import { takeTurn } from '../destinations/postgres/lock.ts'
import { ConnectorError } from '../std/errors.ts'
import type { QueueDatabase, Query, QueueSession } from './database.ts'
import {
  newestFormat,
  type HeldJob,
  type JobKind,
  type JobOutcome,
  type QueuedState,
  type Queue,
  type QueuedJob,
  type SyncTask,
  type Tasks,
} from './queue.ts'
import { messageOf } from '../std/text/message-of.ts'

/** The tables of pg-boss are in a schema of their own. */
const schema = 'turnleaf_queue'

/** The version of these tables that pg-boss 12.35 writes; a test compares it with the package. */
export const queueSchemaVersion = 43

/** A worker that reports nothing for this long has lost its jobs. Not less than 10. */
const leaseSeconds = 15

/** How often workers look for jobs whose worker is silent. */
const watchSeconds = 5

/** How often the worker of one job may die, or try later, before the job fails. Jobs that are handed back do not count. */
const triesAfterFirst = 5

/** After a failure that passes by itself; twice as long each time. */
const laterSeconds = 5

const keepSeconds = 3 * 86_400

/** pg-boss allows no more. */
const longestJobSeconds = 86_400

const settings = {
  retryLimit: triesAfterFirst,
  heartbeatSeconds: leaseSeconds,
  expireInSeconds: longestJobSeconds,
  deleteAfterSeconds: keepSeconds,
}

export type QueueOptions = {
  /** Whether this process takes jobs; then it also looks after jobs of workers that died. */
  readonly isWorker?: boolean
  readonly onError?: (error: unknown) => void
  /** The newest format of jobs that this process knows. */
  readonly format?: number
}

/** Creates its tables where there are none. */
export async function openQueue(database: QueueDatabase, options: QueueOptions = {}): Promise<Queue> {
  const { isWorker = false, onError = () => {}, format = newestFormat } = options
  const boss = await start(database, isWorker, onError)
  const asked: Asked = async (work) => {
    try {
      return await work()
    } catch (error) {
      throw statementFailure(database.address, error)
    }
  }
  return {
    ...queueReads(database.query, format),
    ...heldJobs(boss, database, asked, format),
    async submitSync(task) {
      for (;;) {
        const id = await asked(() => boss.send('sync', task, { singletonKey: task.connection, ...placeOf(task) }))
        if (id !== null) return { id, isRunning: false }
        const [row] = await database.query(
          `SELECT id FROM ${schema}.job WHERE name = 'sync' AND singleton_key = $1 AND state < 'completed'`,
          [task.connection],
        )
        // None where it ended between the two statements.
        if (row !== undefined) return { id: String(row.id), isRunning: true }
      }
    },
    async submitSyncs(tasks, session) {
      if (tasks.length === 0) return []
      const named = new Map(tasks.map((task) => [randomUUID() as string, task]))
      const jobs = [...named].map(
        ([id, task]): JobInsert => ({
          id,
          data: task,
          singletonKey: task.connection,
          ...placeOf(task),
        }),
      )
      const made = await asked(() => boss.insert('sync', jobs, { db: dbOf(session), returnId: true }))
      return (made ?? []).flatMap((id) => named.get(id)?.connection ?? [])
    },
    async submitParts(tasks) {
      const jobs = tasks.map((task): JobInsert => ({ data: task, ...placeOf(task) }))
      return (await asked(() => boss.insert('part', jobs, { returnId: true }))) ?? []
    },
    cancel: async (kind, ids) => affected(await asked(() => boss.cancel(kind, [...ids]))),
    async cancelParts(sync) {
      const rows = await database.query(
        `SELECT id FROM ${schema}.job WHERE name = 'part' AND state < 'completed' AND data->>'sync' = $1`,
        [sync],
      )
      const ids = rows.map(({ id }) => String(id))
      if (ids.length > 0) await asked(() => boss.cancel('part', ids))
    },
    close: () => boss.stop({ graceful: false }),
  }
}

/** A statement of pg-boss, whose failures are errors of ours. */
type Asked = <Result>(statement: () => Promise<Result>) => Promise<Result>

type HeldJobs = Pick<Queue, 'take' | 'renew' | 'end' | 'handBack' | 'tryLater'>

/** The jobs that this process takes, until they are settled. */
function heldJobs(boss: PgBoss, database: QueueDatabase, asked: Asked, format: number): HeldJobs {
  /** How often the job may still be retried, by its id. */
  const limits = new Map<string, number>()
  const limitOf = (job: HeldJob) => limits.get(job.id) ?? triesAfterFirst

  /** Lets another worker take it, unless it is not ours any more. */
  async function release(job: HeldJob, change: { retryLimit?: number; startAfter?: number }): Promise<void> {
    await asked(() =>
      database.transaction(async (session) => {
        const db = dbOf(session)
        if (affected(await boss.cancel(job.kind, attemptOf(job), { db })) === 0) return
        await boss.resume(job.kind, job.id, { db })
        await boss.update(job.kind, undefined, { id: job.id, ...change, db })
      }),
    )
    limits.delete(job.id)
  }

  async function end(job: HeldJob, outcome: JobOutcome): Promise<boolean> {
    limits.delete(job.id)
    return affected(await asked(() => boss.complete(job.kind, attemptOf(job), outcome))) > 0
  }

  return {
    async take<Kind extends JobKind>(kind: Kind, count: number) {
      const jobs = await asked(() =>
        boss.fetch<Tasks[Kind]>(kind, { batchSize: count, includeMetadata: true, maxPriority: priorityOf(format) }),
      )
      for (const { id, retryLimit } of jobs) limits.set(id, retryLimit)
      return jobs.map(({ id, data, retryCount }): HeldJob<Kind> => ({ kind, id, task: data, attempt: retryCount }))
    },
    async renew(jobs) {
      const lost: HeldJob[] = []
      for (const kind of ['sync', 'part'] as const) {
        const ours = jobs.filter((job) => job.kind === kind)
        if (ours.length === 0) continue
        const { settled } = (await asked(() => boss.touch(kind, ours.map(attemptOf)))) as { settled: readonly string[] }
        lost.push(...ours.filter(({ id }) => !settled.includes(id)))
      }
      return lost
    },
    end,
    async handBack(job) {
      await release(job, { retryLimit: limitOf(job) + 1 })
    },
    async tryLater(job, error) {
      if (job.attempt >= limitOf(job)) return end(job, { ending: 'failed', records: 0, error })
      await release(job, { startAfter: laterSeconds * 2 ** Math.min(job.attempt, 6) })
      return false
    },
  }
}

type QueueReads = Pick<Queue, 'unknownFormat' | 'find' | 'lastScheduled' | 'unfinished' | 'list' | 'counts'>

/** What the tables show: no job changes. */
function queueReads(query: Query, format: number): QueueReads {
  return {
    async unknownFormat() {
      const [row] = await query(
        `SELECT max(priority) AS priority FROM ${schema}.job WHERE name IN ('sync', 'part') AND state < 'active' AND NOT blocked AND priority > $1`,
        [priorityOf(format)],
      )
      return row?.priority == null ? null : Number(row.priority) + 1
    },
    find: async (kind, id) => (await jobsOf(query, 'name = $1 AND id = $2', [kind, id]))[0] ?? null,
    async lastScheduled(connections) {
      const rows = await query(
        `SELECT name FROM unnest($1::text[]) AS given (name) WHERE NOT EXISTS (
           SELECT FROM ${schema}.job WHERE name = 'sync' AND coalesce(singleton_key, '') = given.name
             AND state <= 'active' AND policy = 'exclusive')`,
        [connections],
      )
      if (rows.length === 0) return []
      const jobs = await jobsOf(
        query,
        `name = 'sync' AND singleton_key = ANY ($1) AND data->>'isScheduled' = 'true' ORDER BY created_on`,
        [rows.map(({ name }) => name)],
      )
      return [...new Map(jobs.map((job) => [job.connection, job])).values()]
    },
    async unfinished(ids) {
      const [row] = await query(
        `SELECT count(*)::int AS count FROM ${schema}.job WHERE name = 'part' AND id = ANY ($1) AND state < 'completed'`,
        [ids],
      )
      return Number(row?.count)
    },
    async list(limit) {
      const open = await jobsOf(
        query,
        `name = 'sync' AND state < 'completed' ORDER BY state DESC, created_on LIMIT $1`,
        [limit],
      )
      const ended = await jobsOf(query, `name = 'sync' AND state >= 'completed' ORDER BY completed_on DESC LIMIT $1`, [
        limit - open.length,
      ])
      return [...open, ...ended]
    },
    async counts(kind) {
      const [row] = await query(
        `SELECT count(*) FILTER (WHERE state < 'active')::int AS waiting, count(*) FILTER (WHERE state = 'active')::int AS running,
           coalesce(extract(epoch FROM max(now() - start_after) FILTER (WHERE state < 'active')), 0)::float8 AS lag
         FROM ${schema}.job WHERE name = $1 AND state < 'completed'`,
        [kind],
      )
      const lagSeconds = Math.max(0, Number(row?.lag))
      return { waiting: Number(row?.waiting), running: Number(row?.running), lagSeconds }
    },
  }
}

async function start(database: QueueDatabase, isWorker: boolean, onError: (error: unknown) => void): Promise<PgBoss> {
  const { PgBoss } = await loadQueue()
  const boss = new PgBoss({
    db: dbOf(database),
    schema,
    // Schedules are rows of ours.
    schedule: false,
    supervise: isWorker,
    superviseIntervalSeconds: watchSeconds,
    monitorIntervalSeconds: watchSeconds,
  })
  boss.on('error', onError)
  await refuseOtherVersion(database)
  try {
    // Several processes may start at the same time, and one of them creates the tables.
    await database.transaction(async ({ query }) => {
      await takeTurn(query, schema)
      await boss.start()
      await boss.createQueue('sync', { policy: 'exclusive', ...settings })
      await boss.createQueue('part', settings)
    })
    return boss
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {})
    throw startFailure(database.address, error)
  }
}

/** Not installed with Turnleaf: who syncs in one process does not need it. */
async function loadQueue(): Promise<typeof import('pg-boss')> {
  try {
    return await import('pg-boss')
  } catch (cause) {
    throw new ConnectorError('workers/no-queue', 'The queue of the workers, pg-boss, is not installed.', { cause })
  }
}

/** Tables of an older version are changed by pg-boss itself; those of a newer one must not be written. */
async function refuseOtherVersion({ query, address }: QueueDatabase): Promise<void> {
  const [found] = await query('SELECT to_regclass($1) IS NOT NULL AS known', [`${schema}.version`])
  if (found?.known !== true) return
  const [row] = await query(`SELECT version FROM ${schema}.version`)
  const version = Number(row?.version)
  if (!Number.isInteger(version))
    throw new ConnectorError('workers/queue-version', `The schema ${schema} in ${address} is not that of a queue.`, {
      hint: `Use another database, or rename the schema ${schema} that is there.`,
    })
  if (version <= queueSchemaVersion) return
  throw new ConnectorError(
    'workers/queue-version',
    `The queue in ${address} has version ${version}; this Turnleaf writes version ${queueSchemaVersion}.`,
  )
}

function startFailure(address: string, cause: unknown): unknown {
  const error = statementFailure(address, cause)
  const isOurs = error instanceof ConnectorError && error.code !== 'destinations/unreadable'
  if (isOurs && error.code !== 'destinations/lost') return error
  const isServer = cause instanceof Error && 'code' in cause
  // An assertion of pg-boss itself is about versions; it is no lost session.
  if (isOurs && isServer && cause.code !== 'ERR_ASSERTION') return error
  const words = messageOf(cause)
  return new ConnectorError(
    'workers/queue-version',
    `The queue in ${address} cannot be brought up to date: ${words.replace(/\.+$/, '')}.`,
    {
      cause,
      hint: `Let its jobs end with the version that made it, and stop all workers. Then drop the schema ${schema}: it is created again, and has no checkpoints and no schedules.`,
    },
  )
}

/** The queue hands out jobs up to a priority: that of a job is its format. Those that fewer workers know come first. */
function priorityOf(format: number): number {
  return format - 1
}

function placeOf({ format = 1 }: SyncTask): { priority: number } {
  return { priority: priorityOf(format) }
}

function dbOf({ raw }: QueueSession) {
  return { executeSql: raw }
}

/** Limits a statement to this attempt: a job that was taken over stays as it is. */
function attemptOf({ id, attempt }: HeldJob): { id: string; retryCount: number } {
  return { id, retryCount: attempt }
}

function affected(response: CommandResponse): number {
  return (response as { affected: number }).affected
}

const states: Readonly<Record<string, QueuedState>> = {
  created: 'waiting',
  retry: 'waiting',
  active: 'running',
  completed: 'ended',
  cancelled: 'cancelled',
  failed: 'failed',
}

/** @param where may use $1 and so on, and end with an order. */
async function jobsOf(query: Query, where: string, values: readonly unknown[]): Promise<QueuedJob[]> {
  const rows = await query(
    `SELECT id, data, state, retry_count, created_on, started_on, completed_on, output FROM ${schema}.job WHERE ${where}`,
    values,
  )
  return rows.map((row) => {
    const state = states[String(row.state)] ?? 'failed'
    return {
      id: String(row.id),
      connection: (row.data as SyncTask).connection,
      state,
      attempt: Number(row.retry_count),
      createdAt: row.created_on as Date,
      startedAt: row.started_on as Date | null,
      endedAt: row.completed_on as Date | null,
      outcome:
        state === 'ended' ? (row.output as JobOutcome) : state === 'failed' ? died(Number(row.retry_count)) : null,
    }
  })
}

function died(attempts: number): JobOutcome {
  const { code, message, hint } = new ConnectorError(
    'workers/died',
    `The job was given up: its worker ended ${attempts + 1} times before the sync did.`,
  )
  return { ending: 'failed', records: 0, error: { code, message, hint } }
}
