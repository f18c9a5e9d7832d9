/** Requests counted pages ahead of the one that is read: their tokens are known before the pages are. */
import type { AuthPlan } from '../auth/plan/authenticator.ts'
import { classesIn } from '../plan/error-handler.ts'
import type { PaginationPlan } from '../plan/pagination.ts'
import type { RequesterPlan } from '../plan/requester.ts'
import type { PageToken } from '../request/page-token.ts'
import { openSignal } from './open-signal.ts'
import { openPageWindow } from './page-window.ts'
import type { PageExchanges, RequestPage } from './request-page.ts'
import type { ClaimedEnd, ClaimingPage, OpenStream, Prefetch } from './stream.ts'

/** The page that was read last, and that another one follows. */
export type PageBefore = ClaimingPage & {
  readonly bytes: number
  /** How many more pages the caller wants at most. */
  readonly pagesLeft: number
}

export type PagesAhead = {
  /** The page after `last`: already requested, or requested now. Further ones are requested after it. */
  request(token: PageToken, last: PageBefore): Promise<PageExchanges>
  /** No other page is wanted: cancels those under way. Returns how many requests were made in vain. */
  end(): number
}

type AheadOptions = {
  readonly prefetch: Prefetch
  readonly signal: AbortSignal
}

/** Against slow responses at most 16 times as fast as one by one; APIs that bear less say so, or their manifests do. */
const mostPages = 16

/** Pages that wait to be read must not fill the memory, however large they are. */
const mostBytes = 64 * 1024 * 1024

/** A total is in the first pages or in none. */
const pagesSearched = 3

type PageAhead = {
  readonly value: number
  readonly exchanges: Promise<PageExchanges>
  readonly cancel: () => void
  hasFailed: boolean
}

/**
 * Whatever a page ahead brings but an accepted response is dropped, and requested again in its turn: records, errors and
 * warnings are those of a read page by page.
 */
export function openPagesAhead(stream: OpenStream, requestPage: RequestPage, options: AheadOptions): PagesAhead {
  const { pagination, requester } = stream.plan
  // A page that would only wait for the others to arrive is not requested ahead.
  const most = Math.min(mostAhead(options.prefetch, pagination, requester), stream.requestsAtOnce)
  if (most <= 1) return { request: (token) => requestPage(token), end: () => 0 }

  const isFull = fullPages(pagination)
  const reachesEnd = openReachesEnd(stream)
  const window = openPageWindow(most, options.prefetch === 'auto')
  let waiting: PageAhead[] = []
  let inVain = 0

  const requestAhead = (value: number): PageAhead => {
    // A signal for each: a dozen listeners on one make Node warn of a leak.
    const { signal, cancel, release } = openSignal(options.signal)
    const exchanges = requestPage({ value }, { isAhead: true, until: signal })
    const page: PageAhead = { value, exchanges, cancel, hasFailed: false }
    const half = window.size() / 2
    exchanges.then(release, () => {
      page.hasFailed = true
      if (signal.aborted) return
      release()
      // Pages that were requested together fail together: that counts once.
      window.failed(half)
    })
    return page
  }
  const cancelAll = () => {
    inVain += waiting.length
    for (const page of waiting) page.cancel()
    waiting = []
  }
  const take = (token: PageToken): Promise<PageExchanges> => {
    if (waiting[0]?.value !== token.value) {
      // The page before was shorter or longer than those that the guess came from.
      cancelAll()
      return requestPage(token)
    }
    const { exchanges } = waiting.shift() as PageAhead
    return exchanges.catch(() => {
      inVain++
      return requestPage(token)
    })
  }

  return {
    request(token, last) {
      const exchanges = take(token)
      const hasFailed = waiting.some((page) => page.hasFailed)
      window.pageRead(isFull(last) && !hasFailed)
      const inMemory = Math.floor(mostBytes / Math.max(1, last.bytes))
      // What follows a page that was refused is likely to be refused, too.
      const wanted = hasFailed ? 0 : Math.min(window.size(), last.pagesLeft, inMemory)
      const step = pagination.kind === 'offset' ? last.receivedCount : 1
      let value = waiting.at(-1)?.value ?? (token.value as number)
      while (waiting.length + 1 < wanted) {
        value += step
        if (reachesEnd(value, last)) break
        waiting.push(requestAhead(value))
      }
      return exchanges
    },
    end() {
      cancelAll()
      return inVain
    },
  }
}

/** One page at a time, unless tokens can be counted and no custom class watches the order of requests. */
function mostAhead(prefetch: Prefetch, { kind }: PaginationPlan, { custom, auth, errors }: RequesterPlan): number {
  if (prefetch === 'off' || (kind !== 'offset' && kind !== 'page')) return 1
  if (custom !== undefined || isOneByOne(auth) || classesIn(errors.rules).length > 0) return 1
  return prefetch === 'auto' ? mostPages : prefetch
}

/** A custom class may count its requests, and a session that serves one request is often ended by the next login. */
function isOneByOne(auth: AuthPlan): boolean {
  return auth.kind === 'custom' || (auth.kind === 'session' && auth.lifetime === null)
}

/** Where the manifest names no page size, a page is full if it is as long as the one before. */
function fullPages(pagination: PaginationPlan): (page: PageBefore) => boolean {
  const hasSize = 'pageSize' in pagination && pagination.pageSize !== null
  let before: number | null = null
  return ({ receivedCount }) => {
    // With a size, no page follows a shorter one.
    const isFull = hasSize || receivedCount === before
    before = receivedCount
    return isFull
  }
}

/** Whether the page with this token is past what the API counts. */
function openReachesEnd(stream: OpenStream) {
  const { pagination } = stream.plan
  const first = pagination.kind === 'page' ? pagination.firstPage : 0
  const claims = stream.claimedEnd?.(stream)
  let searched = 0
  let end: ClaimedEnd = { records: null, pages: null, isOver: false }
  let seen: PageBefore | null = null
  let longest = 0
  const isPast = (value: number, { receivedCount }: PageBefore): boolean => {
    const isOffset = pagination.kind === 'offset'
    // The last page is often shorter than those before it.
    longest = Math.max(longest, receivedCount)
    const records = isOffset ? value : (value - first) * longest
    const pages = isOffset ? value / receivedCount : value - first
    return end.isOver || (end.records !== null && records >= end.records) || (end.pages !== null && pages >= end.pages)
  }
  return (value: number, page: PageBefore): boolean => {
    // Searching a page takes time: with an end that is known it is searched only where it matters whether that is still so.
    const isWanted = hasEnd(end) ? isPast(value, page) : searched < pagesSearched
    if (page !== seen && claims !== undefined && isWanted) {
      searched++
      seen = page
      end = claims(page)
    }
    return isPast(value, page)
  }
}

function hasEnd({ records, pages }: ClaimedEnd): boolean {
  return records !== null || pages !== null
}
