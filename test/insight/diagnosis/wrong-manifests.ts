/** Manifests with one fault each, and the APIs that they are written for: every dialect, every part of a paginator. */
import { cursorPaginator, offsetPaginator, option, type StreamParts } from '../../helpers/manifests.ts'
import type { Answer, Handler } from '../../helpers/serve-api.ts'
import { keyed, records } from './served.ts'

export type WrongManifest = {
  readonly what: string
  readonly answer: Handler | Record<string, Handler>
  readonly parts: StreamParts
  /** Codes that name the fault. */
  readonly codes: readonly string[]
  /** What the finding, its evidence or its fix must mention. */
  readonly says?: RegExp
  /** Whether a change repairs it; unless said, it does. */
  readonly isFixed?: boolean
  /** How many there are to read; 57 unless said. */
  readonly records?: number
}

const total = 57
const size = 10
const all = records(total).map(({ id }) => ({ id, name: `item ${id}`, created: 1_000 + id }))

const path = { page_token_option: { type: 'RequestPath' } }
const asParameter = (name: string) => ({ page_token_option: option('request_parameter', name) })

type Turn = { readonly page: number; readonly rows: readonly object[]; readonly isLast: boolean }

/** By page number from 1. */
const byPage =
  (answer: (turn: Turn) => Answer, name = 'page', held = size): Handler =>
  (query) => {
    const page = Number(query.get(name) ?? 1)
    return answer({ page, rows: all.slice((page - 1) * held, page * held), isLast: page * held >= total })
  }

/** By an opaque cursor: `c10`. */
const byCursor =
  (
    answer: (rows: readonly object[], next: string | null, start: number) => Answer,
    name = 'cursor',
    held = size,
  ): Handler =>
  (query) => {
    const given = query.get(name)
    const start = given !== null && /^c\d+$/.test(given) ? Number(given.slice(1)) : 0
    return answer(all.slice(start, start + held), start + held < total ? `c${start + held}` : null, start)
  }

const lastToItself = byPage(({ page, rows, isLast }) => ({
  json: {
    data: rows,
    links: {
      self: `/items?page=${page}`,
      first: '/items?page=1',
      last: '/items?page=6',
      next: isLast ? null : `/items?page=${page + 1}`,
    },
  },
}))

const hal = byPage(({ page, rows, isLast }) => ({
  json: {
    _embedded: { items: rows },
    _links: {
      self: { href: `/items?page=${page}` },
      last: { href: '/items?page=6' },
      ...(!isLast && { next: { href: `/items?page=${page + 1}` } }),
    },
  },
}))

const linkHeader = byPage(({ page, rows, isLast }) => {
  const links = ['</items?page=1>; rel="first"', '</items?page=6>; rel="last"']
  if (!isLast) links.push(`</items?page=${page + 1}>; rel="next"`)
  return { json: { data: rows }, headers: { link: links.join(', ') } }
})

const graphql: Record<string, Handler> = {
  'POST /items': (_, { body }) => {
    const { variables = {} } = JSON.parse(body || '{}') as { variables?: { after?: string } }
    const start = Number(variables.after?.slice(1) ?? 0)
    const rows = all.slice(start, start + size)
    const pageInfo = { hasNextPage: start + size < total, endCursor: `c${start + rows.length}` }
    return { json: { data: { orders: { edges: rows.map((node) => ({ node })), pageInfo } } } }
  },
}

const graphqlParts = (
  cursor: string,
  stop: string | undefined,
  after: string[] = ['variables', 'after'],
): StreamParts => ({
  requester: {
    http_method: 'POST',
    request_body_json: {
      query:
        'query($after: String) { orders(first: 10, after: $after) { edges { node { id } } pageInfo { hasNextPage endCursor } } }',
    },
  },
  fieldPath: ['data', 'orders', 'edges', '*', 'node'],
  paginator: cursorPaginator(cursor, stop, { page_token_option: option('body_json', after) }),
  ...keyed,
})

const pageInfo = byCursor((data, next, start) => ({
  json: { data, pageInfo: { hasNextPage: next !== null, endCursor: `c${start + data.length}` } },
}))

