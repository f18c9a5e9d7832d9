/** The ways of paging that are tried with every odd answer: a server of 45 records, 10 a page, and the manifest that reads it. */
import type { Answer, Handler } from '../../helpers/serve-api.ts'
import { cursorPaginator, manifestOf, offsetPaginator, option, type StreamParts } from '../../helpers/manifests.ts'

export const size = 10
export const total = 45
export const lastPage = 5

type Row = { readonly id: number }

/** One page as the API sends it, from 1. */
export type Sent = {
  readonly page: number
  readonly rows: readonly Row[]
  readonly isLast: boolean
  readonly url: string
}

export type Method = {
  readonly name: string
  readonly parts: StreamParts
  /** Which page a request asks for, from 1. */
  readonly pageOf: (query: URLSearchParams) => number
  readonly answer: (sent: Sent) => Answer
  /** What holds the list, and how a body looks that has another one in its place; null where the body is the list. */
  readonly list: readonly string[]
  /** Nothing that it sends shows the end. */
  readonly isSilent?: true
}

const nextOf = ({ page, isLast, url }: Sent) => (isLast ? null : `${url}/items?page=${page + 1}`)
const cursorOf = ({ page, isLast }: Sent) => (isLast ? null : `c${page + 1}`)
const byPage = (query: URLSearchParams) => Number(query.get('page') ?? 1)
const byCursor = (query: URLSearchParams) => Number((query.get('cursor') ?? 'c1').slice(1))
const byOffset = (query: URLSearchParams) => Math.floor(Number(query.get('offset') ?? 0) / size) + 1

const numbered = (start_from_page: number) => ({
  pagination_strategy: { type: 'PageIncrement', page_size: size, start_from_page, inject_on_first_request: true },
  page_token_option: option('request_parameter', 'page'),
})
const link = (cursor_value: string, stop_condition?: string) => ({
  ...cursorPaginator(cursor_value, stop_condition),
  page_token_option: { type: 'RequestPath' },
})
const data = ['data']
const nodes = ['data', 'items', 'nodes']

export const methods: readonly Method[] = [
  {
    name: 'offset',
    isSilent: true,
    parts: { paginator: offsetPaginator({ page_size: size }) },
    pageOf: byOffset,
    list: data,
    answer: ({ rows }) => ({ json: { data: rows } }),
  },
  {
    name: 'offset, total',
    parts: { paginator: offsetPaginator({ page_size: size }) },
    pageOf: byOffset,
    list: data,
    answer: ({ rows }) => ({ json: { data: rows, meta: { total } } }),
  },
  {
    name: 'page, has_more',
    parts: { paginator: numbered(0) },
    pageOf: (query) => Number(query.get('page')) + 1,
    list: data,
    answer: ({ rows, isLast }) => ({ json: { data: rows, has_more: !isLast } }),
  },
  {
    name: 'page, page count',
    parts: { paginator: numbered(1) },
    pageOf: byPage,
    list: data,
    answer: ({ rows, page }) => ({ json: { data: rows, meta: { page, total_pages: lastPage } } }),
  },
  {
    name: 'cursor, null at the end',
    parts: { paginator: cursorPaginator('{{ response.next_cursor }}') },
    pageOf: byCursor,
    list: data,
    answer: (sent) => ({ json: { data: sent.rows, next_cursor: cursorOf(sent) } }),
  },
  {
    name: 'cursor, gone at the end',
    isSilent: true,
    parts: { paginator: cursorPaginator("{{ response.get('paging', {}).get('after') }}") },
    pageOf: byCursor,
    list: data,
    answer: (sent) => ({ json: { data: sent.rows, ...(!sent.isLast && { paging: { after: cursorOf(sent) } }) } }),
  },
  {
    name: 'cursor, has_more',
    parts: {
      paginator: cursorPaginator("{{ response.get('cursor') }}", "{{ not response.get('has_more') }}"),
    },
    pageOf: byCursor,
    list: data,
    answer: (sent) => ({ json: { data: sent.rows, cursor: `c${sent.page + 1}`, has_more: !sent.isLast } }),
  },
  {
    name: 'next link',
    parts: { paginator: link("{{ (response.get('links') or {}).get('next') }}") },
    pageOf: byPage,
    list: data,
    answer: (sent) => ({ json: { data: sent.rows, links: { next: nextOf(sent) } } }),
  },
  {
    name: 'Link header',
    isSilent: true,
    parts: { paginator: link("{{ headers.get('link', {}).get('next', {}).get('url') }}"), fieldPath: [] },
    pageOf: byPage,
    list: [],
    answer: (sent) => {
      const next = nextOf(sent)
      return { json: sent.rows, headers: next === null ? {} : { link: `<${next}>; rel="next"` } }
    },
  },
  {
    name: 'GraphQL',
    parts: {
      fieldPath: [...nodes],
      paginator: cursorPaginator(
        "{{ ((response.get('data') or {}).get('items') or {}).get('pageInfo', {}).get('endCursor') }}",
        "{{ not ((response.get('data') or {}).get('items') or {}).get('pageInfo', {}).get('hasNextPage') }}",
      ),
    },
    pageOf: byCursor,
    list: nodes,
    answer: (sent) => ({
      json: {
        data: { items: { nodes: sent.rows, pageInfo: { hasNextPage: !sent.isLast, endCursor: `c${sent.page + 1}` } } },
      },
    }),
  },
]

export function manifestFor({ parts }: Method, url: string): string {
  return JSON.stringify(manifestOf({ ...parts, url, stream: { primary_key: 'id' } }))
}

/** Every page as the method says, but one. */
export function routesFor(method: Method, url: () => string, odd: (sent: Sent, usual: Answer) => Answer | null) {
  const handler: Handler = (query) => {
    const page = method.pageOf(query)
    const start = (page - 1) * size
    const rows = Array.from({ length: Math.max(0, Math.min(size, total - start)) }, (_, index) => ({
      id: start + index + 1,
    }))
    const sent: Sent = { page, rows, isLast: page >= lastPage, url: url() }
    const usual = method.answer(sent)
    return odd(sent, usual) ?? usual
  }
  return { 'GET /items': handler }
}
