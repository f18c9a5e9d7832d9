/** The spine: request → response → records → next page, until there is none. */
import { createLoopGuard, type GuardedPage, reportsFewer, reportsMore } from '../pagination/loop-guard.ts'
import { type NextPage, firstToken, nextPage } from '../pagination/next-page.ts'
import type { PageAction } from '../plan/error-handler.ts'
import type { StreamPlan } from '../plan/stream.ts'
import type { HttpRequest } from '../request/http-request.ts'
import type { PageToken } from '../request/page-token.ts'
import { requestLeaves } from '../response/exchange.ts'
import type { Slice } from '../slices/slice.ts'
import { openListCheck, pagePartsIn } from './page-records.ts'
import { openSignal } from './open-signal.ts'
import { openPageSize } from './page-size.ts'
import { type Page, type SelectedResponse, showPage } from './page.ts'
import { openPagesAhead, type PageBefore } from './pages-ahead.ts'
import type { OpenStream, ParentOptions } from './stream.ts'
import { type PageExchanges, type RequestPage, requestPage } from './request-page.ts'

/**
 * Every page of one slice, in order; a body too large to hold comes as several pages with the same request, which differ in
 * `part`. Stopping the loop over it cancels what is under way.
 */
export async function* readPages(stream: OpenStream, slice: Slice, options: PageOptions = {}): AsyncGenerator<Page> {
  const { plan } = stream
  const { maxPages = Number.POSITIVE_INFINITY, prefetch = 'auto' } = options
  const { signal, cancel } = openSignal(options.signal)
  const { warn } = stream
  const guard = createLoopGuard({ streamName: plan.name, primaryKey: plan.primaryKey, at: plan.at, warn })
  const checkList = openListCheck(stream)
  const totals = { pages: 0, received: 0, emitted: 0 }
  // Pagination needs the whole page.
  const isPaged = plan.pagination.kind !== 'none'
  const mayStream = !isPaged && stream.decoder.streams
  const pageSize = openPageSize(stream)
  const mayAsk = mayAskFor(plan, options)
  const request: RequestPage = (token, { isFirst = false, isAhead = false, until = signal } = {}) =>
    requestPage(stream, slice, { token, size: pageSize.reduced(), isFirst, mayStream, mayAsk, isAhead }, until)
  // A response that asks for other pages is about the page that is read.
  const ahead = openPagesAhead(stream, request, { prefetch: mayAsk.length > 0 ? 'off' : prefetch, signal })

  try {
    const partsOf = pagePartsIn(stream, slice, await stream.recordTools(signal), signal)
    const { from } = options
    let coming: Promise<PageExchanges> | null = from
      ? request(from)
      : request(firstToken(plan.pagination, stream.strategy), { isFirst: true })
    while (coming !== null) {
      const exchanges: PageExchanges = await coming
      coming = null
      // Of several groups of properties the last one: no other is requested after it.
      const asks = exchanges.at(-1)?.response.asks
      if (asks?.action === 'smaller-page') {
        await pageSize.reduce(asks.reason, signal)
        coming = request(exchanges[0].token)
        continue
      }
      if (asks) return asks.action === 'reset' ? options.onReset?.() : options.onHalve?.(asks.reason)
      const size = pageSize.reduced()
      pageSize.succeeded()
      totals.pages++
      let part = 0
      for await (const { responses, whole: arrived, isLast } of partsOf(exchanges, isPaged)) {
        const whole = checkList(arrived)
        const { selection } = whole
        totals.received += selection.receivedCount
        totals.emitted += selection.records.length
        const shown = { slice, part: part++, responses, selection, totals }
        if (!isLast) {
          yield showPage(stream, { ...shown, next: partFollows, isLimited: false })
          continue
        }
        const next = nextPageOrFailure(stream, slice, whole, size)
        if (next.token !== null) guard(guardedPage(exchanges[0].request, whole, totals.received))
        const isLimited = next.token !== null && totals.pages >= maxPages
        const hasNext = next.token !== null && !isLimited
        const isAhead = hasNext && prefetch !== 'off'
        // While the caller works on this page, the next one is already requested.
        coming = isAhead ? markHandled(ahead.request(next.token, pageBefore(whole, maxPages - totals.pages))) : null
        const inVain = coming === null ? ahead.end() : 0
        if (coming !== null) await requestLeaves()
        yield showPage(stream, { ...shown, next, isLimited, inVain })
        if (next.failure !== undefined) throw next.failure
        if (hasNext && !isAhead) coming = request(next.token)
      }
    }
  } catch (error) {
    throw stream.redactor.error(error)
  } finally {
    cancel()
  }
}

function mayAskFor({ reduction }: StreamPlan, { onReset, onHalve }: PageOptions): PageAction[] {
  const handled = {
    reset: onReset !== undefined,
    'smaller-window': onHalve !== undefined,
    'smaller-page': reduction !== null,
  }
  return (Object.keys(handled) as PageAction[]).filter((action) => handled[action])
}

/** What the loop guard compares; what the page counts is read only if the guard asks for it. */
function guardedPage(
  request: HttpRequest,
  { exchange, decoded, selection }: SelectedResponse,
  soFar: number,
): GuardedPage {
  const { received, receivedCount } = selection
  const [body, { headers }] = [decoded.value, exchange.response]
  const counts = { received: soFar, onPage: receivedCount }
  return {
    request,
    received,
    countsMore: () => reportsMore(body, headers, soFar),
    countsFewer: () => reportsFewer(body, headers, counts),
  }
}

function pageBefore({ exchange: { response }, decoded, selection }: SelectedResponse, pagesLeft: number): PageBefore {
  const { headers, body } = response
  const { receivedCount } = selection
  return { body: decoded.value, headers, receivedCount, bytes: body.length, pagesLeft }
}

/** The next part of the same page follows. */
const partFollows = { token: null, stop: null } as const

/** The records of a page are good even when its next page cannot be found: they are yielded before the error. */
function nextPageOrFailure(
  stream: OpenStream,
  slice: Slice,
  { exchange: { token, response }, decoded, selection: { receivedCount, received } }: SelectedResponse,
  size: number | null,
): NextPage & { failure?: unknown } {
  const { url, headers, isIgnored } = response
  if (isIgnored) return { token: null, stop: 'ignored' }
  const { plan, config, strategy, cursor } = stream
  if (cursor.hasReachedOld(received.at(-1), slice)) return { token: null, stop: 'read-before' }
  try {
    const outcome = { token, url, headers, body: decoded.value, receivedCount, received, size }
    const next = nextPage(plan.pagination, outcome, { config, strategy, streamName: plan.name, warn: stream.warn })
    return next.token === null ? next : { token: stream.unsigned(next.token), stop: null }
  } catch (failure) {
    return { token: null, stop: 'error', failure }
  }
}

/** Avoids an unhandled rejection: the error surfaces when the page is awaited. */
function markHandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

export type ReadOptions = ParentOptions & {
  /** Resume from this token instead of the first page. */
  readonly from?: PageToken | null | undefined
  /** The page after this many is not requested. */
  readonly maxPages?: number | undefined
}

export type PageOptions = ReadOptions & {
  /** Called when a response asks to start the pages again: they end there. Without it that is an error. */
  readonly onReset?: () => void
  /** The same for one that asks for a smaller window. */
  readonly onHalve?: (reason: string) => void
}
