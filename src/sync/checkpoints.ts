/** What a sync stores in the destination about itself: one checkpoint per connection, run, stream and slice. */
import { createHash } from 'node:crypto'
import type { PageToken } from '../engine/request/page-token.ts'
import type { Slice } from '../engine/slices/slice.ts'
import type { StreamPlan } from '../engine/plan/stream.ts'
import type { OpenDestination, Table } from '../destinations/destination.ts'
import type { EarlierTotals } from '../proof/claims/page-facts.ts'
import { noClaims, type Shown } from '../proof/receipts/receipt.ts'
import { parseJson, stringifyJson } from '../std/json.ts'
import type { Held } from './gate.ts'
import type { StreamReceipt, SliceCounts } from './receipt.ts'
import type { CheckpointSource } from './shared-destination.ts'
import type { StreamState } from '../engine/slices/stream-cursor.ts'

export type ConnectionCheckpoint = {
  /** Fingerprint of the config without its secrets: another account should not resume from this one's states. */
  readonly config: string
}

export type RunCheckpoint = {
  readonly run: string
  readonly startedAt: number
  /** Null while it is running, and for good if it was killed and never resumed. */
  readonly endedAt: number | null
  /** How often it was started: more than once where it was interrupted. */
  readonly attempts: number
  /** Fingerprint of the streams in the manifest: a run is resumed only while they stay the same. */
  readonly manifest: string
  readonly streams: readonly StreamReceipt[]
  /** Which start it is, a job for example: the next attempt at the same one resumes it. */
  readonly freshStart?: string
}

export type StreamCheckpoint = {
  /** The state after the last whole read, in Airbyte's shape; null where the next read starts from the beginning. */
  readonly state: StreamState | null
  /** The last run that read the whole stream. */
  readonly readIn: string | null
  /** The read that is running, or was when the last sync ended. */
  readonly reading: ReadCheckpoint | null
  /** Failed syncs since the last whole read. */
  readonly failures: number
  /** Absent where no read from the start, or from a state, was one slice with a total. */
  readonly totals?: EarlierTotals
  /** A finished read whose rows are staged and can be published; absent where there is none. */
  readonly held?: HeldCheckpoint
}

export type HeldCheckpoint = Held & {
  /** The run that read them. */
  readonly run: string
  /** What publishing needs to know; the manifest may be gone by then. */
  readonly table: Table
}

export type ReadCheckpoint = {
  /** Time windows end here, however late the read is resumed. */
  readonly readAt: number
  /** Every run that wrote rows of it. */
  readonly runs: readonly string[]
  /** Fingerprint of what decides which pages there are: the read is resumed only while it stays the same. */
  readonly plan: string
  /**
   * It failed, or some of its slices are incomplete, and the state moved as far as it could. The next read starts from
   * that state; rows of slices after it are deleted first.
   */
  readonly isGivenUp?: true
}

/** The place in a slice that a read can resume from: everything before it is committed. */
export type SliceCheckpoint = SliceCounts & {
  /** The slice as JSON text, as in `_turnleaf_slice`. */
  readonly slice: string
  readonly isDone: boolean
  /** The token of the next page; null where that is the first. */
  readonly token: PageToken | null
  /** Whether rows after this place were committed: they must be deleted before the slice is resumed. */
  readonly hasMore: boolean
  /** The page before this place, to find out whether records moved meanwhile. */
  readonly lastPage?: PagePrint
}

/** `print`: of its size and its first and last record, which both change when records move. */
export type PagePrint = { readonly token: PageToken | null; readonly print: string }

/** Slices of a stream that one process reads for the lead. */
export type PartCheckpoint = {
  /** The run that its rows belong to. */
  readonly run: string
  readonly slices: readonly PartSlice[]
}

export type PartSlice = {
  /** As in `SliceCheckpoint`. */
  readonly text: string
  readonly slice: Slice
}

