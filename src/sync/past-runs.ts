/** Checkpoints of runs in a destination → past runs, each with its status and its receipts. */
import type { StoredCheckpoint } from '../destinations/destination.ts'
import { parseRunCheckpoint, type RunCheckpoint } from './checkpoints.ts'
import { worstEnding } from './receipt.ts'

export type PastRun = RunCheckpoint & { readonly connection: string; readonly status: RunStatus }

/** `unfinished`: interrupted, or still running. Once another run has started, it is certainly `interrupted`. */
export type RunStatus = 'complete' | 'incomplete' | 'held' | 'failed' | 'interrupted' | 'unfinished'

/** Newest first. */
export function pastRuns(notes: readonly StoredCheckpoint[], connection?: string): PastRun[] {
  const seen = new Set<string>()
  return notes
    .filter((note) => connection === undefined || note.connection === connection)
    .map((note) => ({ connection: note.connection, ...parseRunCheckpoint(note.text) }))
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
