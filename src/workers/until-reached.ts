/** The end of a job, told to a queue that may be away for a while. */
import { setTimeout } from 'node:timers/promises'
import { ConnectorError } from '../std/errors.ts'

/** Failures of the database or its network, which pass; everything else would fail again. */
const outages: readonly (string | undefined)[] = ['destinations/busy', 'destinations/lost', 'destinations/unreachable']

export function isOutage(code: string | undefined): boolean {
  return outages.includes(code)
}

/** Also where another process has taken the destination: the next attempt takes it back. */
export function isPassing(code: string | undefined): boolean {
  return isOutage(code) || code === 'destinations/taken-over'
}

const againMs = 500

/** A worker has half a minute to stop, and a database that does not respond takes most of it. */
const longestAfterStopMs = 5000

/**
 * A job that is done and not ended would run again as soon as its lease ends: the queue is asked until it responds. The worker
 * renews the lease meanwhile; where it was lost, the work finds that out.
 */
export async function untilReached<Result>(work: () => Promise<Result>, stopped: AbortSignal): Promise<Result> {
  let stoppedAt = stopped.aborted ? Date.now() : Number.POSITIVE_INFINITY
  const stop = () => {
    stoppedAt = Date.now()
  }
  stopped.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        const mayPass = error instanceof ConnectorError && isPassing(error.code)
        if (!mayPass || Date.now() - stoppedAt > longestAfterStopMs) throw error
      }
      await setTimeout(againMs)
    }
  } finally {
    stopped.removeEventListener('abort', stop)
  }
}
