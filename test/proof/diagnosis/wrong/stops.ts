/** Stop conditions that are met too early, or never. */
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
  size,
  total,
  type WrongManifest,
  graphql,
  graphqlParts,
  scroll,
} from './apis.ts'

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

const stop = ['missing/stop-condition']

const stopOrInverted = ['missing/stop-condition', 'missing/stop-inverted']

const byOffset: Handler = (query) => {
  const offset = Number(query.get('offset') ?? 0)
  return { json: { data: all.slice(offset, offset + size), offset, limit: size, total } }
}

export const stops: readonly WrongManifest[] = [
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
    what: 'GraphQL: a condition that is never met',
    answer: graphql,
    parts: graphqlParts(
      '{{ response.data.orders.pageInfo.endCursor }}',
      '{{ response.pageInfo.hasNextPage is false }}',
    ),
    codes: ['never-stops/stop-condition'],
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
    what: 'off by one page',
    answer: byPage(({ page, rows }) => ({ json: { data: rows, page, pages: 6 } })),
    parts: {
      paginator: cursorPaginator(
        '{{ response.page + 1 }}',
        '{{ response.page == response.pages - 1 }}',
        asParameter('page'),
      ),
      ...keyed,
    },
    codes: stop,
  },
  {
    what: 'flag at the top, it is in meta, cursor never ends',
    answer: byCursor((data, next, start) => ({
      json: { data, meta: { has_more: next !== null, cursor: `c${start + data.length}` } },
    })),
    parts: { paginator: cursorPaginator('{{ response.meta.cursor }}', '{{ response.has_more == false }}'), ...keyed },
    codes: ['never-stops/stop-condition'],
  },
  {
    what: 'stop at next_cursor',
    answer: byCursor((data, next) => ({ json: { data, next_cursor: next } })),
    parts: { paginator: cursorPaginator('{{ response.next_cursor }}', '{{ response.next_cursor }}'), ...keyed },
    codes: stopOrInverted,
  },
  {
    what: 'size 50, pages of 20, by id, no claims',
    answer: afterId((data) => ({ json: { data } }), 'after', 20),
    parts: {
      paginator: cursorPaginator('{{ last_record.id }}', '{{ last_page_size < 50 }}', asParameter('after')),
      ...keyed,
    },
    codes: stop,
  },
  {
    what: 'length 25, pages of 10, by id',
    answer: afterId((data) => ({ json: { data } })),
    parts: {
      paginator: cursorPaginator('{{ last_record.id }}', '{{ response.data | length < 25 }}', asParameter('after')),
      ...keyed,
    },
    codes: stop,
  },
  {
    what: 'count of the page',
    answer: afterId((data) => ({ json: { data, count: data.length } })),
    parts: {
      paginator: cursorPaginator('{{ last_record.id }}', '{{ response.count < 100 }}', asParameter('after')),
      ...keyed,
    },
    codes: stop,
  },
  {
    what: 'total > 0',
    answer: byCursor((data, next) => ({ json: { data, next, total } })),
    parts: { paginator: cursorPaginator('{{ response.next }}', '{{ response.total > 0 }}'), ...keyed },
    codes: stopOrInverted,
  },
  {
    what: 'offset arithmetic too early',
    answer: byOffset,
    parts: {
      paginator: cursorPaginator(
        '{{ response.offset + response.limit }}',
        '{{ response.offset + 2 * response.limit >= response.total }}',
        asParameter('offset'),
      ),
      ...keyed,
    },
    codes: stop,
  },
  {
    what: 'offset arithmetic never',
    answer: byOffset,
    parts: {
      paginator: cursorPaginator(
        '{{ response.offset + response.limit }}',
        '{{ response.offset == response.total }}',
        asParameter('offset'),
      ),
      ...keyed,
    },
    codes: ['never-stops/stop-condition'],
  },
  {
    what: 'header flag inverted',
    answer: byCursor((data, next) => ({ json: { data, next }, headers: { 'x-has-more': String(next !== null) } })),
    parts: { paginator: cursorPaginator('{{ response.next }}', "{{ headers['x-has-more'] == 'true' }}"), ...keyed },
    codes: stopOrInverted,
  },
  {
    what: 'is defined',
    answer: byPage(({ page, rows, isLast }) => ({
      json: { data: rows, links: isLast ? {} : { next: `/items?page=${page + 1}` } },
    })),
    parts: {
      paginator: cursorPaginator('{{ response.links.next }}', '{{ response.links.next is defined }}', path),
      ...keyed,
    },
    codes: stopOrInverted,
  },
  {
    what: 'total reached by the stop: received count',
    answer: byCursor((data, next) => ({ json: { data, next, total, page_total: data.length } })),
    parts: {
      paginator: cursorPaginator('{{ response.next }}', '{{ response.page_total <= response.total }}'),
      ...keyed,
    },
    codes: stopOrInverted,
  },
  {
    what: 'has_more as a string',
    answer: byCursor((data, next, s) => ({
      json: { data, has_more: next === null ? 'false' : 'true', cursor: `c${s + data.length}` },
    })),
    parts: { paginator: cursorPaginator('{{ response.cursor }}', '{{ response.has_more }}'), ...keyed },
    codes: stopOrInverted,
  },
  {
    what: 'has_more as Y and N',
    answer: byCursor((data, next) => ({ json: { data, more: next === null ? 'N' : 'Y', next_cursor: next } })),
    parts: { paginator: cursorPaginator('{{ response.next_cursor }}', "{{ response.more == 'Y' }}"), ...keyed },
    codes: stopOrInverted,
  },
]
