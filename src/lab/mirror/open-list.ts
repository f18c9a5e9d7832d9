/** A retriever of the manifest → its list: how it is paginated, and its records. */
import type { Component } from '../../engine/manifest/manifest.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { type Fit, fitOf } from './match-request.ts'
import type { MirrorRequest } from './mirror-request.ts'
import { type TimeRange, wholeTime } from './calendar.ts'
import { asComponent } from './find-components.ts'
import type { Role } from './endpoint.ts'
import { pageMark } from './page-shape.ts'
import { lastRecordReads, type Paging, pagingOf } from './paging.ts'
import type { MirrorPath } from './put-value.ts'
import { type Extra, recordSource } from './record-source.ts'
import { openRequestedPages, type RequestedPage } from './requested-page.ts'
import { windowIn } from './cursor.ts'

export type Listing = {
  readonly role: Role
  readonly name: string
  readonly retriever: Component
  readonly stream: Component | null
  /** Fields of its records that other streams read. */
  readonly needs: readonly MirrorPath[]
  readonly extras?: readonly Extra[]
  readonly config: Config
  /** What every record holds, where no schema says so. */
  readonly base?: unknown
  /** The window of time, where the request itself does not name it. */
  readonly windowOf?: (request: MirrorRequest) => TimeRange | null
}

export type OpenList = {
  readonly paging: Paging
  readonly fit: Fit
  readonly decoder: Component | null
  /** Which page of which read a request asks for. */
  readonly pageRequested: (request: MirrorRequest) => RequestedPage
  /**
   * The `serial`th record; `part` is its position in the read, from 0 to 1. Only some need every field that the
   * schema has.
   */
  readonly record: (request: MirrorRequest, serial: number, part: number, isWhole: boolean) => Record<string, unknown>
}

export function openList(listing: Listing): OpenList {
  const { role, retriever, stream, needs, config } = listing
  const requester = retriever.requester as Component
  const paging = pagingOf(retriever, config)
  const source = recordSource({
    stream,
    selector: asComponent(retriever.record_selector),
    needs: [...needs, ...lastRecordReads(paging)],
    extras: listing.extras ?? [],
    config,
    base: listing.base,
    // Names of streams and properties are strings.
    keysAreTexts: role === 'resolver' || role === 'properties',
  })
  const windowOf = (request: MirrorRequest) =>
    listing.windowOf?.(request) ?? (source.cursor && windowIn(request, source.cursor)) ?? wholeTime
  const isFeed = source.cursor?.isFeed ?? false
  return {
    paging,
    fit: fitOf(requester, config),
    decoder: asComponent(retriever.decoder),
    pageRequested: openRequestedPages(requester, asComponent(retriever.paginator)),
    record: (request, serial, part, isWhole) =>
      source.record(serial, momentIn(windowOf(request), isFeed ? 1 - part : part), isWhole),
  }
}

/** Well inside the window, so that neither of its ends can be mistaken for the record's own time. */
function momentIn({ from, to }: TimeRange, part: number): number {
  return from + (to - from) * (0.1 + 0.7 * part)
}

/** The requested address, with the mark of another page. */
export function linkTo({ url }: MirrorRequest, page: number): string {
  const link = new URL(url)
  link.searchParams.set('leaf', pageMark(page))
  return link.href
}
