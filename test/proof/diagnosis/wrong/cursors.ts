/** Cursors that are read at the wrong place, or are another link than the next. */
import { cursorPaginator, option } from '../../../helpers/manifests.ts'
import type { Handler } from '../../../helpers/serve-api.ts'
import { keyed } from '../served.ts'
import {
  all,
  afterId,
  asParameter,
  byCursor,
  byPage,
  path,
  post,
  size,
  total,
  type WrongManifest,
  graphql,
  graphqlParts,
  odata,
  scroll,
} from './apis.ts'

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

const nested = (wrap: (next: string | null) => object, name: string): Handler =>
  byCursor((data, next) => ({ json: { data, ...wrap(next) } }), name)

export const cursors: readonly WrongManifest[] = [
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
  {
    what: 'GraphQL: the cursor without its path',
    answer: graphql,
    parts: graphqlParts('{{ response.pageInfo.endCursor }}', '{{ not response.data.orders.pageInfo.hasNextPage }}'),
    codes: ['missing/wrong-cursor'],
    says: /data\.orders\.pageInfo\.endCursor/,
  },
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
    what: 'a cursor path that is nowhere, at an API that has no cursor in its response',
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
    what: 'OData: nextLink without its prefix',
    answer: odata,
    parts: { paginator: cursorPaginator('{{ response.nextLink }}', undefined, path), fieldPath: ['value'], ...keyed },
    codes: ['missing/wrong-cursor'],
    says: /@odata\.nextLink/,
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
  {
    what: 'the previous cursor for the next one',
    answer: byCursor((data, next, start) => ({
      json: { data, cursors: { before: `c${Math.max(0, start - size)}`, after: next } },
    })),
    parts: { paginator: cursorPaginator('{{ response.cursors.before }}'), ...keyed },
    codes: ['never-stops/cursor-not-found', 'missing/wrong-cursor'],
    says: /cursors\.after/,
  },
  {
    what: 'first record for the last one',
    answer: afterId((data, has_more) => ({ json: { data, has_more } })),
    parts: {
      paginator: cursorPaginator('{{ response.data[0].id }}', '{{ not response.has_more }}', asParameter('after')),
      ...keyed,
    },
    codes: ['duplicates/step', 'missing/wrong-cursor', 'duplicates/cursor-not-unique', 'never-stops/cursor-not-found'],
  },
  {
    what: 'created for id',
    answer: afterId((data, has_more) => ({ json: { data, has_more } })),
    parts: {
      paginator: cursorPaginator('{{ last_record.created }}', '{{ not response.has_more }}', asParameter('after')),
      ...keyed,
    },
    codes: ['missing/wrong-cursor'],
  },
  {
    what: 'Elasticsearch: scroll_id for _scroll_id',
    answer: post(({ scroll_id }) => {
      const s = Number((typeof scroll_id === 'string' ? scroll_id : 'c0').slice(1))
      const hits = all.slice(s, s + 10)
      return {
        json: { _scroll_id: `c${s + hits.length}`, hits: { hits: hits.map((row) => ({ _id: row.id, _source: row })) } },
      }
    }),
    parts: {
      requester: { http_method: 'POST', request_body_json: { scroll: '1m' } },
      fieldPath: ['hits', 'hits', '*', '_source'],
      paginator: cursorPaginator('{{ response.scroll_id }}', '{{ last_page_size == 0 }}', {
        page_token_option: option('body_json', 'scroll_id'),
      }),
      ...keyed,
    },
    codes: ['missing/wrong-cursor'],
  },
  {
    what: 'Stripe: last_id that is not there',
    answer: afterId((data, has_more) => ({ json: { object: 'list', data, has_more } }), 'starting_after'),
    parts: {
      paginator: cursorPaginator(
        '{{ response.last_id }}',
        '{{ not response.has_more }}',
        asParameter('starting_after'),
      ),
      ...keyed,
    },
    codes: ['missing/wrong-cursor'],
  },
  {
    what: 'HubSpot: paging.after',
    answer: byCursor(
      (results, next) => ({ json: { results, ...(next !== null && { paging: { next: { after: next } } }) } }),
      'after',
    ),
    parts: {
      paginator: cursorPaginator('{{ response.paging.after }}', undefined, asParameter('after')),
      fieldPath: ['results'],
      ...keyed,
    },
    codes: ['missing/wrong-cursor'],
  },
  {
    what: 'this page for the next one',
    answer: byPage(({ page, rows }) => ({ json: { data: rows, page, total_pages: 6 } })),
    parts: {
      paginator: cursorPaginator(
        '{{ response.page }}',
        '{{ response.page >= response.total_pages }}',
        asParameter('page'),
      ),
      ...keyed,
    },
    codes: ['never-stops/cursor-not-found'],
  },
  {
    what: 'the number of pages as the cursor',
    answer: byPage(({ page, rows }) => ({ json: { data: rows, page, total_pages: 6 } })),
    parts: {
      paginator: cursorPaginator(
        '{{ response.total_pages }}',
        '{{ response.page >= response.total_pages }}',
        asParameter('page'),
      ),
      ...keyed,
    },
    codes: ['missing/wrong-cursor'],
  },
  {
    what: 'prev for next',
    answer: byPage(({ page, rows, isLast }) => ({
      json: {
        data: rows,
        prev: page > 1 ? `/items?page=${page - 1}` : null,
        next: isLast ? null : `/items?page=${page + 1}`,
      },
    })),
    parts: { paginator: cursorPaginator('{{ response.prev }}', undefined, path), ...keyed },
    codes: ['missing/wrong-cursor'],
  },
  {
    what: 'K8s continue',
    answer: byCursor(
      (items, next) => ({ json: { kind: 'List', metadata: { resourceVersion: '12', continue: next ?? '' }, items } }),
      'continue',
    ),
    parts: {
      paginator: cursorPaginator('{{ response.continue }}', undefined, asParameter('continue')),
      fieldPath: ['items'],
      ...keyed,
    },
    codes: ['missing/wrong-cursor'],
  },
  {
    what: 'both cursor and stop read a place that is not there',
    answer: byCursor((data, next) => ({ json: { data, meta: { next_cursor: next } } })),
    parts: { paginator: cursorPaginator('{{ response.next_page }}', '{{ not response.next_page }}'), ...keyed },
    codes: ['missing/wrong-cursor'],
  },
  {
    what: 'both cursor and stop, bookmark',
    answer: byCursor((data, next) => ({ json: { data, bookmark: next } }), 'bookmark'),
    parts: {
      paginator: cursorPaginator('{{ response.next_page }}', '{{ not response.next_page }}', asParameter('bookmark')),
      ...keyed,
    },
    codes: ['missing/wrong-cursor'],
  },
  {
    what: 'cursor under another name and in another place',
    answer: byCursor((data, next) => ({ json: { data, bookmark: next } }), 'bookmark'),
    parts: { paginator: cursorPaginator('{{ response.next_page }}'), ...keyed },
    codes: ['missing/wrong-cursor'],
  },
  {
    what: 'size sent, cursor wrong, page full',
    answer: (q) => {
      const held = Number(q.get('limit') ?? 20)
      const start = Number((q.get('cursor') ?? 'c0').slice(1))
      return {
        json: {
          data: all.slice(start, start + held),
          weiter: { marke: start + held < total ? `c${start + held}` : null },
        },
      }
    },
    parts: {
      paginator: {
        ...cursorPaginator('{{ response.next }}'),
        pagination_strategy: { type: 'CursorPagination', cursor_value: '{{ response.next }}', page_size: 10 },
        page_size_option: option('request_parameter', 'limit'),
      },
      ...keyed,
    },
    codes: ['missing/wrong-cursor'],
    isFixed: false,
  },
  {
    what: 'next in a list of links by rel, read as an object',
    answer: byPage(({ page, rows, isLast }) => ({
      json: {
        data: rows,
        links: [
          { rel: 'self', href: `/items?page=${page}` },
          ...(isLast ? [] : [{ rel: 'next', href: `/items?page=${page + 1}` }]),
        ],
      },
    })),
    parts: { paginator: cursorPaginator('{{ response.links.next }}', undefined, path), ...keyed },
    codes: ['missing/wrong-cursor'],
  },
  {
    what: 'dict method: response.items',
    answer: byCursor((rows, next) => ({ json: { items: { rows, next } } })),
    parts: { paginator: cursorPaginator('{{ response.items.next }}'), fieldPath: ['items', 'rows'], ...keyed },
    codes: ['missing/wrong-cursor'],
  },
]
