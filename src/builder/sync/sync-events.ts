/** The events of a sync that are shown here, and how far a stream is. */
import type { Verdict } from '../../proof/verdict/verdict-name.ts'
import type { SyncProgress } from '../../server/wire/sync.ts'

/** What is said about a stream when it is over. Counts are those of the whole read, interruptions included. */
export type SyncReceipt = {
  readonly stream: string
  readonly ending: 'complete' | 'incomplete' | 'held' | 'failed' | 'cancelled'
  readonly pages: number
  readonly records: number
  /** Why the last page was the last: `short-page`; null where there was none. */
  readonly stop: string | null
  readonly verdict: Verdict
  readonly reason: string
  readonly tookMs: number
  readonly error?: { readonly code?: string; readonly message: string; readonly hint?: string }
  /** Why its table was not replaced, and where the new rows are. */
  readonly held?: HeldReceipt
}

export type HeldReceipt = {
  readonly reason: string
  readonly staged: number
  readonly existing: number
  readonly stagedAs: string | null
}

export type SyncNotice = {
  /** `retry`, `budget`, `job` and others that need no place in a row. */
  readonly kind: string
  readonly waitMs?: number
  readonly reason?: string
  readonly isRateLimited?: boolean
  readonly state?: string
}

export type News =
  | { readonly kind: 'run-started'; readonly streams: readonly string[]; readonly continues: boolean }
  | {
      readonly kind: 'stream-started'
      readonly stream: string
      readonly before: { readonly pages: number; readonly records: number }
    }
  | SyncProgress
  | { readonly kind: 'committed'; readonly stream: string; readonly pages: number; readonly records: number }
  | { readonly kind: 'notice'; readonly stream: string; readonly notice: SyncNotice }
  | { readonly kind: 'stream-ended' | 'stream-skipped'; readonly receipt: SyncReceipt }
  | { readonly kind: 'slice-ended'; readonly stream: string; readonly slice: string }
  | { readonly kind: 'run-ended' }
  /** Nothing new: the server is still there. */
  | { readonly kind: 'waiting' }
