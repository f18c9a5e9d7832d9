/** One slice of a stream that a custom class reads → its pages. */
import { type CustomPlan, awaitCustom, runCustom } from '../custom/component.ts'
import { objectOf, recordsAsJson, severalOf, unfit } from '../custom/check-returned.ts'
import { createLoopGuard, type GuardedPage } from '../pagination/loop-guard.ts'
import type { NextPage } from '../pagination/next-page.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { StreamPlan } from '../plan/stream.ts'
import { aborted } from '../response/failure.ts'
import { eachUntilAborted, expectListeners, openPauses } from '../response/until-aborted.ts'
import type { Slice } from '../slices/slice.ts'
import { openSignal } from './open-signal.ts'
import { type PageExchange, type Page, showPage } from './page.ts'
import { recordSelector } from './page-records.ts'
import type { ReadOptions } from './read-pages.ts'
import type { FetchedJson, FetchJson, FetchRequest, Retrieved } from './retriever.ts'
import type { OpenRetriever, OpenStream, ParentOptions } from './stream.ts'
import { ConnectorError } from '../../std/errors.ts'
import { type ParsedJson, plainNumbers, stringifyJson } from '../../std/json.ts'
import { type HttpRequest, withHeader } from '../request/http-request.ts'
import { resolveUrl, withQuery } from '../request/url.ts'
import { peekOrNothing } from '../response/decode.ts'

type Batch = { readonly records: readonly JsonRecord[]; readonly fetched: FetchedExchange | null }

/** A page is yielded once it is known whether another follows: a class says so only by returning it. */
export async function* readCustomPages(
  stream: OpenStream,
  retriever: OpenRetriever,
  slice: Slice,
  { maxPages = Number.POSITIVE_INFINITY, signal: ofReader }: ReadOptions,
): AsyncGenerator<Page> {
  const { signal, cancel } = openSignal(ofReader)
  const fetching = openFetch(stream, retriever.plan, slice, signal)
  const batches = eachUntilAborted(batchesOf(retriever, slice, fetching, signal), signal)
  const { name, primaryKey, at } = stream.plan
  const guard = createLoopGuard({ streamName: name, primaryKey, at, byClass: retriever.plan.className })
  const totals = { pages: 0, received: 0, emitted: 0 }
  const show = async ({ records, fetched }: Batch, stop: NextPage['stop'], isLimited = false): Promise<Page> => {
    const tools = await stream.recordTools(signal)
    const selection = recordSelector(stream, slice, tools)({ value: records, hasFloats: false })
    totals.pages++
    totals.received += selection.receivedCount
    totals.emitted += selection.records.length
    const { exchange, decoded } = fetched ?? noExchange(stream)
    const next = { token: null, stop } as NextPage
    const response = {
      exchange,
      decoded: { ...decoded, bytes: exchange.response.body.length, isLast: true },
      selection,
    }
    return showPage(stream, { slice, part: 0, responses: [response], selection, next, totals, isLimited })
  }

  try {
    // A slice that brings nothing is one empty page: it carries the receipt.
    let held: Batch = { records: [], fetched: null }
    let hasBatch = false
    try {
      for await (const batch of batches) {
        if (hasBatch && totals.pages + 1 >= maxPages) return yield await show(held, 'limit', true)
        if (hasBatch) {
          guard(guardedBatch(held))
          yield await show(held, null)
        }
        held = batch
        hasBatch = true
      }
    } catch (error) {
      // The records before the failure are good.
      if (hasBatch) yield await show(held, 'error')
      throw error
    }
    yield await show(hasBatch ? held : { records: [], fetched: fetching.takeLast() }, 'strategy')
  } catch (error) {
    throw stream.redactor.error(error)
  } finally {
    cancel()
  }
}

/** A class may go through a calendar in which most days are empty. */
function guardedBatch({ records, fetched }: Batch): GuardedPage {
  return { request: fetched?.exchange.request ?? null, received: records, countsMore: () => true }
}

async function* batchesOf(
  { plan, reader }: OpenRetriever,
  slice: Slice,
  { fetchJson, takeLast }: OpenFetch,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const given = () => reader.readSlice({ slice, fetchJson, signal })
  for await (const retrieved of eachOf(plan, 'pages of records', given, signal)) {
    // A class that sends no request would not notice.
    if (signal.aborted) throw aborted(signal)
    yield { records: await awaitCustom(plan, () => recordsOf(retrieved)), fetched: takeLast() }
  }
}

/** The slices that the class returns, or those of the manifest where it returns none. */
export async function* customSlices(
  stream: OpenStream,
  { plan, reader }: OpenRetriever,
  reading: ParentOptions,
): AsyncGenerator<Slice> {
  const { signal, cancel } = openSignal(reading.signal)
  const { fetchJson } = openFetch(stream, plan, { partition: {}, window: {} }, signal)
  try {
    const own = await awaitCustom(plan, () => reader.slices({ fetchJson, signal }))
    if (own === null) return yield* stream.slices(reading)
    for await (const slice of eachOf(plan, 'a list of slices', () => own, signal)) {
      yield {
        partition: {},
        window: {},
        ...(await awaitCustom(plan, () => objectOf(slice, 'an object for a slice'))),
      }
    }
  } finally {
    cancel()
  }
}

