/** Numbers, receipts and notices in words, for logs and for terminals. */
import type { StopReason } from '../engine/pagination/next-page.ts'
import type { JobState, Notice } from '../engine/response/notice.ts'
import { count } from '../words.ts'

export type StreamTotals = {
  readonly pages: number
  readonly records: number
  readonly slices: number
  /** Why the last slice ended; null when none was read to its end. */
  readonly stop: StopReason | null
}

const stops: Readonly<Record<StopReason, string>> = {
  'short-page': 'short page',
  'empty-page': 'empty page',
  'no-cursor': 'no cursor',
  'stop-condition': 'stop condition',
  strategy: 'its own class',
  limit: 'page limit',
  'not-paginated': 'not paginated',
  ignored: 'ignored answer',
  'nothing-to-download': 'nothing to download',
  'read-before': 'known records',
  error: 'error',
}

/** Why a read ended, in two words. */
export function sayStop(stop: StopReason): string {
  return stops[stop]
}

/** What a stream says about its own completeness, in one line. */
export function sayReceipt(name: string, totals: StreamTotals, ending: 'complete' | 'failed' | 'cancelled'): string {
  const slices = totals.slices > 1 ? ` in ${count(totals.slices, 'slice')}` : ''
  const read = `Stream "${name}": ${count(totals.records, 'record')}, ${count(totals.pages, 'page')}${slices}`
  if (ending === 'cancelled') return `${read}; cancelled before the end.`
  if (ending === 'failed') return `${read}; failed before the end.`
  return totals.stop === null
    ? `${read}; there was nothing to ask for.`
    : `${read}; stopped at: ${sayStop(totals.stop)}.`
}

const jobStates: Readonly<Record<JobState, string>> = {
  created: 'created',
  refused: 'refused',
  running: 'running',
  completed: 'completed',
  failed: 'failed',
  'timed-out': 'timed out',
  skipped: 'skipped, its slice brings no records',
  aborted: 'aborted',
  deleted: 'deleted',
  'left-behind': 'left behind on the server',
}

const warningStates: ReadonlySet<JobState> = new Set(['refused', 'failed', 'timed-out', 'skipped', 'left-behind'])

/** Whether somebody should look at it although the read goes on. */
export function isWarning(notice: Notice): boolean {
  return (
    notice.kind === 'retry' || notice.kind === 'warning' || (notice.kind === 'job' && warningStates.has(notice.state))
  )
}

/** What happened on the way to an answer. */
export function sayNotice(stream: string, notice: Notice): string {
  switch (notice.kind) {
    case 'retry':
      return `Stream "${stream}": try ${notice.attempt} failed, next in ${sayWait(notice.waitMs)}. ${notice.reason}`
    case 'budget':
      return `Stream "${stream}": waits ${sayWait(notice.waitMs)} to stay within the rate limits of the manifest.`
    case 'reset':
      return `Stream "${stream}": the pages start again, as the manifest says. ${notice.reason}`
    case 'ignored':
      return `Stream "${stream}": an answer is ignored, as the manifest says. ${notice.reason}`
    case 'warning':
      return `Stream "${stream}": ${notice.text}`
    case 'foreign-origin': {
      const dropped = notice.dropped.length === 0 ? '' : `; left out: ${notice.dropped.join(', ')}`
      return `Stream "${stream}": followed ${notice.from} to ${notice.to} without credentials${dropped}.`
    }
    case 'job': {
      const attempt = notice.attempt > 1 ? ` (try ${notice.attempt})` : ''
      return `Stream "${stream}": job ${jobStates[notice.state]}${attempt}: ${notice.reason}`
    }
  }
}

/** `0.5 s`, `12 s`, `3 min 20 s` */
export function sayWait(waitMs: number): string {
  const seconds = waitMs / 1000
  if (seconds < 10) return `${Math.max(0.1, Math.round(seconds * 10) / 10)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min${whole % 60 === 0 ? '' : ` ${whole % 60} s`}`
}
