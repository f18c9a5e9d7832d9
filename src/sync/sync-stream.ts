/** One stream → its table: every page and the place to go on from are committed together. */
import type { OpenDestination, Table } from '../destinations/destination.ts'
import { advance, readStream } from '../engine/pages/read-stream.ts'
import type { OpenStream } from '../engine/pages/stream.ts'
import type { Notice } from '../engine/response/notice.ts'
import { reportingTo, type Run } from '../engine/run/run.ts'
import type { Slice } from '../engine/slices/slice.ts'
import type { StreamState } from '../engine/slices/state.ts'
import { openStreamNamed, planNamed } from '../engine/streams-of.ts'
import { claimRulesOf } from '../insight/page-facts.ts'
import { expectedTotal } from '../insight/total.ts'
import type { ChosenStream } from '../protocol/choose-streams.ts'
import { isCancelled, redactedError } from '../protocol/failure.ts'
import type { SyncEvent } from './events.ts'
import { isIncremental, modeFor, type SyncMode } from './modes.ts'
import { noteKeys, planMark, type SliceCounts, type StreamNote, writeNote } from './notes.ts'
import { chooseReading, committedOf, type Reading, rewind } from './reading.ts'
import { shownError, type StreamReceipt } from './receipt.ts'
import { openSliceBook, type SliceBook } from './slice-book.ts'
import { countPage, type SliceRules, startOver } from './slice-progress.ts'
import { tableFor } from './table.ts'
import { judgementOf, totalsOf } from './totals.ts'
import { type Noted, openWriter, type Writer } from './writer.ts'

