/** Cursors that are right, and sent in the wrong way. */
import { cursorPaginator, option } from '../../../helpers/manifests.ts'
import { keyed } from '../served.ts'
import {
  all,
  asParameter,
  byCursor,
  byPage,
  path,
  post,
  total,
  type WrongManifest,
  graphql,
  graphqlParts,
} from './apis.ts'

export const tokens: readonly WrongManifest[] = [
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
  {
    what: 'a cursor that is sent under another name',
    answer: byCursor((data, next) => ({ json: { data, next_cursor: next } }), 'starting_after'),
    parts: { paginator: cursorPaginator('{{ response.next_cursor }}'), ...keyed },
    codes: ['missing/token-not-placed'],
  },
  {
    what: 'the object around the link',
    answer: byPage(({ page, rows, isLast }) => ({
      json: { data: rows, _links: isLast ? {} : { next: { href: `/items?page=${page + 1}` } } },
    })),
    parts: { paginator: cursorPaginator('{{ response._links.next }}', undefined, path), ...keyed },
    codes: ['missing/wrong-cursor', 'missing/token-not-placed', 'never-stops/cursor-not-found'],
  },
  {
    what: 'link header as a parameter',
    answer: byPage(({ page, rows, isLast }) => ({
      json: { data: rows },
      headers: isLast ? {} : { link: `</items?page=${page + 1}>; rel="next"` },
    })),
    parts: {
      paginator: cursorPaginator(
        "{{ headers['link']['next']['url'] }}",
        "{{ 'next' not in headers['link'] }}",
        asParameter('page_token'),
      ),
      ...keyed,
    },
    codes: ['missing/token-not-placed'],
  },
  {
    what: 'next link as a parameter',
    answer: byPage(({ page, rows, isLast }) => ({
      json: { data: rows, next: isLast ? null : `/items?page=${page + 1}` },
    })),
    parts: { paginator: cursorPaginator('{{ response.next }}'), ...keyed },
    codes: ['missing/token-not-placed'],
  },
  {
    what: 'a token as a path',
    answer: byCursor((data, next) => ({ json: { data, next_token: next } }), 'token'),
    parts: { paginator: cursorPaginator('{{ response.next_token }}', undefined, path), ...keyed },
    codes: ['missing/token-not-placed', 'missing/wrong-cursor'],
  },
  {
    what: 'body: cursor at the top for page.after',
    answer: post(({ page }) => {
      const start = Number(((page as { after?: string } | undefined)?.after ?? 'c0').slice(1))
      return {
        json: { data: all.slice(start, start + 10), page: { after: start + 10 < total ? `c${start + 10}` : null } },
      }
    }),
    parts: {
      requester: { http_method: 'POST', request_body_json: { filter: 'x' } },
      paginator: cursorPaginator('{{ response.page.after }}', undefined, {
        page_token_option: option('body_json', 'after'),
      }),
      ...keyed,
    },
    codes: ['missing/token-not-placed'],
  },
  {
    what: 'JSON:API: after for page[after]',
    answer: byCursor((data, next) => ({ json: { data, meta: { page: { after: next } } } }), 'page[after]'),
    parts: { paginator: cursorPaginator('{{ response.meta.page.after }}', undefined, asParameter('after')), ...keyed },
    codes: ['missing/token-not-placed'],
  },
  {
    what: 'OData: the link as $skiptoken',
    answer: (q) => {
      const s = Number(q.get('$skiptoken') ?? 0) || 0
      return {
        json: {
          value: all.slice(s, s + 10),
          ...(s + 10 < total && { '@odata.nextLink': `/items?$skiptoken=${s + 10}` }),
        },
      }
    },
    parts: {
      paginator: cursorPaginator("{{ response['@odata.nextLink'] }}", undefined, asParameter('$skiptoken')),
      fieldPath: ['value'],
      ...keyed,
    },
    codes: ['missing/token-not-placed'],
  },
  {
    what: 'HubSpot: the link as after',
    answer: byCursor(
      (results, next) => ({
        json: { results, ...(next !== null && { paging: { next: { after: next, link: `/items?after=${next}` } } }) },
      }),
      'after',
    ),
    parts: {
      paginator: cursorPaginator('{{ response.paging.next.link }}', undefined, asParameter('after')),
      fieldPath: ['results'],
      ...keyed,
    },
    codes: ['missing/token-not-placed', 'never-stops/cursor-not-found'],
  },
  {
    what: 'next_page under another name',
    answer: byPage(
      ({ page, rows, isLast }) => ({ json: { data: rows, next_page: isLast ? null : page + 1 } }),
      'page_number',
    ),
    parts: { paginator: cursorPaginator('{{ response.next_page }}', undefined, asParameter('page')), ...keyed },
    codes: ['missing/token-not-placed'],
  },
]
