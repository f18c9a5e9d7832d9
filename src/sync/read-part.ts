/** One part of a stream → its rows and checkpoints. Nothing is published, and no run ends: that is the lead's. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import type { HeldClaim, OpenDestination } from '../destinations/destination.ts'
import type { OpenStream } from '../engine/pages/stream.ts'
import { type Run, reportingTo } from '../engine/run/run.ts'
import type { Slice } from '../engine/slices/slice.ts'
import type { ChosenStream } from '../protocol/choose-streams.ts'
import { isCancelled, redactedError } from '../protocol/failure.ts'
import { ConnectorError } from '../std/errors.ts'
import { stringifyJson } from '../std/json.ts'
import {
  checkpointKeys,
  fingerprint,
  parseCheckpoint,
  type PartCheckpoint,
  type PartSlice,
  type SliceCheckpoint,
  storedStates,
  type StreamCheckpoint,
} from './checkpoints.ts'
import { rewindStep } from './choose-read.ts'
import { isIncremental, requestedMode } from './modes.ts'
import { openForRead, planRead, syncedCursorField, type TableSync } from './open-table-sync.ts'
import { shownError, type ShownError, totalsOf } from './receipt.ts'
import { shareDestination, type SharedDestination } from './shared-destination.ts'
import { openSliceCheckpoints } from './slice-checkpoints.ts'
import { writeSlices } from './sync-stream.ts'
import { type SyncOptions, withOpenSync } from './sync.ts'
import { openWriter, type Writer } from './writer.ts'

/** The same options as those of the sync: what is read must not differ. */
export type ReadPartOptions = SyncOptions & {
  readonly stream: string
  /** From 1. */
  readonly part: number
  /** As `planParts` returned it. */
  readonly lead: HeldClaim
}

/** Counts are those of the whole part, earlier attempts included. */
export type PartResult = {
  readonly stream: string
  readonly part: number
  /** `read`: every slice. What is left otherwise is for the next attempt, or for the lead. */
  readonly ending: 'read' | 'failed' | 'cancelled'
  readonly slices: number
  readonly pages: number
  readonly records: number
  readonly error?: ShownError
}

/**
 * Reads the slices of a part that are not read yet. Taking a part over from another process is safe at any moment: what
 * that one still wants to write is refused. Throws when the destination fails, or when the lead was opened again.
 */
export async function readPart(manifest: LoadedManifest, options: ReadPartOptions): Promise<PartResult> {
  const { stream, part, lead: under } = options
  const claim = { name: checkpointKeys.part(stream, part), under }
  return withOpenSync(manifest, { ...options, streams: [stream], claim }, async ({ run, chosen: [chosen], opened }) => {
    if (chosen === undefined) throw otherPlan(stream, part)
    return await readSlices({ run, chosen, opened, options })
  })
}

type PartInput = {
  readonly run: Run
  readonly chosen: ChosenStream
  readonly opened: OpenDestination
  readonly options: ReadPartOptions
}

async function readSlices({ run, chosen, opened, options }: PartInput): Promise<PartResult> {
  const { stream, part, signal, prefetch, concurrency, onEvent = () => {} } = options
  const shared = shareDestination(opened)
  const key = checkpointKeys.part(stream, part)
  const text = (await shared.notes(key)).get(key)
  // Only the lead forgets it, and then this claim is over.
  if (text === undefined) throw otherPlan(stream, part)
  const planned = parseCheckpoint(text) as PartCheckpoint
  let tableSync: PartSync | null = null
  const counts = () => {
    const { pages, records } = totalsOf(tableSync?.slices.all() ?? [])
    return { stream, part, slices: planned.slices.length, pages, records }
  }
  const writer = openWriter(shared, run.now, () => {
    const { pages, records } = counts()
    onEvent({ kind: 'committed', stream, pages, records })
  })
  const width = concurrency === undefined ? undefined : () => concurrency
  const reading = { signal, prefetch, concurrency: width }
  try {
    const reporting = reportingTo(run, (notice) => onEvent({ kind: 'notice', stream, notice }))
    const states = await storedStates(shared)
    tableSync = await openPart({ run: { ...reporting, states }, chosen, options, shared, reading, planned, writer })
    await writeSlices({ runName: planned.run, reading, emit: onEvent }, tableSync, writer, () => {})
    await writer.flush()
    return { ...counts(), ending: 'read' }
  } catch (failure) {
    if (writer.failure() !== null || tableSync === null) throw failure
    await writer.flush()
    const isOver = isCancelled(failure) || signal?.aborted === true
    const error = shownError(redactedError(failure, run.redactor.text))
    return { ...counts(), ending: isOver ? 'cancelled' : 'failed', error }
  }
}

