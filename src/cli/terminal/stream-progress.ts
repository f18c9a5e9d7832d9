/** Events of a read or a sync → how far each of its streams is, and what it waits for. */
import type { Notice } from '../../engine/response/notice.ts'
import { sayWait } from '../../protocol/say.ts'
import type { SyncEvent } from '../../sync/events.ts'
import type { SyncMode } from '../../sync/mode-names.ts'
import type { EndedStream } from './receipts.ts'

/** As a sync reports them; a read reports fewer, without a mode, and less about a stream that ended. */
export type ProgressEvent =
  | Exclude<SyncEvent, { kind: 'stream-started' | 'stream-ended' | 'page' }>
  | (Omit<Extract<SyncEvent, { kind: 'stream-started' }>, 'mode'> & { readonly mode?: SyncMode })
  | Omit<Extract<SyncEvent, { kind: 'page' }>, 'tookMs'>
  | { readonly kind: 'stream-ended'; readonly receipt: EndedStream }

export type StreamProgress = {
  readonly name: string
  readonly since: number
  /** Records of earlier runs, which do not count in the rate. */
  readonly before: number
  pages: number
  records: number
  bytes: number
  retries: number
  /** How many records there are, where the API reports it. */
  total: number | null
  wait: Wait | null
  /** What the API reports about the job it is running; null when there is none. */
  job: string | null
}

/** `limit` names the rate limit that is waited for; null where `reason` says why. */
type Wait = { readonly until: number; readonly reason: string; readonly limit: string | null }

export type FollowedStream = {
  readonly name: string
  /** Null before it starts. */
  progress: StreamProgress | null
  /** Null before it ends. */
  receipt: EndedStream | null
}

export type FollowedStreams = {
  follow(event: ProgressEvent, now: number): void
  /** In the order in which they are read. */
  all(): readonly FollowedStream[]
  underWay(): readonly StreamProgress[]
}

export function followStreams(names: readonly string[] = []): FollowedStreams {
  const streams = new Map<string, FollowedStream>()
  /** The page that each slice under way is at: a large one comes in parts. */
  const lastPages = new Map<string, number>()
  const streamNamed = (name: string): FollowedStream => {
    const known = streams.get(name) ?? { name, progress: null, receipt: null }
    streams.set(name, known)
    return known
  }
  const progressOf = (name: string, now: number): StreamProgress => {
    const stream = streamNamed(name)
    return (stream.progress ??= startProgress(name, now))
  }
  for (const name of names) streamNamed(name)
  return {
    all: () => [...streams.values()],
    underWay: () =>
      [...streams.values()].flatMap(({ progress, receipt }) =>
        progress === null || receipt !== null ? [] : [progress],
      ),
    follow(event, now) {
      switch (event.kind) {
        case 'run-started':
          for (const name of event.streams) streamNamed(name)
          return
        case 'stream-started':
          streamNamed(event.stream).progress = startProgress(event.stream, now, event.before)
          return
        case 'page': {
          const { stream, slice, page, records, bytes, total } = event
          const progress = progressOf(stream, now)
          const key = `${stream} ${slice}`
          if (lastPages.get(key) !== page) progress.pages++
          lastPages.set(key, page)
          progress.records += records
          progress.bytes += bytes
          progress.wait = null
          // The last page often reports no total.
          progress.total = total ?? progress.total
          return
        }
        case 'committed': {
          // The sync counts better: a slice that starts again deletes its pages.
          const { stream, pages, records } = event
          Object.assign(progressOf(stream, now), { pages, records })
          return
        }
        case 'notice':
          if (event.stream !== '') addNotice(progressOf(event.stream, now), event.notice, now)
          return
        case 'stream-ended':
        case 'stream-skipped':
          streamNamed(event.receipt.stream).receipt = event.receipt
          return
        case 'slice-ended':
          lastPages.delete(`${event.stream} ${event.slice}`)
          return
        case 'run-ended':
          return
      }
    },
  }
}

function startProgress(name: string, now: number, before = { pages: 0, records: 0 }): StreamProgress {
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

function addNotice(progress: StreamProgress, notice: Notice, now: number): void {
  switch (notice.kind) {
    case 'job':
      progress.job = notice.state === 'running' ? notice.reason : null
      return
    case 'retry':
      progress.retries++
      progress.wait = {
        until: now + notice.waitMs,
        reason: `${notice.reason} (try ${notice.attempt} of ${notice.tries})`,
        limit: notice.isRateLimited === true ? 'rate limit' : null,
      }
      return
    case 'budget':
      // A budget makes nearly every request wait a little.
      if (notice.waitMs < 1000) return
      progress.wait = { until: now + notice.waitMs, reason: '', limit: 'the rate limit of the manifest' }
      return
    default:
  }
}

/** `waiting for rate limit, 12 s left`; null while nothing is waited for. */
export function sayWaiting({ wait, job }: StreamProgress, now: number): string | null {
  const restMs = wait === null ? 0 : wait.until - now
  if (wait !== null && restMs > 0) {
    return wait.limit === null
      ? `waiting ${sayWait(restMs)}: ${wait.reason}`
      : `waiting for ${wait.limit}, ${sayWait(restMs)} left`
  }
  return job === null ? null : `waiting for a job: ${job}`
}

/** `840/s`, `3.1 k/s` */
export function sayRate(progress: StreamProgress, now: number): string {
  const perSecond = recordsPerSecond(progress, now)
  return perSecond < 1000 ? `${Math.round(perSecond)}/s` : `${(perSecond / 1000).toFixed(1)} k/s`
}

/** How long the rest takes at this rate; null where it cannot be known. */
export function leftMs(progress: StreamProgress, now: number): number | null {
  const { total, records } = progress
  const perSecond = recordsPerSecond(progress, now)
  return total === null || total <= records || perSecond === 0 ? null : ((total - records) / perSecond) * 1000
}

function recordsPerSecond({ records, before, since }: StreamProgress, now: number): number {
  return now <= since ? 0 : ((records - before) * 1000) / (now - since)
}
