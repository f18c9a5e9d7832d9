/** What happened during a read that a caller may want to show: retries, waits, warnings. URLs are redacted first. */
import type { PageAction } from '../plan/error-handler.ts'

export type Notice =
  /** Loses nothing by itself, but the author would want to know. */
  | { kind: 'warning'; text: string }
  | {
      kind: 'retry'
      /** The try that failed; 1 is the first. */
      attempt: number
      /** How many there will be at most. */
      tries: number
      waitMs: number
      reason: string
      url: string
      /** There was no response at all. */
      isUnanswered?: true
      /** The API asks for fewer requests. */
      isRateLimited?: true
      /** When it accepts more, if it said so: milliseconds since 1970. */
      quotaResetsAt?: number
    }
  /** The manifest's budget is used up for the moment. */
  | { kind: 'budget'; waitMs: number; url: string }
  | { kind: 'ignored'; reason: string; url: string }
  /** The pages of the slice are read in another way. */
  | { kind: PageAction; reason: string; url: string }
  | { kind: 'foreign-origin'; from: string; to: string; dropped: string[] }
  /** A job that an API works on for us: what was requested, and its state since. */
  | { kind: 'job'; state: JobState; attempt: number; reason: string; url: string }

export type JobState =
  | 'created'
  | 'refused'
  | 'running'
  | 'completed'
  | 'failed'
  | 'timed-out'
  | 'skipped'
  | 'aborted'
  | 'deleted'
  /** It could not be aborted or deleted, and may still be there. */
  | 'left-behind'