type PartSync = Omit<TableSync, 'before'>

type PartOpening = Pick<PartInput, 'run' | 'chosen' | 'options'> & {
  readonly shared: SharedDestination
  readonly reading: { readonly signal: AbortSignal | undefined }
  readonly planned: PartCheckpoint
  readonly writer: Writer
}

async function openPart({ run, chosen, options, shared, reading, planned, writer }: PartOpening): Promise<PartSync> {
  const { stream, part } = options
  const given = {
    chosen,
    requested: requestedMode(options.mode, stream),
    run,
    reading,
    configMark: fingerprint(run.redactor.value(run.config)),
    isShared: false,
  }
  const {
    task,
    planned: { mode, table, mark },
  } = await planRead(given)
  const key = checkpointKeys.stream(stream)
  const text = (await shared.notes(key)).get(key)
  const { state, reading: checkpoint } = (text === undefined ? {} : parseCheckpoint(text)) as Partial<StreamCheckpoint>
  if (checkpoint?.plan !== mark) throw otherPlan(stream, part)
  const from = isIncremental(mode) ? (state ?? undefined) : undefined
  const open = withSlices(await openForRead(task, from, checkpoint), planned.slices)
  const known = await knownSlices(shared, stream, planned.slices)
  const texts = new Map(planned.slices.map((one) => [one.slice, one.text]))
  const slices = openSliceCheckpoints(
    open,
    known,
    (progress) =>
      writer.step(rewindStep(table, progress.checkpoint.slice, checkpoint.runs, progress.checkpoint.pages + 1)),
    (slice) => texts.get(slice) ?? stringifyJson(slice),
  )
  const { pages, records } = totalsOf(slices.all())
  options.onEvent?.({ kind: 'stream-started', stream, mode, before: { pages, records } })
  const cursorField = syncedCursorField(open.plan, chosen)
  return { open, mode, table, cursorField, read: { checkpoint, state: from, known, undo: () => [] }, slices }
}

/** The same stream with these slices alone. */
function withSlices(open: OpenStream, given: readonly PartSlice[]): OpenStream {
  return {
    ...open,
    async *slices(): AsyncGenerator<Slice> {
      const begun = new Set<string>()
      for (const { slice } of given) {
        const partition = stringifyJson(slice.partition)
        // The cursor filters records by what it knows of a partition, and knows those that it was asked for.
        if (!begun.has(partition)) open.cursor.windowsOf(slice.partition)
        begun.add(partition)
        yield slice
      }
    },
  }
}

/** One by one: the stream may have a thousand times as many. */
async function knownSlices(
  shared: SharedDestination,
  stream: string,
  given: readonly PartSlice[],
): Promise<SliceCheckpoint[]> {
  const known: SliceCheckpoint[] = []
  for (const { text } of given) {
    const key = checkpointKeys.slice(stream, text)
    const found = (await shared.notes(key)).get(key)
    if (found !== undefined) known.push(parseCheckpoint(found) as SliceCheckpoint)
  }
  return known
}

function otherPlan(stream: string, part: number): ConnectorError {
  return new ConnectorError(
    'sync/other-plan',
    `Part ${part} of stream "${stream}" is not part of what this process would read.`,
  )
}
