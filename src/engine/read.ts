/** The spine: request → response → records → next page, until there is none. */
import { heldAnswer } from './first-page.ts'
import { createLoopGuard } from './pagination/loop-guard.ts'
import { firstToken, type NextPage, nextPage } from './pagination/next-page.ts'
import { type Answer, type Page, showPage } from './page.ts'
import type { JsonRecord } from './plan/plan.ts'
import { type Selection, selectNothing, selectRecords } from './records/select.ts'
import type { HttpRequest } from './request/http-request.ts'
import type { PageToken } from './request/page-token.ts'
import { peekJson } from './response/decode.ts'
import type { Part } from './response/formats/parts.ts'
import type { HttpResponse } from './response/http-response.ts'
import type { OpenStream } from './open-stream.ts'
import type { Slice } from './slices/slice.ts'

export type ReadOptions = {
  /** Go on from this token instead of the first page. */
  readonly from?: PageToken | null | undefined
  /** The page after this many is not asked for. */
  readonly maxPages?: number | undefined
  /** `off`: a page is asked for only when the reader wants it. Otherwise as soon as its token is known. */
  readonly prefetch?: 'auto' | 'off' | number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Every page of one slice, in order; a body too large to hold comes as several pages with the same request, told apart by
 * `part`. Stopping the loop over it cancels what is under way.
 */
export async function* readPages(stream: OpenStream, slice: Slice, options: ReadOptions = {}): AsyncGenerator<Page> {
  const { plan, config, decoder, cursor } = stream
  const { maxPages = Number.POSITIVE_INFINITY, prefetch = 'auto' } = options
  const cancel = new AbortController()
  const signal = options.signal === undefined ? cancel.signal : AbortSignal.any([options.signal, cancel.signal])
  const guard = createLoopGuard({ streamName: plan.name, primaryKey: plan.primaryKey, at: plan.at })
  const totals = { pages: 0, received: 0, emitted: 0 }
  const isWanted = cursor.isFiltering ? (record: JsonRecord) => cursor.isWanted(record, slice) : null
  // Pagination looks at a page as a whole.
  const isPaged = plan.pagination.kind !== 'none'

  const ask = async (token: PageToken | null, isFirst = false): Promise<Answer> => {
    const built = await stream.build(stream.requestInput(slice, token))
    const request: HttpRequest = isPaged || !stream.decoder.streams ? built : { ...built, streams: true }
    const askedAt = stream.now()
    const isHeld = slice.firstPage !== undefined && isFirst
    const response = isHeld ? heldAnswer(request, slice.firstPage) : await stream.send(request, signal)
    return { token, request, response, askedAt, tookMs: stream.now() - askedAt }
  }

  try {
    let asking: Promise<Answer> | null = options.from
      ? ask(options.from)
      : ask(firstToken(plan.pagination, stream.strategy), true)
    while (asking !== null) {
      const answer = await asking
      const { isIgnored = false } = answer.response
      asking = null
      totals.pages++
      let part = 0
      for await (const decoded of isIgnored
        ? ignored(answer.response)
        : decoder.parts(answer.response, { atOnce: isPaged })) {
        const selection = isIgnored
          ? selectNothing()
          : selectRecords({ stream: plan, config, slice, decoded, isWanted })
        totals.received += selection.receivedCount
        totals.emitted += selection.records.length
        const shown = { slice, answer, part: part++, decoded, selection, totals }
        if (!decoded.isLast) {
          yield showPage(stream, { ...shown, next: goesOn, isLimited: false })
          continue
        }

        const next = nextPageOrFailure(stream, slice, answer, decoded.value, selection)
        if (next.token !== null) guard({ request: answer.request, received: selection.received })
        const isLimited = next.token !== null && totals.pages >= maxPages
        const mayAsk = next.token !== null && !isLimited
        const asksAhead = mayAsk && prefetch !== 'off'
        // While the reader works on this page, the next one is already on its way.
        asking = asksAhead ? unheard(ask(next.token)) : null
        yield showPage(stream, { ...shown, next, isLimited })
        if (next.failure !== undefined) throw next.failure
        if (mayAsk && !asksAhead) asking = ask(next.token)
      }
    }
  } catch (error) {
    throw stream.redactor.error(error)
  } finally {
    cancel.abort()
  }
}

/** After a part of a page comes the next part of it. */
const goesOn = { token: null, stop: null } as const

/** What an ignored answer is shown as: its JSON, or nothing. */
function ignored(response: HttpResponse): Part[] {
  const { value, hasFloats } = peekJson(response) ?? { value: {}, hasFloats: false }
  return [{ value, hasFloats, bytes: response.body.length, isLast: true }]
}

/** The records of a page are good even when the way on from it cannot be found: they are handed over before the error. */
function nextPageOrFailure(
  stream: OpenStream,
  slice: Slice,
  { token, response: { url, headers, isIgnored } }: Answer,
  body: unknown,
  { receivedCount, received }: Selection,
): NextPage & { failure?: unknown } {
  if (isIgnored) return { token: null, stop: 'ignored' }
  const { plan, config, strategy, cursor } = stream
  if (cursor.hasReachedOld(received.at(-1), slice)) return { token: null, stop: 'read-before' }
  try {
    const outcome = { token, url, headers, body, receivedCount, received }
    const next = nextPage(plan.pagination, outcome, { config, strategy, streamName: plan.name })
    return next.token === null ? next : { token: stream.unsigned(next.token), stop: null }
  } catch (failure) {
    return { token: null, stop: 'error', failure }
  }
}

/** Its failure is met when the page is awaited; until then it is nobody's. */
function unheard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
