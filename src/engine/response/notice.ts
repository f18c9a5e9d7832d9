/** What happened on the way to an answer, or to a state, that a reader of pages may want to show. URLs pass the caller's redactor first. */
export type Notice =
  /** Something that loses nothing by itself but that an author would want to know. */
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
      /** No answer came at all. */
      isUnanswered?: true
      /** The API asks for fewer requests. */
      isRateLimited?: true
      /** When it will take more, where it said so: milliseconds since 1970. */
      quotaResetsAt?: number
    }
  /** The manifest's budget is used up for the moment. */
  | { kind: 'budget'; waitMs: number; url: string }
  | { kind: 'ignored'; reason: string; url: string }
  /** The pages of the slice start again. */
  | { kind: 'reset'; reason: string; url: string }
  | { kind: 'foreign-origin'; from: string; to: string; dropped: string[] }
  /** A job that an API works on for us: what was asked about it, and how it stands since. */
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
