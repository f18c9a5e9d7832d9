/** How a read ends: whole, or so that the next sync goes on with it. */
import type { StreamState } from '../engine/slices/state.ts'
import type { Landing } from './landing.ts'
import { isIncremental } from './modes.ts'
import { noteKeys, streamNoted } from './notes.ts'
import type { StreamReceipt } from './receipt.ts'
import type { StreamTask } from './stream-task.ts'
import type { Writer } from './writer.ts'

type Ended = { readonly state: StreamState | null; readonly ended: StreamReceipt }

/** The table is whole from here on; what was needed to go on with the read is dropped in the same transaction. */
export async function publish(
  task: StreamTask,
  { table }: Landing,
  writer: Writer,
  { state, ended }: Ended,
): Promise<void> {
  await writer.flush()
  writer.step({ kind: 'publish', table })
  writer.forget(noteKeys.slices(table.name))
  writer.note(streamNoted(table.name, { state, readIn: task.runName, reading: null, failures: 0 }))
  writer.note(task.noteRun(ended))
  await writer.flush()
}

/** The next sync goes on with the read: to the page, as if nothing had happened. When that fails too, it is given up. */
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
