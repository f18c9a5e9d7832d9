/** What a sync reports while it runs. Plain JSON, without secrets. */
import type { Notice } from '../engine/response/notice.ts'
import type { SliceReceipt } from '../proof/receipts/receipt.ts'
import type { SyncMode } from './mode-names.ts'
import type { StreamReceipt } from './receipt.ts'

export type SyncEvent =
  | {
      readonly kind: 'run-started'
      readonly run: string
      readonly connection: string
      readonly to: string
      readonly streams: readonly string[]
      /** Whether it resumes an interrupted run. */
      readonly continues: boolean
    }
  | {
      readonly kind: 'stream-started'
      readonly stream: string
      readonly mode: SyncMode
      /** What earlier runs committed of this read; zeros for a new read. */
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
      /** How many records the stream has, where the API reports a total. */
      readonly total: number | null
    }
  /** The slice is read; its records are safe after the next `committed`. */
  | {
      readonly kind: 'slice-ended'
      readonly stream: string
      readonly slice: string
      readonly receipt: SliceReceipt
    }
  /** Everything reported before this event is committed. Counts are those of the whole read. */
  | { readonly kind: 'committed'; readonly stream: string; readonly pages: number; readonly records: number }
  | { readonly kind: 'notice'; readonly stream: string; readonly notice: Notice }
  | { readonly kind: 'stream-ended'; readonly receipt: StreamReceipt }
  /** The run that is resumed had read it completely before it was interrupted. */
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
 * The ending of the stream that ended worst. `complete`: every table has its rows, and every verdict reaches what is required.
 * `incomplete`: a verdict is below that. `held`: a table was kept because of it. `interrupted`: the next sync resumes this run.
 */
export type SyncEnding = 'complete' | 'incomplete' | 'held' | 'failed' | 'interrupted'
