/** One slice of a read that may be interrupted: how far it came, and from where it can go on. */
import type { Page } from '../engine/pages/page.ts'
import type { Passing } from '../engine/pages/advance-cursor.ts'
import type { PageToken } from '../engine/request/page-token.ts'
import type { StreamCursor } from '../engine/slices/cursor.ts'
import { readClaims } from '../proof/claims/read-claims.ts'
import { type KeyOptions, type KeyTracker, trackKeys } from '../proof/keys/track-keys.ts'
import { type ClaimRules, factsOf } from '../proof/claims/page-facts.ts'
import { claimedIn, noClaims, type Shown, type SliceReceipt } from '../proof/receipts/receipt.ts'
import { passingOf } from '../proof/verdict/judge-stream.ts'
import { judgeFailure, judgeSlice } from '../proof/verdict/judge-slice.ts'
import { type JudgedNote, noteKeys, type SliceCounts, type SliceNote, writeNote } from './checkpoints.ts'

export type SliceProgress = {
  readonly key: string
  /** The place to go on from, as it is committed with the pages before it. */
  note: SliceNote
  /** What was read so far, pages included that would be read again after an interruption. */
  read: SliceCounts
  /** The primary keys that came, while all of them are known: not once the slice was interrupted. */
  keys: KeyTracker | null
  /** The note as it stands. */
  text(): string
}

export function openSlice(stream: string, slice: string, known?: SliceNote): SliceProgress {
  const note = known ?? { slice, isDone: false, token: null, hasMore: false, ...nothing }
  const progress: SliceProgress = {
    key: noteKeys.slice(stream, slice),
    note,
    read: note,
    keys: null,
    text: () => writeNote(progress.note),
  }
  return progress
}

const nothing: SliceCounts = {
  pages: 0,
  received: 0,
  emitted: 0,
  bytes: 0,
  stop: null,
  newest: null,
  claims: null,
  judged: null,
}

/** Back to its first page. */
export function startOver(progress: SliceProgress): void {
  progress.note = { slice: progress.note.slice, isDone: false, token: null, hasMore: false, ...nothing }
  progress.read = nothing
}

/** What is the same for all slices of a stream. */
export type SliceRules = {
  readonly cursor: StreamCursor
  /** Whether a slice can go on from this token. */
  readonly mayGoOnFrom: (token: PageToken) => boolean
  readonly claims: ClaimRules
  readonly keys: KeyOptions
}

/** Takes a page into account. One that comes in parts is a place to go on from once its last part is there. */
export function countPage(progress: SliceProgress, page: Page, rules: SliceRules): void {
  const { note, read } = progress
  const { records, next, stop } = page
  const isDone = stop !== null && stop !== 'limit' && stop !== 'error'
  if (read.pages === 0) {
    progress.keys?.release()
    progress.keys = trackKeys(rules.keys)
  }
  const counted: SliceCounts = {
    pages: read.pages + (page.part === 0 ? 1 : 0),
    received: read.received + page.receivedCount,
    emitted: read.emitted + records.length,
    bytes: read.bytes + page.response.bytes,
    stop,
    newest: rules.cursor.newest(read.newest === null ? records : [read.newest, ...records]),
    claims: readClaims(read.claims, factsOf(page), rules.claims),
    judged: null,
  }
  progress.keys?.observe(records, counted.pages)
  progress.read = isDone ? { ...counted, claims: null, judged: judge(progress, counted, rules) } : counted
  if (isDone) {
    progress.keys?.release()
    progress.keys = null
  }
  const goesOn = isDone || (next !== null && rules.mayGoOnFrom(next))
  progress.note = goesOn
    ? { slice: note.slice, isDone, token: next, hasMore: false, ...progress.read }
    : { ...note, hasMore: true }
}

function judge(progress: SliceProgress, counted: SliceCounts, rules: SliceRules): JudgedNote & Shown {
  const { received, stop, claims } = counted
  const keys = progress.keys?.counts() ?? null
  const judgement = judgeSlice({ received, stop: stop ?? 'error', claims, keys, rules: rules.claims })
  return { judgement, keys, claimed: claimedIn(claims) }
}

/** What a slice that ended lets a state do. */
export function passing({ read: { judged, received } }: SliceProgress): Passing {
  if (judged === null) return 'pass'
  const { judgement, claimed = noClaims } = judged
  return passingOf({ judgement, received, claimed })
}

/** Of a slice whose last page was counted, or the last one there is; null while more come. */
export function receiptOf({ read }: SliceProgress, { receipt }: Page): SliceReceipt | null {
  if (receipt === undefined) return null
  const { pages, received, emitted, judged, claims } = read
  const { judgement = judgeFailure(receipt.error), keys = null, claimed = claimedIn(claims) } = judged ?? {}
  return { pages, received, emitted, stop: receipt.stop, ...judgement, keys, claimed }
}
