/** A job → the sync of its connection: its events for the commands that follow it, and its end in the queue. */
import { leadClaim } from '../destinations/destination.ts'
import { isCancelled } from '../protocol/failure.ts'
import { failureOutcome, type RunOutcome, runOutcome } from '../schedules/run-connection.ts'
import type { ShownError } from '../sync/receipt.ts'
import type { SyncEvent, SyncResult } from '../sync/events.ts'
import { sync } from '../sync/sync.ts'
import { endSchedule } from './end-schedule.ts'
import { type JobLog, openJobLog } from './job-log.ts'
import type { JobRun, Stop } from './job-run.ts'
import { type OpenedTask, openTask } from './open-task.ts'
import { isPassing, untilReached } from './until-reached.ts'
import { type JobEvent, type JobSummary, type ProgressReport, reportProgress } from './progress.ts'
import type { HeldJob, Queue } from './queue.ts'
import { readInParts, rememberSlices } from './read-in-parts.ts'

type SyncJob = {
  readonly job: HeldJob<'sync'>
  readonly run: JobRun
  readonly log: JobLog
  readonly progress: ProgressReport
  readonly startedAt: number
}

/** Never throws: what happened is in the queue, or in the log where the queue cannot be reached. */
export async function runSyncJob(job: HeldJob<'sync'>, run: JobRun): Promise<void> {
  const { id, attempt, task } = job
  const log = openJobLog(run.options.log, { job: id, connection: task.connection, attempt })
  const progress = reportProgress(run.database.query, job)
  const syncJob = { job, run, log, progress, startedAt: Date.now() }
  log.write({ level: 'info', event: 'job-taken' })
  progress.report({ kind: 'job-taken', worker: run.options.name, attempt })
  try {
    const result = await syncConnection(syncJob)
    await progress.close()
    await endSynced(syncJob, result)
  } catch (failure) {
    await endThrown(syncJob, failure)
  }
}

async function syncConnection({ job, run, log, progress }: SyncJob): Promise<SyncResult> {
  const { options, tally, signal } = run
  const summary = summarize(options.name)
  progress.report(summary.now())
  const opened = await openTask(job.task, {
    ...options,
    signal,
    learn: log.learn,
    warn(given) {
      const text = log.redact(given)
      log.write({ level: 'warn', event: 'warning', text })
      progress.report({ kind: 'job-notice', text, isWarning: true })
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
  // A worker that takes the job over resumes what this one begins.
  const named = { ...opened, options: { ...opened.options, freshStart: job.id } }
  return syncAsLead(named, { ...run, job, report: (event) => progress.report(event) })
}

async function endSynced(syncJob: SyncJob, result: SyncResult): Promise<void> {
  const { job, log } = syncJob
  const { database, queue, tally, signal, why } = syncJob.run
  const isOver = await log.settle('end-job', () => untilReached(() => endJob(queue, job, result, why()), signal))
  if (isOver === true) {
    await log.settle('remember-slices', () => rememberSlices(database.query, job.task.connection, result.receipts))
    await endRun(syncJob, runOutcome(result))
  }
  tally.ended(isOver === true ? result.ending : 'handed-back')
  const error = result.receipts.find((receipt) => receipt.error !== undefined)?.error
  if (error !== undefined) tally.failed(error)
  const { ending, run } = result
  const facts = { ending, run, ...(error !== undefined && { error }), ...(why() && { why: why() }) }
  log.write({ level: 'info', event: 'job-ended', ...facts })
}

async function endThrown(syncJob: SyncJob, failure: unknown): Promise<void> {
  const { job, log, progress } = syncJob
  const { queue, tally, signal, why } = syncJob.run
  const error = log.shown(failure)
  tally.failed(error)
  const isStopped = why() !== null && (isCancelled(failure) || signal.aborted)
  // Of a job that was cancelled, too: who follows it waits for its end.
  if (!isStopped || why() === 'lost') progress.report({ kind: 'job-failed', error })
  await progress.close()
  const isOver = await log.settle('end-job', () => endFailed(queue, job, error, why()))
  if (isOver === true) await endRun(syncJob, failureOutcome(failure, log.redact, isStopped))
  tally.ended(isOver === true ? 'failed' : 'handed-back')
  log.write({ level: isStopped ? 'info' : 'error', event: 'job-failed', error, ...(why() && { why: why() }) })
}

/** Once the job has its end; a run that is tried again has none yet. */
async function endRun({ job, run, log, startedAt }: SyncJob, outcome: RunOutcome): Promise<void> {
  const { connection, isScheduled } = job.task
  if (isScheduled === true) await log.settle('end-schedule', () => endSchedule(run, connection, startedAt, outcome))
}

/** Whether the job is over: not where another attempt follows, or it is no longer ours. */
async function endJob(queue: Queue, job: HeldJob, result: SyncResult, why: Stop | null): Promise<boolean> {
  if (why === 'lost') return false
  if (why === 'hand-back' && result.ending === 'interrupted') return handBack(queue, job)
  const records = result.receipts.reduce((sum, receipt) => sum + receipt.records, 0)
  const failed = result.receipts.find(({ error }) => error !== undefined)
  // Another process took the destination from this one: the queue thinks that the job is ours, and it is not.
  if (failed?.error?.code === 'destinations/taken-over') return queue.tryLater(job, failed.error)
  return queue.end(job, { ending: result.ending, records, ...(failed?.error !== undefined && { error: failed.error }) })
}

/** As `endJob`. */
async function endFailed(queue: Queue, job: HeldJob, error: ShownError, why: Stop | null): Promise<boolean> {
  if (why === 'lost') return false
  if (why === 'hand-back') return handBack(queue, job)
  if (isPassing(error.code)) return queue.tryLater(job, error)
  return queue.end(job, { ending: 'failed', records: 0, error })
}

async function handBack(queue: Queue, job: HeldJob): Promise<false> {
  await queue.handBack(job)
  return false
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

type Lead = Pick<JobRun, 'database' | 'queue' | 'options'> & {
  readonly job: HeldJob<'sync'>
  readonly report: (event: JobEvent) => void
}

/**
 * Where several processes can share the destination, others may read parts, and one that was paused is refused. The other
 * destinations have only their own locks.
 */
async function syncAsLead({ manifest, options }: OpenedTask, lead: Lead): Promise<SyncResult> {
  if (options.to.canShare !== true) return sync(manifest, options)
  const { database, queue, job, report } = lead
  const { slots, rules, openBudget } = lead.options
  if (slots.part === 0) return sync(manifest, { ...options, claim: leadClaim })
  const sharedBudget = await openBudget(job.task.connection)
  try {
    const shared = { ...options, sharedBudget }
    const { hasBegun } = await readInParts({
      manifest,
      options: shared,
      query: database.query,
      queue,
      job,
      rules,
      report,
    })
    const { onEvent = () => {} } = options
    return await sync(manifest, {
      ...shared,
      claim: leadClaim,
      // Nothing interrupted the run that its own plan began.
      onEvent: (event) => onEvent(hasBegun && event.kind === 'run-started' ? { ...event, continues: false } : event),
    })
  } finally {
    await sharedBudget.end()
  }
}
