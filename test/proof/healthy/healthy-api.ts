/** An API in good order, and a manifest that reads all of it: nothing about such a read may raise an alarm. */
import { cursorPaginator, offsetPaginator, option, type StreamParts } from '../../helpers/manifests.ts'
import type { Answer, Handler } from '../../helpers/serve-api.ts'
import type { Dice } from '../../helpers/dice.ts'

export type HealthyApi = {
  readonly routes: Record<string, Handler>
  readonly parts: Omit<StreamParts, 'url'>
  /** How many records a whole read brings. */
  readonly records: number
  readonly config?: Readonly<Record<string, unknown>>
}

export type Family = readonly [name: string, draw: (dice: Dice) => HealthyApi]

export type Row = Readonly<Record<string, unknown>>

/** What a response says in addition to its records. */
export type Around = { readonly body?: object; readonly headers?: Record<string, string> }

/** `page` from 1. */
export type CountedPage = {
  readonly rows: readonly Row[]
  readonly start: number
  readonly size: number
  readonly count: number
  readonly page: number
  readonly pages: number
  readonly isLast: boolean
}

export type Data = { readonly size: number; readonly rows: readonly Row[] }

/** Some pages, the last one full now and then. */
export function drawData(dice: Dice, rowAt: (index: number) => Row = plainRow, least = 0): Data {
  const size = dice.int(2, 9)
  const count = dice.chance(0.2) ? size * dice.int(1, 5) : dice.int(least, size * 6)
  return { size, rows: Array.from({ length: Math.max(least, count) }, (_, index) => rowAt(index)) }
}

/** With fields that speak of anything but pages. */
export const plainRow = (index: number): Row => ({
  id: index + 1,
  total: 5,
  count: 3,
  next: `/x/${index}`,
  has_more: true,
})

export const keyed = { stream: { primary_key: 'id' } }

/** By the number of the page, from 1. */
export function byPage(
  { size, rows }: Data,
  around: (page: CountedPage) => Around = silent,
  more: HealthyApi['parts'] = keyed,
): HealthyApi {
  const paginator = {
    pagination_strategy: { type: 'PageIncrement', page_size: size, start_from_page: 1 },
    page_token_option: option('request_parameter', 'page'),
    page_size_option: option('request_parameter', 'size'),
  }
  const answer: Handler = (query) => countedAnswer({ size, rows }, (Number(query.get('page') ?? 1) - 1) * size, around)
  return { routes: { 'GET /items': answer }, parts: { paginator, ...more }, records: rows.length }
}

export function byOffset(
  { size, rows }: Data,
  around: (page: CountedPage) => Around = silent,
  more: HealthyApi['parts'] = keyed,
): HealthyApi {
  const answer: Handler = (query) => countedAnswer({ size, rows }, Number(query.get('offset') ?? 0), around)
  const parts = { paginator: offsetPaginator({ page_size: size }), ...more }
  return { routes: { 'GET /items': answer }, parts, records: rows.length }
}

const silent = (): Around => ({})

export function countedAnswer({ size, rows: all }: Data, start: number, around: (page: CountedPage) => Around): Answer {
  const rows = all.slice(start, start + size)
  const count = all.length
  const pages = Math.ceil(count / size)
  const isLast = start + size >= count
  const { body, headers } = around({ rows, start, size, count, page: start / size + 1, pages, isLast })
  return { json: { data: rows, ...body }, ...(headers && { headers }) }
}

/** One page of a chain, each of which names the next by a cursor. */
export type ChainedPage = {
  readonly rows: readonly Row[]
  readonly index: number
  readonly isLast: boolean
  /** The cursor of the page after it, whether there is one or not. */
  readonly cursor: string
  readonly url: string
  /** Records on all pages. */
  readonly count: number
}

export type Chain = {
  readonly pages: readonly (readonly Row[])[]
  readonly around: (page: ChainedPage) => Around
  readonly cursor?: string
  readonly stop?: string
  /** Follows whole addresses instead of sending a cursor. */
  readonly isLink?: boolean
  readonly more?: HealthyApi['parts']
}

/** Whatever is requested after the last page is empty. */
export function byCursor({
  pages,
  around,
  cursor = 'response.next',
  stop,
  isLink = false,
  more = keyed,
}: Chain): HealthyApi {
  const count = pages.flat().length
  const answer: Handler = (query, { headers: { host } }) => {
    const index = Number((query.get('cursor') ?? 'c0').slice(1))
    const rows = pages[index] ?? []
    const next = `c${index + 1}`
    const url = `http://${host}/items?cursor=${next}`
    const { body, headers } = around({ rows, index, isLast: index >= pages.length - 1, cursor: next, url, count })
    return { json: { data: rows, ...body }, ...(headers && { headers }) }
  }
  const placed = isLink ? { page_token_option: { type: 'RequestPath' } } : {}
  const paginator = cursorPaginator(`{{ ${cursor} }}`, stop && `{{ ${stop} }}`, placed)
  return { routes: { 'GET /items': answer }, parts: { paginator, ...more }, records: count }
}

/** Records cut into pages of one size. */
export function pagesOf({ size, rows }: Data): Row[][] {
  const pages: Row[][] = []
  for (let start = 0; start < rows.length; start += size) pages.push(rows.slice(start, start + size))
  return pages.length === 0 ? [[]] : pages
}
