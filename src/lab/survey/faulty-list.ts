/** A retriever of the manifest → an endpoint that serves its list with a fault. */
import type { Component } from '../../engine/manifest/manifest.ts'
import { Refusal } from '../exchange.ts'
import { type Fault, type Hooks, pageOf, type PageRequest, type LabResponse } from '../faults/fault.ts'
import { placeOfRow, type ServedPage, servePage } from '../faults/serve-page.ts'
import { createFirstTimes } from '../lab.ts'
import { type MirrorResponse, type MirrorRequest, keyOf } from '../mirror/mirror-request.ts'
import { asComponent } from '../mirror/find-components.ts'
import { bodyBytes, encoded } from '../mirror/encode.ts'
import type { Endpoint } from '../mirror/endpoint.ts'
import { linkTo, type Listing, openList, type OpenList } from '../mirror/open-list.ts'
import { pageShape } from '../mirror/page-shape.ts'
import { countsOf, isKeyed, type Paging } from '../mirror/paging.ts'
import type { RequestedPage } from '../mirror/requested-page.ts'

export type Misbehaviour = {
  /** Null for an API without fault. */
  readonly fault: Fault | null
  /** Whether a header of each response says how many records there are. */
  readonly isCounting: boolean
}

export function faultyList(listing: Listing, misbehaviour: Misbehaviour): Endpoint {
  const list = openList(listing)
  const host = createOtherHost(listing.retriever.requester as Component)
  const isFirstTime = createFirstTimes()
  const given = new Map<string, MirrorResponse>()
  const shortfalls: string[] = []
  let opened: FaultyPages | null = null

  /** The first request says which part of the stream is read: the records are made for it. */
  const pagesFor = (request: MirrorRequest): FaultyPages | null => {
    const sizes = opened === null ? pageSizesOf(list, request) : null
    opened ??= sizes && openFaultyPages(list, sizes, misbehaviour)
    return opened
  }

  const answerTo = (request: MirrorRequest): MirrorResponse => {
    const pages = pagesFor(request)
    if (pages === null) return unspoken('no response makes the manifest request another page')
    const { hooks } = pages
    const place = pages.placeOf(request)
    const key = keyOf(request)
    hooks.refuse?.(place.wanted, { isFirstTime: () => isFirstTime(key) })
    const response = given.get(key) ?? pages.answer(request, place, (page) => host.linkTo(request, page, hooks))
    if (response === null) return unspoken('the API has no way to say that to this manifest')
    given.set(key, response)
    return response
  }
  const unspoken = (why: string): MirrorResponse => {
    shortfalls.push(why)
    return { body: {} }
  }

  return {
    role: listing.role,
    name: listing.name,
    shortfalls,
    fit: (request) => list.fit(host.atHome(request)),
    answer(request) {
      try {
        host.admit(request)
        return answerTo(host.atHome(request))
      } catch (error) {
        if (error instanceof Refusal) return refusedWith(error)
        throw error
      }
    },
  }
}

/** Where a request leads. */
export type RequestTarget = { readonly requested: RequestedPage; readonly wanted: PageRequest }

export type FaultyPages = {
  readonly hooks: Hooks
  readonly placeOf: (request: MirrorRequest) => RequestTarget
  /** Null where no response expresses it for this manifest. `addressOf` returns the address of another page. */
  readonly answer: (
    request: MirrorRequest,
    place: RequestTarget,
    addressOf: (page: number) => string,
  ) => MirrorResponse | null
}

/** Half a page, as other faults have it. */
function hooksWith(fault: Fault | null, limit: number): Hooks {
  return fault?.hooks({ ...fault.parameters, cap: Math.ceil(limit / 2) }) ?? {}
}

