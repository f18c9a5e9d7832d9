/** The slices of a read: how far each has come, and the checkpoint it can resume from. */
import type { Page } from '../engine/pages/page.ts'
import { type CursorAdvance, openCursorAdvance, type Passing } from '../engine/pages/advance-cursor.ts'
import type { SliceChoice } from '../engine/pages/read-stream.ts'
import { hasKey, type KeyPaths, keyTexts } from '../engine/pagination/record-key.ts'
import { mayResume } from '../engine/pages/read-slice.ts'
import type { OpenStream } from '../engine/pages/stream.ts'
import { holdsHidden } from '../engine/auth/sign-request.ts'
import type { JsonRecord } from '../engine/plan/plan.ts'
import type { PageToken } from '../engine/request/page-token.ts'
import type { Slice } from '../engine/slices/slice.ts'
import type { Claims } from '../proof/claims/merge-claims.ts'
import { claimedIn, noClaims, type SliceReceipt } from '../proof/receipts/receipt.ts'
import { type SliceTracker, trackSlice, type TrackingRules } from '../proof/receipts/track-slice.ts'
import { judgeFailure } from '../proof/verdict/judge-slice.ts'
import { passingOf } from '../proof/verdict/judge-stream.ts'
import { stringifyJson } from '../std/json.ts'
import { checkpointKeys, checkpointText, fingerprint, type PagePrint, type SliceCheckpoint } from './checkpoints.ts'
import type { StreamCursor } from '../engine/slices/stream-cursor.ts'
import type { SliceCounts } from './receipt.ts'

export type SliceCheckpoints = {
  /** Skip, read or resume: called for each slice as it is generated. */
  choose(slice: Slice): SliceChoice
  of(slice: Slice): SliceProgress
  /** Moves the cursor for a page that was counted. */
  advance(slice: Slice, page: Page): void
  readonly settle: CursorAdvance['settle']
  mayResumeFrom(token: PageToken): boolean
  /** All slices, those of earlier runs included. */
  all(): readonly SliceProgress[]
  /** The slices that the cursor's state does not cover. */
  uncovered(): readonly SliceProgress[]
}

/** `onDirty`: rows after the checkpoint of a slice must be deleted before it is resumed. */
export function openSliceCheckpoints(
  open: OpenStream,
  known: readonly SliceCheckpoint[],
  onDirty: (progress: SliceProgress) => void,
  textOf = sliceTexts(open),
): SliceCheckpoints {
  const { plan, cursor } = open
  const bySlice = new WeakMap<Slice, SliceProgress>()
  const named = new Map<string, Slice>()
  const byText = new Map(known.map((one) => [one.slice, openSlice(plan.name, one.slice, one)]))
  const isResumable = mayResume(open)

  const isCovered = (text: string) => {
    const slice = named.get(text)
    return slice !== undefined && cursor.covers(slice)
  }
  const passings = openCursorAdvance(cursor)
  return {
    advance: (slice, page) => passings.advance(slice, page, passing(bySlice.get(slice) as SliceProgress)),
    settle: passings.settle,
    choose(slice) {
      const text = textOf(slice)
      const progress = byText.get(text) ?? openSlice(plan.name, text)
      byText.set(text, progress)
      bySlice.set(slice, progress)
      named.set(text, slice)
      const { isDone, newest, token, hasMore, lastPage } = progress.checkpoint
      if (newest !== null) cursor.observe(slice, [newest])
      if (isDone || token !== null) cursor.resume(slice)
      if (isDone) {
        passings.end(slice, passing(progress))
        return 'skip'
      }
      if (hasMore) onDirty(progress)
      if (token === null) return 'read'
      const { hasGap: hadGap = false } = progress.read
      progress.read = { ...progress.read, hasGap: true }
      const compare = (page: Page) => {
        const { hasGap: _, ...read } = progress.read
        if (!hadGap && printOf(page, plan.primaryKey) === lastPage?.print) progress.read = read
      }
      const before = lastPage === undefined ? undefined : { token: lastPage.token, compare }
      return { from: token, mayStartOver: true, ...(before && { before }) }
    },
    of: (slice) => bySlice.get(slice) as SliceProgress,
    mayResumeFrom: (token) => isResumable && !holdsHidden(plan.requester.auth, token),
    all: () => [...byText.values()],
    uncovered: () => [...byText.values()].filter(({ checkpoint }) => !isCovered(checkpoint.slice)),
  }
}

/** Parents may lead to the same slice twice: each time counts as a separate slice. */
function sliceTexts({ redactor }: Pick<OpenStream, 'redactor'>): (slice: Slice) => string {
  const timesSeen = new Map<string, number>()
  return ({ partition, window }) => {
    const text = stringifyJson(redactor.value({ ...partition, ...window }))
    const times = (timesSeen.get(text) ?? 0) + 1
    timesSeen.set(text, times)
    return times === 1 ? text : `${text} #${times}`
  }
}

