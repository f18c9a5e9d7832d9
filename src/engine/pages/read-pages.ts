/** The spine: request → response → records → next page, until there is none. */
import { createLoopGuard, reportsFewer, reportsMore } from '../pagination/loop-guard.ts'
import { type NextPage, firstToken, nextPage } from '../pagination/next-page.ts'
import type { PageToken } from '../request/page-token.ts'
import { requestLeaves } from '../response/exchange.ts'
import type { Slice } from '../slices/slice.ts'
import { openListCheck, portionsIn } from './page-records.ts'
import { openSignal } from './open-signal.ts'
import { type Page, type PagePart, showPage } from './page.ts'
import { openPagesAhead, type ReadPage } from './pages-ahead.ts'
import type { OpenStream, ParentOptions } from './stream.ts'
import { type PageExchanges, askPage } from './request-page.ts'

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
  const mayReset = options.onReset !== undefined
  const ask = (token: PageToken | null, until = signal, isAhead = false, isFirst = false) =>
    askPage(stream, slice, { token, isFirst, mayStream, mayReset, isAhead }, until)
  // A response that starts the pages again is about the page that is read.
  const ahead = openPagesAhead(stream, ask, { prefetch: mayReset ? 'off' : prefetch, signal })

  try {
    const portionsOf = portionsIn(stream, slice, await stream.recordTools(signal))
    const { from } = options
    let asking: Promise<PageExchanges> | null = from
      ? ask(from)
      : ask(firstToken(plan.pagination, stream.strategy), signal, false, true)
    while (asking !== null) {
      const answers: PageExchanges = await asking
      asking = null
      if (answers.some(({ response }) => response.asksReset)) return options.onReset?.()
      totals.pages++
      let part = 0
      for await (const { parts, whole: arrived, isLast } of portionsOf(answers, isPaged)) {
        const whole = checkList(arrived)
        const { selection } = whole
        totals.received += selection.receivedCount
        totals.emitted += selection.records.length
        const shownPart = part++
        if (!isLast) {
          yield showPage(stream, {
            slice,
            part: shownPart,
            parts,
            selection,
            totals,
            next: partFollows,
            isLimited: false,
          })
          continue
        }
        const next = nextPageOrFailure(stream, slice, whole)
        if (next.token !== null) {
          const { received, receivedCount } = selection
          const [body, { headers }] = [whole.decoded.value, whole.answer.response]
          const countsMore = () => reportsMore(body, headers, totals.received)
          const counts = { received: totals.received, onPage: receivedCount }
          const countsFewer = () => reportsFewer(body, headers, counts)
          guard({ request: answers[0].request, received, countsMore, countsFewer })
        }
        const isLimited = next.token !== null && totals.pages >= maxPages
        const mayAsk = next.token !== null && !isLimited
        const asksAhead = mayAsk && prefetch !== 'off'
        // While the caller works on this page, the next one is already requested.
        asking = asksAhead ? markHandled(ahead.request(next.token, readPageOf(whole, maxPages - totals.pages))) : null
        const inVain = asking === null ? ahead.end() : 0
        if (asking !== null) await requestLeaves()
        yield showPage(stream, { slice, part: shownPart, parts, selection, totals, next, isLimited, inVain })
        if (next.failure !== undefined) throw next.failure
        if (mayAsk && !asksAhead) asking = ask(next.token)
      }
    }
  } catch (error) {
    throw stream.redactor.error(error)
  } finally {
    cancel()
  }
}

function readPageOf({ answer: { response }, decoded, selection }: PagePart, pagesLeft: number): ReadPage {
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
  { answer: { token, response }, decoded, selection: { receivedCount, received } }: PagePart,
): NextPage & { failure?: unknown } {
  const { url, headers, isIgnored } = response
  if (isIgnored) return { token: null, stop: 'ignored' }
  const { plan, config, strategy, cursor } = stream
  if (cursor.hasReachedOld(received.at(-1), slice)) return { token: null, stop: 'read-before' }
  try {
    const outcome = { token, url, headers, body: decoded.value, receivedCount, received }
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

type PageOptions = ReadOptions & {
  /** Called when a response asks to start the pages again: they end there. Without it that is an error. */
  readonly onReset?: () => void
}
