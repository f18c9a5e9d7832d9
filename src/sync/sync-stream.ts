/** One stream → its table: every page and the place to go on from are committed together. */
import type { LandedPage } from '../destinations/destination.ts'
import { ConnectorError } from '../std/errors.ts'
import { lacksSlices } from '../engine/pages/judged-parent.ts'
import type { Page } from '../engine/pages/page.ts'
import { readStream } from '../engine/pages/read-stream.ts'
import type { Notice } from '../engine/response/notice.ts'
import { reportingTo } from '../engine/run/run.ts'
import type { Slice } from '../engine/slices/slice.ts'
import type { StreamState } from '../engine/slices/cursor.ts'
import { openKeyMemory } from '../proof/keys/key-memory.ts'
import { claimRulesOf } from '../proof/claims/page-facts.ts'
import { suffices } from '../proof/verdict/verdict.ts'
import { lacksOpen } from '../proof/verdict/judge-stream.ts'
import { expectedTotal } from '../proof/claims/agreed-claims.ts'
import { isCancelled, redactedError } from '../protocol/failure.ts'
import { heldBack, hold, noteFailure, publish } from './end-reading.ts'
import type { SyncEvent } from './events.ts'
import { type Landing, openLanding } from './open-table-sync.ts'
import { isIncremental } from './modes.ts'
import type { SliceCounts } from './checkpoints.ts'
import { rewind } from './reading.ts'
import { shownError, type StreamReceipt } from './receipt.ts'
import { countPage, receiptOf, type SliceProgress, type SliceRules, startOver } from './slice-progress.ts'
import type { StreamTask } from './stream-task.ts'
import { proofOf, type ReadEnding, tallyOf, totalsOf } from './totals.ts'
import { openWriter, type Writer } from './writer.ts'

/** Throws only when the destination takes no more; what the API or the author did is in the receipt. */
export async function syncStream(task: StreamTask): Promise<StreamReceipt> {
  const { chosen, tell } = task
  const { now, redactor } = task.run
  const startedAt = now()
  let retries = 0
  let landing: Landing | null = null
  let before = 0
  const slices = () => landing?.book.all() ?? []
  const hasLanded = () => totalsOf(slices()).pages > before
  const receipt = (ending: ReadEnding, error?: unknown): StreamReceipt => ({
    stream: chosen.name,
    mode: landing?.mode ?? null,
    ending: ending === 'read' ? 'complete' : ending,
    ...totalsOf(slices()),
    ...proofOf(slices(), landing?.open.judgedParents() ?? [], ending, codeOf(error)),
    retries,
    tookMs: now() - startedAt,
    ...(error !== undefined && { error: shownError(redactedError(error, redactor.text)) }),
  })
  const onNotice = (notice: Notice) => {
    if (notice.kind === 'retry') retries++
    tell({ kind: 'notice', stream: chosen.name, notice })
  }
  const writer = openWriter(task.destination, now, () => {
    const { pages, records } = totalsOf(slices())
    tell({ kind: 'committed', stream: chosen.name, pages, records })
  })
  try {
    landing = await openLanding({ ...task, run: reportingTo(task.run, onNotice) }, writer)
    before = totalsOf(slices()).pages
    const reached = await landPages(task, landing, writer)
    const read = receipt('read')
    const held = await heldBack(task, landing, writer, read)
    if (held !== null) {
      const ended = { ...read, ending: 'held' as const, held }
      await hold(task, landing, writer, ended)
      return ended
    }
    const ended = suffices(read.verdict, task.gate.require) ? read : { ...read, ending: 'incomplete' as const }
    await publish(task, landing, writer, { reached, ended })
    return ended
  } catch (failure) {
    if (isTaken(writer.failure()?.error)) return receipt('failed', failure)
    if (writer.failure() !== null) throw failure
    const isOver = isCancelled(failure) || task.reading.signal?.aborted === true
    // A new read that brought nothing has changed nothing: what it would have taken back is still there.
    if (landing !== null && (hasLanded() || landing.reading.known.length > 0)) {
      await writer.flush()
      if (!isOver) await noteFailure(landing, writer)
    }
    return receipt(isOver ? 'cancelled' : 'failed', failure)
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof ConnectorError ? error.code : undefined
}

/** The one refusal that is about this stream, and leaves the others their tables. */
function isTaken(error: unknown): boolean {
  return error instanceof ConnectorError && error.code === 'destinations/table-taken'
}

/** Every page, in the order in which they arrive. Gives the state to go on from next time. */
async function landPages(task: StreamTask, landing: Landing, writer: Writer): Promise<StreamState | null> {
  const { open, table, book, reading, mode } = landing
  const { cursor } = open
  const rules = sliceRulesOf(landing)
  const settle = () => book.settle(lacksOpen(tallyOf(book.all())))
  const options = { ...task.reading, choose: (slice: Slice) => book.choose(slice), outlivesFailures: true }
  try {
    for await (const { slice, page, startsOver } of readStream(open, options)) {
      const progress = book.of(slice)
      if (startsOver) {
        startOver(progress)
        writer.step(rewind(table, progress.note.slice, reading.note.runs, 1))
      }
      countPage(progress, page, rules)
      book.advance(slice, page)
      const landed = landedPage(page, progress, task.runName)
      const receipt = receiptOf(progress, page)
      task.tell(pageEvent(table.name, page, landed, rules.claims.isSliced ? null : totalOf(progress.read)))
      if (receipt !== null) task.tell({ kind: 'slice-ended', stream: table.name, slice: landed.slice, receipt })
      await writer.write(table, landed, page.response.bytes, progress)
    }
    settle()
    cursor.finish(!lacksSlices(open))
  } catch (error) {
    settle()
    cursor.finish(false)
    throw error
  }
  return isIncremental(mode) ? (cursor.state() ?? reading.state ?? null) : null
}

function sliceRulesOf({ open, table, book }: Landing): SliceRules {
  const cursorField = table.cursorField ?? undefined
  const shared = { memory: openKeyMemory(), show: open.redactor.text }
  return {
    cursor: open.cursor,
    mayGoOnFrom: (token) => book.mayGoOnFrom(token),
    claims: claimRulesOf(open),
    keys: { primaryKey: table.primaryKey, cursorField, ...shared },
  }
}

function landedPage({ records, timing }: Page, { note, read }: SliceProgress, run: string): LandedPage {
  return { records, extractedAt: timing.askedAt, run, slice: note.slice, page: read.pages }
}

function pageEvent(stream: string, page: Page, landed: LandedPage, total: number | null): SyncEvent {
  const { records, timing, response } = page
  return {
    kind: 'page',
    stream,
    slice: landed.slice,
    page: landed.page,
    records: records.length,
    bytes: response.bytes,
    tookMs: timing.tookMs,
    total,
  }
}

/** Judged, or expected as long as it is not. */
function totalOf({ judged, claims }: SliceCounts): number | null {
  return judged === null ? expectedTotal(claims) : (judged.claimed?.total?.value ?? null)
}
