/** A stream to sync + what earlier runs committed of it → the read to start or to resume, and its table. */
import type { Table } from '../destinations/destination.ts'
import { schemaOf } from '../engine/opening/open-stream.ts'
import type { OpenStream, Prefetch } from '../engine/pages/stream.ts'
import type { JsonSchema } from '../engine/plan/plan.ts'
import type { StreamPlan } from '../engine/plan/stream.ts'
import type { Run } from '../engine/run/run.ts'
import { openStreamNamed, planNamed } from '../engine/streams-of.ts'
import { claimedEnd } from '../proof/claims/claimed-end.ts'
import { judgeSlices } from '../proof/receipts/open-receipts.ts'
import type { ChosenStream } from '../protocol/choose-streams.ts'
import { ConnectorError, stageOf } from '../std/errors.ts'
import type { StreamState } from '../engine/slices/stream-cursor.ts'
import {
  checkpointKeys,
  committedOf,
  isBegunIn,
  planMark,
  type ReadCheckpoint,
  type StreamCheckpoint,
  streamCheckpoint,
} from './checkpoints.ts'
import { type ChosenRead, chooseRead, type ReadInput, rewindStep } from './choose-read.ts'
import { hasOrder } from './cursor-order.ts'
import type { SyncEvent } from './events.ts'
import type { GateRules } from './gate.ts'
import type { SyncMode } from './mode-names.ts'
import { isIncremental, modeFor, tableModeOf } from './modes.ts'
import { type StreamReceipt, totalsOf } from './receipt.ts'
import { openSliceCheckpoints, type SliceCheckpoints } from './slice-checkpoints.ts'
import type { CheckpointSource, SharedDestination } from './shared-destination.ts'
import type { Writer } from './writer.ts'

/** One stream of a sync, and everything needed to write it. */
export type StreamTask = {
  readonly chosen: ChosenStream
  /** The mode that the caller requested. */
  readonly requested: SyncMode | undefined
  readonly run: Run
  /** The name of the sync's run. */
  readonly runName: string
  readonly destination: SharedDestination
  /** Fingerprint of the config without its secrets. */
  readonly configMark: string
  /** Ignore the checkpoints of earlier syncs. */
  readonly isFresh: boolean
  /** When a table may be replaced. */
  readonly gate: GateRules
  /** Whether other streams of the run may request the same pages. */
  readonly isShared: boolean
  readonly reading: {
    readonly signal?: AbortSignal | undefined
    readonly prefetch?: Prefetch | undefined
    /** How many slices side by side, of as many as the stream allows: fewer while other streams are read, too. */
    readonly concurrency?: ((width: number) => number) | undefined
  }
  readonly emit: (event: SyncEvent) => void
  /** The checkpoint of the run, with this receipt in it. */
  readonly runCheckpoint: (receipt: StreamReceipt) => CheckpointSource
}

/** A stream that is ready to be read, and the table to write it to. */
export type TableSync = {
  readonly open: OpenStream
  readonly mode: SyncMode
  readonly table: Table
  /** Also where the table's rows cannot be ordered by it. */
  readonly cursorField: string | null
  /** What earlier runs left; its state is the one to keep until the table is published. */
  readonly before: StreamCheckpoint
  readonly read: ChosenRead
  readonly slices: SliceCheckpoints
}

export async function openTableSync(given: StreamTask, writer: Writer): Promise<TableSync> {
  const { destination, isFresh, emit } = given
  const { name } = given.chosen
  const committed = await committedOf(destination, name)
  const { task, planned, isDropped, isGone, isStagedGone, lacksStaged } = await planWhatIsThere(given, committed.stream)
  const { chosen, run } = task
  const { mode, table, mark } = planned
  // Reading all of it for a table that cannot be written would cost the same requests in every run.
  await destination.check(table)
  if (lacksStaged) emit(warningOf(name, `What was staged for the table ${name} is gone: the stream is read again.`))
  else if (isGone) emit(warningOf(name, `The table ${name} is gone: the stream is read from the start.`))
  const read = chooseRead(committed, {
    run: task.runName,
    now: run.now(),
    plan: mark,
    isIncremental: isIncremental(mode),
    isFresh,
    isGone,
    isStagedGone,
  })
  const open = await openForRead(task, read.state, read.checkpoint)
  const { runs } = read.checkpoint
  const slices = openSliceCheckpoints(open, read.known, ({ checkpoint }) =>
    writer.step(rewindStep(table, checkpoint.slice, runs, checkpoint.pages + 1)),
  )
  // Committed with the first page: marks the read as running, and deletes the rows of one that is not resumed.
  for (const step of read.undo(table)) writer.step(step)
  if (read.known.length === 0) writer.forget(checkpointKeys.slices(name))
  // The same commit discards rows that were held: this read replaces them.
  const { held: _, ...stored } = committed.stream
  const mayKeep = !isDropped && (!isFresh || isBegunIn(task.runName, stored))
  const state = isIncremental(mode) ? (read.state ?? null) : mayKeep ? keptState(stored, table) : null
  const before = { ...stored, state }
  writer.checkpoint(streamCheckpoint(name, { ...before, reading: read.checkpoint }))
  const { pages, records } = totalsOf(slices.all())
  emit({ kind: 'stream-started', stream: name, mode, before: { pages, records } })
  return { open, mode, table, cursorField: syncedCursorField(open.plan, chosen), before, read, slices }
}

