/** The checkpoints of a stream → the read to resume, or a new one in its place. */
import type { Step, Table } from '../destinations/destination.ts'
import { type Committed, isBegunIn, type ReadCheckpoint, type SliceCheckpoint } from './checkpoints.ts'
import type { StreamState } from '../engine/slices/stream-cursor.ts'

/** The API's data changes while a read is interrupted: after this long, a full refresh would combine pages of different days. */
export const staleAfterMs = 24 * 60 * 60 * 1000

export type ReadInput = {
  readonly run: string
  readonly now: number
  readonly plan: string
  readonly isIncremental: boolean
  /** Forget where syncs before this run stopped. */
  readonly isFresh: boolean
  /** The table is no longer there, and with it everything that the checkpoints are about. */
  readonly isGone: boolean
  /** The rows that the interrupted read has staged are no longer there; the table is. */
  readonly isStagedGone: boolean
}

export type ChosenRead = {
  readonly checkpoint: ReadCheckpoint
  readonly state: StreamState | undefined
  /** The slices that earlier runs began; empty for a new read. */
  readonly known: readonly SliceCheckpoint[]
  /** Deletes the rows of a read that is not resumed, before a new one begins. */
  readonly undo: (table: Table) => readonly Step[]
}

export function chooseRead({ stream, slices }: Committed, input: ReadInput): ChosenRead {
  const { run, now, plan, isIncremental } = input
  // A fresh start that was interrupted is resumed: what it had begun is fresh already.
  const isFresh = input.isGone || (input.isFresh && !isBegunIn(run, stream))
  const state = isIncremental && !isFresh ? (stream.state ?? undefined) : undefined
  const { reading } = stream
  const isFit = reading !== null && !reading.isGivenUp && !input.isStagedGone
  const isAlive = isFit && (isIncremental || now - reading.readAt < staleAfterMs)
  if (isAlive && reading.plan === plan && !isFresh) {
    return {
      checkpoint: { ...reading, runs: [...new Set([...reading.runs, run])] },
      state,
      known: slices,
      undo: () => [],
    }
  }
  const runs = reading?.runs ?? []
  return {
    checkpoint: { readAt: now, runs: [run], plan },
    state,
    known: [],
    undo: (table) => [
      // Staged rows of an append include those that the state covers: they stay, unless the table is gone.
      ...(reading?.isGivenUp && table.mode === 'append' && !input.isGone ? [] : [{ kind: 'discard', table } as const]),
      ...slices.map(({ slice }) => rewindStep(table, slice, runs, 1)),
    ],
  }
}

export function rewindStep(table: Table, slice: string, runs: readonly string[], fromPage: number): Step {
  return { kind: 'rewind', table, rows: { slice, runs, fromPage } }
}
