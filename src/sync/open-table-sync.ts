/** A stream to be synced + what earlier runs committed of it → the read to begin or to go on with. */
import type { Table } from '../destinations/destination.ts'
import type { OpenStream } from '../engine/pages/stream.ts'
import { openStreamNamed, planNamed } from '../engine/streams-of.ts'
import { judgeSlices } from '../proof/receipts/open-receipts.ts'
import { isIncremental, modeFor, type SyncMode } from './modes.ts'
import { noteKeys, planMark, type StreamNote, streamNoted } from './checkpoints.ts'
import { chooseReading, committedOf, type Reading, rewind } from './reading.ts'
import { openSliceBook, type SliceBook } from './slice-checkpoints.ts'
import type { StreamTask } from './stream-task.ts'
import { tableFor } from './table.ts'
import { totalsOf } from './totals.ts'
import type { Writer } from './writer.ts'

/** A stream that is ready to be read, and the table that is ready to take it. */
export type Landing = {
  readonly open: OpenStream
  readonly mode: SyncMode
  readonly table: Table
  /** What earlier runs left. */
  readonly before: StreamNote
  readonly reading: Reading
  readonly book: SliceBook
}

export async function openLanding(task: StreamTask, writer: Writer): Promise<Landing> {
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
    judge: judgeSlices,
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
  // Rows that were held are discarded by the same commit: this read takes their place.
  const { held: _, ...kept } = committed.stream
  writer.note(streamNoted(name, { ...kept, state: reading.state ?? null, reading: reading.note }))
  const { pages, records } = totalsOf(book.all())
  tell({ kind: 'stream-started', stream: name, mode, before: { pages, records } })
  return { open, mode, table, before: kept, reading, book }
}
