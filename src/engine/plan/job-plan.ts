/** What the engine will do with a stream whose records an API prepares on request: create, poll, download, clean up. */
import type { SourceLocation } from '../../std/errors.ts'
import type { DecoderPlan } from './decoder.ts'
import type { RequesterPlan } from './plan.ts'
import type { ExtractorPlan } from './selector-plan.ts'

export type JobPlan = {
  readonly at: SourceLocation
  readonly create: RequesterPlan
  readonly poll: RequesterPlan
  /** Where downloads are named by an answer of their own rather than by the last poll. */
  readonly list: RequesterPlan | null
  readonly abort: RequesterPlan | null
  readonly delete: RequesterPlan | null
  /** Of the answers about the job, not of its downloads. */
  readonly decoder: DecoderPlan
  readonly status: ExtractorPlan
  /** The API's word for a status → what it means. */
  readonly meanings: Readonly<Record<string, JobStatus>>
  /** What to download; null when there is one download and the answers need not name it. */
  readonly targets: ExtractorPlan | null
  /** A job that runs longer is given up. */
  readonly timeoutMs: number
  /** How long to wait before a failed job is created anew; null waits as long as between two polls. */
  readonly retryWaitMs: number | null
}

export const jobStatuses = ['running', 'completed', 'failed', 'timeout', 'skipped'] as const

export type JobStatus = (typeof jobStatuses)[number]
