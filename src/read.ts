/** A manifest → a run of it, and the pages of its streams, with their receipts. */
import { loadClass } from './connector/load-class.ts'
import type { LoadedManifest } from './connector/load-manifest.ts'
import { readConnectorFile } from './connector/read-file.ts'
import { normalizeConfig, validateConfig } from './engine/config/normalize-config.ts'
import type { CustomTools } from './engine/custom/component.ts'
import type { StreamOptions } from './engine/opening/open-stream.ts'
import { lacksSlices } from './engine/pages/judged-parent.ts'
import type { Page as EnginePage } from './engine/pages/page.ts'
import type { ReadOptions as SliceReadOptions } from './engine/pages/read-pages.ts'
import { openCursorAdvance } from './engine/pages/advance-cursor.ts'
import { unlessCancelled } from './engine/pages/open-signal.ts'
import { readStream, type SliceChoice } from './engine/pages/read-stream.ts'
import type { OpenStream } from './engine/pages/stream.ts'
import type { Config } from './engine/plan/plan.ts'
import { holdsHidden } from './engine/auth/sign-request.ts'
import type { Egress } from './engine/response/egress.ts'
import type { Notice } from './engine/response/notice.ts'
import { type Network, openNetwork } from './engine/response/send.ts'
import { checkOptions } from './engine/run/check-options.ts'
import { openRun, type Run, type RunOptions, reportingTo, type Tools } from './engine/run/run.ts'
import { openTokens } from './engine/run/tokens.ts'
import { hasParents } from './engine/slices/parent-state.ts'
import type { Slice } from './engine/slices/slice.ts'
import { openStreamNamed } from './engine/streams-of.ts'
import { ConnectorError } from './std/errors.ts'
import type { Receipt } from './proof/receipts/receipt.ts'
import { claimedEnd } from './proof/claims/claimed-end.ts'
import { judgeWithParents, passingOf } from './proof/verdict/judge-stream.ts'
import { openReceipts, type Receipts, judgeSlices } from './proof/receipts/open-receipts.ts'
import { stringifyJson } from './std/json.ts'
import { sleep } from './std/sleep.ts'
import { telling } from './std/telling.ts'
import type { NetworkLimits } from './engine/response/failure.ts'
import type { StreamState } from './engine/slices/stream-cursor.ts'

export { checkReadOptions } from './engine/run/check-options.ts'

/** One request, its response, its records. On the last page of each slice, the receipt. */
export type Page = Omit<EnginePage, 'receipt'> & { readonly receipt?: Receipt }

export type ReadOptions = Omit<RunOptions, 'config'> &
  Omit<StreamOptions, 'judge' | 'claimedEnd'> &
  SliceReadOptions & {
    readonly config?: RunOptions['config']
    readonly stream?: string | undefined
    /** The slice to resume from, as a page named it; those before it are not read. */
    readonly slice?: Slice
    /** What to store, in Airbyte's shape, once the pages handed out so far are safe: called when the next one is requested. */
    readonly onState?: (state: StreamState) => void
    /** Time limits and the largest page accepted. */
    readonly limits?: Partial<NetworkLimits>
    /** Which addresses may be reached. */
    readonly egress?: Egress
    /** A network to share with other reads; closed by the caller. */
    readonly network?: Network
    /** The config has been through `normalizeConfig`: the rules of the spec are not applied to it again. */
    readonly isNormalized?: boolean | undefined
    /** A run to share with other reads, instead of one of its own: its manifest, config and network count. */
    readonly run?: Run | undefined
    /** Retries, redirects to other origins: what happened on the way. */
    readonly onNotice?: (notice: Notice) => void
    /** For tests: the clock, the wait between retries, the dice. */
    readonly now?: () => number
    readonly sleep?: Tools['sleep']
    readonly random?: () => number
  }

/** Whether receipts are made, and whether pages carry them. */
export type ReceiptUse = { readonly isJudged: boolean; readonly showsReceipts: boolean }

/** The stream that the options name, opened → its pages. */
export async function openPages(
  run: Run,
  options: ReadOptions,
  { isJudged, showsReceipts }: ReceiptUse,
): Promise<AsyncGenerator<Page>> {
  const stream = await openStreamNamed(run, options.stream, {
    ...options,
    judge: isJudged ? judgeSlices : undefined,
    claimedEnd,
  })
  return readPagesOf(stream, options, isJudged ? openReceipts(stream) : null, showsReceipts)
}

/**
 * The pages of a stream that is open: slices side by side, each in order; every page is reported to the cursor.
 * `awaitsParents`: the last page of a slice waits until it is known whether another slice follows, so that the last receipt
 * of all can say what the parents showed. Not needed where `receipts` are asked at the end.
 */
