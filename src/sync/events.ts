/** What a sync tells while it is under way. Plain JSON, without secrets. */
import type { Notice } from '../engine/response/notice.ts'
import type { SliceReceipt } from '../proof/receipts/receipt.ts'
import type { SyncMode } from './modes.ts'
import type { StreamReceipt } from './receipt.ts'

export type SyncEvent =
  | {
      readonly kind: 'run-started'
      readonly run: string
      readonly connection: string
      readonly to: string
      readonly streams: readonly string[]
      /** Whether it goes on with a run that was interrupted. */
      readonly continues: boolean
    }
  | {
      readonly kind: 'stream-started'
      readonly stream: string
      readonly mode: SyncMode
      /** What earlier runs have of this read; zeros where it begins. */
      readonly before: { readonly pages: number; readonly records: number }
    }
  | {
      readonly kind: 'page'
      readonly stream: string
      readonly slice: string
      /** From 1, within the slice. */
      readonly page: number
      readonly records: number
      readonly bytes: number
      readonly tookMs: number
      /** How many records the stream has, where the API says so. */
      readonly total: number | null
    }
  /** The slice is read; what it brought is safe with the next `committed`. */
  | {
      readonly kind: 'slice-ended'
      readonly stream: string
      readonly slice: string
      readonly receipt: SliceReceipt
    }
  /** What was told before is safe: it outlives whatever happens now. Counts are those of the whole read. */
  | { readonly kind: 'committed'; readonly stream: string; readonly pages: number; readonly records: number }
  | { readonly kind: 'notice'; readonly stream: string; readonly notice: Notice }
  | { readonly kind: 'stream-ended'; readonly receipt: StreamReceipt }
  /** It was read whole by the run that goes on here, before that was interrupted. */
  | { readonly kind: 'stream-skipped'; readonly receipt: StreamReceipt }
  | { readonly kind: 'run-ended'; readonly result: SyncResult }

export type SyncResult = {
  readonly run: string
  readonly connection: string
  readonly to: string
  readonly ending: SyncEnding
  readonly receipts: readonly StreamReceipt[]
}

/**
 * That of the stream that ended worst. `complete`: every table has its rows, and every verdict reaches what is required.
 * `incomplete`: a verdict is below that. `held`: a table was kept because of it. `interrupted`: the next sync resumes this run.
 */
export type SyncEnding = 'complete' | 'incomplete' | 'held' | 'failed' | 'interrupted'
