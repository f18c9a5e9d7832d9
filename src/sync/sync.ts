/** Manifest → tables: every stream, several at a time, into a destination. It can be killed at any moment. */
import { basename } from 'node:path'
import { type LoadedManifest, requireLoaded } from '../connector/load-manifest.ts'
import { destinationAt, openShared } from '../destinations/open-destination.ts'
import type { Claim, Destination, OpenDestination } from '../destinations/destination.ts'
import { openSignal } from '../engine/pages/open-signal.ts'
import { unknownStream } from '../engine/plan/stream.ts'
import {
  callback,
  checkOptions,
  checkSyncNames,
  choiceOf,
  destinationRule,
  filledText,
  filledTexts,
  type Rule,
  anyText,
  yesOrNo,
} from '../engine/run/check-options.ts'
import type { Run } from '../engine/run/run.ts'
import { streamsOf } from '../engine/streams-of.ts'
import { type ChosenStream, everyStream, streamsInCatalog, streamsNamed } from '../protocol/choose-streams.ts'
import { judgeSlices } from '../proof/receipts/open-receipts.ts'
import { type Requirement, requirements } from '../proof/verdict/verdict-name.ts'
import { openRunOf, type ReadOptions } from '../read.ts'
import type { SyncEnding, SyncEvent, SyncResult } from './events.ts'
import { defaultGate } from './gate.ts'
import type { SyncMode } from './mode-names.ts'
import { checkModes, requestedMode, type RequestedModes } from './modes.ts'
import { fingerprint, storedStates } from './checkpoints.ts'
import { isReadToEnd, type StreamReceipt, worstEnding } from './receipt.ts'
import type { StreamTask } from './open-table-sync.ts'
import { openSyncRun, type OpenSyncRun } from './runs.ts'
import { type SharedDestination, shareDestination } from './shared-destination.ts'
import { syncStream } from './sync-stream.ts'
import { inParallel } from '../std/in-parallel.ts'
import { telling } from '../std/telling.ts'

/** Options about reading are those of `readPages`. */
export type SyncOptions = Omit<
  ReadOptions,
  'stream' | 'state' | 'states' | 'onState' | 'from' | 'slice' | 'maxPages' | 'readAt'
> & {
  /** `duckdb:FILE`, `parquet:FOLDER`, `jsonl:FOLDER`, `postgres://…`, or a custom destination. */
  readonly to: string | Destination
  /** The database schema of the tables; the database's default when absent. */
  readonly schema?: string | undefined
  /** The name that states and tables are stored under; the name of the connector's folder when absent. */
  readonly connection?: string | undefined
  /** The streams to sync; all when absent. */
  readonly streams?: readonly string[] | undefined
  /** A configured Airbyte catalog: streams and modes. */
  readonly catalog?: unknown
  /** How streams are read and written: one mode for all, or by stream, `*` for the others. Chosen per stream when absent. */
  readonly mode?: RequestedModes | undefined
  /** Ignore the checkpoints of earlier syncs, and read every stream from its beginning. */
  readonly isFresh?: boolean | undefined
  /**
   * The name of this start. A sync that finds a run of it resumes that one, also where it has ended, so that several attempts at
   * one job read each stream once, and with `isFresh` begin it anew once.
   */
  readonly freshStart?: string | undefined
  /** The lowest accepted verdict; `unproven` when absent. A full refresh below it replaces no table that has rows. */
  readonly require?: Requirement | undefined
  /** Replace tables even where the verdict is too low or more than half of the rows would be gone. */
  readonly acceptDrop?: boolean | undefined
  /** How many streams are read at a time; as many as `concurrency` when absent. 1 reads them in the order of the manifest. */
  readonly streamsAtOnce?: number | undefined
  readonly onEvent?: ((event: SyncEvent) => void) | undefined
  /** Called last, however the sync ended. */
  readonly onEnd?: (() => Promise<void>) | undefined
  /** Next to other processes that read parts of this sync: the lead's claim. Parts that were planned before are refused from now on. */
  readonly claim?: Claim | undefined
}

/**
 * Writes every stream to a destination. Killed at any moment, the next call resumes from the last committed page.
 * Throws on errors of the manifest, the config or the destination; the outcome of each stream is in the result.
 *
 * @example const { receipts } = await sync(manifest, { config, to: 'duckdb:shop.duckdb' })
 */