export async function* readPagesOf(
  stream: OpenStream,
  options: ReadOptions,
  receipts: Receipts | null = openReceipts(stream),
  awaitsParents = false,
): AsyncGenerator<Page> {
  const { from, slice: wanted, onState, ...others } = options
  const tellState = telling('onState', onState)
  if (holdsHidden(stream.plan.requester.auth, [from, wanted])) throw cannotGoOn('a secret in it was hidden')
  const choice = choosing(wanted, from)
  const chooseSlice = (one: Slice) => {
    const chosen = choice.of(one)
    receipts?.choose(one, chosen)
    return chosen
  }
  const reportState = () => {
    const state = stream.cursor.hasNews() ? stream.cursor.state() : null
    if (state !== null) tellState(state)
  }
  // Whether a parent is complete shows when it has no more records: the last receipt waits for that.
  const mayAwait = awaitsParents && hasParents(stream.plan.slicing.routers)
  let awaiting: (Page & { receipt: Receipt }) | null = null
  function* handOutAwaiting(): Generator<Page> {
    if (awaiting === null) return
    const page = awaiting
    awaiting = null
    yield withParents(page, stream)
    reportState()
  }
  const book = openCursorAdvance(stream.cursor)
  const settle = () => book.settle(receipts?.lacksWaiting() ?? false)
  try {
    const reading = { ...others, choose: chooseSlice, outlivesFailures: true }
    for await (const { slice, page } of readStream(stream, reading)) {
      if (mayAwait) yield* handOutAwaiting()
      const receipt = receipts?.observe(slice, page) ?? null
      book.advance(slice, page, receipt === null ? 'pass' : passingOf({ judgement: receipt, ...receipt }))
      const shown = withReceipt(page, receipt)
      if (receipt !== null && mayAwait) awaiting = { ...shown, receipt }
      else {
        yield shown
        reportState()
      }
    }
    yield* handOutAwaiting()
    if (!choice.isFound()) throw cannotGoOn('the stream has no such slice')
    settle()
    stream.cursor.finish(!lacksSlices(stream))
  } catch (error) {
    yield* handOutAwaiting()
    // What was read without a gap is kept, whatever became of the rest.
    settle()
    stream.cursor.finish(false)
    reportState()
    throw error
  }
  reportState()
}

/** On the last page of a slice, what the engine counted gives way to what that proves; only there is a page copied. */
function withReceipt(page: EnginePage, receipt: Receipt | null): Page {
  return receipt === null ? (page as Page) : { ...page, receipt }
}

function withParents(page: Page & { readonly receipt: Receipt }, { judgedParents }: OpenStream): Page {
  const { receipt } = page
  return { ...page, receipt: { ...receipt, stream: judgeWithParents(receipt.stream, judgedParents()) } }
}

/** A run, and how to end it: what the caller did not pass in is closed. */
export type OpenRun = { readonly run: Run; readonly close: () => Promise<void> }

/** To read several streams of one manifest: they share a network, and the requests that find them. */
export async function openRunOf(manifest: LoadedManifest, options: ReadOptions = {}): Promise<OpenRun> {
  checkOptions(options)
  const { run: shared, onNotice } = options
  if (shared !== undefined) {
    return {
      run: onNotice === undefined ? shared : reportingTo(shared, telling('onNotice', onNotice)),
      close: async () => {},
    }
  }
  const config = await configOf(manifest, options)
  const network = options.network ?? openNetwork(options)
  const tokens = options.tokens ?? openTokens()
  const run = openRun(manifest, { ...options, tokens, config }, toolsOf(manifest, options, network))
  return {
    run,
    async close() {
      await run.jobs.ended()
      if (options.tokens === undefined) await tokens.close()
      if (options.network === undefined) await network.close()
    },
  }
}

async function configOf(manifest: LoadedManifest, options: ReadOptions): Promise<Config> {
  const { config: given = {}, isNormalized = false, signal } = options
  if (isNormalized) return given
  return unlessCancelled(changedConfig(manifest, given, options), signal)
}

async function changedConfig(manifest: LoadedManifest, given: Config, options: ReadOptions): Promise<Config> {
  const { config } = await normalizeConfig(manifest, given, customToolsOf(manifest))
  for (const text of await validateConfig(manifest, config, customToolsOf(manifest))) {
    telling('onNotice', options.onNotice)({ kind: 'warning', text })
  }
  return config
}

/** Slices before the wanted one are skipped, and it resumes from its token; without one, the first slice does. */
function choosing(wanted: Slice | undefined, from: ReadOptions['from']) {
  let isFound = wanted === undefined
  let isFirst = true
  return {
    isFound: () => isFound,
    of(slice: Slice): SliceChoice {
      if (!isFound && wanted !== undefined && !isSameSlice(slice, wanted)) return 'skip'
      const resumes = isFirst && from !== undefined && from !== null
      isFound = true
      isFirst = false
      return resumes ? { from } : 'read'
    },
  }
}

function cannotGoOn(reason: string): ConnectorError {
  return new ConnectorError('slices/invalid-state', `The read cannot resume from there: ${reason}.`)
}

function isSameSlice(one: Slice, other: Slice): boolean {
  return stringifyJson([one.partition, one.window]) === stringifyJson([other.partition, other.window])
}

function toolsOf(manifest: LoadedManifest, options: ReadOptions, network: Network): Tools {
  const { folder } = manifest
  return {
    ...customToolsOf(manifest),
    ...(folder !== undefined && { readFile: (path, at) => readConnectorFile(folder, path, at) }),
    network,
    now: options.now ?? Date.now,
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
    report: telling('onNotice', options.onNotice),
  }
}

/** How custom classes are found: in the connector's folder, if it has one. */
export function customToolsOf({ folder }: LoadedManifest): CustomTools {
  return folder === undefined ? {} : { loadClass: (plan, base) => loadClass(folder, plan, base) }
}
