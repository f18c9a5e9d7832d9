/** What a sync keeps in the destination about itself, beside the records: one note per run, stream and slice. */
import { createHash } from 'node:crypto'
import type { PageToken } from '../engine/request/page-token.ts'
import type { JsonRecord } from '../engine/plan/plan.ts'
import type { StreamPlan } from '../engine/plan/stream.ts'
import type { StopReason } from '../engine/pagination/next-page.ts'
import type { StreamState } from '../engine/slices/cursor.ts'
import type { Table } from '../destinations/destination.ts'
import type { Claims } from '../proof/claims/read-claims.ts'
import type { Judgement } from '../proof/verdict/verdict.ts'
import { noClaims, type Shown } from '../proof/receipts/receipt.ts'
import { parseJson, stringifyJson } from '../std/json.ts'
import type { Held } from './gate.ts'
import type { StreamReceipt } from './receipt.ts'
import type { Noted } from './writer.ts'

export type ConnectionNote = {
  /** Of the config without its secrets: another account should not go on from this one's states. */
  readonly config: string
}

export type RunNote = {
  readonly run: string
  readonly startedAt: number
  /** Null while it is under way, and for ever if it was killed and nobody went on with it. */
  readonly endedAt: number | null
  /** How often it was begun: more than once where it was interrupted. */
  readonly attempts: number
  /** Of the streams as the manifest has them: with others, it is not gone on with. */
  readonly manifest: string
  readonly streams: readonly StreamReceipt[]
}

export type StreamNote = {
  /** Where the last whole read stopped, in Airbyte's shape; null where the next one starts from the beginning. */
  readonly state: StreamState | null
  /** The run that read it whole last. */
  readonly readIn: string | null
  /** The read that is under way, or was when the last sync ended. */
  readonly reading: ReadingNote | null
  /** Syncs that failed since one read it whole. */
  readonly failures: number
  /** A finished read whose rows are staged, and may be published; absent where there is none. */
  readonly held?: HeldNote
}

export type HeldNote = Held & {
  /** The run that read them. */
  readonly run: string
  /** What publishing needs to know; the manifest may not be there by then. */
  readonly table: Table
}

export type ReadingNote = {
  /** Windows of time end here, whenever the read is gone on with. */
  readonly readAt: number
  /** Every run that had a part in it. */
  readonly runs: readonly string[]
  /** Of what decides which pages there are: going on makes sense only while it stays the same. */
  readonly plan: string
  /**
   * It failed, or some of its slices are incomplete, and the state went as far as it could. The next read starts over from
   * there; rows of slices after it are deleted first.
   */
  readonly isGivenUp?: true
}

/** A place in a slice that a read can go on from: everything before it is committed. */
export type SliceNote = SliceCounts & {
  /** As `_turnleaf_slice` has it. */
  readonly slice: string
  readonly isDone: boolean
  /** What asks for the page after those counted; null where that is the first. */
  readonly token: PageToken | null
  /** Whether rows behind that place were committed: they must go before the slice goes on. */
  readonly hasMore: boolean
}

export type SliceCounts = {
  readonly pages: number
  readonly received: number
  readonly emitted: number
  readonly bytes: number
  readonly stop: StopReason | null
  /** The newest record, cut down to its cursor. */
  readonly newest: JsonRecord | null
  /** What the API said so far about how much there is; null once that is judged. */
  readonly claims: Claims | null
  /** Once the slice is done. */
  readonly judged: JudgedNote | null
}

/** Notes of earlier versions lack what the judgement rests on. */
export type JudgedNote = Partial<Shown> & { readonly judgement: Judgement }

export const noteKeys = {
  connection: 'connection',
  run: (run: string) => `run/${run}`,
  stream: (stream: string) => `stream/${encodeURIComponent(stream.toWellFormed())}`,
  /** What all slices of a stream begin with. */
  slices: (stream: string) => `slice/${encodeURIComponent(stream.toWellFormed())}/`,
  slice: (stream: string, slice: string) => `${noteKeys.slices(stream)}${fingerprint(slice)}`,
}

/** Notes keep every digit: tokens and cursors are made of them. */
export function readNote(text: string): unknown {
  return parseJson(text).value
}

/** Receipts of earlier versions lack what their verdict rests on. */
export function readRun(text: string): RunNote {
  const note = readNote(text) as RunNote
  return { ...note, streams: note.streams.map((receipt) => ({ ...unknownShown, ...receipt })) }
}

const unknownShown: Shown = { keys: null, claimed: noClaims }

export function writeNote(note: ConnectionNote | RunNote | StreamNote | SliceNote): string {
  return stringifyJson(note)
}

/** The note about a stream, for a commit. */
export function streamNoted(stream: string, note: StreamNote): Noted {
  return { key: noteKeys.stream(stream), text: () => writeNote(note) }
}

/** Equal for equal values; says nothing about them. */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(stringifyJson(value)).digest('hex').slice(0, 32)
}

/** Of everything that decides which pages there are and how they land; where the author wrote it does not count. */
export function planMark(plan: StreamPlan, table: Table, configMark: string): string {
  const { schema: _, ...landing } = table
  return fingerprint(withoutPlaces([plan, landing, configMark]))
}

function withoutPlaces(value: unknown): unknown {
  return JSON.parse(stringifyJson(value), (key, member) => (key === 'at' ? undefined : member))
}
