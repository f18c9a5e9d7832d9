/** A job → the sync of its connection: its events for the commands that follow it, and its end in the queue. */
import { leadClaim } from '../destinations/destination.ts'
import { isCancelled, redactedError } from '../protocol/failure.ts'
import type { Redact } from '../protocol/secrets.ts'
import { failureOutcome, type RunOutcome, runOutcome } from '../schedules/run-connection.ts'
import { shownError, type ShownError } from '../sync/receipt.ts'
import type { SyncEvent, SyncResult } from '../sync/events.ts'
import { sync } from '../sync/sync.ts'
import { endSchedule } from './end-schedule.ts'
import type { JobRun, Stop } from './job-run.ts'
import { type OpenedTask, openTask } from './open-task.ts'
import { isPassing, untilReached } from './until-reached.ts'
import { type JobEvent, type JobSummary, reportProgress } from './progress.ts'
import type { HeldJob, Queue } from './queue.ts'
import { readInParts, rememberSlices } from './read-in-parts.ts'

/** Never throws: what happened is in the queue, or in the log where the queue cannot be reached. */
export async function runSyncJob(
  job: HeldJob<'sync'>,
  { database, queue, options, tally, signal, why }: JobRun,
): Promise<void> {
  const { name: worker, log } = options
  const { connection } = job.task
  const about = { job: job.id, connection, attempt: job.attempt }
  const progress = reportProgress(database.query, job)
  const summary = summarize(worker)
  let redact: Redact = String
  const settle = async <Result>(what: string, work: () => Promise<Result>): Promise<Result | null> => {
    try {
      return await work()
    } catch (error) {
      // The lease ends by itself, and another worker takes the job.
      log({ level: 'error', event: `cannot-${what}`, ...about, error: shownError(redactedError(error, redact)) })
      return null
    }
  }
  /** Once the job has its end; a run that is tried again has none yet. */
  const endRun = async (outcome: RunOutcome) => {
    if (job.task.isScheduled !== true) return
    await settle('end-schedule', () => endSchedule({ database, options }, connection, startedAt, outcome))
  }
  const startedAt = Date.now()
  log({ level: 'info', event: 'job-taken', ...about })
  progress.report({ kind: 'job-taken', worker, attempt: job.attempt })
  progress.report(summary.now())
  try {
    const opened = await openTask(job.task, {
      ...options,
      signal,
      learn: (known) => {
        redact = known
      },
      warn(text) {
        log({ level: 'warn', event: 'warning', ...about, text: redact(text) })
        progress.report({ kind: 'job-notice', text: redact(text), isWarning: true })
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
    const result = await syncAsLead(named, {
      job,
      database,
      queue,
      options,
      report: (event) => progress.report(event),
    })
    await progress.close()
    const isOver = await settle('end-job', () => untilReached(() => endJob(queue, job, result, why()), signal))
    if (isOver === true) {
      await settle('remember-slices', () => rememberSlices(database.query, connection, result.receipts))
      await endRun(runOutcome(result))
    }
    tally.ended(isOver === true ? result.ending : 'handed-back')
    const error = result.receipts.find((receipt) => receipt.error !== undefined)?.error
    if (error !== undefined) tally.failed(error)
    log({
      level: 'info',
      event: 'job-ended',
      ...about,
      ending: result.ending,
      run: result.run,
      ...(error !== undefined && { error }),
      ...(why() && { why: why() }),
    })
  } catch (failure) {
    const error = shownError(redactedError(failure, redact))
    tally.failed(error)
    const isStopped = why() !== null && (isCancelled(failure) || signal.aborted)
    // Of a job that was cancelled, too: who follows it waits for its end.
    if (!isStopped || why() === 'lost') progress.report({ kind: 'job-failed', error })
    await progress.close()
    const isOver = await settle('end-job', () => endFailed(queue, job, error, why()))
    if (isOver === true) await endRun(failureOutcome(failure, redact, isStopped))
    tally.ended(isOver === true ? 'failed' : 'handed-back')
    log({ level: isStopped ? 'info' : 'error', event: 'job-failed', ...about, error, ...(why() && { why: why() }) })
  }
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
