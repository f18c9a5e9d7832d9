/** A manifest → its pages or its records, whole: every slice, every page. */
import { loadClass } from './connector/load-class.ts'
import type { LoadedManifest } from './connector/load-manifest.ts'
import { openTokens } from './engine/auth/tokens.ts'
import { type OpenStream, openStreamNamed, type StreamOptions } from './engine/open-stream.ts'
import { readConnectorFile } from './connector/read-file.ts'
import { openRun, type Run, type RunOptions, type Tools } from './engine/run.ts'
import type { Page } from './engine/page.ts'
import type { JsonRecord } from './engine/plan/plan.ts'
import { advance, readStream } from './engine/read-stream.ts'
import type { ReadOptions as SliceReadOptions } from './engine/read.ts'
import { ConnectorError } from './errors.ts'
import { stringifyJson } from './json.ts'
import { holdsHidden } from './engine/request/auth.ts'
import type { Notice } from './engine/response/notice.ts'
import type { Egress } from './engine/response/egress.ts'
import { type Limits, type Network, openNetwork } from './engine/response/send.ts'
import type { Slice } from './engine/slices/slice.ts'
import type { StreamState } from './engine/slices/state.ts'

export type ReadOptions = Omit<RunOptions, 'config'> &
  StreamOptions &
  SliceReadOptions & {
    readonly config?: RunOptions['config']
    readonly stream?: string | undefined
    /** The slice to go on from, as a page named it; those before it are not read. */
    readonly slice?: Slice
    /** What to store, in Airbyte's shape, once the pages handed out so far are safe: told when the next is asked for. */
    readonly onState?: (state: StreamState) => void
    /** Time limits and the largest page accepted. */
    readonly limits?: Partial<Limits>
    /** Which addresses may be reached. */
    readonly egress?: Egress
    /** A network to share with other reads; closed by whoever opened it. */
    readonly network?: Network
    /** Retries, redirects to other origins: what happened on the way. */
    readonly onNotice?: (notice: Notice) => void
    /** For tests: the clock, the wait between retries, the dice. */
    readonly now?: () => number
    readonly sleep?: Tools['sleep']
    readonly random?: () => number
  }

/**
 * Every page of a stream, with its request, response and records. The last page of each slice carries its receipt.
 *
 * @example for await (const page of readPages(manifest, { stream: 'orders', config })) console.log(page.records.length)
 */
export async function* readPages(manifest: LoadedManifest, options: ReadOptions = {}): AsyncGenerator<Page> {
  if (!Array.isArray(manifest.streams) || typeof manifest.at !== 'function') {
    throw new ConnectorError('manifest/wrong-type', 'This is not a manifest that `loadManifest` gave.')
  }
  const network = options.network ?? openNetwork(options)
  const tokens = options.tokens ?? openTokens()
  try {
    const run = openRunOf(manifest, { ...options, tokens }, network)
    yield* readPagesOf(await openStreamNamed(run, options.stream, options), options)
  } finally {
    if (options.tokens === undefined) await tokens.close()
    if (options.network === undefined) await network.close()
  }
}

/** Opens a run of the manifest: what several streams that are read together share. */
export function openRunOf(manifest: LoadedManifest, options: ReadOptions, network: Network): Run {
  return openRun(manifest, { ...options, config: options.config ?? {} }, toolsOf(manifest, options, network))
}

/** The pages of a stream that is open: slices side by side, each in order; the cursor is told of every page. */
export async function* readPagesOf(stream: OpenStream, options: ReadOptions): AsyncGenerator<Page> {
  const { from, slice: wanted, onState } = options
  if (holdsHidden(stream.plan.requester.auth, [from, wanted])) throw cannotGoOn('a secret in it was hidden')
  const choice = choosing(wanted, from)
  const tellState = () => {
    const state = stream.cursor.hasNews() ? stream.cursor.state() : null
    if (state !== null) onState?.(state)
  }
  try {
    for await (const { slice, page } of readStream(stream, { ...options, choose: (one) => choice.of(one) })) {
      advance(stream.cursor, slice, page)
      yield page
      tellState()
    }
    if (!choice.isFound()) throw cannotGoOn('the stream has no such slice')
    stream.cursor.finish()
  } catch (error) {
    // What was read without a gap is kept, whatever became of the rest.
    stream.cursor.finish(false)
    tellState()
    throw error
  }
  tellState()
}

/** Slices before the wanted one are skipped, and it goes on from its token; without one, the first slice does. */
function choosing(wanted: Slice | undefined, from: ReadOptions['from']) {
  let isFound = wanted === undefined
  let isFirst = true
  return {
    isFound: () => isFound,
    of(slice: Slice): 'read' | 'skip' | 'resume' {
      if (!isFound && wanted !== undefined && !isSameSlice(slice, wanted)) return 'skip'
      const resumes = isFirst && from !== undefined && from !== null
      isFound = true
      isFirst = false
      return resumes ? 'resume' : 'read'
    },
  }
}

/** A run for whoever needs more of a connector than its records; the network is open as long as `use` takes. */
export async function withRun<T>(
  manifest: LoadedManifest,
  options: ReadOptions,
  use: (run: Run, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const network = options.network ?? openNetwork(options)
  try {
    const tools = toolsOf(manifest, options, network)
    const run = openRun(manifest, { ...options, config: options.config ?? {} }, tools)
    return await use(run, options.signal ?? new AbortController().signal)
  } finally {
    if (options.network === undefined) await network.close()
  }
}

/**
 * Every record of a stream, in the order of its pages.
 *
 * @example for await (const record of readRecords(manifest, { stream: 'orders', config })) console.log(record.id)
 */
export async function* readRecords(manifest: LoadedManifest, options: ReadOptions = {}): AsyncGenerator<JsonRecord> {
  for await (const page of readPages(manifest, options)) {
    // One by one: `yield*` over a list makes a promise more for each record, 70 µs a page against 48.
    for (const record of page.records) yield record
  }
}

function cannotGoOn(reason: string): ConnectorError {
  return new ConnectorError('slices/invalid-state', `The read cannot go on from there: ${reason}.`)
}

function isSameSlice(one: Slice, other: Slice): boolean {
  return stringifyJson([one.partition, one.window]) === stringifyJson([other.partition, other.window])
}

function toolsOf(manifest: LoadedManifest, options: ReadOptions, network: Network): Tools {
  const { folder } = manifest
  return {
    network,
    now: options.now ?? Date.now,
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
    report: options.onNotice ?? (() => {}),
    ...(folder !== undefined && {
      loadClass: (plan, base) => loadClass(folder, plan, base),
      readFile: (path, at) => readConnectorFile(folder, path, at),
    }),
  }
}

/** Waits, unless the read is cancelled first. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', cancelled, { once: true })
    function done() {
      signal.removeEventListener('abort', cancelled)
      resolve()
    }
    function cancelled() {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
  })
}
