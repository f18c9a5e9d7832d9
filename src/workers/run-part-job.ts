/** A job → one part of a stream. Its rows are published by the lead, which also reads what a part leaves. */
import { isCancelled, redactedError } from '../protocol/failure.ts'
import type { Redact } from '../protocol/secrets.ts'
import { shownError } from '../sync/receipt.ts'
import { readPart } from '../sync/read-part.ts'
import { openTask } from './open-task.ts'
import type { HeldJob, JobOutcome } from './queue.ts'
import type { JobRun } from './job-run.ts'
import { untilReached } from './until-reached.ts'

/** Failures of the database or its network, which pass. A part whose lead was replaced is over. */
const passing: readonly string[] = ['destinations/busy', 'destinations/lost', 'destinations/unreachable']

/** Never throws. */
export async function runPartJob(job: HeldJob<'part'>, { queue, options, tally, signal, why }: JobRun): Promise<void> {
  const { log, openBudget } = options
  const { connection, stream, part, lead, sync } = job.task
  const about = { job: job.id, sync, connection, stream, part, attempt: job.attempt }
  let redact: Redact = String
  const endPart = async (outcome: JobOutcome, isStopped: boolean) => {
    const { error } = outcome
    if (why() === 'lost') return
    if (isStopped) await queue.handBack(job)
    else if (error?.code !== undefined && passing.includes(error.code)) await queue.tryLater(job, error)
    else await queue.end(job, outcome)
  }
  const settle = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (failure) {
      // The lease ends by itself, and another worker takes the part.
      log({ level: 'error', event: 'cannot-end-part', ...about, error: shownError(redactedError(failure, redact)) })
    }
  }
  try {
    const { manifest, options: opened } = await openTask(job.task, {
      ...options,
      signal,
      onEvent: (event) => tally.count(event),
      warn: () => {},
      learn: (known) => {
        redact = known
      },
    })
    const sharedBudget = await openBudget(connection)
    try {
      const read = await readPart(manifest, { ...opened, sharedBudget, stream, part, lead })
      const { ending, records, slices, error } = read
      const outcome: JobOutcome = { ending: ending === 'read' ? 'read' : 'failed', records, ...(error && { error }) }
      await settle(() => untilReached(() => endPart(outcome, ending === 'cancelled'), signal))
      log({ level: 'info', event: 'part-ended', ...about, ending, slices, records, ...(error && { error }) })
    } finally {
      await sharedBudget.end()
    }
  } catch (failure) {
    const error = shownError(redactedError(failure, redact))
    tally.failed(error)
    await settle(() => endPart({ ending: 'failed', records: 0, error }, isCancelled(failure) && signal.aborted))
    log({ level: 'warn', event: 'part-failed', ...about, error })
  }
}
