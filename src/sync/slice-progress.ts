/** One slice of a read that may be interrupted: how far it came, and from where it can go on. */
import type { Page } from '../engine/pages/page.ts'
import type { PageToken } from '../engine/request/page-token.ts'
import type { StreamCursor } from '../engine/slices/cursor.ts'
import { readClaims } from '../insight/claims.ts'
import { noteKeys, type SliceCounts, type SliceNote, writeNote } from './notes.ts'

export type SliceProgress = {
  readonly key: string
  /** The place to go on from, as it is committed with the pages before it. */
  note: SliceNote
  /** What was read so far, pages included that would be read again after an interruption. */
  read: SliceCounts
  /** The note as it stands. */
  text(): string
}

export function openSlice(stream: string, slice: string, known?: SliceNote): SliceProgress {
  const note = known ?? { slice, isDone: false, token: null, hasMore: false, ...nothing }
  const progress: SliceProgress = {
    key: noteKeys.slice(stream, slice),
    note,
    read: note,
    text: () => writeNote(progress.note),
  }
  return progress
}

const nothing: SliceCounts = { pages: 0, received: 0, emitted: 0, bytes: 0, stop: null, newest: null, claims: null }

/** Back to its first page. */
export function startOver(progress: SliceProgress): void {
  progress.note = { slice: progress.note.slice, isDone: false, token: null, hasMore: false, ...nothing }
  progress.read = nothing
}

export type PageKeeping = {
  readonly cursor: StreamCursor
  /** Whether the slice can go on from this token. */
  readonly mayGoOnFrom: (token: PageToken) => boolean
}

/** Takes a page into account. One that comes in parts is a place to go on from once its last part is there. */
export function countPage(progress: SliceProgress, page: Page, { cursor, mayGoOnFrom }: PageKeeping): void {
  const { note, read } = progress
  const { records, next, stop } = page
  const isWhole = next !== null || stop !== null
  const isDone = stop !== null && stop !== 'limit' && stop !== 'error'
  progress.read = {
    pages: read.pages + (page.part === 0 ? 1 : 0),
    received: read.received + page.receivedCount,
    emitted: read.emitted + records.length,
    bytes: read.bytes + page.response.bytes,
    stop,
    newest: cursor.newest(read.newest === null ? records : [read.newest, ...records]),
    claims: isWhole ? readClaims(read.claims, page) : read.claims,
  }
  const goesOn = isDone || (next !== null && mayGoOnFrom(next))
  progress.note = goesOn
    ? { slice: note.slice, isDone, token: next, hasMore: false, ...progress.read }
    : { ...note, hasMore: true }
}
