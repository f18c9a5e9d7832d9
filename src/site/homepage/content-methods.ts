/** Pagination: one read in detail, and the four methods with their rules. */

/** A heading, the anchor that leads to it, and the sentences under it. Backticks mark code. */
export type Section = { readonly id: string; readonly title: string; readonly lead: string }

export type ShownRequestLine = {
  readonly request: string
  /** The part of the request that asks for the page. */
  readonly marked: string
  readonly records: string
}

export type PictureOfPage = ShownRequestLine & {
  /** Token in → token out. */
  readonly token: string
  readonly tookMs: number
}

export type ShownRead = {
  readonly stream: string
  readonly method: string
  readonly pages: readonly PictureOfPage[]
  readonly stop: string
  readonly total: string
}

/** A request, or its response. */
export type ShownMessage =
  | { readonly from: 'us'; readonly text: string; readonly marked: string }
  | { readonly from: 'api'; readonly text: string }

export type ShownMethod = {
  readonly id: string
  readonly name: string
  readonly messages: readonly ShownMessage[]
  readonly stop: string
  readonly first: string
  readonly next: string
  readonly stops: string
}

export type ShownMethods = Section & { readonly methods: readonly ShownMethod[]; readonly note: string }

export const read: ShownRead = {
  stream: 'orders',
  method: 'Offset Increment, limit 100',
  pages: [
    { request: '/orders?limit=100', marked: '', records: '100 records', token: '– → 100', tookMs: 212 },
    {
      request: '/orders?offset=100&limit=100',
      marked: 'offset=100',
      records: '100 records',
      token: '100 → 200',
      tookMs: 187,
    },
    {
      request: '/orders?offset=200&limit=100',
      marked: 'offset=200',
      records: '41 records',
      token: '200 → stop',
      tookMs: 96,
    },
  ],
  stop: 'short page: 41 < 100',
  total: '241 records',
}

export const methodsContent: ShownMethods = {
  id: 'methods',
  title: 'Four pagination methods',
  lead: 'Pick a method. Each one answers a single question: what asks for the next page, and when is there none?',
  methods: [
    {
      id: 'offset',
      name: 'Offset Increment',
      messages: [
        { from: 'us', text: '/orders?limit=100', marked: '' },
        { from: 'api', text: '100 records' },
        { from: 'us', text: '/orders?offset=100&limit=100', marked: 'offset=100' },
        { from: 'api', text: '41 records' },
      ],
      stop: 'short page: 41 < 100',
      first: 'no offset, or 0 if configured',
      next: 'the offset grows by the number of records received',
      stops: 'a page has fewer records than the limit, or none',
    },
    {
      id: 'page',
      name: 'Page Increment',
      messages: [
        { from: 'us', text: '/orders?per_page=100', marked: '' },
        { from: 'api', text: '100 records' },
        { from: 'us', text: '/orders?page=2&per_page=100', marked: 'page=2' },
        { from: 'api', text: '41 records' },
      ],
      stop: 'short page: 41 < 100',
      first: 'no number, or the start page if configured',
      next: 'the page number grows by one',
      stops: 'a page has fewer records than the page size, or none',
    },
    {
      id: 'cursor',
      name: 'Cursor Pagination',
      messages: [
        { from: 'us', text: '/orders', marked: '' },
        { from: 'api', text: '"next": "b7Qx"' },
        { from: 'us', text: '/orders?cursor=b7Qx', marked: 'cursor=b7Qx' },
        { from: 'api', text: '"next": null' },
      ],
      stop: 'no cursor',
      first: 'no cursor',
      next: 'the cursor, from the body, a header, a Link header, a next URL or the last record',
      stops: 'nothing is found there, or the stop condition is true',
    },
    {
      id: 'custom',
      name: 'Custom Pagination Strategy',
      messages: [
        { from: 'us', text: '/calendar', marked: '' },
        { from: 'api', text: '"month": "2024-01"' },
        { from: 'us', text: '/calendar?month=2024-02', marked: 'month=2024-02' },
        { from: 'api', text: '"last_month": "2024-02"' },
      ],
      stop: 'the class gives no token',
      first: 'as your class says',
      next: 'the token your TypeScript or JavaScript class returns',
      stops: 'the class returns no token; an empty page is not the end',
    },
  ],
  note: 'Tokens and page sizes go into the query, a header, a JSON body, a form or the path. Templates put them anywhere else.',
}
