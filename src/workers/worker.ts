/** A worker: takes jobs while it has free slots, keeps their leases, and hands back what it cannot finish. */
import { isCancelled, redactedError } from '../protocol/failure.ts'
import type { Redact } from '../protocol/secrets.ts'
import { ConnectorError } from '../std/errors.ts'
import { sleep } from '../std/sleep.ts'
import { shownError, type ShownError } from '../sync/receipt.ts'
import type { SyncEvent, SyncResult } from '../sync/events.ts'
import { findConnection } from '../connections/find-connection.ts'
import { failureOutcome, type RunOutcome, runOutcome } from '../schedules/run-connection.ts'
import { sendWebhook, webhookBody } from '../schedules/webhook.ts'
import { endScheduled, startDue } from './schedules.ts'
import type { QueueDatabase } from './database.ts'
import { createTally, type Tally } from './tally.ts'
import { forgetOldProgress, hasBegun, type JobSummary, reportProgress } from './progress.ts'
import type { HeldJob, Queue } from './queue.ts'
import { openTask, syncAsLead } from './run-sync-job.ts'

export type WorkerOptions = {
  /** Shown in lists and logs. */
  readonly name: string
  readonly home: string
  readonly defaultDestination: () => string
  /** How many syncs at a time. */
  readonly syncs: number
  readonly log: (line: LogLine) => void
  /** Stops it: what was read is committed, and jobs are handed back. */
  readonly signal: AbortSignal
}

export type LogLine = { readonly level: 'info' | 'warn' | 'error'; readonly event: string } & Readonly<
  Record<string, unknown>
>

export type Worker = {
  readonly tally: Tally
  readonly running: () => number
  /** When the queue was last reached, ms since 1970. */
  readonly reachedAt: () => number
  /** When it has stopped, every job handed back. */
  readonly ended: Promise<void>
}

const pollMs = 500
const renewMs = 2500
const scheduleMs = 1000
const cleanMs = 3_600_000

/** Handed on before the queue takes it away. */
const longestMs = 23 * 3_600_000

/** Why a job is stopped. */
type Stop = 'lost' | 'hand-back'

type Running = { readonly job: HeldJob; readonly stop: (why: Stop) => void; readonly ended: Promise<void> }

export function startWorker(database: QueueDatabase, queue: Queue, options: WorkerOptions): Worker {
  const { syncs, signal, log } = options
  const tally = createTally()
  const running = new Map<string, Running>()
  let reachedAt = Date.now()
  let isReachable = true
  /** A database that is away for a while ends no worker. */
  const reaching = async (work: () => Promise<void>) => {
    try {
      await work()
      reachedAt = Date.now()
      if (!isReachable) log({ level: 'info', event: 'queue-reached' })
      isReachable = true
    } catch (error) {
      if (isReachable)
        log({ level: 'error', event: 'queue-unreachable', error: shownError(redactedError(error, String)) })
      isReachable = false
    }
  }
  const begin = (job: HeldJob<'sync'>) => {
    const cancel = new AbortController()
    let why: Stop | null = null
    const stop = (reason: Stop) => {
      why ??= reason
      cancel.abort(new Error(`The job was stopped: ${reason}`))
    }
    const timer = setTimeout(() => stop('hand-back'), longestMs)
    const ended = runJob(job, { database, queue, options, tally, signal: cancel.signal, why: () => why }).finally(
      () => {
        clearTimeout(timer)
        running.delete(job.id)
      },
    )
    running.set(job.id, { job, stop, ended })
  }
  const take = async () => {
    const free = syncs - running.size
    if (free > 0) for (const job of await queue.take('sync', free)) begin(job)
  }
  const renew = async () => {
    const jobs = [...running.values()].map(({ job }) => job)
    for (const { id } of jobs.length === 0 ? [] : await queue.renew(jobs)) running.get(id)?.stop('lost')
  }
  const every = async (ms: number, work: () => Promise<void>, until: AbortSignal) => {
    while (!until.aborted) {
      await reaching(work)
      if (!until.aborted) await sleep(ms, until).catch(() => {})
    }
  }
  const startScheduled = async () => {
    const started = await startDue(database, queue)
    if (started.length > 0) log({ level: 'info', event: 'schedules-started', count: started.length })
  }
  const finish = async () => {
    const scheduling = every(scheduleMs, startScheduled, signal)
    const taking = every(pollMs, take, signal)
    const cleaning = every(cleanMs, () => forgetOldProgress(database.query), signal)
    // Leases are kept until the last job has ended.
    const done = new AbortController()
    const renewing = every(renewMs, renew, done.signal)
    await Promise.all([taking, cleaning, scheduling])
    for (const { stop } of running.values()) stop('hand-back')
    await Promise.all([...running.values()].map(({ ended }) => ended))
    done.abort()
    await renewing
  }
  return { tally, running: () => running.size, reachedAt: () => reachedAt, ended: finish() }
}

type JobRun = {
  readonly database: QueueDatabase
  readonly queue: Queue
  readonly options: WorkerOptions
  readonly tally: Tally
  readonly signal: AbortSignal
  readonly why: () => Stop | null
}

