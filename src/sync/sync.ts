/** Manifest → tables: every stream, one after the other, into a destination that can be killed at any moment. */
import { basename } from 'node:path'
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { destinationAt } from '../destinations/open-destination.ts'
import type { Destination, OpenDestination } from '../destinations/destination.ts'
import { unknownStream } from '../engine/plan/stream.ts'
import type { Run } from '../engine/run/run.ts'
import type { StreamState } from '../engine/slices/cursor.ts'
import { streamsOf } from '../engine/streams-of.ts'
import { type ChosenStream, everyStream, streamsInCatalog, streamsNamed } from '../protocol/choose-streams.ts'
import type { Requirement } from '../proof/verdict/verdict.ts'
import { openRunOf, type ReadOptions } from '../read.ts'
import type { SyncEnding, SyncEvent, SyncResult } from './events.ts'
import { defaultGate } from './gate.ts'
import { askedMode, type AskedModes, type SyncMode } from './modes.ts'
import { fingerprint, noteKeys, readNote, type StreamNote } from './checkpoints.ts'
import { isReadToEnd, type StreamReceipt } from './receipt.ts'
import { openRunBook, type RunBook } from './runs.ts'
import { syncStream } from './sync-stream.ts'

/** How the API is read is said as for `readPages`. */
export type SyncOptions = Omit<
  ReadOptions,
  'stream' | 'state' | 'states' | 'onState' | 'from' | 'slice' | 'maxPages' | 'readAt'
> & {
  /** `duckdb:FILE`, `parquet:FOLDER`, `jsonl:FOLDER`, `postgres://…`, or a destination of one's own. */
  readonly to: string | Destination
  /** The schema of the database that the tables go to; its own default when absent. */
  readonly schema?: string | undefined
  /** Whose states and tables these are; the name of the connector's folder when absent. */
  readonly connection?: string | undefined
  /** The streams to sync; all when absent. */
  readonly streams?: readonly string[] | undefined
  /** A configured catalog, as a platform writes it: streams and modes. */
  readonly catalog?: unknown
  /** How streams are read and land: one mode for all, or by stream, `*` for the others. What suits each when absent. */
  readonly mode?: AskedModes | undefined
  /** Forget where earlier syncs stopped, and read every stream from its beginning. */
  readonly isFresh?: boolean | undefined
  /** The least that the verdict on a stream may say; `unproven` when absent. A full refresh below it replaces no table that has rows. */
  readonly require?: Requirement | undefined
  /** Replace tables also where this would be refused: because the verdict is too low, or more than half of the rows would be gone. */
  readonly acceptDrop?: boolean | undefined
  readonly onEvent?: ((event: SyncEvent) => void) | undefined
}

/**
 * Lands every stream in a destination. Killed at any moment, the next call goes on from the last committed page.
 * Throws when nothing can be done at all: manifest, config or destination are at fault. What became of each stream is
 * in the result.
 *
 * @example const { receipts } = await sync(manifest, { config, to: 'duckdb:shop.duckdb' })
 */
export async function sync(manifest: LoadedManifest, options: SyncOptions): Promise<SyncResult> {
  const { to, schema, connection = connectionOf(manifest), onEvent = () => {} } = options
  const destination = typeof to === 'string' ? destinationAt(to, { schema }) : to
  const { run, close } = await openRunOf(manifest, options)
  try {
    const chosen = await chooseStreams(run, options)
    await refuseStrangeModes(run, options, chosen)
    const opened = await destination.open(connection)
    try {
      const result = await syncAll({ run, opened, chosen, options, onEvent, connection, to: destination.address })
      onEvent({ kind: 'run-ended', result })
      return result
    } finally {
      await opened.close()
    }
  } finally {
    await close()
  }
}

type Job = {
  readonly run: Run
  readonly opened: OpenDestination
  readonly chosen: readonly ChosenStream[]
  readonly options: SyncOptions
  readonly onEvent: (event: SyncEvent) => void
  readonly connection: string
  readonly to: string
}