/** What the class returns, one after the other; its failures are reported as the class's. */
async function* eachOf<T>(
  plan: CustomPlan,
  what: string,
  open: () => Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const pause = openPauses(signal)
  const given: unknown = await awaitCustom(plan, open)
  const values = toAsync<T>(runCustom(plan, () => severalOf(given, what)))
  try {
    for (;;) {
      await pause()
      const { done, value } = await awaitCustom(plan, () => values.next())
      if (done) return
      yield value
    }
  } finally {
    await awaitCustom(plan, () => values.return(undefined))
  }
}

async function* toAsync<T>(values: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, undefined, undefined> {
  yield* values
}

function recordsOf(retrieved: Retrieved): readonly JsonRecord[] {
  const records: unknown = Array.isArray(retrieved) ? retrieved : (retrieved as { records?: unknown } | null)?.records
  if (Array.isArray(records)) return recordsAsJson(records as JsonRecord[])
  throw unfit(retrieved, 'a list of records for a page, nor an object with `records`')
}

/** For records without a request: status 0 and no address. */
function noExchange({ now }: OpenStream): FetchedExchange {
  const request = { method: 'GET', url: '', headers: {}, body: null }
  const response = { status: 0, url: '', headers: {}, body: new Uint8Array() }
  const exchange = { token: null, request, response, askedAt: now(), tookMs: 0 }
  return { exchange, decoded: { value: null, hasFloats: false } }
}

type FetchedExchange = { readonly exchange: PageExchange; readonly decoded: ParsedJson }

type OpenFetch = {
  readonly fetchJson: FetchJson
  /** The last exchange since the previous call; null when there was none. */
  readonly takeLast: () => FetchedExchange | null
}

function openFetch(stream: OpenStream, retriever: CustomPlan, slice: Slice, signal: AbortSignal): OpenFetch {
  const { plan, send, now } = stream
  let last: FetchedExchange | null = null
  // A class may send as many requests at once as it likes.
  expectListeners(signal)
  // A retriever without a requester has no address.
  const own = () => (retriever.fields.requester === undefined ? null : stream.build(stream.requestInput(slice, null)))

  const fetched = async (wanted: FetchRequest): Promise<FetchedJson> => {
    const request = requestFor(await own(), wanted, { name: plan.name, at: retriever.at })
    const askedAt = now()
    const response = await send(request, signal)
    const decoded = response.isIgnored ? peekOrNothing(response) : await stream.decoder.whole(response)
    last = { exchange: { token: null, request, response, askedAt, tookMs: now() - askedAt }, decoded }
    const { status, url, headers } = response
    return { status, url, headers, body: decoded.hasFloats ? plainNumbers(decoded.value) : decoded.value }
  }
  return {
    fetchJson(wanted = {}) {
      const fetching = fetched(wanted)
      // A page that the class requests ahead may be cancelled before it is awaited: that must not end the process.
      fetching.catch(() => {})
      return fetching
    },
    takeLast: () => {
      const taken = last
      last = null
      return taken
    },
  }
}

function requestFor(
  own: HttpRequest | null,
  wanted: FetchRequest,
  stream: Pick<StreamPlan, 'name' | 'at'>,
): HttpRequest {
  if (own === null && wanted.url === undefined) throw nowhereToAsk(stream)
  const home = own === null ? undefined : (own.home ?? own.url)
  const url = wanted.url === undefined ? (own?.url ?? '') : resolveUrl(wanted.url, home, stream.at)
  const pairs = Object.entries(wanted.query ?? {}).map(([name, value]) => [name, String(value)] as const)
  const request: HttpRequest = {
    method: (wanted.method ?? own?.method ?? 'GET').toUpperCase(),
    url: withQuery(url, pairs),
    headers: own?.headers ?? {},
    body: wanted.json === undefined ? (own?.body ?? null) : stringifyJson(wanted.json),
    ...(home !== undefined && { home }),
  }
  const typed = wanted.json === undefined ? request : withHeader(request, 'Content-Type', 'application/json')
  return Object.entries(wanted.headers ?? {}).reduce((grown, [name, value]) => withHeader(grown, name, value), typed)
}

function nowhereToAsk({ name, at }: Pick<StreamPlan, 'name' | 'at'>): ConnectorError {
  const message = `The retriever of stream "${name}" sends a request without an address, and the manifest gives it no \`requester\`.`
  return new ConnectorError('request/invalid-url', message, { at, hint: 'Give `fetchJson` a `url`.' })
}
