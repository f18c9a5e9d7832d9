/** What a recording of one stream holds: the exchanges of a read without secrets, and what the read made of them. */
import type { Config, JsonRecord, JsonSchema } from '../engine/plan/plan.ts'
import type { StreamState } from '../engine/slices/stream-cursor.ts'
import type { StopReason } from '../engine/pagination/next-page.ts'
import type { Claimed } from '../proof/receipts/receipt.ts'
import type { Verdict } from '../proof/verdict/verdict-name.ts'

/** Changes when a file of an older version cannot be replayed as it is. */
export const recordingFormat = 1

export type Recording = {
  readonly format: typeof recordingFormat
  readonly stream: string
  /** The time at which the read began; the replay begins at the same. */
  readonly recordedAt: string
  /** SecretPlaceholders in the place of secrets; every other value as it was. */
  readonly config: Config
  /** The state that the read began with; null where it had none. */
  readonly state: StreamState | null
  readonly limits: RecordingLimits
  readonly exchanges: readonly RecordedExchange[]
  readonly expected: ExpectedRead
}

export type RecordingLimits = {
  /** Of each slice. */
  readonly maxPages: number
  readonly maxSlices: number
  /** Requested instead of the manifest's page size, so that pages are small; null where the manifest's own was used. */
  readonly pageSize: number | null
}

export type RecordedExchange = {
  /** Why it was sent, where it is not a page of the stream. */
  readonly purpose?: string
  readonly request: RecordedRequest
  /** Null where none came. */
  readonly response: RecordedResponse | null
  /** Why no response came. */
  readonly failure?: { readonly code: string; readonly message: string }
  /** The time after it, where the read took so long that it counts. */
  readonly clock?: string
}

/** Sorted and spelled so that requests that mean the same are the same. */
export type RecordedRequest = {
  readonly method: string
  /** Without its query. */
  readonly url: string
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: RecordedRequestBody
}

export type RecordedRequestBody =
  | { readonly json: unknown }
  | { readonly form: Readonly<Record<string, string | readonly string[]>> }
  | { readonly text: string }

export type RecordedResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
  /** Absent where it is empty. */
  readonly body?: RecordedBody
  /** How many records the API sent in this page, where the recording keeps fewer. */
  readonly cutFrom?: number
}

/** `lines` are joined by line breaks; `gzip` holds the lines of a compressed text. */
export type RecordedBody =
  | { readonly json: unknown }
  | { readonly lines: readonly string[] }
  | { readonly gzip: readonly string[] }
  | { readonly base64: string }

/** What the read must make of the exchanges. */
export type ExpectedRead = {
  readonly records: ExpectedRecords
  readonly slices: readonly ExpectedSlice[]
  /** Of all slices; null where no slice ended. */
  readonly receipt: ExpectedReceipt | null
  readonly schema: ExpectedSchema
  /** Paths of its fields, none where the stream has no key; absent from older recordings, which are not compared with it. */
  readonly primaryKey?: readonly (readonly string[])[]
  /** Null where the stream keeps none. */
  readonly state: StreamState | null
  /** Per fault of the lab, what the manifest makes of it; absent where the stream was not surveyed. */
  readonly survey?: Readonly<Record<string, string>>
}

export type ExpectedRecords = {
  readonly count: number
  /** All of them, or the first hundred. */
  readonly first: readonly JsonRecord[]
  /** Of all of them, where `first` is not all; null where some of their values differ from read to read. */
  readonly sha256?: string | null
}

/** What a receipt shows, without its sentences: those may be reworded. */
export type ExpectedReceipt = {
  readonly pages: number
  readonly received: number
  readonly emitted: number
  readonly verdict: Verdict
  /** Primary keys; null where the stream has none. */
  readonly keys: { readonly unique: number; readonly repeated: number } | null
  readonly claimed: Claimed
}

export type ExpectedSlice = ExpectedReceipt & {
  readonly slice: Readonly<Record<string, unknown>>
  readonly stop: StopReason
}

export type ExpectedSchema = { readonly from: 'manifest' | 'records'; readonly schema: JsonSchema | null }
