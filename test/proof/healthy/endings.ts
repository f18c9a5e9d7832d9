/** Ways in which a read comes to its end, and what the last page may still say. */
import { byCursor, byOffset, byPage, drawData, type Family, pagesOf, plainRow } from './healthy-api.ts'

const ends =
  (value: unknown): Family[1] =>
  (dice) =>
    byCursor({
      pages: pagesOf(drawData(dice)),
      around: ({ isLast, cursor }) => ({
        body: isLast ? (value === undefined ? {} : { next: value }) : { next: cursor },
      }),
    })

export const endings: Family[] = [
  ['a cursor that is null at the end', ends(null)],
  ['a cursor that is not there at the end', ends(undefined)],
  ['a cursor that is an empty text at the end', ends('')],
  ['a cursor that is false at the end', ends(false)],
  ['a cursor that is an empty object at the end', ends({})],
  [
    'a scroll that keeps one token, up to an empty page',
    (dice) => {
      const pages = pagesOf(drawData(dice))
      let turn = 0
      const api = byCursor({ pages, around: () => ({}), cursor: 'response.scroll_id', stop: 'not response.data' })
      const answer = (query: URLSearchParams) => {
        turn = query.has('cursor') ? turn + 1 : 0
        return { json: { scroll_id: 'DXF1ZXJ5QW5k', data: pages[turn] ?? [] } }
      }
      return { ...api, routes: { 'GET /items': answer } }
    },
  ],
  [
    'a feed with a cursor on its empty last page',
    (dice) =>
      byCursor({
        pages: pagesOf(drawData(dice)),
        around: ({ cursor }) => ({ body: { next_cursor: cursor } }),
        cursor: 'response.next_cursor',
        stop: 'not response.data',
      }),
  ],
  [
    'a feed with a cursor on its short last page',
    (dice) => {
      const data = drawData(dice)
      return byCursor({
        pages: pagesOf(data),
        around: ({ cursor }) => ({ body: { next_token: cursor } }),
        cursor: 'response.next_token',
        stop: `last_page_size < ${data.size}`,
      })
    },
  ],
  [
    'a next link that leads to an empty page',
    (dice) =>
      byCursor({
        pages: [...pagesOf(drawData(dice, plainRow, 1)), []],
        around: ({ isLast, url }) => ({ body: { next: isLast ? null : url } }),
        isLink: true,
      }),
  ],
  [
    'a next link on every page, even on an empty one',
    (dice) =>
      byCursor({
        pages: pagesOf(drawData(dice)),
        around: ({ url }) => ({ body: { links: { next: url } } }),
        cursor: 'response.links.next',
        stop: 'not response.data',
        isLink: true,
      }),
  ],
  [
    'has_more that is true up to an empty page',
    (dice) =>
      byCursor({
        pages: pagesOf(drawData(dice)),
        around: ({ rows, cursor }) => ({ body: { has_more: rows.length > 0, next: cursor } }),
        stop: 'response.has_more is false',
      }),
  ],
  [
    'has_more on a read by offset',
    (dice) => byOffset(drawData(dice), ({ isLast }) => ({ body: { has_more: !isLast } })),
  ],
  ['has_more that always is false', (dice) => byOffset(drawData(dice), () => ({ body: { has_more: false } }))],
  [
    'hasNextPage false next to a cursor that stays',
    (dice) =>
      byCursor({
        pages: pagesOf(drawData(dice)),
        around: ({ isLast, cursor }) => ({ body: { pageInfo: { hasNextPage: !isLast, endCursor: cursor } } }),
        cursor: 'response.pageInfo.endCursor',
        stop: 'not response.pageInfo.hasNextPage',
      }),
  ],
  ['is_last', (dice) => byPage(drawData(dice), ({ isLast }) => ({ body: { is_last: isLast } }))],
  [
    'a number of the next page',
    (dice) =>
      byCursor({
        pages: pagesOf(drawData(dice)),
        around: ({ isLast, index, cursor }) => ({
          body: { page: index + 1, next_page: isLast ? null : index + 2, at: cursor },
        }),
        cursor: 'response.at',
        stop: 'response.next_page is none',
      }),
  ],
  [
    'a Link header without a last page',
    (dice) =>
      byCursor({
        pages: pagesOf(drawData(dice)),
        around: ({ isLast, url }) => (isLast ? {} : { headers: { link: `<${url}>; rel="next"` } }),
        cursor: "headers['link']['next']['url']",
        stop: "'next' not in headers['link']",
        isLink: true,
      }),
  ],
  [
    'a Link header with first and previous pages',
    (dice) =>
      byCursor({
        pages: pagesOf(drawData(dice)),
        around: ({ isLast, index, url }) => {
          const links = index > 0 ? [`</items>; rel="first", </items?cursor=c${index - 1}>; rel="prev"`] : []
          if (!isLast) links.push(`<${url}>; rel="next"`)
          return links.length === 0 ? {} : { headers: { link: links.join(', ') } }
        },
        cursor: "headers['link']['next']['url']",
        stop: "'next' not in headers['link']",
        isLink: true,
      }),
  ],
  [
    'an error after the last page that the manifest takes for the end',
    (dice) => {
      const data = drawData(dice, plainRow, 1)
      const filter = { type: 'HttpResponseFilter', action: 'IGNORE', http_codes: [404] }
      const error_handler = { type: 'DefaultErrorHandler', response_filters: [filter] }
      const api = byPage({ size: data.size, rows: data.rows }, undefined, { requester: { error_handler } })
      const pages = Math.ceil(data.rows.length / data.size)
      const { 'GET /items': inner } = api.routes
      const answer: typeof inner = (query, request) =>
        Number(query.get('page') ?? 1) > pages
          ? { status: 404, json: { error: 'no such page', total: 0, next: '/x' } }
          : (inner as NonNullable<typeof inner>)(query, request)
      return { ...api, routes: { 'GET /items': answer } }
    },
  ],
]