const pageInfoEnding = byCursor((data, next) => ({
  json: { data, pageInfo: { hasNextPage: next !== null, endCursor: next } },
}))

const hasMore = byCursor((data, next, start) => ({
  json: { data, has_more: next !== null, cursor: `c${start + data.length}` },
}))

const onlyNext = byCursor((data, next) => ({ json: { data, next } }))

const numbered = byPage(({ page, rows }) => ({ json: { data: rows, page, total_pages: 6 } }))

const nested = (wrap: (next: string | null) => object, name: string): Handler =>
  byCursor((data, next) => ({ json: { data, ...wrap(next) } }), name)

const odata: Handler = (query) => {
  const skip = Number(query.get('$skip') ?? 0)
  const next = skip + size < total ? `/items?$skip=${skip + size}` : undefined
  return { json: { value: all.slice(skip, skip + size), ...(next !== undefined && { '@odata.nextLink': next }) } }
}

const scroll: Record<string, Handler> = {
  'POST /items': (_, { body }) => {
    const { search_after: after = [0], from = 0 } = JSON.parse(body || '{}') as {
      search_after?: number[]
      from?: number
    }
    const start = (after[0] ?? 0) + from
    const hits = all.slice(start, start + size).map((row) => ({ _id: String(row.id), _source: row, sort: [row.id] }))
    return { json: { hits: { total: { value: total }, hits } } }
  },
}

const refusing =
  (status: number, body: unknown, held = size): Handler =>
  (query) => {
    const page = Number(query.get('page') ?? 1)
    const rows = all.slice(0, 50).slice((page - 1) * held, page * held)
    return rows.length === 0 ? { status, json: body } : { json: { data: rows } }
  }

const paging = (strategy: Record<string, unknown> = {}, name = 'page') => ({
  pagination_strategy: { type: 'PageIncrement', page_size: size, start_from_page: 1, ...strategy },
  page_token_option: option('request_parameter', name),
})

const offsets: Handler = (query) => {
  const offset = Number(query.get('offset') ?? 0)
  const limit = Math.min(Number(query.get('limit') ?? 5), 20)
  return { json: { data: all.slice(offset, offset + limit) } }
}

