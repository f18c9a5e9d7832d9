/** What a job reports while it runs: small rows in the database, the latest of each kind, for the commands that follow it. */
import type { Requirement } from '../proof/verdict/verdict-name.ts'
import { parseJson, stringifyJson } from '../std/json.ts'
import type { ShownError } from '../sync/receipt.ts'
import type { SyncEvent } from '../sync/events.ts'
import type { Query } from './database.ts'
import { type HeldJob, newestFormat } from './queue.ts'
import type { PartsEvent } from './read-in-parts.ts'
import { ownSchema } from './tables.ts'

/** The events of the sync, and those of its job. */
export type JobEvent =
  | SyncEvent
  /** A worker has taken the job. */
  | { readonly kind: 'job-taken'; readonly worker: string; readonly attempt: number }
  /** What the connection says, for the words about the result. */
  | { readonly kind: 'job-opened'; readonly require: Requirement; readonly schema: string | null }
  /** Warnings about the connection; why a stream is not split; how many of its parts are read. */
  | PartsEvent
  /** For lists: how far it is. */
  | JobSummary
  /** The sync threw. */
  | { readonly kind: 'job-failed'; readonly error: ShownError }

export type JobSummary = {
  readonly kind: 'summary'
  readonly worker: string
  readonly streams: number
  readonly ended: number
  readonly records: number
}

export type ProgressReport = {
  readonly report: (event: JobEvent) => void
  /** Writes what is left. */
  readonly close: () => Promise<void>
}

/** A follower sees it this much later; a row is written no more often. */
const everyMs = 500

/** Errors are left to the queue, whose lease ends with the same database. */
export function reportProgress(query: Query, job: HeldJob): ProgressReport {
  let waiting = new Map<string, JobEvent>()
  let writing = Promise.resolve()
  const flush = () => {
    if (waiting.size === 0) return writing
    const batch = waiting
    waiting = new Map()
    writing = writing.then(() => writeRows(query, job, batch)).catch(() => {})
    return writing
  }
  const timer = setInterval(() => void flush(), everyMs)
  return {
    report(event) {
      const key = keyOf(event)
      if (key === null) return
      const before = waiting.get(key)
      // Last, so that what a follower reads is in order.
      waiting.delete(key)
      waiting.set(key, together(before, event))
      // What came before a commit is in it.
      if (event.kind === 'committed') waiting.delete(`page ${event.stream}`)
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** Events with the same key replace each other; null for those that are not stored. */
function keyOf(event: JobEvent): string | null {
  switch (event.kind) {
    case 'slice-ended':
      return null
    case 'notice':
      return event.notice.kind === 'warning' ? `warning ${event.stream} ${event.notice.text}` : `notice ${event.stream}`
    case 'parts':
    case 'stream-started':
    case 'page':
    case 'committed':
      return `${event.kind} ${event.stream}`
    case 'stream-ended':
    case 'stream-skipped':
      return `ended ${event.receipt.stream}`
    case 'job-notice':
      return `job-notice ${event.text}`
    default:
      return event.kind
  }
}

/** Several pages become one. */
function together(before: JobEvent | undefined, event: JobEvent): JobEvent {
  if (before?.kind !== 'page' || event.kind !== 'page') return event
  return { ...event, records: before.records + event.records, bytes: before.bytes + event.bytes }
}

/** A worker whose job was taken over changes nothing. */
async function writeRows(query: Query, { id, attempt }: HeldJob, events: ReadonlyMap<string, JobEvent>): Promise<void> {
  const rows = [...events].map(([key, event]) => ({ key, event: stringifyJson(event) }))
  await query(
    `INSERT INTO ${ownSchema}.progress AS known (job, key, attempt, position, event)
     SELECT $1, key, $2, nextval('${ownSchema}.progress_order'), event::jsonb
     FROM jsonb_to_recordset($3::jsonb) AS given (key text, event text)
     ON CONFLICT (job, key) DO UPDATE
     SET attempt = excluded.attempt, position = excluded.position, event = excluded.event, written_at = now()
     WHERE known.attempt <= excluded.attempt`,
    [id, attempt, stringifyJson(rows)],
  )
}

export type StoredEvent = { readonly position: number; readonly event: JobEvent }

/** Written since, in order; without events of a format that only newer versions know. */
export async function eventsSince(query: Query, job: string, position: number): Promise<readonly StoredEvent[]> {
  const rows = await query(
    `SELECT position, event::text AS event FROM ${ownSchema}.progress
     WHERE job = $1 AND position > $2 AND coalesce((event->>'format')::int, 1) <= ${newestFormat} ORDER BY position`,
    [job, position],
  )
  return rows.map((row) => ({
    position: Number(row.position),
    event: parseJson(String(row.event)).value as JobEvent,
  }))
}

/** How far each of these jobs is, by its id. */
export async function summariesOf(query: Query, jobs: readonly string[]): Promise<ReadonlyMap<string, JobSummary>> {
  const rows = await query(`SELECT job, event FROM ${ownSchema}.progress WHERE job = ANY ($1) AND key = 'summary'`, [
    jobs,
  ])
  return new Map(rows.map(({ job, event }) => [String(job), event as JobSummary]))
}

/** Those of jobs that the queue has forgotten by now. */
export async function forgetOldProgress(query: Query): Promise<void> {
  await query(`DELETE FROM ${ownSchema}.progress WHERE written_at < now() - interval '7 days'`)
}
