/** A stream being read: what came so far, what it waits for, and both in words. Rows of `read` and `sync` say the same. */
import type { Notice } from '../../engine/response/notice.ts'
import { sayWait } from '../../protocol/say.ts'

export type Reading = {
  readonly name: string
  readonly since: number
  /** Records that were there when it began: no part of the rate. */
  readonly before: number
  pages: number
  records: number
  bytes: number
  retries: number
  /** How many records there are, where the API says so. */
  total: number | null
  wait: Wait | null
  /** What the API says of the job it works on; null when there is none. */
  job: string | null
}

/** What is waited for where it is a limit on requests; otherwise the reason tells. */
type Wait = { readonly until: number; readonly reason: string; readonly limit: string | null }

export function startReading(name: string, now: number, before = { pages: 0, records: 0 }): Reading {
  return {
    name,
    since: now,
    before: before.records,
    ...before,
    bytes: 0,
    retries: 0,
    total: null,
    wait: null,
    job: null,
  }
}

export type PageCounts = { readonly isNew: boolean; readonly records: number; readonly bytes?: number }

/** A page that comes in parts counts once. */
export function takePage(reading: Reading, { isNew, records, bytes = 0 }: PageCounts): void {
  if (isNew) reading.pages++
  reading.records += records
  reading.bytes += bytes
  reading.wait = null
}

/** Whether it changed what the row says. */
export function takeNotice(reading: Reading, notice: Notice, now: number): boolean {
  switch (notice.kind) {
    case 'job':
      reading.job = notice.state === 'running' ? notice.reason : null
      return true
    case 'retry':
      reading.retries++
      reading.wait = {
        until: now + notice.waitMs,
        reason: `${notice.reason} (try ${notice.attempt} of ${notice.tries})`,
        limit: notice.isRateLimited === true ? 'rate limit' : null,
      }
      return true
    case 'budget':
      // A budget makes nearly every request wait a little.
      if (notice.waitMs < 1000) return false
      reading.wait = { until: now + notice.waitMs, reason: '', limit: 'the rate limit of the manifest' }
      return true
    default:
      return false
  }
}

/** `waiting for rate limit, 12 s left`; null while nothing is waited for. */
export function sayWaiting({ wait, job }: Reading, now: number): string | null {
  const restMs = wait === null ? 0 : wait.until - now
  if (wait !== null && restMs > 0) {
    return wait.limit === null
      ? `waiting ${sayWait(restMs)}: ${wait.reason}`
      : `waiting for ${wait.limit}, ${sayWait(restMs)} left`
  }
  return job === null ? null : `waiting for a job: ${job}`
}

/** `840/s`, `3.1 k/s` */
export function sayRate(reading: Reading, now: number): string {
  const perSecond = recordsPerSecond(reading, now)
  return perSecond < 1000 ? `${Math.round(perSecond)}/s` : `${(perSecond / 1000).toFixed(1)} k/s`
}

/** How long the rest takes if it goes on like this; null where nobody can know. */
export function leftMs(reading: Reading, now: number): number | null {
  const { total, records } = reading
  const perSecond = recordsPerSecond(reading, now)
  return total === null || total <= records || perSecond === 0 ? null : ((total - records) / perSecond) * 1000
}

function recordsPerSecond({ records, before, since }: Reading, now: number): number {
  return now <= since ? 0 : ((records - before) * 1000) / (now - since)
}
