/** The notes about a stream → the read to go on with, or a new one in its place. */
import type { StreamState } from '../engine/slices/cursor.ts'
import type { OpenDestination, Step, Table } from '../destinations/destination.ts'
import { noteKeys, readNote, type ReadingNote, type SliceNote, type StreamNote } from './checkpoints.ts'

/** What was committed of a stream by earlier runs. */
export type Committed = {
  readonly stream: StreamNote
  readonly slices: readonly SliceNote[]
}

export async function committedOf(destination: OpenDestination, stream: string): Promise<Committed> {
  const key = noteKeys.stream(stream)
  const text = (await destination.notes(key)).get(key)
  const slices = await destination.notes(noteKeys.slices(stream))
  return {
    stream:
      text === undefined ? { state: null, readIn: null, reading: null, failures: 0 } : (readNote(text) as StreamNote),
    slices: [...slices.values()].map((one) => readNote(one) as SliceNote),
  }
}

/** Pages move while nobody reads: after so long, a full refresh would put together what never stood side by side. */
export const staleAfterMs = 24 * 60 * 60 * 1000

export type ReadingInput = {
  readonly run: string
  readonly now: number
  readonly plan: string
  readonly isIncremental: boolean
  /** Forget where earlier syncs stopped. */
  readonly isFresh: boolean
}

export type Reading = {
  readonly note: ReadingNote
  readonly state: StreamState | undefined
  readonly known: readonly SliceNote[]
  /** What must go before a new read begins: the rows of one that is not gone on with. */
  readonly undo: (table: Table) => readonly Step[]
}

export function chooseReading({ stream, slices }: Committed, input: ReadingInput): Reading {
  const { run, now, plan, isIncremental, isFresh } = input
  const state = isIncremental && !isFresh ? (stream.state ?? undefined) : undefined
  const { reading } = stream
  const isAlive = reading !== null && !reading.isGivenUp && (isIncremental || now - reading.readAt < staleAfterMs)
  if (isAlive && reading.plan === plan && !isFresh) {
    return {
      note: { ...reading, runs: [...new Set([...reading.runs, run])] },
      state,
      known: slices,
      undo: () => [],
    }
  }
  const runs = reading?.runs ?? []
  return {
    note: { readAt: now, runs: [run], plan },
    state,
    known: [],
    undo: (table) => [
      // Where appended rows are staged, those that the state covers are among them: they stay.
      ...(reading?.isGivenUp && table.mode === 'append' ? [] : [{ kind: 'discard', table } as const]),
      ...slices.map(({ slice }) => rewind(table, slice, runs, 1)),
    ],
  }
}

export function rewind(table: Table, slice: string, runs: readonly string[], fromPage: number): Step {
  return { kind: 'rewind', table, rows: { slice, runs, fromPage } }
}