/** Never throws: what happened is in the queue, or in the log where the queue cannot be reached. */
async function runJob(job: HeldJob<'sync'>, { database, queue, options, tally, signal, why }: JobRun): Promise<void> {
  const { name: worker, log } = options
  const { connection } = job.task
  const about = { job: job.id, connection, attempt: job.attempt }
  const progress = reportProgress(database.query, job)
  const summary = summarize(worker)
  let redact: Redact = String
  const settle = async (what: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      // The lease ends by itself, and another worker takes the job.
      log({ level: 'error', event: `cannot-${what}`, ...about, error: shownError(redactedError(error, redact)) })
    }
  }
  /** Once the job has its end; a run that is tried again has none yet. */
  const endSchedule = async (outcome: RunOutcome) => {
    if (job.task.isScheduled !== true) return
    const { receipts: _, ...ended } = outcome
    const stored = await endScheduled(database, connection, Date.now() - startedAt, ended)
    if (stored?.schedule.webhook === undefined) return
    const found = await findConnection(connection, options.home)
    const body = webhookBody(connection, { startedAt, endedAt: Date.now(), outcome })
    const trouble = await sendWebhook({ ...found, schedule: stored.schedule }, body, {
      egress: 'loopback-allowed',
      signal: options.signal,
    })
    if (trouble !== null) log({ level: 'warn', event: 'webhook-failed', ...about, reason: trouble })
  }
  const startedAt = Date.now()
  log({ level: 'info', event: 'job-taken', ...about })
  progress.report({ kind: 'job-taken', worker, attempt: job.attempt })
  progress.report(summary.now())
  try {
    // A job that was taken over continues what it began.
    const isFresh = job.task.options.isFresh === true && !(job.attempt > 0 && (await hasBegun(database.query, job.id)))
    const task = { ...job.task, options: { ...job.task.options, isFresh } }
    const opened = await openTask(task, {
      ...options,
      signal,
      learn: (known) => {
        redact = known
      },
      warn(text) {
        log({ level: 'warn', event: 'warning', ...about, text: redact(text) })
        progress.report({ kind: 'job-notice', text: redact(text) })
      },
      onEvent(event) {
        tally.count(event)
        summary.count(event)
        progress.report(event)
        if (event.kind === 'committed' || event.kind === 'run-started' || event.kind === 'stream-ended')
          progress.report(summary.now())
      },
    })
    const { require = 'unproven' } = opened.options
    progress.report({ kind: 'job-opened', require, schema: opened.schema })
    const result = await syncAsLead(opened)
    await progress.close()
    await settle('end-job', () => endJob(queue, job, result, why()))
    if (why() === null) await settle('end-schedule', () => endSchedule(runOutcome(result)))
    tally.ended(why() === null ? result.ending : 'handed-back')
    log({
      level: 'info',
      event: 'job-ended',
      ...about,
      ending: result.ending,
      run: result.run,
      ...(why() && { why: why() }),
    })
  } catch (failure) {
    const error = shownError(redactedError(failure, redact))
    const isStopped = why() !== null && (isCancelled(failure) || signal.aborted)
    if (!isStopped) progress.report({ kind: 'job-failed', error })
    await progress.close()
    await settle('end-job', () => endFailed(queue, job, error, why()))
    const outcome = failureOutcome(failure, redact, isStopped)
    if (!isStopped && !isPassing(error)) await settle('end-schedule', () => endSchedule(outcome))
    tally.ended(isStopped ? 'handed-back' : 'failed')
    log({ level: isStopped ? 'info' : 'error', event: 'job-failed', ...about, error, ...(why() && { why: why() }) })
  }
}

async function endJob(queue: Queue, job: HeldJob, result: SyncResult, why: Stop | null): Promise<void> {
  if (why === 'lost') return
  if (why === 'hand-back' && result.ending === 'interrupted') return queue.handBack(job)
  const records = result.receipts.reduce((sum, receipt) => sum + receipt.records, 0)
  const failed = result.receipts.find(({ error }) => error !== undefined)
  // Another process took the destination from this one: the queue thinks that the job is ours, and it is not.
  if (failed?.error?.code === 'destinations/taken-over') return queue.tryLater(job, failed.error)
  await queue.end(job, { ending: result.ending, records, ...(failed?.error !== undefined && { error: failed.error }) })
}

/** Failures of the database or its network pass; everything else would fail again. */
const passing: readonly string[] = [
  'destinations/busy',
  'destinations/lost',
  'destinations/unreachable',
  'destinations/taken-over',
]

async function endFailed(queue: Queue, job: HeldJob, error: ShownError, why: Stop | null): Promise<void> {
  if (why === 'lost') return
  if (why === 'hand-back') return queue.handBack(job)
  if (isPassing(error)) return queue.tryLater(job, error)
  await queue.end(job, { ending: 'failed', records: 0, error })
}

function isPassing({ code }: ShownError): boolean {
  return code !== undefined && passing.includes(code)
}

function summarize(worker: string) {
  let streams = 0
  let ended = 0
  const records = new Map<string, number>()
  return {
    count(event: SyncEvent) {
      if (event.kind === 'run-started') streams = event.streams.length
      if (event.kind === 'stream-ended' || event.kind === 'stream-skipped') {
        ended++
        records.set(event.receipt.stream, event.receipt.records)
      }
      if (event.kind === 'committed') records.set(event.stream, event.records)
    },
    now: (): JobSummary => ({
      kind: 'summary',
      worker,
      streams,
      ended,
      records: [...records.values()].reduce((sum, one) => sum + one, 0),
    }),
  }
}

/** For errors that only a caller can know. */
export function jobGone(id: string): ConnectorError {
  return new ConnectorError('workers/job-gone', `The queue no longer has the job ${id}.`)
}
