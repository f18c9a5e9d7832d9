/** Checkpoints of runs in a destination → past runs, each with its status and its receipts. */
import type { StoredCheckpoint } from '../destinations/destination.ts'
import { parseRunCheckpoint, type RunCheckpoint } from './checkpoints.ts'
import { worstEnding } from './receipt.ts'

export type PastRun = RunCheckpoint & { readonly connection: string; readonly status: RunStatus }

/** `unfinished`: interrupted, or still running. Once another run has started, it is certainly `interrupted`. */
export type RunStatus = 'complete' | 'incomplete' | 'held' | 'failed' | 'interrupted' | 'unfinished'

/** Newest first. */
export function pastRuns(stored: readonly StoredCheckpoint[], connection?: string): PastRun[] {
  const seen = new Set<string>()
  return stored
    .filter((one) => connection === undefined || one.connection === connection)
    .map((one) => ({ connection: one.connection, ...parseRunCheckpoint(one.text) }))
    .toSorted((one, other) => other.startedAt - one.startedAt)
    .map((run) => {
      const isLast = !seen.has(run.connection)
      seen.add(run.connection)
      return { ...run, status: statusOf(run, isLast) }
    })
}

function statusOf({ endedAt, streams }: RunCheckpoint, isLast: boolean): RunStatus {
  if (endedAt === null) return isLast ? 'unfinished' : 'interrupted'
  // As the run ended: rows that were held then may have been published since.
  return worstEnding(streams)
}