/**
 * A full refresh does not use the state, and until it replaces the table the rows that the state covers are there: an incremental
 * sync that reads them from the start would append all of them again. Null where a commit of this read may discard some of them.
 */
function keptState({ state, reading }: StreamCheckpoint, table: Table): StreamState | null {
  return reading?.isGivenUp === true && table.mode !== 'append' ? null : state
}

function warningOf(stream: string, text: string): SyncEvent {
  return { kind: 'notice', stream, notice: { kind: 'warning', text } }
}

/** What is planned, and what others have deleted of that which the checkpoints are about. */
type PlannedTask = Pick<ReadInput, 'isGone' | 'isStagedGone'> & {
  readonly task: StreamTask
  readonly planned: TablePlan
  /** The table is no longer there, whatever that means for this read. */
  readonly isDropped: boolean
  /** Staged rows that this read would have built on are no longer there. */
  readonly lacksStaged: boolean
}

/** Planned without the state where the rows that it covers are gone. */
async function planWhatIsThere(given: StreamTask, { state, reading }: StreamCheckpoint): Promise<PlannedTask> {
  const { destination, chosen } = given
  const isDropped = (state !== null || reading !== null) && (await destination.isGone(chosen.name))
  const isStagedGone = !isDropped && reading !== null && (await destination.isStagedGone(chosen.name))
  let { task, planned } = await planRead(isDropped ? withoutState(given) : given)
  // Staged rows of an append include those that the state covers. In other modes the rows of a read that was given up are dropped anyway.
  const lacksCovered = isStagedGone && reading.isGivenUp === true && planned.table.mode === 'append'
  if (lacksCovered) {
    ;({ task, planned } = await planRead(withoutState(given)))
  }
  const { mode, table } = planned
  // A full refresh that begins anew, or replaces the table, lacks nothing.
  const lacksTable = isDropped && (isIncremental(mode) || (table.mode !== 'overwrite' && reading !== null))
  const lacksStaged = lacksCovered || (isStagedGone && !reading.isGivenUp)
  return { task, planned, isDropped, isGone: lacksTable || lacksCovered, isStagedGone, lacksStaged }
}

/** A full refresh is planned without the state: the half of a StateDelegatingStream that it selects has only what is new. */
export async function planRead<Task extends PlanTask>(given: Task): Promise<{ task: Task; planned: TablePlan }> {
  const planned = await planTable(given)
  if (isIncremental(planned.mode) || !given.run.states.has(given.chosen.name)) return { task: given, planned }
  const task = withoutState({ ...given, requested: planned.mode })
  return { task, planned: await planTable(task) }
}

/** A stream may be defined by whether it has a state. */
function withoutState<Task extends PlanTask>(task: Task): Task {
  const states = new Map(task.run.states)
  states.delete(task.chosen.name)
  return { ...task, run: { ...task.run, states } }
}

/** What decides whether two processes, or two runs, read the same. */
export type TablePlan = {
  readonly mode: SyncMode
  readonly table: Table
  readonly mark: string
}

type PlanTask = Pick<StreamTask, 'chosen' | 'requested' | 'run' | 'reading' | 'configMark'>

async function planTable(task: PlanTask): Promise<TablePlan> {
  const { chosen, run } = task
  const { signal } = task.reading
  const plan = await planNamed(run, chosen.name, { signal })
  const mode = modeFor(plan, chosen, task.requested)
  const table = await tableFor(run, plan, chosen, mode, signal)
  return { mode, table, mark: planMark(plan, table, task.configMark) }
}

/** The stream, to be read from a state and with windows that end when the read began. */
export function openForRead(
  { chosen, run, reading, isShared }: Pick<StreamTask, 'chosen' | 'run' | 'reading' | 'isShared'>,
  state: StreamState | undefined,
  { readAt }: Pick<ReadCheckpoint, 'readAt'>,
): Promise<OpenStream> {
  return openStreamNamed(run, chosen.name, {
    signal: reading.signal,
    state,
    readAt,
    judge: judgeSlices,
    claimedEnd,
    isShared,
    cursorField: chosen.cursorField,
    chosenSchema: chosen.schema,
    wantsFiles: chosen.wantsFiles,
  })
}

async function tableFor(
  run: Run,
  plan: StreamPlan,
  chosen: ChosenStream,
  mode: SyncMode,
  signal: AbortSignal = new AbortController().signal,
): Promise<Table> {
  const { cursor } = plan.slicing
  return {
    name: plan.name,
    mode: tableModeOf(mode),
    primaryKey: chosen.primaryKey ?? plan.primaryKey,
    // Without an order the record that came last wins, as without a cursor.
    cursorField: cursor !== null && hasOrder(cursor) ? syncedCursorField(plan, chosen) : null,
    schema: await schemaIfKnown(run, plan, signal),
  }
}

export function syncedCursorField({ slicing: { cursor } }: StreamPlan, chosen: ChosenStream): string | null {
  const isFree = cursor !== null && cursor.fieldIsFree && chosen.cursorField !== undefined
  return isFree ? chosen.cursorField : (cursor?.cursorField ?? null)
}

/** Without a schema the records decide the columns: a missing schema file does not stop a sync. */
async function schemaIfKnown(run: Run, plan: StreamPlan, signal: AbortSignal): Promise<JsonSchema | null> {
  try {
    return await schemaOf(run, plan, signal)
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    if (stageOf(error.code) !== 'plan' && error.code !== 'records/schema-file') throw error
    run.report({ kind: 'warning', text: `The schema is not known; columns follow the records. ${error.message}` })
    return null
  }
}
