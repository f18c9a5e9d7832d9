/** A job → one part of a stream. Its rows are published by the lead, which also reads what a part leaves. */
import { isCancelled } from '../protocol/failure.ts'
import { readPart } from '../sync/read-part.ts'
import { openTask } from './open-task.ts'
import type { HeldJob, JobOutcome } from './queue.ts'
import { openJobLog } from './job-log.ts'
import type { JobRun } from './job-run.ts'
import { isOutage, untilReached } from './until-reached.ts'

/** Never throws. */
export async function runPartJob(job: HeldJob<'part'>, { queue, options, tally, signal, why }: JobRun): Promise<void> {
  const { connection, stream, part, lead, sync } = job.task
  const log = openJobLog(options.log, { job: job.id, sync, connection, stream, part, attempt: job.attempt })
  const endPart = async (outcome: JobOutcome, isStopped: boolean) => {
    const { error } = outcome
    if (why() === 'lost') return
    if (isStopped) await queue.handBack(job)
    // A part whose lead was replaced is over.
    else if (error !== undefined && isOutage(error.code)) await queue.tryLater(job, error)
    else await queue.end(job, outcome)
  }
  try {
    const { manifest, options: opened } = await openTask(job.task, {
      ...options,
      signal,
      onEvent: (event) => tally.count(event),
      warn: () => {},
      learn: log.learn,
    })
    const sharedBudget = await options.openBudget(connection)
    try {
      const read = await readPart(manifest, { ...opened, sharedBudget, stream, part, lead })
      const { ending, records, slices, error } = read
      const outcome: JobOutcome = { ending: ending === 'read' ? 'read' : 'failed', records, ...(error && { error }) }
      await log.settle('end-part', () => untilReached(() => endPart(outcome, ending === 'cancelled'), signal))
      log.write({ level: 'info', event: 'part-ended', ending, slices, records, ...(error && { error }) })
    } finally {
      await sharedBudget.end()
    }
  } catch (failure) {
    const error = log.shown(failure)
    const isStopped = isCancelled(failure) && signal.aborted
    tally.failed(error)
    await log.settle('end-part', () => endPart({ ending: 'failed', records: 0, error }, isStopped))
    log.write({ level: 'warn', event: 'part-failed', error })
  }
}