export type SliceProgress = {
  readonly key: string
  /** Committed with the pages before it. */
  checkpoint: SliceCheckpoint
  /** Everything read so far, including pages after the checkpoint. */
  read: SliceCounts
  /** Counts its pages; null before the first one of this run, and once the slice is done. */
  tracker: SliceTracker | null
  /** Describes the page before the checkpoint; null where records that move cannot be skipped, and where none was read in this run. */
  lastPage: (() => PagePrint) | null
  /** The current checkpoint as text. */
  text(): string
}

function openSlice(stream: string, slice: string, known?: SliceCheckpoint): SliceProgress {
  const checkpoint = known ?? { slice, isDone: false, token: null, hasMore: false, ...nothing }
  const progress: SliceProgress = {
    key: checkpointKeys.slice(stream, slice),
    checkpoint,
    read: checkpoint,
    tracker: null,
    lastPage: null,
    text() {
      const lastPage = progress.lastPage?.()
      return checkpointText(lastPage === undefined ? progress.checkpoint : { ...progress.checkpoint, lastPage })
    },
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
  progress.checkpoint = { slice: progress.checkpoint.slice, isDone: false, token: null, hasMore: false, ...nothing }
  progress.read = nothing
  progress.tracker?.release()
  progress.tracker = null
  progress.lastPage = null
}

/** What is the same for all slices of a stream. */
export type SliceRules = TrackingRules & {
  readonly cursor: StreamCursor
  /** As the manifest names it: a catalog may name another one for the table. */
  readonly primaryKey: KeyPaths
  /** Whether a slice can resume from this token. */
  readonly mayResumeFrom: (token: PageToken) => boolean
}

/** Counts a page. A page that arrives in parts moves the checkpoint with its last part. */
export function countPage(progress: SliceProgress, page: Page, rules: SliceRules): void {
  const { checkpoint, read } = progress
  const { records, next, stop } = page
  const isDone = stop !== null && stop !== 'limit' && stop !== 'error'
  const tracker = (progress.tracker ??= trackSlice(rules, read))
  const { claims, ...counts } = tracker.observe(page)
  progress.read = {
    ...counts,
    bytes: read.bytes + page.response.bytes,
    stop,
    newest: rules.cursor.newest(read.newest === null ? records : [read.newest, ...records]),
    claims: isDone ? null : claims,
    judged: isDone ? tracker.end({ stop }) : null,
  }
  if (isDone) progress.tracker = null
  const isResumable = isDone || (next !== null && rules.mayResumeFrom(next))
  if (isResumable) progress.lastPage = isDone ? null : printer(page, rules, claims)
  progress.checkpoint = isResumable
    ? { slice: checkpoint.slice, isDone, token: next, hasMore: false, ...progress.read }
    : { ...checkpoint, hasMore: true }
}

/** Worked out when a checkpoint is written: most pages are followed by others before that. Keeps two records of the page. */
function printer({ token, receivedCount, records }: Page, rules: SliceRules, claims: Claims | null) {
  const isCounted = rules.claims.isCounting || claims?.isCounted === true
  const [first, last] = [records[0], records.at(-1)]
  if (!isCounted || first === undefined || last === undefined || (token !== null && !rules.mayResumeFrom(token)))
    return null
  const ends = { receivedCount, records: [first, last] }
  return (): PagePrint => ({ token, print: printOf(ends, rules.primaryKey) })
}

/** A record with a key may have changed: only its place counts. A key that is missing, or the same at both ends, shows no place. */
function printOf({ receivedCount, records }: Pick<Page, 'receivedCount' | 'records'>, primaryKey: KeyPaths): string {
  const [first, last] = [records[0], records.at(-1)]
  const keys = [first, last].map((one) => (one === undefined ? null : keyOf(one, primaryKey)))
  const isPlaced = !keys.includes(null) && (first === last || keys[0] !== keys[1])
  return fingerprint([receivedCount, isPlaced ? keys : [first, last]])
}

function keyOf(record: JsonRecord, primaryKey: KeyPaths): string | null {
  return primaryKey.length > 0 && hasKey(record, primaryKey) ? stringifyJson(keyTexts(record, primaryKey)) : null
}

/** Whether the state may move past a slice that ended. */
function passing({ read: { judged, received } }: SliceProgress): Passing {
  if (judged === null) return 'pass'
  const { judgement, claimed = noClaims, mayHaveMoved = false } = judged
  if (mayHaveMoved) return 'stay'
  return passingOf({ judgement, received, claimed })
}

/** The receipt of a slice whose last page was counted; null while more follow. */
export function receiptOf({ read }: SliceProgress, { receipt }: Page): SliceReceipt | null {
  if (receipt === undefined) return null
  const { pages, received, emitted, judged, claims } = read
  const { judgement = judgeFailure(receipt.error), keys = null, claimed = claimedIn(claims) } = judged ?? {}
  const { stop, requestsInVain } = receipt
  const inVain = requestsInVain === undefined ? {} : { requestsInVain }
  return { pages, received, emitted, stop, ...inVain, ...judgement, keys, claimed }
}
