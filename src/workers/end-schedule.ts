/** A scheduled run that ended → its schedule, and the webhook of the schedule. */
import { findConnection } from '../connections/find-connection.ts'
import type { RunOutcome } from '../schedules/run-connection.ts'
import { sendWebhook, webhookBody } from '../schedules/webhook.ts'
import { redactedError } from '../protocol/failure.ts'
import { shownError } from '../sync/receipt.ts'
import type { JobRun } from './job-run.ts'
import { endAbandoned, endScheduled } from './schedules.ts'
import type { Queue } from './queue.ts'

type Ending = Pick<JobRun, 'database' | 'options'>

/** @param startedAt by the clock of this machine. */
export async function endSchedule(
  { database, options }: Ending,
  connection: string,
  startedAt: number,
  outcome: RunOutcome,
): Promise<void> {
  const { receipts: _, ...ended } = outcome
  const stored = await endScheduled(database, connection, Date.now() - startedAt, ended)
  if (stored !== null) await tell({ database, options }, stored, { startedAt, endedAt: Date.now(), outcome })
}

/** Runs that no worker ended: each worker died, or a person cancelled them. */
export async function endAbandonedSchedules({ database, options }: Ending, queue: Queue): Promise<void> {
  for (const { stored, ...run } of await endAbandoned(database, queue)) {
    const { name: connection } = stored
    const { status, error } = run.outcome
    options.log({ level: 'warn', event: 'schedule-ended', connection, status, ...(error && { error }) })
    if (status !== 'cancelled') await tell({ database, options }, stored, run)
  }
}

async function tell(
  { options }: Ending,
  { name: connection, schedule }: NonNullable<Awaited<ReturnType<typeof endScheduled>>>,
  run: Parameters<typeof webhookBody>[1],
): Promise<void> {
  if (schedule.webhook === undefined) return
  const send = async () =>
    sendWebhook({ ...(await findConnection(connection, options.home)), schedule }, webhookBody(connection, run), {
      egress: 'loopback-allowed',
      // Not that of the worker: the end is stored, so that no other worker sends this. It has a time limit.
      signal: new AbortController().signal,
    })
  // The end is stored: a connection that this worker does not have must not undo that.
  const trouble = await send().catch((error: unknown) => shownError(redactedError(error, String)).message)
  if (trouble !== null) options.log({ level: 'warn', event: 'webhook-failed', connection, reason: trouble })
}