export const checkpointKeys = {
  connection: 'connection',
  run: (run: string) => `run/${run}`,
  stream: (stream: string) => `stream/${encodeURIComponent(stream.toWellFormed())}`,
  /** The prefix of the keys of all slices of a stream. */
  slices: (stream: string) => `slice/${encodeURIComponent(stream.toWellFormed())}/`,
  /** The prefix of the keys of all parts of a stream. */
  parts: (stream: string) => `part/${encodeURIComponent(stream.toWellFormed())}/`,
  /** Also the name of its claim. Of one length, so that no key is the prefix of another. */
  part: (stream: string, part: number) => `${checkpointKeys.parts(stream)}${String(part).padStart(8, '0')}`,
  /** The prefixes of what only serves to resume a read of the stream. */
  ofRead: (stream: string) => [checkpointKeys.slices(stream), checkpointKeys.parts(stream)],
  slice: (stream: string, slice: string) => `${checkpointKeys.slices(stream)}${fingerprint(slice)}`,
}

/** Keeps every digit of numbers: tokens and cursors are made of them. */
export function parseCheckpoint(text: string): unknown {
  return parseJson(text).value
}

/** Receipts of earlier versions lack what their verdict rests on. */
export function parseRunCheckpoint(text: string): RunCheckpoint {
  const run = parseCheckpoint(text) as RunCheckpoint
  return { ...run, streams: run.streams.map((receipt) => ({ ...unknownShown, ...receipt })) }
}

const unknownShown: Shown = { keys: null, claimed: noClaims }

export function checkpointText(
  checkpoint: ConnectionCheckpoint | RunCheckpoint | StreamCheckpoint | SliceCheckpoint | PartCheckpoint,
): string {
  return stringifyJson(checkpoint)
}

/** The checkpoint of a stream, for a commit. */
export function streamCheckpoint(stream: string, checkpoint: StreamCheckpoint): CheckpointSource {
  return { key: checkpointKeys.stream(stream), text: () => checkpointText(checkpoint) }
}

/** Whether this run has begun to read the stream, or has read it. */
export function isBegunIn(run: string, { reading, readIn }: Pick<StreamCheckpoint, 'reading' | 'readIn'>): boolean {
  return readIn === run || reading?.runs.includes(run) === true
}

/**
 * The states of all streams: they decide which half of a StateDelegatingStream is read.
 *
 * @param freshRun a run that starts anew: only states since then count.
 */
export async function storedStates(
  destination: Pick<OpenDestination, 'notes'>,
  freshRun: string | null = null,
): Promise<ReadonlyMap<string, StreamState>> {
  const prefix = checkpointKeys.stream('')
  const states = [...(await destination.notes(prefix))].map(([key, text]) => {
    const checkpoint = parseCheckpoint(text) as StreamCheckpoint
    const isOver = freshRun !== null && !isBegunIn(freshRun, checkpoint)
    return [decodeURIComponent(key.slice(prefix.length)), isOver ? null : checkpoint.state] as const
  })
  return new Map(states.filter((one): one is readonly [string, StreamState] => one[1] !== null))
}

/** What earlier runs committed of a stream. */
export type Committed = {
  readonly stream: StreamCheckpoint
  readonly slices: readonly SliceCheckpoint[]
}

export async function committedOf(destination: Pick<OpenDestination, 'notes'>, stream: string): Promise<Committed> {
  const key = checkpointKeys.stream(stream)
  const text = (await destination.notes(key)).get(key)
  const slices = await destination.notes(checkpointKeys.slices(stream))
  return {
    stream:
      text === undefined
        ? { state: null, readIn: null, reading: null, failures: 0 }
        : (parseCheckpoint(text) as StreamCheckpoint),
    slices: [...slices.values()].map((one) => parseCheckpoint(one) as SliceCheckpoint),
  }
}

/** Equal for equal values; reveals nothing about them. */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(stringifyJson(value)).digest('hex').slice(0, 32)
}

/** Fingerprint of everything that decides which pages there are and how they are written; positions in the manifest's text do not count. */
export function planMark(plan: StreamPlan, table: Table, configMark: string): string {
  const { schema: _, ...written } = table
  return fingerprint(withoutLocations([plan, written, configMark]))
}

function withoutLocations(value: unknown): unknown {
  return JSON.parse(stringifyJson(value), (key, member) => (key === 'at' ? undefined : member))
}