export type StreamTask = {
  readonly chosen: ChosenStream
  /** The mode that somebody asked for. */
  readonly asked: SyncMode | undefined
  readonly run: Run
  /** What the sync's own run is called. */
  readonly runName: string
  readonly destination: OpenDestination
  /** Equal while the config is, secrets aside. */
  readonly configMark: string
  /** Forget where earlier syncs stopped. */
  readonly isFresh: boolean
  /** Other streams of the run may ask for the same pages. */
  readonly isShared: boolean
  readonly reading: {
    readonly signal?: AbortSignal | undefined
    readonly prefetch?: 'auto' | 'off' | number | undefined
    readonly concurrency?: number | undefined
  }
  readonly tell: (event: SyncEvent) => void
  /** The note about the run, with this receipt in it. */
  readonly noteRun: (receipt: StreamReceipt) => Noted
}

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
  const receipt = (ending: StreamReceipt['ending'], error?: unknown): StreamReceipt => ({
    stream: chosen.name,
    mode: landing?.mode ?? null,
    ending,
    ...totalsOf(slices()),
    ...judgementOf(slices(), ending),
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
    const state = await landPages(task, landing, writer)
    const ended = receipt('complete')
    await publish(task, landing, writer, { state, ended })
    return ended
  } catch (failure) {
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

/** A stream that is ready to be read, and the table that is ready to take it. */
type Landing = {
  readonly open: OpenStream
  readonly mode: SyncMode
  readonly table: Table
  /** What earlier runs left. */
  readonly before: StreamNote
  readonly reading: Reading
  readonly book: SliceBook
}

async function openLanding(task: StreamTask, writer: Writer): Promise<Landing> {
  const { chosen, run, destination, isFresh, tell } = task
  const { name } = chosen
  const { signal } = task.reading
  const plan = await planNamed(run, name, { signal })
  const mode = modeFor(plan, chosen, task.asked)
  const table = await tableFor(run, plan, chosen, mode, signal)
  const committed = await committedOf(destination, name)
  const reading = chooseReading(committed, {
    run: task.runName,
    now: run.now(),
    plan: planMark(plan, table, task.configMark),
    isIncremental: isIncremental(mode),
    isFresh,
  })
  const open = await openStreamNamed(run, name, {
    signal,
    state: reading.state,
    readAt: reading.note.readAt,
    isShared: task.isShared,
    cursorField: chosen.cursorField,
    chosenSchema: chosen.schema,
    wantsFiles: chosen.wantsFiles,
  })
  const { runs } = reading.note
  const book = openSliceBook(open, reading.known, ({ note }) =>
    writer.step(rewind(table, note.slice, runs, note.pages + 1)),
  )
  // With the first page: it says that the read is under way, and takes back one that is not gone on with.
  for (const step of reading.undo(table)) writer.step(step)
  if (reading.known.length === 0) writer.forget(noteKeys.slices(name))
  writer.note(noted(name, { ...committed.stream, state: reading.state ?? null, reading: reading.note }))
  const { pages, records } = totalsOf(book.all())
  tell({ kind: 'stream-started', stream: name, mode, before: { pages, records } })
  return { open, mode, table, before: committed.stream, reading, book }
}

/** Every page, in the order in which they arrive. Gives the state to go on from next time. */
async function landPages(task: StreamTask, landing: Landing, writer: Writer): Promise<StreamState | null> {
  const { open, table, book, reading, mode } = landing
  const { plan, cursor } = open
  const isWhole = plan.slicing.routers.length === 0 && plan.slicing.cursor === null
  const options = { ...task.reading, choose: (slice: Slice) => book.choose(slice), outlivesFailures: true }
  const rules: SliceRules = {
    cursor,
    mayGoOnFrom: (token) => book.mayGoOnFrom(token),
    claims: claimRulesOf(open),
    keys: { primaryKey: table.primaryKey, cursorField: table.cursorField ?? undefined },
  }
  try {
    for await (const { slice, page, startsOver } of readStream(open, options)) {
      const progress = book.of(slice)
      const { slice: text } = progress.note
      if (startsOver) {
        startOver(progress)
        writer.step(rewind(table, text, reading.note.runs, 1))
      }
      advance(cursor, slice, page)
      countPage(progress, page, rules)
      const { records, timing } = page
      const { bytes } = page.response
      const number = progress.read.pages
      task.tell({
        kind: 'page',
        stream: plan.name,
        slice: text,
        page: number,
        records: records.length,
        bytes,
        tookMs: timing.tookMs,
        total: isWhole ? totalOf(progress.read) : null,
      })
      const landed = { records, extractedAt: timing.askedAt, run: task.runName, slice: text, page: number }
      await writer.write(table, landed, bytes, progress)
    }
    cursor.finish()
  } catch (error) {
    cursor.finish(false)
    throw error
  }
  return isIncremental(mode) ? (cursor.state() ?? reading.state ?? null) : null
}

/** The next sync goes on with the read: to the page, as if nothing had happened. When that fails too, it is given up. */
async function noteFailure(landing: Landing, writer: Writer): Promise<void> {
  const { mode, table, reading, before } = landing
  const failures = before.failures + 1
  if (failures > 1 && isIncremental(mode)) return giveUp(landing, failures, writer)
  writer.note(noted(table.name, { ...before, state: reading.state ?? null, reading: reading.note, failures }))
  await writer.flush()
}

/**
 * A slice may fail for ever, and must not keep the others from what is new: the state goes as far as it can, and rows
 * that merge by key are seen at once. What slices behind the state have is taken back when the next read begins.
 */
async function giveUp({ open, table, reading, book }: Landing, failures: number, writer: Writer): Promise<void> {
  if (table.mode === 'dedup') writer.step({ kind: 'publish', table })
  const state = open.cursor.state() ?? reading.state ?? null
  writer.forget(noteKeys.slices(table.name))
  for (const slice of book.uncovered()) writer.note(slice)
  writer.note(noted(table.name, { state, readIn: null, reading: { ...reading.note, isGivenUp: true }, failures }))
  await writer.flush()
}

/** Judged, or expected as long as it is not. */
function totalOf({ judged, claims }: SliceCounts): number | null {
  return judged === null ? expectedTotal(claims) : judged.total
}

type Ended = { readonly state: StreamState | null; readonly ended: StreamReceipt }

/** The table is whole from here on; what was needed to go on with the read is dropped in the same transaction. */
async function publish(task: StreamTask, { table }: Landing, writer: Writer, { state, ended }: Ended): Promise<void> {
  await writer.flush()
  writer.step({ kind: 'publish', table })
  writer.forget(noteKeys.slices(table.name))
  writer.note(noted(table.name, { state, readIn: task.runName, reading: null, failures: 0 }))
  writer.note(task.noteRun(ended))
  await writer.flush()
}

function noted(stream: string, note: StreamNote): Noted {
  return { key: noteKeys.stream(stream), text: () => writeNote(note) }
}
