/** APIs for manifests with one fault each: 57 records, ten a page unless said. */
import { cursorPaginator, option, type StreamParts } from '../../../helpers/manifests.ts'
import type { Answer, Handler } from '../../../helpers/serve-api.ts'
import { keyed, records } from '../served.ts'

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

export const total = 57
export const size = 10
export const all = records(total).map(({ id }) => ({ id, name: `item ${id}`, created: 1_000 + id }))

export const path = { page_token_option: { type: 'RequestPath' } }
export const asParameter = (name: string) => ({ page_token_option: option('request_parameter', name) })

export const paging = (strategy: Record<string, unknown> = {}, name = 'page') => ({
  pagination_strategy: { type: 'PageIncrement', page_size: size, start_from_page: 1, ...strategy },
  page_token_option: option('request_parameter', name),
})

type Turn = { readonly page: number; readonly rows: readonly object[]; readonly isLast: boolean }

/** By page number from 1. */
export const byPage =
  (answer: (turn: Turn) => Answer, name = 'page', held = size): Handler =>
  (query) => {
    const page = Math.max(1, Number(query.get(name) ?? 1))
    return answer({ page, rows: all.slice((page - 1) * held, page * held), isLast: page * held >= total })
  }

/** By an opaque cursor: `c10`. */
export const byCursor =
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

/** After the id of a record. */
export const afterId =
  (answer: (rows: readonly object[], hasMore: boolean) => Answer, name = 'after', held = size): Handler =>
  (query) => {
    const rest = all.filter(({ id }) => id > Number(query.get(name) ?? 0))
    return answer(rest.slice(0, held), rest.length > held)
  }

/** Requests with a JSON body. */
export const post = (answer: (body: Record<string, unknown>) => Answer): Record<string, Handler> => ({
  'POST /items': (_, { body }) => answer(JSON.parse(body || '{}') as Record<string, unknown>),
})

export const graphql: Record<string, Handler> = {
  'POST /items': (_, { body }) => {
    const { variables = {} } = JSON.parse(body || '{}') as { variables?: { after?: string } }
    const start = Number(variables.after?.slice(1) ?? 0)
    const rows = all.slice(start, start + size)
    const pageInfo = { hasNextPage: start + size < total, endCursor: `c${start + rows.length}` }
    return { json: { data: { orders: { edges: rows.map((node) => ({ node })), pageInfo } } } }
  },
}

export const graphqlParts = (
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

export const odata: Handler = (query) => {
  const skip = Number(query.get('$skip') ?? 0)
  const next = skip + size < total ? `/items?$skip=${skip + size}` : undefined
  return { json: { value: all.slice(skip, skip + size), ...(next !== undefined && { '@odata.nextLink': next }) } }
}

export const scroll: Record<string, Handler> = {
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
