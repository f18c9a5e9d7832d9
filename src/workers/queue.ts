/** What workers need of a queue. It only says what is to be done; checkpoints say what is done. */
import type { Prefetch } from '../engine/pages/stream.ts'
import type { HeldClaim } from '../destinations/destination.ts'
import type { Requirement } from '../proof/verdict/verdict-name.ts'
import type { ShownError } from '../sync/receipt.ts'
import type { SyncEnding } from '../sync/events.ts'
import type { RequestedModes } from '../sync/modes.ts'
import type { QueueSession } from './database.ts'

/**
 * The newest format of jobs and of their events that this version knows. Each says the lowest format that has all of it, so
 * that workers of an older version still take what they understand, and leave the rest. Raise it with anything in a job or
 * an event that must not be overlooked; what may be ignored needs no new format.
 */
export const newestFormat = 1

/** Sync one connection. There is one such job per connection that waits or runs. */
export type SyncTask = {
  /** Its name: every worker has its folder. Secrets are in no job. */
  readonly connection: string
  /** What `turnleaf sync` was given; the rest is what the connection says. */
  readonly options: SyncTaskOptions
  /** Its end is stored with the schedule of the connection. */
  readonly isScheduled?: true
  /** 1 when absent. */
  readonly format?: number
}

export type SyncTaskOptions = {
  readonly streams?: readonly string[] | undefined
  readonly mode?: RequestedModes | undefined
  readonly require?: Requirement | undefined
  readonly prefetch?: Prefetch | undefined
  readonly concurrency?: number | undefined
  readonly streamsAtOnce?: number | undefined
  readonly isFresh?: boolean | undefined
  readonly acceptDrop?: boolean | undefined
}

/** Read one part of a stream for the job that leads the sync. */
export type PartTask = SyncTask & {
  readonly sync: string
  readonly stream: string
  readonly part: number
  readonly lead: HeldClaim
}

export type Tasks = { readonly sync: SyncTask; readonly part: PartTask }

export type JobKind = keyof Tasks

/** One attempt at a job, held until it is settled or its lease ends. */
export type HeldJob<Kind extends JobKind = JobKind> = {
  readonly kind: Kind
  readonly id: string
  readonly task: Tasks[Kind]
  /** From 0; each time a worker takes the job it is one more. */
  readonly attempt: number
}

export type QueuedState = 'waiting' | 'running' | 'ended' | 'cancelled' | 'failed'

export type QueuedJob = {
  readonly id: string
  readonly connection: string
  readonly state: QueuedState
  readonly attempt: number
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly outcome: JobOutcome | null
}

/** How a job ended. */
export type JobOutcome = {
  readonly ending: SyncEnding | 'read'
  readonly records: number
  readonly error?: ShownError
}

export type Submitted = {
  readonly id: string
  /** The connection has a job already: this is it. */
  readonly isRunning: boolean
}

export type QueueCounts = {
  readonly waiting: number
  readonly running: number
  /** How long the job that waits longest could have been started. */
  readonly lagSeconds: number
}

export interface Queue {
  submitSync(task: SyncTask): Promise<Submitted>
  /** In the same transaction as other changes; connections that have a job get none. Returns those that got one. */
  submitSyncs(tasks: readonly SyncTask[], session: QueueSession): Promise<readonly string[]>
  submitParts(tasks: readonly PartTask[]): Promise<readonly string[]>
  /** Of formats that this process knows; other jobs stay for those that know them. */
  take<Kind extends JobKind>(kind: Kind, count: number): Promise<readonly HeldJob<Kind>[]>
  /** The newest format of the jobs that wait and that this process does not know; null where there is none. */
  unknownFormat(): Promise<number | null>
  /** Extends the lease of each; returns those that are not ours any more: cancelled, or taken over. */
  renew(jobs: readonly HeldJob[]): Promise<readonly HeldJob[]>
  /** False where it is not ours any more: nothing happens to it then. */
  end(job: HeldJob, outcome: JobOutcome): Promise<boolean>
  /** Another worker takes it at once. */
  handBack(job: HeldJob): Promise<void>
  /** A worker tries again after a while; after some tries the job ends with this error. Returns whether it has. */
  tryLater(job: HeldJob, error: ShownError): Promise<boolean>
  cancel(kind: JobKind, ids: readonly string[]): Promise<number>
  find(kind: JobKind, id: string): Promise<QueuedJob | null>
  /** The last scheduled job of each of these connections, of those that have none that waits or runs. */
  lastScheduled(connections: readonly string[]): Promise<readonly QueuedJob[]>
  /** Those of this sync that wait or run. */
  cancelParts(sync: string): Promise<void>
  /** How many of these parts neither ended nor failed. */
  unfinished(ids: readonly string[]): Promise<number>
  /** What runs and waits, then what ended last. */
  list(limit: number): Promise<readonly QueuedJob[]>
  counts(kind: JobKind): Promise<QueueCounts>
  close(): Promise<void>
}