function openFaultyPages(
  list: OpenList,
  sizes: PageSizes,
  { fault, isCounting }: { readonly fault: Fault | null; readonly isCounting: boolean },
): FaultyPages {
  const { paging, decoder } = list
  const hooks = hooksWith(fault, sizes.limit)
  const limit = hooks.limit?.(sizes.limit) ?? sizes.limit
  const places = openPositions(paging, sizes.size, limit, hooks)
  /** Of each read: page → its token. An API that leads back to a page gives out its token again. */
  const reads = new Map<number, Map<number, string>>()

  /** The same row is always the same record, on whichever page it comes. */
  const recordOf = (request: MirrorRequest, row: number) =>
    list.record(request, row + 1, Math.min(1, row / sizes.size), row % sizes.limit < 3)
  const recordsIn = (request: MirrorRequest, rows: ServedPage['rows']) =>
    rows.flatMap(([from, to]) => Array.from({ length: to - from }, (_, index) => recordOf(request, from + index)))

  return {
    hooks,
    placeOf(request) {
      const requested = list.pageRequested(request)
      return { requested, wanted: places.of(requested) }
    },
    answer(request, { requested, wanted }, addressOf) {
      const { start, rows, next, total, pages } = servePage(wanted, sizes.size, hooks)
      places.sent(requested, rows)
      const sends = recordsIn(request, rows)
      // Where only an empty page ends the read, the API cannot announce it.
      const hasNext = next !== null || (sizes.tail === 0 && sends.length > 0)
      const usual = hasNext ? sizes.limit : sizes.tail
      const tokens = reads.get(requested.read) ?? new Map<number, string>()
      reads.set(requested.read, tokens)
      const nextPage = Math.floor((next ?? start + limit) / limit) + 1
      const shape = pageShape(paging, {
        hasNext,
        page: pageOf({ ...wanted, start }) + 1,
        next: nextPage,
        link: addressOf(nextPage),
        records: sends.length === usual ? sends : recordsIn(request, [[start, start + usual]]),
        sends,
        taken: new Set([...tokens].flatMap(([page, token]) => (page === nextPage ? [] : [token]))),
        token: isKeyed(paging) ? undefined : tokens.get(nextPage),
        counts: { total, pages },
      })
      if (shape === null) return null
      if (hasNext) tokens.set(nextPage, shape.token)
      const headers = { ...shape.headers, ...(isCounting && { 'x-total-count': String(total) }) }
      return respondedWith(hooks, encoded(decoder, shape.body, headers), pageOf(wanted))
    },
  }
}

export type OtherHost = {
  /** The request as the API's own host would have got it. */
  readonly atHome: (request: MirrorRequest) => MirrorRequest
  /** Throws a `Refusal` where the other host was asked, and wants credentials. */
  readonly admit: (request: MirrorRequest) => void
  readonly linkTo: (request: MirrorRequest, page: number, hooks: Hooks) => string
}

function createOtherHost(requester: Component): OtherHost {
  const homes = new Map<string, string>()
  const needsCredentials = (asComponent(requester.authenticator)?.type ?? 'NoAuth') !== 'NoAuth'
  return {
    atHome(request) {
      const home = homes.get(request.url.origin)
      return home === undefined
        ? request
        : { ...request, url: new URL(request.url.href.replace(request.url.origin, home)) }
    },
    admit({ url }) {
      // Credentials belong to the host they were given for; a reader that sends them elsewhere is no better off.
      if (needsCredentials && homes.has(url.origin)) throw new Refusal(401, 'This host requires other credentials.')
    },
    linkTo(request, page, { origin: elsewhere }) {
      const link = linkTo(request, page)
      if (elsewhere === undefined) return link
      const { origin } = request.url
      const other = elsewhere(origin)
      homes.set(other, origin)
      return link.replace(origin, other)
    },
  }
}

export type PageSizes = {
  readonly limit: number
  /** Records of the last page. */
  readonly tail: number
  /** Records in all. */
  readonly size: number
}

/** Faults of a single page show on the third; one more page must follow it. */
const fullPages = 3