async function syncAll({ run, opened, chosen, options, onEvent, connection, to }: Job): Promise<SyncResult> {
  const { isFresh = false, signal, prefetch, concurrency } = options
  const { require = defaultGate.require, acceptDrop = defaultGate.acceptDrop } = options
  const configMark = fingerprint(run.redactor.value(run.config))
  const manifestMark = fingerprint(run.manifest.streams)
  const book = await openRunBook(opened, { now: run.now, random: run.random, configMark, manifestMark, isFresh })
  const streams = chosen.map(({ name }) => name)
  onEvent({ kind: 'run-started', run: book.name, connection, to, streams, continues: book.continues })
  if (book.isOtherConfig && !isFresh) onEvent(warnOfConfig(connection))

  const states = isFresh ? new Map<string, StreamState>() : await statesIn(opened)
  const syncUnlessRead = async (one: ChosenStream): Promise<StreamReceipt> => {
    const asked = askedMode(options.mode, one.name)
    const before = wasReadBefore(book, one, asked)
    if (before !== undefined) {
      onEvent({ kind: 'stream-skipped', receipt: before })
      return before
    }
    const receipt = await syncStream({
      chosen: one,
      asked,
      run: { ...run, states },
      runName: book.name,
      destination: opened,
      configMark,
      isFresh,
      gate: { require, acceptDrop },
      isShared: chosen.length > 1,
      reading: { signal, prefetch, concurrency },
      tell: onEvent,
      noteRun: (ended) => book.noteWith(ended),
    })
    await run.jobs.ended()
    onEvent({ kind: 'stream-ended', receipt })
    return receipt
  }

  const receipts: StreamReceipt[] = []
  for (const one of chosen) if (signal?.aborted !== true) receipts.push(await syncUnlessRead(one))
  const ending = endingOf(receipts, chosen.length, signal?.aborted === true)
  if (ending !== 'interrupted') await book.end(receipts)
  return { run: book.name, connection, to, ending, receipts }
}

/** How the run ended: as the stream that ended worst. */
function endingOf(receipts: readonly StreamReceipt[], wanted: number, isAborted: boolean): SyncEnding {
  const isWhole = receipts.length === wanted && receipts.every(({ ending }) => isReadToEnd(ending))
  if (!isWhole) return isAborted ? 'interrupted' : 'failed'
  const has = (ending: StreamReceipt['ending']) => receipts.some((receipt) => receipt.ending === ending)
  return has('held') ? 'held' : has('incomplete') ? 'incomplete' : 'complete'
}

/**
 * What a run that is resumed has read to its end is not read again: rows that are appended would be there twice. A read
 * that was held is: no rows of it are in the table, and the API may answer better now.
 */
function wasReadBefore(
  { continues, receipts }: RunBook,
  { name }: ChosenStream,
  asked: SyncMode | undefined,
): StreamReceipt | undefined {
  if (!continues) return undefined
  const isRead = ({ stream, ending, mode }: StreamReceipt) =>
    stream === name && isReadToEnd(ending) && ending !== 'held' && (asked === undefined || asked === mode)
  return receipts.find(isRead)
}

/** They decide which half of a StateDelegatingStream is read. */
async function statesIn(opened: OpenDestination): Promise<ReadonlyMap<string, StreamState>> {
  const prefix = noteKeys.stream('')
  const notes = [...(await opened.notes(prefix))].map(([key, text]) => {
    const { state } = readNote(text) as StreamNote
    return [decodeURIComponent(key.slice(prefix.length)), state] as const
  })
  return new Map(notes.filter((one): one is readonly [string, StreamState] => one[1] !== null))
}

async function chooseStreams(run: Run, { catalog, streams: names, signal }: SyncOptions): Promise<ChosenStream[]> {
  if (catalog !== undefined) return streamsInCatalog(catalog)
  const known = await streamsOf(run, { signal })
  return names === undefined ? everyStream(known) : streamsNamed(run.manifest, known, names)
}

/** A mode for a stream that is not there is a slip of the pen; one for a stream that is not chosen waits for its day. */
async function refuseStrangeModes(run: Run, { mode, signal }: SyncOptions, chosen: readonly ChosenStream[]) {
  if (mode === undefined || typeof mode === 'string') return
  const others = Object.keys(mode).filter((asked) => asked !== '*' && !chosen.some(({ name }) => name === asked))
  if (others.length === 0) return
  const known = (await streamsOf(run, { signal })).map(({ name }) => name)
  const strange = others.find((name) => !known.includes(name))
  if (strange !== undefined) throw unknownStream(run.manifest, strange, known)
}

function connectionOf({ folder }: LoadedManifest): string {
  return folder === undefined ? 'default' : basename(folder)
}

function warnOfConfig(connection: string): SyncEvent {
  const text =
    `The config is not that of the last sync of "${connection}". Streams read incrementally go on from where that one ` +
    'stopped; give accounts connections of their own, or start afresh.'
  return { kind: 'notice', stream: '', notice: { kind: 'warning', text } }
}
