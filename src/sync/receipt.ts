/** What a sync says about one stream when it is over. */
import { ConnectorError } from '../std/errors.ts'
import type { StopReason } from '../engine/pagination/next-page.ts'
import type { Verdict } from '../proof/verdict/verdict.ts'
import type { Shown } from '../proof/receipts/receipt.ts'
import type { Held } from './gate.ts'
import type { SyncMode } from './modes.ts'

/** Plain JSON, without secrets. Counts are those of the whole read, interruptions included. */
export type StreamReceipt = Shown & {
  readonly stream: string
  /** Null where the stream failed before it was known how its records would land. */
  readonly mode: SyncMode | null
  readonly ending: StreamEnding
  readonly pages: number
  /** What the API sent. */
  readonly received: number
  /** What landed: after filters, before rows with the same key are merged. */
  readonly records: number
  readonly bytes: number
  readonly slices: number
  readonly retries: number
  /** Why the last slice ended; null where none did. */
  readonly stop: StopReason | null
  readonly verdict: Verdict
  /** The verdict's reason, for people. */
  readonly reason: string
  /** Where the API said so: `meta.total`, `header link next`. */
  readonly at?: string
  readonly tookMs: number
  readonly error?: ShownError
  /** Of a stream that ended `held`. */
  readonly held?: Held
}

/**
 * `complete`: read to its end, its rows are in the table, and the verdict reaches what is required. `incomplete`: the same,
 * but the verdict is below what is required. `held`: read to its end, but the table was kept and the new rows are staged.
 */
export type StreamEnding = 'complete' | 'incomplete' | 'held' | 'failed' | 'cancelled'

/** Whether the stream was read to its end, whatever became of its rows. */
export function isReadToEnd(ending: StreamEnding): boolean {
  return ending === 'complete' || ending === 'incomplete' || ending === 'held'
}

export type ShownError = { readonly code?: string; readonly message: string; readonly hint?: string }

/** The secrets are gone from it already. */
export function shownError(error: Error): ShownError {
  if (!(error instanceof ConnectorError)) return { message: error.message }
  return { code: error.code, message: error.message, hint: error.hint }
}
