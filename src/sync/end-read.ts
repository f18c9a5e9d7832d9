/** Ends a read: published, held, or left so that the next sync resumes it. */
import type { TableRows } from '../destinations/destination.ts'
import { count, number } from '../std/text/format-count.ts'
import { suffices } from '../proof/verdict/verdict-name.ts'
import { checkpointKeys, parseRunCheckpoint, type StreamCheckpoint, streamCheckpoint } from './checkpoints.ts'
import { type Held, holdBack } from './gate.ts'
import { isIncremental } from './modes.ts'
import type { StreamTask, TableSync } from './open-table-sync.ts'
import type { StreamReceipt } from './receipt.ts'
import type { Writer } from './writer.ts'
import type { StreamState } from '../engine/slices/stream-cursor.ts'

/** A read that came to its end: its rows are published, unless the table is better kept. Returns the receipt with its ending. */
export async function endRead(
  task: StreamTask,
  tableSync: TableSync,
  writer: Writer,
  { reached, read }: { readonly reached: StreamState | null; readonly read: StreamReceipt },
): Promise<StreamReceipt> {
  const held = await holdIfWorse(task, tableSync, writer, read)
  if (held !== null) {
    const ended = { ...read, ending: 'held' as const, held }
    await hold(task, tableSync, writer, ended)
    return ended
  }
  const ended = suffices(read.verdict, task.gate.require) ? read : { ...read, ending: 'incomplete' as const }
  await publish(task, tableSync, writer, { reached, ended })
  return ended
}

/** Null where the rows of a finished read may replace the table. Merging and appending delete nothing: they always may. */
async function holdIfWorse(
  task: StreamTask,
  { table, before }: TableSync,
  writer: Writer,
  read: StreamReceipt,
): Promise<Held | null> {
  // Counting the rows of a large table takes a while, and a complete read needs no comparison.
  if (table.mode !== 'overwrite' || read.verdict === 'complete') return null
  const rows = (await writer.count(table)) ?? (await rowsInReceipts(task, before.readIn, read))
  return holdBack(read, rows, task.gate)
}

/** For destinations that do not count: the number of records of the last whole read. */
async function rowsInReceipts(task: StreamTask, run: string | null, read: StreamReceipt): Promise<TableRows> {
  const key = checkpointKeys.run(run ?? '')
  const text = run === null ? undefined : (await task.destination.notes(key)).get(key)
  const last =
    text === undefined ? undefined : parseRunCheckpoint(text).streams.find(({ stream }) => stream === read.stream)
  return { published: last?.records ?? 0, staged: read.records, stagedAs: null }
}

/** Makes the rows visible, and drops what was needed to resume the read, in one transaction. */
async function publish(
  task: StreamTask,
  tableSync: TableSync,
  writer: Writer,
  { reached, ended }: { readonly reached: StreamState | null; readonly ended: StreamReceipt },
): Promise<void> {
  const { table, mode, slices, before } = tableSync
  const mayHaveMoved = slices.all().some(({ read }) => read.judged?.mayHaveMoved === true)
  const isOpen = ended.verdict === 'incomplete' || mayHaveMoved || slices.uncovered().length > 0
  await writer.flush()
  writer.step({ kind: 'publish', table })
  for (const prefix of checkpointKeys.ofRead(table.name)) writer.forget(prefix)
  if (isIncremental(mode) && isOpen) leaveOpen(task, tableSync, writer, reached)
  else
    writer.checkpoint(
      streamCheckpoint(table.name, {
        // Rows that are merged or appended leave those that the state covers.
        state: isIncremental(mode) || table.mode === 'overwrite' ? reached : before.state,
        readIn: task.runName,
        reading: null,
        failures: 0,
        ...totalsAfter(tableSync, ended),
      }),
    )
  writer.checkpoint(task.runCheckpoint(ended))
  await writer.flush()
  await warnOfSharedKeys(task, tableSync, ended)
}

/**
 * Keys are counted slice by slice, and rows are merged across slices: where ids begin anew for each parent, a table would lose
 * most of them in silence. The table has every key of this read, so that fewer rows than keys show it for certain.
 */
