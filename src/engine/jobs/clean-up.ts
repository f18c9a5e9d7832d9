/** Aborts or deletes a job that is no longer needed. Never fails: what remains on the server is reported. */
import type { JobPlan } from '../plan/job.ts'
import type { Notice } from '../response/notice.ts'
import type { SendStep, JobInput } from './job.ts'
import { messageOf } from '../../std/text/message-of.ts'

export type CleanUpTools = {
  readonly plan: JobPlan
  readonly send: SendStep
  readonly report: (notice: Notice) => void
}

/** By the wall clock, whatever clock the run has: a read that was cancelled must end. */
const longestMs = 30_000

/** Ends a job that may still run: it is aborted, or deleted where the API knows only that. */
export function stopJob(tools: CleanUpTools, job: JobInput): Promise<void> {
  return tools.plan.abort === null ? deleteJob(tools, job) : tidy(tools, job, 'abort', 'aborted')
}

/** Removes a job that ended, and its result, where the manifest says how. */
export async function deleteJob(tools: CleanUpTools, job: JobInput): Promise<void> {
  if (tools.plan.delete !== null) await tidy(tools, job, 'delete', 'deleted')
}

async function tidy(
  { send, report }: CleanUpTools,
  job: JobInput,
  step: 'abort' | 'delete',
  state: 'aborted' | 'deleted',
): Promise<void> {
  const { attempt } = job
  try {
    // Not the signal of the read, which may be the very reason to clean up.
    const { request, response } = await send(step, job, AbortSignal.timeout(longestMs))
    report({ kind: 'job', state, attempt, reason: `status ${response.status}`, url: request.url })
  } catch (error) {
    const reason = messageOf(error)
    report({ kind: 'job', state: 'left-behind', attempt, reason, url: job.home ?? '' })
  }
}
