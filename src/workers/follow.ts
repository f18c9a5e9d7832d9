/** A submitted job → its events as they come, and how it ended. */
import { ConnectorError } from '../std/errors.ts'
import { sleep } from '../std/sleep.ts'
import type { SyncResult } from '../sync/events.ts'
import type { ShownError } from '../sync/receipt.ts'
import type { Query } from './database.ts'
import { eventsSince, type JobEvent } from './progress.ts'
import type { JobOutcome, Queue } from './queue.ts'
import { isPassing } from './until-reached.ts'

export type FollowedJob =
  /** The result is null where it was cancelled before it had one, and where only a newer version can read it. */
  | {
      readonly kind: 'result'
      readonly result: SyncResult | null
      readonly outcome: JobOutcome | null
      readonly isCancelled: boolean
    }
  | { readonly kind: 'error'; readonly error: ShownError }

export type FollowOptions = {
  readonly query: Query
  readonly queue: Queue
  readonly onEvent: (event: JobEvent) => void
  /** Cancels the job. Its worker commits what it has read; that is waited for. */
  readonly signal: AbortSignal
}

const pollMs = 250

/** How long a worker that was told to stop may take to report it. */
const patienceMs = 20_000

/** How long the database may be away. Workers outlast that, and the job continues. */
const awayMs = 60_000

export async function followJob(id: string, { query, queue, onEvent, signal }: FollowOptions): Promise<FollowedJob> {
  let position = 0
  let result: SyncResult | null = null
  let hasStopped = false
  let cancelledAt: number | null = null
  let reachedAt = performance.now()
  let isAway = false
  for (;;) {
    const seen = await look({ query, queue }, id, position).catch((error: unknown) => {
      const mayPass = error instanceof ConnectorError && isPassing(error.code)
      if (!mayPass || signal.aborted || performance.now() - reachedAt > awayMs) throw error
      return null
    })
    if (seen === null) {
      if (!isAway)
        onEvent({
          kind: 'job-notice',
          text: 'The database of the workers does not respond: waiting for it.',
          isWarning: true,
        })
      isAway = true
      await sleep(pollMs, signal).catch(() => {})
      continue
    }
    reachedAt = performance.now()
    isAway = false
    const { job, events } = seen
    if (job === null) throw new ConnectorError('workers/job-gone', `The queue no longer has the job ${id}.`)
    for (const { position: at, event } of events) {
      position = at
      if (event.kind === 'run-ended') result = event.result
      if (event.kind === 'run-ended' || event.kind === 'job-failed') hasStopped = true
      // An earlier attempt may have been handed on.
      if (event.kind === 'job-taken') {
        result = null
        hasStopped = false
      }
      onEvent(event)
    }
    switch (job.state) {
      case 'ended':
        if (job.outcome?.error !== undefined && result === null) return { kind: 'error', error: job.outcome.error }
        return { kind: 'result', result, outcome: job.outcome, isCancelled: false }
      case 'failed':
        return { kind: 'error', error: job.outcome?.error ?? { message: 'The job failed.' } }
      case 'cancelled': {
        cancelledAt ??= performance.now()
        const isReported = hasStopped || job.startedAt === null
        if (isReported || performance.now() - cancelledAt > patienceMs)
          return { kind: 'result', result, outcome: null, isCancelled: true }
        break
      }
      case 'waiting':
      case 'running':
        if (signal.aborted) await queue.cancel('sync', [id])
    }
    await (signal.aborted ? sleep(pollMs, new AbortController().signal) : sleep(pollMs, signal).catch(() => {}))
  }
}

async function look({ query, queue }: Pick<FollowOptions, 'query' | 'queue'>, id: string, position: number) {
  // Before the events: what ended has written all of them.
  const job = await queue.find('sync', id)
  return { job, events: await eventsSince(query, id, position) }
}
