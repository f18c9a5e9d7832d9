/** One stream → its table: pages and checkpoints are committed together. */
import type { TablePage } from '../destinations/destination.ts'
import { concernsOneStream } from '../destinations/refused-data.ts'
import { ConnectorError } from '../std/errors.ts'
import { lacksSlices } from '../engine/pages/judged-parent.ts'
import type { Page } from '../engine/pages/page.ts'
import { readStream } from '../engine/pages/read-stream.ts'
import type { Notice } from '../engine/response/notice.ts'
import { reportingTo } from '../engine/run/run.ts'
import type { Slice } from '../engine/slices/slice.ts'
import { openKeyMemory } from '../proof/keys/key-memory.ts'
import { claimRulesOf } from '../proof/claims/page-facts.ts'
import { lacksOpen } from '../proof/verdict/judge-stream.ts'
import { expectedTotal } from '../proof/claims/agreed-claims.ts'
import { isCancelled, redactedError } from '../protocol/failure.ts'
import { committedOf } from './checkpoints.ts'
import { rewindStep } from './choose-read.ts'
import { endRead, saveFailure } from './end-read.ts'
import type { SyncEvent } from './events.ts'
import { isIncremental } from './modes.ts'
import { openTableSync, type StreamTask, type TableSync } from './open-table-sync.ts'
import {
  proofOf,
  type ReadEnding,
  shownError,
  type StreamReceipt,
  tallyOf,
  totalsOf,
  type SliceCounts,
} from './receipt.ts'
import { countPage, receiptOf, type SliceProgress, type SliceRules, startOver } from './slice-checkpoints.ts'
import { wellFormedKeys } from './well-formed-keys.ts'
import { openWriter, type Writer } from './writer.ts'
import type { StreamState } from '../engine/slices/stream-cursor.ts'

/** Throws only when the destination fails; errors of the API, the manifest or the stream's own data are in the receipt. */
export async function syncStream(task: StreamTask): Promise<StreamReceipt> {
  const progress = openProgress(task)
  const writer = openWriter(task.destination, task.run.now, progress.reportCommit)
  try {
    const tableSync = await openTableSync({ ...task, run: reportingTo(task.run, progress.onNotice) }, writer)
    progress.begin(tableSync)
    const reached = await writeSlices(task, tableSync, writer, progress.onPage)
    return await endRead(task, tableSync, writer, { reached, read: progress.receipt('read') })
  } catch (failure) {
    const refused = writer.failure()
    if (refused === null) return await endFailed(task, progress, writer, failure)
    if (!concernsOneStream(refused.error)) throw failure
    const committed = await committedSlices(task, progress.tableSync())
    return { ...progress.receipt('failed', refused.error), ...totalsOf(committed) }
  }
}

type Progress = {
  /** The stream is open: what it reports from now on is about this read. */
  readonly begin: (tableSync: TableSync) => void
  /** Null where the stream was not opened. */
  readonly tableSync: () => TableSync | null
  readonly hasNewPages: () => boolean
  readonly onNotice: (notice: Notice) => void
  readonly onPage: (page: Page) => void
  readonly reportCommit: () => void
  readonly receipt: (ending: ReadEnding, error?: unknown) => StreamReceipt
}

/** What is known of a stream at any moment of its sync, also before it is open. */
function openProgress({ chosen, emit, run: { now, redactor } }: StreamTask): Progress {
  const startedAt = now()
  let retries = 0
  let requestsInVain = 0
  let tableSync: TableSync | null = null
  let pagesBefore = 0
  const slices = () => tableSync?.slices.all() ?? []
  return {
    begin(opened) {
      tableSync = opened
      pagesBefore = totalsOf(slices()).pages
    },
    tableSync: () => tableSync,
    hasNewPages: () => totalsOf(slices()).pages > pagesBefore,
    onNotice(notice) {
      if (notice.kind === 'retry') retries++
      emit({ kind: 'notice', stream: chosen.name, notice })
    },
    onPage(page) {
      requestsInVain += page.receipt?.requestsInVain ?? 0
    },
    reportCommit() {
      const { pages, records } = totalsOf(slices())
      emit({ kind: 'committed', stream: chosen.name, pages, records })
    },
    receipt: (ending, error) => ({
      stream: chosen.name,
      mode: tableSync?.mode ?? null,
      ending: ending === 'read' ? 'complete' : ending,
      ...totalsOf(slices()),
      ...proofOf(slices(), tableSync?.open.judgedParents() ?? [], ending, codeOf(error)),
      retries,
      ...(requestsInVain > 0 && { requestsInVain }),
      tookMs: now() - startedAt,
      ...(error !== undefined && { error: shownError(redactedError(error, redactor.text)) }),
    }),
  }
}