export const wrongManifests: readonly WrongManifest[] = [
  // A. Another link than the next one.
  ...['last', 'self', 'first'].map((name) => ({
    what: `links.${name}, and the last page links to itself`,
    answer: lastToItself,
    parts: { paginator: cursorPaginator(`{{ response.links.${name} }}`, undefined, path), ...keyed },
    codes: ['missing/wrong-cursor', 'never-stops/cursor-not-found'],
    says: /links\.next/,
  })),
  {
    what: 'HAL: _links.last.href',
    answer: hal,
    parts: {
      paginator: cursorPaginator('{{ response._links.last.href }}', undefined, path),
      fieldPath: ['_embedded', 'items'],
      ...keyed,
    },
    codes: ['missing/wrong-cursor', 'never-stops/cursor-not-found'],
    says: /_links\.next/,
  },
  {
    what: 'HAL: _links.self.href',
    answer: hal,
    parts: {
      paginator: cursorPaginator('{{ response._links.self.href }}', undefined, path),
      fieldPath: ['_embedded', 'items'],
      ...keyed,
    },
    codes: ['missing/wrong-cursor', 'never-stops/cursor-not-found'],
    says: /_links\.next/,
  },
  {
    what: 'Link header: the last page',
    answer: linkHeader,
    parts: { paginator: cursorPaginator("{{ headers['link']['last']['url'] }}", undefined, path), ...keyed },
    codes: ['missing/wrong-cursor', 'never-stops/cursor-not-found'],
    says: /header link next/,
  },
  // B. A wrong stop condition next to a right cursor.
  {
    what: 'a misspelt flag, which stops at once, and a cursor that never ends',
    answer: pageInfo,
    parts: {
      paginator: cursorPaginator('{{ response.pageInfo.endCursor }}', '{{ not response.pageInfo.hasNext }}'),
      ...keyed,
    },
    codes: ['missing/stop-condition'],
    says: /hasNextPage/,
  },
  {
    what: 'a misspelt flag, and a cursor that ends by itself',
    answer: pageInfoEnding,
    parts: {
      paginator: cursorPaginator('{{ response.pageInfo.endCursor }}', '{{ not response.pageInfo.hasNext }}'),
      ...keyed,
    },
    codes: ['missing/stop-condition'],
    says: /hasNextPage/,
  },
  {
    what: 'a flag with one letter missing',
    answer: pageInfo,
    parts: {
      paginator: cursorPaginator('{{ response.pageInfo.endCursor }}', '{{ not response.pageInfo.hasNextPag }}'),
      ...keyed,
    },
    codes: ['missing/stop-condition'],
    says: /Did you mean `hasNextPage`/,
  },
  {
    what: 'a flag that is elsewhere',
    answer: pageInfo,
    parts: {
      paginator: cursorPaginator('{{ response.pageInfo.endCursor }}', '{{ not response.hasNextPage }}'),
      ...keyed,
    },
    codes: ['missing/stop-condition'],
    says: /pageInfo\.hasNextPage/,
  },
  {
    what: 'a page size that pages never have, and a flag',
    answer: hasMore,
    parts: { paginator: cursorPaginator('{{ response.cursor }}', '{{ last_page_size < 100 }}'), ...keyed },
    codes: ['missing/stop-condition'],
    says: /has_more/,
  },
  {
    what: 'a page size that pages never have, and a cursor that ends by itself',
    answer: onlyNext,
    parts: { paginator: cursorPaginator('{{ response.next }}', '{{ last_page_size < 100 }}'), ...keyed },
    codes: ['missing/stop-condition'],
    says: /last_page_size/,
  },
  {
    what: 'a fixed number of pages',
    answer: numbered,
    parts: {
      paginator: cursorPaginator('{{ response.page + 1 }}', '{{ response.page >= 3 }}', asParameter('page')),
      ...keyed,
    },
    codes: ['missing/stop-condition'],
    says: /total_pages/,
  },
  {
    what: 'a fixed number of pages, and a next cursor',
    answer: byCursor((data, next, start) => ({ json: { data, next, page: start / size + 1 } })),
    parts: { paginator: cursorPaginator('{{ response.next }}', '{{ response.page >= 3 }}'), ...keyed },
    codes: ['missing/stop-condition'],
    says: /response\.page >= 3/,
  },
  {
    what: 'has_more without not',
    answer: hasMore,
    parts: { paginator: cursorPaginator('{{ response.cursor }}', '{{ response.has_more }}'), ...keyed },
    codes: ['missing/stop-inverted'],
  },
  {
    what: 'a stop at the second page by a number of records',
    answer: byCursor((data, next) => ({ json: { data, next, total } })),
    parts: { paginator: cursorPaginator('{{ response.next }}', '{{ last_page_size <= 10 }}'), ...keyed },
    codes: ['missing/stop-condition'],
  },
  {
    what: 'a condition on another list',
    answer: byCursor((data, next) => ({ json: { data, next, has_more: next !== null } })),
    parts: { paginator: cursorPaginator('{{ response.next }}', '{{ not response.results }}'), ...keyed },
    codes: ['missing/stop-condition'],
    says: /results/,
  },
  {
    what: 'a condition on a string that is a boolean',
    answer: hasMore,
    parts: { paginator: cursorPaginator('{{ response.cursor }}', "{{ response.has_more != 'true' }}"), ...keyed },
    codes: ['missing/stop-condition', 'missing/stop-inverted'],
    says: /has_more/,
  },
  {
    what: 'GraphQL: a misspelt flag',
    answer: graphql,
    parts: graphqlParts(
      '{{ response.data.orders.pageInfo.endCursor }}',
      '{{ not response.data.orders.pageInfo.hasNext }}',
    ),
    codes: ['missing/stop-condition'],
    says: /hasNextPage/,
  },
  {
    what: 'GraphQL: the flag without its path',
    answer: graphql,
    parts: graphqlParts('{{ response.data.orders.pageInfo.endCursor }}', '{{ not response.pageInfo.hasNextPage }}'),
    codes: ['never-stops/stop-condition'],
    says: /data\.orders\.pageInfo\.hasNextPage/,
  },
  {
    what: 'GraphQL: the cursor without its path',
    answer: graphql,
    parts: graphqlParts('{{ response.pageInfo.endCursor }}', '{{ not response.data.orders.pageInfo.hasNextPage }}'),
    codes: ['missing/wrong-cursor'],
    says: /data\.orders\.pageInfo\.endCursor/,
  },
  {
    what: 'GraphQL: a condition that is never met',
    answer: graphql,
    parts: graphqlParts(
      '{{ response.data.orders.pageInfo.endCursor }}',
      '{{ response.pageInfo.hasNextPage is false }}',
    ),
    codes: ['never-stops/stop-condition'],
  },
  {
    what: 'GraphQL: the variable next to the variables',
    answer: graphql,
    parts: graphqlParts(
      '{{ response.data.orders.pageInfo.endCursor }}',
      '{{ not response.data.orders.pageInfo.hasNextPage }}',
      ['after'],
    ),
    codes: ['missing/token-not-placed'],
  },
  // C. A page past the end that is refused, without a total.
  ...(
    [
      [404, { message: 'Page 6 does not exist' }],
      [400, { error: { code: 'page_out_of_range', message: 'page out of range' } }],
      [422, { errors: [{ title: 'page number is beyond the last page' }] }],
      [404, { detail: 'Invalid page.' }],
      [
        400,
        {
          code: 'rest_post_invalid_page_number',
          message: 'The page number requested is larger than the number of pages available.',
          data: { status: 400 },
        },
      ],
      [404, { error: { code: 'NO_MORE_PAGES' } }],
    ] as const
  ).map(([status, body]) => ({
    what: `a page past the end is refused with ${status} ${JSON.stringify(body)}`,
    answer: refusing(status, body),
    parts: { paginator: paging(), ...keyed },
    codes: ['never-stops/stop-condition'],
    records: 50,
  })),
  {
    what: 'an offset past the end is refused',
    answer: (query) => {
      const offset = Number(query.get('offset') ?? 0)
      if (offset >= 50) return { status: 400, json: { error: 'offset is out of range' } }
      return { json: { data: all.slice(offset, offset + 10) } }
    },
    parts: { paginator: offsetPaginator({ page_size: 10 }), ...keyed },
    codes: ['never-stops/stop-condition'],
    records: 50,
  },
  // D. A list under another name on page 2.
  {
    what: 'the list has another name from page 2 on',
    answer: byCursor((rows, next, start) => ({ json: { [start === 0 ? 'data' : 'items']: rows, next } })),
    parts: { paginator: cursorPaginator('{{ response.next }}'), ...keyed },
    codes: ['missing/record-path'],
    says: /data.*items/,
    isFixed: false,
  },
  {
    what: 'the list has another name from page 2 on, by page number',
    answer: byPage(({ page, rows }) => ({ json: { [page === 1 ? 'data' : 'items']: rows } })),
    parts: { paginator: paging(), ...keyed },
    codes: ['missing/record-path'],
    says: /data.*items/,
    isFixed: false,
  },
  // E. A cursor path that no page has.
  ...(
    [
      ['paging.cursors.after', (next) => ({ paging: { cursors: { ...(next !== null && { after: next }) } } }), 'after'],
      ['continuation', (next) => ({ ...(next !== null && { continuation: next }) }), 'continuation'],
      ['bookmark', (next) => ({ bookmark: next }), 'bookmark'],
      ['page_info.end_cursor', (next) => ({ page_info: { end_cursor: next } }), 'after'],
      ['scroll_token', (next) => ({ scroll_token: next }), 'scroll_token'],
      ['marker', (next) => ({ marker: next }), 'marker'],
      ['response_metadata.next_cursor', (next) => ({ response_metadata: { next_cursor: next ?? '' } }), 'cursor'],
      ['envelope.more.resume_token', (next) => ({ envelope: { more: { resume_token: next } } }), 'resume_token'],
      ['nextToken', (next) => ({ ...(next !== null && { nextToken: next }) }), 'nextToken'],
      ['links.next', (next) => ({ links: { next: next && `/items?cursor=${next}` } }), 'cursor'],
    ] as [string, (next: string | null) => object, string][]
  ).flatMap(([at, wrap, name]) =>
    ['{{ response.get("nothing", {}).get("there") }}', '{{ response.next_page }}'].map((cursor) => ({
      what: `the cursor is at ${at}, and ${cursor} is read`,
      answer: nested(wrap, name),
      parts: {
        paginator: cursorPaginator(cursor, undefined, at === 'links.next' ? path : asParameter(name)),
        ...keyed,
      },
      codes: ['missing/wrong-cursor'],
      says: new RegExp(at.replaceAll('.', '\\.')),
    })),
  ),
  {
    what: 'a cursor path that is nowhere, at an API that has no cursor in its answer',
    answer: byPage(({ rows }) => ({ json: { data: rows } })),
    parts: {
      paginator: {
        ...cursorPaginator('{{ response.next }}', undefined, asParameter('page')),
        pagination_strategy: { type: 'CursorPagination', cursor_value: '{{ response.next }}', page_size: size },
        page_size_option: option('request_parameter', 'limit'),
      },
      ...keyed,
    },
    codes: ['missing/wrong-cursor'],
    says: /response\.next/,
    isFixed: false,
  },
  // JSON:API, OData, Elasticsearch.
  {
    what: 'JSON:API: meta.next for links.next',
    answer: byPage(
      ({ page, rows, isLast }) => ({
        json: {
          data: rows,
          links: { self: `/items?page[number]=${page}`, ...(!isLast && { next: `/items?page[number]=${page + 1}` }) },
          meta: {},
        },
      }),
      'page[number]',
    ),
    parts: { paginator: cursorPaginator('{{ response.meta.next }}', undefined, path), ...keyed },
    codes: ['missing/wrong-cursor'],
    says: /links\.next/,
  },
  {
    what: 'JSON:API: page for page[number]',
    answer: byPage(
      ({ page, rows, isLast }) => ({
        json: {
          data: rows,
          links: { self: `/items?page[number]=${page}`, ...(!isLast && { next: `/items?page[number]=${page + 1}` }) },
        },
      }),
      'page[number]',
    ),
    parts: { paginator: paging(), ...keyed },
    codes: ['missing/token-not-placed', 'duplicates/method'],
  },
  {
    what: 'OData: nextLink without its prefix',
    answer: odata,
    parts: { paginator: cursorPaginator('{{ response.nextLink }}', undefined, path), fieldPath: ['value'], ...keyed },
    codes: ['missing/wrong-cursor'],
    says: /@odata\.nextLink/,
  },
  {
    what: 'OData: skip without its dollar sign',
    answer: odata,
    parts: {
      paginator: { pagination_strategy: { type: 'OffsetIncrement', page_size: size }, ...asParameter('skip') },
      fieldPath: ['value'],
      ...keyed,
    },
    codes: ['missing/token-not-placed', 'duplicates/method'],
  },
  {
    what: 'Elasticsearch: the id in place of the sort values',
    answer: scroll,
    parts: {
      requester: { http_method: 'POST', request_body_json: { size, sort: ['id'] } },
      paginator: cursorPaginator('{{ response.hits.hits[-1].sorts }}', undefined, {
        page_token_option: option('body_json', 'search_after'),
      }),
      fieldPath: ['hits', 'hits', '*', '_source'],
      ...keyed,
    },
    codes: ['missing/wrong-cursor'],
    says: /sort/,
  },
  {
    what: 'Elasticsearch: a stop at once',
    answer: scroll,
    parts: {
      requester: { http_method: 'POST', request_body_json: { size, sort: ['id'] } },
      paginator: cursorPaginator('{{ response.hits.hits[-1].sort }}', '{{ response.hits.total.value > 10 }}', {
        page_token_option: option('body_json', 'search_after'),
      }),
      fieldPath: ['hits', 'hits', '*', '_source'],
      ...keyed,
    },
    codes: ['missing/stop-condition', 'missing/stop-inverted'],
  },
  {
    what: 'Elasticsearch: pages for from',
    answer: scroll,
    parts: {
      requester: { http_method: 'POST', request_body_json: { size } },
      paginator: {
        pagination_strategy: { type: 'PageIncrement', page_size: size, start_from_page: 0 },
        page_token_option: option('body_json', 'from'),
      },
      fieldPath: ['hits', 'hits', '*', '_source'],
      ...keyed,
    },
    codes: ['duplicates/step', 'duplicates/method'],
  },
  // Link header.
  {
    what: 'Link header: a name that is not there',
    answer: linkHeader,
    parts: { paginator: cursorPaginator("{{ headers['link']['nxt']['url'] }}", undefined, path), ...keyed },
    codes: ['missing/wrong-cursor'],
    says: /header link next/,
  },
  {
    what: 'Link header: read in the body',
    answer: linkHeader,
    parts: { paginator: cursorPaginator('{{ response.links.next }}', undefined, path), ...keyed },
    codes: ['missing/wrong-cursor'],
    says: /header link next/,
  },
  {
    what: 'a header that is not there',
    answer: byCursor((rows, next) => ({
      json: { data: rows },
      headers: next === null ? {} : { 'x-next-cursor': next },
    })),
    parts: { paginator: cursorPaginator("{{ headers['x-cursor'] }}"), ...keyed },
    codes: ['missing/wrong-cursor'],
    says: /x-next-cursor/,
  },
  // Counting.
  {
    what: 'page size 50, and pages hold 20',
    answer: offsets,
    parts: { paginator: offsetPaginator({ page_size: 50 }), ...keyed },
    codes: ['missing/page-size-capped'],
  },
  {
    what: 'the size under another name',
    answer: offsets,
    parts: {
      paginator: offsetPaginator({ page_size: 20 }, { page_size_option: option('request_parameter', 'per_page') }),
      ...keyed,
    },
    codes: ['missing/page-size-ignored', 'missing/page-size-capped'],
  },
  {
    what: 'the offset under another name',
    answer: offsets,
    parts: { paginator: offsetPaginator({ page_size: 20 }, asParameter('skip')), ...keyed },
    codes: ['missing/token-not-placed'],
  },
  {
    what: 'start page 2',
    answer: byPage(({ rows }) => ({ json: { data: rows } })),
    parts: { paginator: paging({ start_from_page: 2, inject_on_first_request: true }), ...keyed },
    codes: ['first-request/start-page'],
  },
  {
    what: 'a page number sent as a cursor that the API takes as an offset',
    answer: (query) => {
      const offset = Number(query.get('page') ?? 0)
      return { json: { data: all.slice(offset, offset + size) } }
    },
    parts: { paginator: paging({ start_from_page: 0 }), ...keyed },
    codes: ['duplicates/method', 'duplicates/step'],
  },
  {
    what: 'a fixed page next to a cursor',
    answer: (query) => {
      const start = Number((query.get('cursor') ?? 'c0').slice(1)) + (Number(query.get('page') ?? 1) - 1) * size
      return { json: { data: all.slice(start, start + size), next: start + size < total ? `c${start + size}` : null } }
    },
    parts: {
      paginator: cursorPaginator('{{ response.next }}'),
      requester: { request_parameters: { page: '2' } },
      ...keyed,
    },
    codes: ['duplicates/mixed-methods'],
  },
  {
    what: 'a cursor that is sent under another name',
    answer: byCursor((data, next) => ({ json: { data, next_cursor: next } }), 'starting_after'),
    parts: { paginator: cursorPaginator('{{ response.next_cursor }}'), ...keyed },
    codes: ['missing/token-not-placed'],
  },
  {
    what: 'the previous cursor for the next one',
    answer: byCursor((data, next, start) => ({
      json: { data, cursors: { before: `c${Math.max(0, start - size)}`, after: next } },
    })),
    parts: { paginator: cursorPaginator('{{ response.cursors.before }}'), ...keyed },
    codes: ['never-stops/cursor-not-found', 'missing/wrong-cursor'],
    says: /cursors\.after/,
  },
]
