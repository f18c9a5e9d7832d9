/** Receipts and notices in words, for logs and terminals. */
import type { StopReason } from '../engine/pagination/next-page.ts'
import type { JobState, Notice } from '../engine/response/notice.ts'
import type { Judgement } from '../proof/verdict/verdict.ts'
import { sayVerdict } from '../proof/verdict/verdict-name.ts'
import type { KeyCounts } from '../proof/keys/track-keys.ts'
import type { SliceReceipt } from '../proof/receipts/receipt.ts'
import { count } from '../std/text/format-count.ts'

export type ProtocolTotals = {
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
  strategy: 'custom class',
  limit: 'page limit',
  'not-paginated': 'not paginated',
  ignored: 'ignored response',
  'nothing-to-download': 'nothing to download',
  'read-before': 'known records',
  error: 'error',
}

/** Why a read ended, in two words. The only wording of stop reasons. */
export function sayStop(stop: StopReason): string {
  return stops[stop]
}

export type SaidOutcome = ProtocolTotals & {
  readonly name: string
  readonly ending: 'complete' | 'incomplete' | 'failed' | 'cancelled'
  readonly proof: Judgement & { readonly keys: KeyCounts | null }
}

/** The receipt of a stream in one line. */
export function sayReceipt({ name, pages, records, slices, stop, ending, proof }: SaidOutcome): string {
  const inSlices = slices > 1 ? ` in ${count(slices, 'slice')}` : ''
  const read = `Stream "${name}": ${count(records, 'record')}, ${count(pages, 'page')}${inSlices}`
  if (ending === 'cancelled') return `${read}; cancelled before the end.`
  if (ending === 'failed') return `${read}; failed before the end.`
  if (stop === null) return `${read}; there was nothing to request.`
  return `${read}; stopped at: ${sayStop(stop)}; ${sayVerdict(proof)}${sayRepeated(proof.keys)}.`
}

/** The receipt of a slice that is not complete, in one line. */
export function saySlice(name: string, slice: string, { pages, received, stop, ...proof }: SliceReceipt): string {
  const read = `Stream "${name}", slice ${slice}: ${count(received, 'record')}, ${count(pages, 'page')}`
  return `${read}; stopped at: ${sayStop(stop)}; ${sayVerdict(proof)}${sayRepeated(proof.keys)}.`
}

/** `; 10 repeated keys` */
function sayRepeated(keys: KeyCounts | null): string {
  return keys === null || keys.repeated === 0 ? '' : `; ${count(keys.repeated, 'repeated key')}`
}

const jobStates: Readonly<Record<JobState, string>> = {
  created: 'created',
  refused: 'refused',
  running: 'running',
  completed: 'completed',
  failed: 'failed',
  'timed-out': 'timed out',
  skipped: 'skipped, its slice has no records',
  aborted: 'aborted',
  deleted: 'deleted',
  'left-behind': 'left on the server',
}

const warningStates: ReadonlySet<JobState> = new Set(['refused', 'failed', 'timed-out', 'skipped', 'left-behind'])

/** Whether it deserves attention although the read continues. */
export function isWarning(notice: Notice): boolean {
  return (
    notice.kind === 'retry' || notice.kind === 'warning' || (notice.kind === 'job' && warningStates.has(notice.state))
  )
}

/** A notice in words. */
export function sayNotice(stream: string, notice: Notice): string {
  switch (notice.kind) {
    case 'retry':
      return `Stream "${stream}": ${sayRetry(notice)}`
    case 'budget':
      return `Stream "${stream}": waits ${sayWait(notice.waitMs)} to stay within the rate limits of the manifest.`
    case 'reset':
      return `Stream "${stream}": the pages start again, as the manifest specifies. ${notice.reason}`
    case 'smaller-page':
      return `Stream "${stream}": the page is requested with fewer records, as the manifest specifies. ${notice.reason}`
    case 'smaller-window':
      return `Stream "${stream}": the slice is read in two halves, as the manifest specifies. ${notice.reason}`
    case 'ignored':
      return `Stream "${stream}": a response is ignored, as the manifest specifies. ${notice.reason}`
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

/** `try 1 of 6 failed, next in 0.8 s. 127.0.0.1:9 cannot be reached (ECONNREFUSED): …` */
export function sayRetry({ attempt, tries, waitMs, reason }: Extract<Notice, { kind: 'retry' }>): string {
  return `try ${attempt} of ${tries} failed, next in ${sayWait(waitMs)}. ${reason}`
}

/** `0.5 s`, `12 s`, `3 min 20 s` */
export function sayWait(waitMs: number): string {
  const seconds = waitMs / 1000
  if (seconds < 10) return `${Math.max(0.1, Math.round(seconds * 10) / 10)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)} min${whole % 60 === 0 ? '' : ` ${whole % 60} s`}`
  const minutes = Math.round(whole / 60)
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`
}