/** A read that failed or was cancelled: what was read is committed, so that the next sync resumes from there. */
async function endFailed(
  task: StreamTask,
  progress: Progress,
  writer: Writer,
  failure: unknown,
): Promise<StreamReceipt> {
  const tableSync = progress.tableSync()
  const isOver = isCancelled(failure) || task.reading.signal?.aborted === true
  // A new read without a page has committed nothing: the rows that it would have deleted are still there.
  if (tableSync !== null && (progress.hasNewPages() || tableSync.read.known.length > 0)) {
    await writer.flush()
    if (!isOver) await saveFailure(tableSync, writer)
  }
  return progress.receipt(isOver ? 'cancelled' : 'failed', failure)
}

/** What the table has of this read: pages after the last commit were refused. */
async function committedSlices({ chosen, destination, runName }: StreamTask, tableSync: TableSync | null) {
  const { stream, slices } = await committedOf(destination, chosen.name)
  const isOfThisRead = (tableSync?.read.known.length ?? 0) > 0 || stream.reading?.runs.includes(runName) === true
  return isOfThisRead ? slices.map((read) => ({ read })) : []
}

function codeOf(error: unknown): string | undefined {
  return error instanceof ConnectorError ? error.code : undefined
}

/** Writes every page in the order of arrival. Returns the state for the next sync. */
export async function writeSlices(
  task: Pick<StreamTask, 'runName' | 'reading' | 'emit'>,
  tableSync: ReadSync,
  writer: Writer,
  onPage: (page: Page) => void,
): Promise<StreamState | null> {
  const { open, table, slices, read, mode } = tableSync
  const { cursor } = open
  const rules = sliceRulesOf(tableSync)
  const withKeys = wellFormedKeys(table, open.warn)
  const settle = () => slices.settle(lacksOpen(tallyOf(slices.all())))
  const options = { ...task.reading, choose: (slice: Slice) => slices.choose(slice), outlivesFailures: true }
  try {
    for await (const { slice, page, startsOver } of readStream(open, options)) {
      onPage(page)
      const progress = slices.of(slice)
      if (startsOver) {
        startOver(progress)
        writer.step(rewindStep(table, progress.checkpoint.slice, read.checkpoint.runs, 1))
      }
      countPage(progress, page, rules)
      slices.advance(slice, page)
      const written = tablePage(page, withKeys(page.records), progress, task.runName)
      const receipt = receiptOf(progress, page)
      task.emit(pageEvent(table.name, page, written, rules.claims.isSliced ? null : totalOf(progress.read)))
      if (receipt !== null) task.emit({ kind: 'slice-ended', stream: table.name, slice: written.slice, receipt })
      await writer.write(table, written, page.response.bytes, progress)
    }
    settle()
    cursor.finish(!lacksSlices(open))
  } catch (error) {
    settle()
    cursor.finish(false)
    throw error
  }
  return isIncremental(mode) ? (cursor.state() ?? read.state ?? null) : null
}

/** Of a part of a stream, what earlier runs left is not known. */
type ReadSync = Omit<TableSync, 'before'> & Partial<Pick<TableSync, 'before'>>

function sliceRulesOf({ open, table, cursorField, slices, before }: ReadSync): SliceRules {
  const shared = { memory: openKeyMemory(), show: open.redactor.text }
  return {
    cursor: open.cursor,
    primaryKey: open.plan.primaryKey,
    mayResumeFrom: (token) => slices.mayResumeFrom(token),
    claims: claimRulesOf(open, before?.totals),
    keys: { primaryKey: table.primaryKey, cursorField: cursorField ?? undefined, ...shared },
  }
}

function tablePage(
  { timing }: Page,
  records: TablePage['records'],
  { checkpoint, read }: SliceProgress,
  run: string,
): TablePage {
  return { records, extractedAt: timing.askedAt, run, slice: checkpoint.slice, page: read.pages }
}

function pageEvent(stream: string, page: Page, written: TablePage, total: number | null): SyncEvent {
  const { records, timing, response } = page
  return {
    kind: 'page',
    stream,
    slice: written.slice,
    page: written.page,
    records: records.length,
    bytes: response.bytes,
    tookMs: timing.tookMs,
    total,
  }
}

/** The claimed total: judged once the slice is done, expected before. */
function totalOf({ judged, claims }: SliceCounts): number | null {
  return judged === null ? expectedTotal(claims) : (judged.claimed?.total?.value ?? null)
}
