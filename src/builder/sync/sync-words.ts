/** A sync in words, as the terminal says it. */
import { count } from '../../std/text/format-count.ts'
import { roundDuration, secondsLeft } from '../durations.ts'
import type { SyncReceipt } from './sync-events.ts'
import type { StreamStanding, SyncState } from './sync-state.ts'

/** `waiting for rate limit, 12 s left`, `~8 s left`, `reading`; for those that have not ended. */
export function readingWords(stream: StreamStanding, now: number): string {
  const { isBegun, wait, job } = stream
  if (!isBegun) return 'waiting for its turn'
  if (wait !== null && wait.until > now) return `${wait.words}, ${secondsLeft(wait.until - now)} left`
  if (job !== null) return `waiting for a job: ${job}`
  const left = leftMs(stream, now)
  return left === null ? 'reading' : `~${secondsLeft(left)} left`
}

/** The state of a stream when its sync ended early. */
export function leftWords({ isBegun }: StreamStanding): string {
  return isBegun ? 'interrupted, resumes from here' : 'not begun'
}

/** `840/s`, `3.1 k/s`; empty while unknown. */
export function rateWords(stream: StreamStanding, now: number): string {
  const perSecond = recordsPerSecond(stream, now)
  if (perSecond === null) return ''
  return perSecond < 1000 ? `${Math.round(perSecond)}/s` : `${(perSecond / 1000).toFixed(1)} k/s`
}

/** Why a stream ended, in a few words. */
export function stopWords({ ending, stop, error }: SyncReceipt): string {
  if (ending === 'cancelled') return 'interrupted'
  if (ending === 'failed') return error?.code === undefined ? 'failed' : `failed: ${error.code}`
  const stopped = stop === null ? 'nothing to request' : (stops[stop] ?? stop.replaceAll('-', ' '))
  return ending === 'held' ? `${stopped}, held` : stopped
}

/** Where the name of the reason, its hyphens gone, would not say it. */
const stops: Readonly<Record<string, string>> = {
  strategy: 'custom class',
  limit: 'page limit',
  ignored: 'ignored response',
  'read-before': 'known records',
}

/** The whole sync in a sentence. */
export function syncWords({ status, streams, continues }: SyncState, stillHeld?: number): string {
  const receipts = [...streams.values()].flatMap(({ receipt }) => receipt ?? [])
  const whole = receipts.filter(({ ending }) => ending === 'complete' || ending === 'incomplete')
  const held = receipts.filter(({ ending }) => ending === 'held')
  const failed = receipts.filter(({ ending }) => ending === 'failed')
  const records = whole.reduce((sum, receipt) => sum + receipt.records, 0)
  switch (status) {
    case 'starting':
      return 'Starting'
    case 'running':
      return `Reading, ${receipts.length} of ${count(streams.size, 'stream')} done${continues ? '; resumes an interrupted sync' : ''}`
    case 'stopping':
      return 'Stopping: what was read is being committed'
    case 'complete':
      return `${count(records, 'record')} of ${count(whole.length, 'stream')} written`
    case 'incomplete':
      return `${count(records, 'record')} of ${count(whole.length, 'stream')} written; what was read is not complete`
    case 'held':
      return `${held.length} of ${count(streams.size, 'stream')} held${stillHeld === 0 ? ', and published since' : ''}`
    case 'interrupted':
      return 'Interrupted. What was read is kept; sync again to resume'
    case 'failed':
      if (failed.length === 0) return 'The sync failed'
      return `${failed.length} of ${count(streams.size, 'stream')} failed. Sync again: they resume from the last committed page`
    case 'lost':
      return 'The server stopped. What was committed is kept; sync again to resume'
    case 'refused':
      return 'The sync did not start'
  }
}

/** `1.2 s`, for a receipt. */
export function tookWords({ tookMs }: SyncReceipt): string {
  return roundDuration(tookMs)
}

/** The share that is read, between 0 and 1; null if unknown. */
export function shareRead({ records, total, receipt }: StreamStanding): number | null {
  if (receipt !== null || total === null || total === 0) return null
  return Math.min(1, records / total)
}

function leftMs(stream: StreamStanding, now: number): number | null {
  const { total, records } = stream
  const perSecond = recordsPerSecond(stream, now)
  if (total === null || total <= records || perSecond === null || perSecond === 0) return null
  return ((total - records) / perSecond) * 1000
}

function recordsPerSecond({ records, before, heard, receipt }: StreamStanding, now: number): number | null {
  const [amount, ms] =
    receipt === null
      ? [records - (heard?.records ?? records), now - (heard?.at ?? now)]
      : [receipt.records - before, receipt.tookMs]
  return ms <= 0 || amount <= 0 ? null : (amount * 1000) / ms
}
