/** What a cursor does for a stream: the windows to read, the records to keep, the state to store. */
import type { JsonRecord } from '../plan/plan.ts'
import type { Partition, Slice, Window } from './slice.ts'

/** Slices may be read side by side and end in any order. */
export type StreamCursor = {
  /**
   * The windows still to be read of a partition (`{}` when the stream has none), made as they are needed.
   * To be called when the partition is generated, before the next one is.
   */
  windowsOf(partition: Partition): Iterable<Window>
  /** Whether `isWanted` may say no. */
  readonly isFiltering: boolean
  /** Whether the record belongs to what this read is for. */
  isWanted(record: JsonRecord, slice: Slice): boolean
  /** Data feeds: what comes after this last record of a page was read before. */
  hasReachedOld(lastRecord: JsonRecord | undefined, slice: Slice): boolean
  /** The kept records of a page. */
  observe(slice: Slice, records: readonly JsonRecord[]): void
  /** Of the records the newest, cut down to its cursor: observed in their place, it moves the state as far as they do. */
  newest(records: readonly JsonRecord[]): JsonRecord | null
  /** An earlier run read the slice, or its first pages: what changed since then is not in what is read. */
  resume(slice: Slice): void
  /** The slice was read to its end. One that was cut short, or failed, is never closed. */
  close(slice: Slice): void
  /** Whether a read that resumes from `state` skips the slice: records at the very end of it may come again. */
  covers(slice: Slice): boolean
  /**
   * The read is over: what was not worth storing before is now. `isWhole`: every partition was generated; only then,
   * and when all slices are closed, the cursor that all partitions share moves on.
   */
  finish(isWhole?: boolean): void
  /** Whether enough has happened since the last call of `state` to make it worth storing. */
  hasNews(): boolean
  /** What to store now, in Airbyte's shape; null when nothing may be stored yet. */
  state(): StreamState | null
}

export type StreamState = Readonly<Record<string, unknown>>
