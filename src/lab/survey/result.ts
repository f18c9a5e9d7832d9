/** What a survey finds: per stream and fault, whether the manifest survives it. Plain JSON, without secrets. */
import type { Judgement } from '../../proof/verdict/verdict.ts'

/**
 * `survives`: every record came, none twice, and the receipt raises no alarm.
 * `tells`: the read failed, or the receipt says that something is wrong.
 * `is fooled`: records are missing or doubled, and nothing says so.
 * `does not apply`: the fault makes no sense for how this stream turns its pages.
 */
export type Outcome = 'survives' | 'tells' | 'is fooled' | 'does not apply'

export type SurveyResult = {
  readonly stream: string
  /** By its name in the lab: `capped-size`. */
  readonly fault: string
  /** What the API does: `sends an empty page 3`. */
  readonly does: string
  readonly outcome: Outcome
  /** One sentence: what happened, or why the fault does not apply. */
  readonly says: string
  /** Records that the API had when the walk began. */
  readonly expected: number
  /** Of these, how many never came. */
  readonly missing: number
  /** Records that came again. */
  readonly doubled: number
  readonly requests: number
  /** Of the receipt; null where the read failed. */
  readonly verdict: Judgement | null
  /** Why the read failed; null where it did not. */
  readonly error: { readonly code: string; readonly message: string; readonly hint: string } | null
  /** Whoever is fooled: what would have happened had the API counted its records. Null otherwise. */
  readonly ifCounted: Outcome | null
}

/** A stream that cannot be surveyed, and why; or that was left out since others turn their pages in the same way. */
export type Skipped = { readonly stream: string; readonly why: string }

export type Survey = {
  readonly results: readonly SurveyResult[]
  readonly skipped: readonly Skipped[]
}

export type SurveyOptions = {
  /** The streams to read; when absent, the first few that turn their pages in different ways. */
  readonly streams?: readonly string[]
  /** Values are made up where none are given: no API is asked. */
  readonly config?: Readonly<Record<string, unknown>>
  /** What the manifest is called in errors. */
  readonly file?: string
  /** Where the classes of the connector's own are. */
  readonly folder?: string
  /** Names of faults; every fault of the lab when absent. */
  readonly faults?: readonly string[]
  readonly signal?: AbortSignal
  /** Told of each result as it comes. */
  readonly onResult?: (result: SurveyResult) => void
  readonly onSkipped?: (skipped: Skipped) => void
}
