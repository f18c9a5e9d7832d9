/** Page numbers, offsets and sizes that the API takes in another way. */
import { cursorPaginator, offsetPaginator, option } from '../../../helpers/manifests.ts'
import type { Handler } from '../../../helpers/serve-api.ts'
import { keyed } from '../served.ts'
import { all, asParameter, byPage, paging, size, total, type WrongManifest, odata, scroll } from './apis.ts'

const offsets: Handler = (query) => {
  const offset = Number(query.get('offset') ?? 0)
  const limit = Math.min(Number(query.get('limit') ?? 5), 20)
  return { json: { data: all.slice(offset, offset + limit) } }
}

export const counting: readonly WrongManifest[] = [
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
  {
    what: 'page numbers from 1 for an offset, none on the first request',
    answer: offsets,
    parts: {
      paginator: {
        pagination_strategy: { type: 'PageIncrement', page_size: 20, start_from_page: 1 },
        page_size_option: option('request_parameter', 'limit'),
        ...asParameter('offset'),
      },
      ...keyed,
    },
    codes: ['duplicates/method'],
  },
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
    what: 'page numbers for offsets',
    answer: (q) => {
      const o = Number(q.get('offset') ?? 0)
      return { json: { data: all.slice(o, o + 10) } }
    },
    parts: { paginator: paging({ start_from_page: 0 }, 'offset'), ...keyed },
    codes: ['duplicates/method', 'duplicates/step'],
  },
]