export async function sync(manifest: LoadedManifest, options: SyncOptions): Promise<SyncResult> {
  requireLoaded(manifest)
  checkSync(options)
  // A lead may share its options with the readers of its parts, which have more of them.
  if (options.claim === undefined) checkSyncNames(options)
  const onEvent = telling<SyncEvent>('onEvent', options.onEvent)
  const work = async ({ opened, ...open }: OpenSync) => {
    const result = await syncAll({ ...open, opened: shareDestination(opened), options, onEvent })
    onEvent({ kind: 'run-ended', result })
    return result
  }
  return withOpenSync(manifest, options, work, (run, chosen) => refuseUnknownModes(run, options, chosen))
}

const ownRules: Readonly<Record<string, Rule>> = {
  to: destinationRule,
  require: choiceOf(requirements),
  schema: anyText,
  connection: filledText,
  streams: filledTexts,
  isFresh: yesOrNo,
  freshStart: anyText,
  acceptDrop: yesOrNo,
  onEvent: callback,
  onEnd: callback,
}

function checkSync(options: SyncOptions): void {
  checkOptions(options, ownRules)
  checkModes(options.mode)
}

type OpenSync = {
  readonly run: Run
  readonly chosen: readonly ChosenStream[]
  readonly opened: OpenDestination
  readonly connection: string
  /** The address of the destination, as it is shown. */
  readonly to: string
}

/**
 * Opens the run of a sync and its destination, and closes both after the work.
 * @param check before the destination is opened
 */
export async function withOpenSync<Result>(
  manifest: LoadedManifest,
  options: SyncOptions,
  work: (open: OpenSync) => Promise<Result>,
  check: (run: Run, chosen: readonly ChosenStream[]) => Promise<void> = async () => {},
): Promise<Result> {
  checkSync(options)
  const { to, schema, claim, connection = connectionOf(manifest) } = options
  const destination = typeof to === 'string' ? destinationAt(to, { schema }) : to
  const { run, close } = await openRunOf(manifest, options)
  try {
    const chosen = await streamsToSync(run, options)
    await check(run, chosen)
    const opened = await (claim === undefined
      ? destination.open(connection)
      : openShared(destination, connection, claim))
    try {
      return await work({ run, chosen, opened, connection, to: destination.address })
    } finally {
      await opened.close()
    }
  } finally {
    await close()
    await options.onEnd?.()
  }
}

type SyncInput = Omit<OpenSync, 'opened'> & {
  readonly opened: SharedDestination
  readonly options: SyncOptions
  readonly onEvent: (event: SyncEvent) => void
}

async function syncAll(input: SyncInput): Promise<SyncResult> {
  const { run, opened, chosen, options, connection, to } = input
  const { isFresh = false, freshStart, concurrency, streamsAtOnce = concurrency ?? run.concurrency } = options
  const { now, random } = run
  const configMark = fingerprint(run.redactor.value(run.config))
  const manifestMark = fingerprint(run.manifest.streams)
  const syncRun = await openSyncRun(opened, { now, random, configMark, manifestMark, isFresh, freshStart })
  announceRun(input, syncRun)
  const states = await storedStates(opened, isFresh ? syncRun.name : null)

  // Of its own: a destination that fails ends every stream.
  const { signal, cancel } = openSignal(options.signal)
  const syncUnlessRead = openStreamSyncs(input, syncRun, { run: { ...run, states }, configMark, isFresh, signal })
  try {
    const begun = await inParallel(
      chosen,
      streamsAtOnce,
      async (one) => (signal.aborted ? null : syncUnlessRead(one)),
      cancel,
    )
    const receipts = begun.filter((one) => one !== null)
    const ending = endingOf(input, receipts, signal)
    if (ending !== 'interrupted') await syncRun.end(receipts)
    return { run: syncRun.name, connection, to, ending, receipts }
  } finally {
    cancel()
  }
}

type RunOfStreams = Pick<StreamTask, 'run' | 'configMark' | 'isFresh'> & { readonly signal: AbortSignal }

