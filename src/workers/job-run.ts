/** What every job of a worker gets. */
import type { PostgresBudget } from '../destinations/postgres/postgres-budget.ts'
import type { QueueDatabase } from './database.ts'
import type { JobKind, Queue } from './queue.ts'
import type { PartRules } from './read-in-parts.ts'
import type { Tally } from './tally.ts'

export type WorkerOptions = {
  /** Shown in lists and logs. */
  readonly name: string
  readonly home: string
  readonly defaultDestination: () => string
  /** How many jobs of each kind at a time. Of their own, or syncs that wait for their parts would keep them from being read. */
  readonly slots: Readonly<Record<JobKind, number>>
  readonly rules: PartRules
  /** The calls of all workers that sync one connection, counted together. */
  readonly openBudget: (connection: string) => Promise<PostgresBudget>
  readonly log: (line: LogLine) => void
  /** Stops it: what was read is committed, and jobs are handed back. */
  readonly signal: AbortSignal
}

export type LogLine = { readonly level: 'info' | 'warn' | 'error'; readonly event: string } & Readonly<
  Record<string, unknown>
>

/** Why a job is stopped. */
export type Stop = 'lost' | 'hand-back'

export type JobRun = {
  readonly database: QueueDatabase
  readonly queue: Queue
  readonly options: WorkerOptions
  readonly tally: Tally
  readonly signal: AbortSignal
  readonly why: () => Stop | null
}
