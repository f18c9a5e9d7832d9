/** A retriever of the manifest → an endpoint that answers with its records, page by page. */
import type { Component } from '../src/engine/manifest/manifest.ts'
import { fitOf } from './address.ts'
import type { Answer, Asked } from './asked.ts'
import { type Window, wholeTime } from './calendar.ts'
import { asComponent, parametersOf, textIn } from './components.ts'
import type { Config } from './config.ts'
import type { Endpoint, Role } from './endpoint.ts'
import { encoded } from './encode.ts'
import { evaluate, textOr } from './evaluate.ts'
import { pageMark, pageShape, type Paging } from './page-shape.ts'
import { recordSource } from './record-source.ts'
import { type Path, readsOf } from './template-reads.ts'
import { createWalks, type Turn } from './walks.ts'
import { windowIn } from './window.ts'

export type Listing = {
  readonly role: Role
  readonly name: string
  readonly retriever: Component
  readonly stream: Component | null
  readonly needs: readonly Path[]
  readonly config: Config
}

/** So many pages has the first walk of a stream; the walks after it, and parents, have as few as can be. */
const manyPages = 3

export function listEndpoint(listing: Listing): Endpoint {
  const { role, name, retriever, stream, needs, config } = listing
  const requester = retriever.requester as Component
  const selector = asComponent(retriever.record_selector)
  const paginator = asComponent(retriever.paginator)
  const paging = pagingOf(listing, requester, selector, paginator)
  const size = sizeOf(paging)
  const turnOf = createWalks(requester, paginator)
  const shortfalls: string[] = []
  const inRecords = recordReads(paging)
  const source = recordSource({ stream, selector, needs: [...needs, ...inRecords], config })

  const pageWith = (asked: Asked, { walk, page }: Turn, goesOn: boolean) => {
    const window = windowIn(asked, source.cursor?.formats ?? []) ?? wholeTime
    for (const count of countsFor(paging, size, goesOn, page, role)) {
      const records = Array.from({ length: count }, (_, index) => {
        const serial = walk * 1_000_000 + (page - 1) * Math.max(count, size ?? 3) + index + 1
        return source.record(serial, momentIn(window, page, index, count, source.cursor?.isFeed ?? false), index < 3)
      })
      const body = bodyAt(paging, records)
      const link = linkTo(asked, page + 1)
      const shape = pageShape(paging, { goesOn, page, link, body, last: records.at(-1), count })
      if (shape !== null) return shape
    }
    return null
  }

  return {
    role,
    name,
    shortfalls,
    fit: fitOf(requester, config),
    answer(asked): Answer {
      const turn = turnOf(asked)
      const wanted = pagesOf(paging, size, role, turn.walk)
      const goingOn = turn.page < wanted ? pageWith(asked, turn, true) : null
      if (turn.page < wanted && goingOn === null) shortfalls.push(`page ${turn.page} cannot go on`)
      const shape = goingOn ?? pageWith(asked, turn, false)
      if (shape === null) shortfalls.push(`page ${turn.page} cannot end`)
      const { body, headers } = shape ?? { body: bodyAt(paging, []), headers: {} }
      return encoded(asComponent(retriever.decoder), body, headers)
    },
  }
}

function pagingOf(
  { config }: Listing,
  requester: Component,
  selector: Component | null,
  paginator: Component | null,
): Paging {
  const extractor = asComponent(selector?.extractor)
  const scope = { config, parameters: extractor === null ? {} : parametersOf(extractor) }
  return {
    requester,
    config,
    strategy: asComponent(paginator?.pagination_strategy),
    isLink: asComponent(paginator?.page_token_option)?.type === 'RequestPath',
    recordsAt: ((extractor?.field_path as unknown[] | undefined) ?? []).map((key) => textOr(key, scope)),
  }
}

function sizeOf({ strategy, config }: Paging): number | null {
  if (strategy?.page_size === undefined) return null
  try {
    const size = Number(
      evaluate(textIn(strategy, 'page_size'), { config, parameters: parametersOf(strategy), response: {} }),
    )
    return Number.isInteger(size) && size > 0 ? size : null
  } catch {
    return null
  }
}

function isCounted({ strategy }: Paging): boolean {
  return strategy?.type === 'OffsetIncrement' || strategy?.type === 'PageIncrement'
}

function pagesOf(paging: Paging, size: number | null, role: Role, walk: number): number {
  if (paging.strategy === null) return 1
  if (role === 'own' && walk === 0) return manyPages
  // Only an empty page ends a walk that knows no page size, or one of 1.
  if (isCounted(paging)) return size === null || size === 1 ? 2 : 1
  return role === 'parent' && walk === 0 ? 2 : 1
}

/** How many records a page may have, the likeliest first. */
function countsFor(paging: Paging, size: number | null, goesOn: boolean, page: number, role: Role): number[] {
  const { strategy } = paging
  const few = role === 'parent' ? 2 : 3
  if (strategy === null) return [few]
  if (isCounted(paging)) {
    if (goesOn) return [size ?? few]
    return [size === null || size === 1 ? (page === 1 ? 1 : 0) : Math.min(few, size - 1)]
  }
  const { constants } = readsOf(textIn(strategy, 'stop_condition'))
  const limits = [size ?? few, ...constants.map(Number)].filter(
    (limit) => Number.isInteger(limit) && limit > few && limit <= 10_000,
  )
  return goesOn ? [few, ...limits] : [few - 1, 1, 0]
}

/** Ascending over the pages of a walk, well inside the window; a feed begins with the newest. */
function momentIn({ from, to }: Window, page: number, index: number, count: number, isFeed: boolean): number {
  const part = 0.1 + (0.7 * (Math.min(page, manyPages) - 1 + (index + 1) / (count + 1))) / manyPages
  return from + (to - from) * (isFeed ? 0.9 - part : part)
}

/** Records under their path; `*` stands for the one member of a list. Without a path, the list itself or its only record. */
function bodyAt({ recordsAt, strategy }: Paging, records: unknown[]): unknown {
  if (recordsAt.length > 0)
    return recordsAt.reduceRight<unknown>(
      (inner, key) => (key === '*' ? (inner === records ? records : [inner]) : { [key]: inner }),
      records,
    )
  const readsBody = readsOf(textIn(strategy, 'cursor_value') + textIn(strategy, 'stop_condition')).reads.some(
    ({ root }) => root === 'response',
  )
  return readsBody ? (records[0] ?? {}) : records
}

/** Fields of records that the paginator reads: `last_record['id']`, `response.entries[-1].uuid`. */
function recordReads({ strategy, recordsAt }: Paging): Path[] {
  const { reads } = readsOf(textIn(strategy, 'cursor_value') + textIn(strategy, 'stop_condition'))
  return reads.flatMap(({ root, path }) => {
    if (root === 'last_record' && path.length > 0) return [path]
    const isInside =
      root === 'response' && path.length > recordsAt.length + 1 && recordsAt.every((key, index) => key === path[index])
    return isInside && recordsAt.length > 0 && typeof path[recordsAt.length] === 'number'
      ? [path.slice(recordsAt.length + 1)]
      : []
  })
}

function linkTo({ url }: Asked, page: number): string {
  const link = new URL(url)
  link.searchParams.set('leaf', pageMark(page))
  return link.href
}
