/** How a read ends: published, held, or so that the next sync resumes it. */
import type { TableRows } from '../destinations/destination.ts'
import type { StreamState } from '../engine/slices/cursor.ts'
import { type Held, holdBack } from './gate.ts'
import type { Landing } from './open-table-sync.ts'
import { isIncremental } from './modes.ts'
import { noteKeys, readRun, streamNoted } from './checkpoints.ts'
import type { StreamReceipt } from './receipt.ts'
import type { StreamTask } from './stream-task.ts'
import type { Writer } from './writer.ts'

/** Whether the rows of a finished read may replace the table. Merging and appending delete nothing: they always may. */
export async function heldBack(
  task: StreamTask,
  { table, before }: Landing,
  writer: Writer,
  read: StreamReceipt,
): Promise<Held | null> {
  // To count the rows of a large table takes a while, and a read that proves itself needs no comparison.
  if (table.mode !== 'overwrite' || read.verdict === 'complete') return null
  const rows = (await writer.count(table)) ?? (await rowsInReceipts(task, before.readIn, read))
  return holdBack(read, rows, task.gate)
}

/** For destinations that do not count: what the last read of the stream brought. */
async function rowsInReceipts(task: StreamTask, run: string | null, read: StreamReceipt): Promise<TableRows> {
  const key = noteKeys.run(run ?? '')
  const text = run === null ? undefined : (await task.destination.notes(key)).get(key)
  const last = text === undefined ? undefined : readRun(text).streams.find(({ stream }) => stream === read.stream)
  return { published: last?.records ?? 0, staged: read.records, stagedAs: null }
}

/** The table is whole from here on; what was needed to resume the read is dropped in the same transaction. */
export async function publish(
  task: StreamTask,
  landing: Landing,
  writer: Writer,
  { reached, ended }: { readonly reached: StreamState | null; readonly ended: StreamReceipt },
): Promise<void> {
  const { table, mode } = landing
  await writer.flush()
  writer.step({ kind: 'publish', table })
  writer.forget(noteKeys.slices(table.name))
  if (isIncremental(mode) && ended.verdict === 'incomplete') leaveOpen(task, landing, writer, reached)
  else writer.note(streamNoted(table.name, { state: reached, readIn: task.runName, reading: null, failures: 0 }))
  writer.note(task.noteRun(ended))
  await writer.flush()
}

/** No state moves past a slice that is incomplete: the next sync reads it again, and deletes its rows first. */
function leaveOpen(task: StreamTask, landing: Landing, writer: Writer, reached: StreamState | null): void {
  const { table, reading, book } = landing
  for (const slice of book.uncovered()) writer.note(slice)
  const note = { ...reading.note, isGivenUp: true as const }
  writer.note(streamNoted(table.name, { state: reached, readIn: task.runName, reading: note, failures: 0 }))
}

/** The table stays as it is. The rows stay staged, to be queried, published, or replaced by those of the next read. */
export async function hold(
  task: StreamTask,
  { table, before }: Landing,
  writer: Writer,
  ended: StreamReceipt & { readonly held: Held },
): Promise<void> {
  const held = { ...ended.held, run: task.runName, table }
  writer.forget(noteKeys.slices(table.name))
  writer.note(streamNoted(table.name, { ...before, state: null, reading: null, failures: 0, held }))
  writer.note(task.noteRun(ended))
  await writer.flush()
}

/** The next sync resumes the read: to the page, as if nothing had happened. When that fails too, it is given up. */
export async function noteFailure(landing: Landing, writer: Writer): Promise<void> {
  const { mode, table, reading, before } = landing
  const failures = before.failures + 1
  if (failures > 1 && isIncremental(mode)) return giveUp(landing, failures, writer)
  writer.note(streamNoted(table.name, { ...before, state: reading.state ?? null, reading: reading.note, failures }))
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
  writer.note(streamNoted(table.name, { state, readIn: null, reading: { ...reading.note, isGivenUp: true }, failures }))
  await writer.flush()
}