/** Null where no response makes the manifest continue, or none makes it end. */
function pageSizesOf({ paging, record }: OpenList, request: MirrorRequest): PageSizes | null {
  const sizeOf = (page: number, hasNext: boolean) =>
    countsOf(paging, 'own', page, hasNext).find((count) => {
      const records = Array.from({ length: count }, (_, index) => record(request, index + 1, 0, false))
      const next = page + 1
      return pageShape(paging, { hasNext, page, next, link: linkTo(request, next), records, taken: new Set() }) !== null
    })
  if (!paging.hasPageToken) {
    const size = sizeOf(1, false)
    return size === undefined ? null : { limit: Math.max(size, 1), tail: size, size }
  }
  const limit = sizeOf(1, true)
  const tail = sizeOf(fullPages + 1, false)
  return limit === undefined || tail === undefined ? null : { limit, tail, size: fullPages * limit + tail }
}

export type PagePositions = {
  readonly of: (requested: RequestedPage) => PageRequest
  /** Call with the rows sent: a client that counts records, or names the last one, continues from there. */
  readonly sent: (requested: RequestedPage, rows: ServedPage['rows']) => void
}

/** A cursor identifies a record, whatever it looks like. */
const waysToSay: Readonly<Record<string, PageRequest['by']>> = { OffsetIncrement: 'records', PageIncrement: 'pages' }

type Sent = { readonly count: number; readonly nextRow: number }

function openPositions(paging: Paging, size: number, limit: number, hooks: Hooks): PagePositions {
  const goesByRecord = isKeyed(paging)
  const by = waysToSay[paging.strategy?.type ?? ''] ?? 'record'
  const first = Number(paging.strategy?.start_from_page ?? 0)
  const reads = new Map<number, { starts: Map<number, number>; sent: Map<number, Sent> }>()
  const readOf = ({ read }: RequestedPage) => {
    const known = reads.get(read) ?? { starts: new Map<number, number>(), sent: new Map<number, Sent>() }
    reads.set(read, known)
    return known
  }
  const startOf = (requested: RequestedPage): number => {
    if (by === 'records' && requested.number !== null) return requested.number
    if (by === 'pages' && requested.number !== null) return Math.max(0, requested.number - first) * limit
    if (requested.page === 1 || !requested.hasToken) return 0
    const sent = [...readOf(requested).sent.values()]
    if (by === 'records') return sent.reduce((sum, { count }) => sum + count, 0)
    if (goesByRecord && !requested.isMarked) return placeOfRow(sent.at(-1)?.nextRow ?? 0, limit, size, hooks).start
    return (requested.page - 1) * limit
  }
  return {
    of(requested) {
      const { starts } = readOf(requested)
      const start = starts.get(requested.page) ?? startOf(requested)
      starts.set(requested.page, start)
      return { start, limit, isPlaced: requested.hasToken, by }
    },
    sent(requested, rows) {
      const count = rows.reduce((sum, [from, to]) => sum + to - from, 0)
      readOf(requested).sent.set(requested.page, { count, nextRow: rows.at(-1)?.[1] ?? 0 })
    },
  }
}

/** `page` counts from 0. */
function respondedWith({ respond }: Hooks, answer: MirrorResponse, page: number): MirrorResponse {
  if (respond === undefined) return answer
  // One character a byte: the hook may cut what is compressed, too.
  const body = Buffer.from(bodyBytes(answer.body)).toString('latin1')
  const response: LabResponse = { status: 200, headers: { ...answer.headers }, body, delayMs: 0 }
  const sent = respond(response, page)
  const headers = Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), value])
  return {
    status: sent.status,
    headers: Object.fromEntries(headers),
    body: Buffer.from(sent.body, 'latin1'),
    isSlow: sent.paceMs !== undefined,
  }
}

function refusedWith({ status, message, headers }: Refusal): MirrorResponse {
  return { status, headers, body: { error: { message } } }
}
