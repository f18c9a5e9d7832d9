/** What became of syncs that were killed. */
import type { Phase } from './task.ts'

export type Survival = {
  kills: number
  /** What the process was doing when it was killed. */
  readonly hits: Record<Phase, number>
  /** Syncs that came to their end. */
  rounds: number
  /** Looks at tables that are replaced, between the kills and during the syncs. */
  looks: number
  rows: number
  lost: number
  doubled: number
  /** What was wrong, in words; with the moments of the kills before it. */
  readonly faults: string[]
}

export function newSurvival(): Survival {
  const hits = { starting: 0, reading: 0, committing: 0, publishing: 0, closing: 0, over: 0 }
  return { kills: 0, hits, rounds: 0, looks: 0, rows: 0, lost: 0, doubled: 0, faults: [] }
}