/** A stream → its receipt: that of the run which is resumed, or that of the read which begins. Several may be called at a time. */
function openStreamSyncs(
  { opened, chosen, options, onEvent: emit }: SyncInput,
  syncRun: OpenSyncRun,
  { signal, ...ofRun }: RunOfStreams,
): (one: ChosenStream) => Promise<StreamReceipt> {
  const { prefetch, concurrency, require = defaultGate.require, acceptDrop = defaultGate.acceptDrop } = options
  let underWay = 0
  const slicesAtOnce = (width: number) => Math.max(1, Math.floor((concurrency ?? width) / Math.max(1, underWay)))
  const common = {
    ...ofRun,
    runName: syncRun.name,
    destination: opened,
    gate: { require, acceptDrop },
    isShared: chosen.length > 1,
    reading: { signal, prefetch, concurrency: slicesAtOnce },
    emit,
    runCheckpoint: (ended: StreamReceipt) => syncRun.checkpointWith(ended),
  }
  return async (one) => {
    const requested = requestedMode(options.mode, one.name)
    const before = receiptBefore(syncRun, one, requested)
    if (before !== undefined && !(await opened.isGone(one.name))) {
      emit({ kind: 'stream-skipped', receipt: before })
      return before
    }
    underWay++
    const receipt = await syncStream({ ...common, chosen: one, requested })
    underWay--
    emit({ kind: 'stream-ended', receipt })
    return receipt
  }
}

function announceRun({ run, chosen, options, onEvent, connection, to }: SyncInput, syncRun: OpenSyncRun): void {
  const streams = chosen.map(({ name }) => name)
  onEvent({ kind: 'run-started', run: syncRun.name, connection, to, streams, continues: syncRun.continues })
  if (syncRun.isOtherConfig && options.isFresh !== true) onEvent(warnOfConfig(connection))
  const { shortage } = run.resolved
  if (shortage !== undefined) onEvent({ kind: 'notice', stream: '', notice: { kind: 'warning', text: shortage } })
}

/** Streams that were not begun count, too, and those that may exist and were not found. */
function endingOf(
  { run, chosen }: SyncInput,
  receipts: readonly StreamReceipt[],
  { aborted: isAborted }: AbortSignal,
): SyncEnding {
  const ending = receipts.length === chosen.length ? worstEnding(receipts) : 'failed'
  if (ending === 'failed') return isAborted ? 'interrupted' : 'failed'
  return ending === 'complete' && run.resolved.shortage !== undefined ? 'incomplete' : ending
}

/**
 * A stream that the resumed run had read to its end is not read again: appended rows would be duplicated. One that was
 * held is read again: none of its rows are in the table, and the API may respond better now.
 */
export function receiptBefore(
  { continues, receipts }: OpenSyncRun,
  { name }: ChosenStream,
  requested: SyncMode | undefined,
): StreamReceipt | undefined {
  if (!continues) return undefined
  const isRead = ({ stream, ending, mode }: StreamReceipt) =>
    stream === name && isReadToEnd(ending) && ending !== 'held' && (requested === undefined || requested === mode)
  return receipts.find(isRead)
}

export async function streamsToSync(
  run: Run,
  { catalog, streams: names, signal }: SyncOptions,
): Promise<ChosenStream[]> {
  if (catalog !== undefined) return streamsInCatalog(catalog)
  // Those that are named were found, or are refused.
  const known = await streamsOf(run, { signal, judge: names === undefined ? judgeSlices : undefined })
  return names === undefined ? everyStream(known) : streamsNamed(run.manifest, known, names)
}

/** A mode for an unknown stream is a typo; one for a stream that is not chosen is ignored. */
async function refuseUnknownModes(run: Run, { mode, signal }: SyncOptions, chosen: readonly ChosenStream[]) {
  if (mode === undefined || typeof mode === 'string') return
  const others = Object.keys(mode).filter((given) => given !== '*' && !chosen.some(({ name }) => name === given))
  if (others.length === 0) return
  const known = (await streamsOf(run, { signal })).map(({ name }) => name)
  const unknown = others.find((name) => !known.includes(name))
  if (unknown !== undefined) throw unknownStream(run.manifest, unknown, known)
}

function connectionOf({ folder }: LoadedManifest): string {
  return folder === undefined ? 'default' : basename(folder)
}

function warnOfConfig(connection: string): SyncEvent {
  const text =
    `The config differs from that of the last sync of "${connection}". Incremental streams resume where that sync ` +
    'stopped: use one connection per account, or start with `--fresh`.'
  return { kind: 'notice', stream: '', notice: { kind: 'warning', text } }
}