async function warnOfSharedKeys(
  { destination }: StreamTask,
  { table, open }: TableSync,
  { keys, slices }: StreamReceipt,
): Promise<void> {
  const isCut = slices > 1 && open.plan.slicing.routers.length > 0
  if (table.mode !== 'dedup' || !isCut || keys === null || !keys.isKey) return
  // The rows are published: a table that cannot be counted is no reason for the sync to fail.
  const rows = await destination.count(table).catch(() => null)
  if (rows === null || rows.published >= keys.unique) return
  const key = table.primaryKey.map((path) => path.join('.')).join(', ')
  open.warn(
    `${number(keys.unique)} keys of ${count(slices, 'slice')} are only ${count(rows.published, 'row')} of the table ${table.name}: ` +
      `different slices have the same \`${key}\`, and such records were merged into one. If they are different records, the key is ` +
      'unique only within its parent: add the key of the parent to it, as docs/child-streams.md shows, and sync with `--fresh`.',
  )
}

/** What the next read, which begins at the state, may expect of a total. */
function totalsAfter(
  { open, mode, before }: TableSync,
  { claimed: { total }, received, slices }: StreamReceipt,
): Pick<StreamCheckpoint, 'totals'> {
  if (!isIncremental(mode) || slices !== 1 || open.plan.slicing.routers.length > 0 || total === null) return {}
  const earlier = open.isFirstRead ? undefined : before.totals
  const isLess = earlier !== undefined && received === total.value && total.value < earlier.last
  const countsNew = isLess || earlier?.countsNew === true
  return { totals: { last: total.value, ...(countsNew && { countsNew }) } }
}

/** The state does not move past a slice that is incomplete, was interrupted where records may have moved, or whose job was skipped: the next sync reads it again, and deletes its rows first. */
function leaveOpen(task: StreamTask, tableSync: TableSync, writer: Writer, reached: StreamState | null): void {
  const { table, read, slices, before } = tableSync
  for (const slice of slices.uncovered()) writer.checkpoint(slice)
  const reading = { ...read.checkpoint, isGivenUp: true as const }
  const left = { state: reached, readIn: task.runName, reading, failures: 0 }
  writer.checkpoint(streamCheckpoint(table.name, { ...left, ...(before.totals && { totals: before.totals }) }))
}

/** The table stays as it is. The rows stay staged, to be queried, published, or replaced by those of the next read. */
async function hold(
  task: StreamTask,
  { table, before }: TableSync,
  writer: Writer,
  ended: StreamReceipt & { readonly held: Held },
): Promise<void> {
  const held = { ...ended.held, run: task.runName, table }
  for (const prefix of checkpointKeys.ofRead(table.name)) writer.forget(prefix)
  writer.checkpoint(streamCheckpoint(table.name, { ...before, reading: null, failures: 0, held }))
  writer.checkpoint(task.runCheckpoint(ended))
  await writer.flush()
}

/** The next sync resumes the read at the next page. When that fails too, an incremental read is given up. */
export async function saveFailure(tableSync: TableSync, writer: Writer): Promise<void> {
  const { mode, table, read, before } = tableSync
  const failures = before.failures + 1
  if (failures > 1 && isIncremental(mode)) return giveUp(tableSync, failures, writer)
  const reading = read.checkpoint
  writer.checkpoint(streamCheckpoint(table.name, { ...before, reading, failures }))
  await writer.flush()
}

/**
 * A slice may fail every time, and must not keep the others from new records: the state moves as far as it can, and all rows
 * become visible now: staged ones, which some destinations have also of an append, can be dropped, and the state covers some.
 * Rows of slices after the state are deleted when the next read begins.
 */
async function giveUp(
  { open, table, read, slices, before }: TableSync,
  failures: number,
  writer: Writer,
): Promise<void> {
  writer.step({ kind: 'publish', table })
  const state = open.cursor.state() ?? read.state ?? null
  for (const prefix of checkpointKeys.ofRead(table.name)) writer.forget(prefix)
  for (const slice of slices.uncovered()) writer.checkpoint(slice)
  const reading = { ...read.checkpoint, isGivenUp: true as const }
  writer.checkpoint(streamCheckpoint(table.name, { ...before, state, readIn: null, reading, failures }))
  await writer.flush()
}
