/** The lab behaves; its manifest has one thing wrong: each is named, fixed, and re-tested against the real lab. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brief, type Broken, broken, diagnoseLab, type LabCase, labTextOf } from './lab-case.ts'

const strategy = 'paginator.pagination_strategy'
const token = 'paginator.page_token_option'

function placed(name: string, into = 'request_parameter') {
  return { type: 'RequestOption', inject_into: into, field_name: name }
}

function counting(type: string, name: string, size: string) {
  const pagination_strategy = { type, page_size: 100 }
  return {
    paginator: {
      type: 'DefaultPaginator',
      pagination_strategy,
      page_token_option: placed(name),
      page_size_option: placed(size),
    },
  }
}

const unpaged = { paginator: { type: 'NoPagination' } }
const all = '250 records in 3 pages, complete'

type Row = readonly [wrong: string, stream: string, changes: Broken, finding: string, options?: LabCase]

const rows: readonly Row[] = [
  [
    'a page size above the maximum of the API',
    'offset',
    { [`${strategy}.page_size`]: 5000 },
    'missing/page-size-capped: Set page_size to 1000. 2,500 records in 3 pages, complete',
    { size: 2500 },
  ],
  [
    'a page size that is expected and never sent',
    'page',
    { 'paginator.page_size_option': undefined, [`${strategy}.page_size`]: 200 },
    `missing/page-size-capped: Set page_size to 100. ${all}`,
  ],

  // The first request.
  [
    'a first page 0 where the API has no such page',
    'page',
    { [`${strategy}.start_from_page`]: 0 },
    `first-request/start-page: Start from page 1. ${all}`,
  ],
  [
    'a first page that comes twice',
    'page',
    { [`${strategy}.start_from_page`]: 0, [`${strategy}.inject_on_first_request`]: undefined },
    `first-request/start-page: Start from page 1. ${all}`,
  ],
  [
    'a first page that is never requested',
    'page0',
    { [`${strategy}.start_from_page`]: 1, [`${strategy}.inject_on_first_request`]: true },
    `first-request/start-page: Start from page 0. ${all}`,
  ],
  [
    'a second page that is never requested',
    'page0',
    { [`${strategy}.start_from_page`]: 1 },
    'first-request/start-page: Start from page 0. 450 records in 5 pages, complete',
    { size: 450 },
  ],

  // Tokens that do not reach the API.
  [
    'an offset under the wrong name',
    'offset',
    { [token]: placed('skip') },
    `missing/token-not-placed: Send it as the query parameter offset. ${all}`,
  ],
  [
    'an offset in a header',
    'offset',
    { [token]: placed('offset', 'header') },
    `missing/token-not-placed: Send it as the query parameter offset. ${all}`,
  ],
  [
    'an offset that is not sent',
    'offset',
    { [token]: undefined },
    `missing/token-not-placed: Send it as the query parameter offset. ${all}`,
  ],
  [
    'a page number under the wrong name',
    'page',
    { [token]: placed('p') },
    `missing/token-not-placed: Send it as the query parameter page. ${all}`,
  ],
  [
    'a cursor under the wrong name',
    'cursor',
    { [token]: placed('token') },
    `missing/token-not-placed: Send it as the query parameter cursor. ${all}`,
  ],
  [
    'a cursor at the wrong place of a JSON body',
    'search',
    { [token]: { type: 'RequestOption', inject_into: 'body_json', field_path: ['cursor'] } },
    `missing/token-not-placed: Send it as the member of the JSON body page.cursor. ${all}`,
  ],
  [
    'a cursor under the wrong name in a form',
    'form',
    { [token]: placed('page', 'body_data') },
    `missing/token-not-placed: Send it as the form field cursor. ${all}`,
  ],
  [
    'a next address that is sent as a value',
    'next_url',
    { [token]: placed('cursor') },
    `missing/token-not-placed: Follow the address at links.next. ${all}`,
  ],

  // Cursors and conditions.
  [
    'a cursor that is read where there is none',
    'cursor',
    { [`${strategy}.cursor_value`]: '{{ response.next }}', [`${strategy}.stop_condition`]: undefined },
    `missing/wrong-cursor: Read the cursor at meta.next_token. ${all}`,
  ],
  [
    'a cursor that is read in the wrong header',
    'cursor_header',
    { [`${strategy}.cursor_value`]: "{{ headers['x-cursor'] }}", [`${strategy}.stop_condition`]: undefined },
    `missing/wrong-cursor: Read the cursor at header x-next-cursor. ${all}`,
  ],
  [
    'a link that is read under the wrong relation',
    'link',
    { [`${strategy}.cursor_value`]: "{{ headers['link']['nxt']['url'] }}", [`${strategy}.stop_condition`]: undefined },
    `missing/wrong-cursor: Follow the address at header link next. ${all}`,
  ],
  [
    'a cursor that is always the same',
    'cursor',
    { [`${strategy}.cursor_value`]: 'next', [`${strategy}.stop_condition`]: undefined },
    `never-stops/cursor-not-found: Read the cursor at meta.next_token. ${all}`,
  ],
  [
    'a stop condition that is upside down',
    'cursor',
    { [`${strategy}.stop_condition`]: '{{ response.meta.next_token }}' },
    `missing/stop-inverted: Negate the stop condition: \`{{ not response.meta.next_token }}\`. ${all}`,
  ],

  [
    'an inverted flag in a response of GraphQL',
    'graphql',
    { [`${strategy}.stop_condition`]: '{{ response.data.records.pageInfo.hasNextPage }}' },
    `missing/stop-inverted: Negate the stop condition: \`{{ not response.data.records.pageInfo.hasNextPage }}\`. ${all}`,
  ],
  [
    'an inverted flag next to a cursor from the last record',
    'after',
    { [`${strategy}.stop_condition`]: '{{ response.has_more }}' },
    `missing/stop-inverted: Negate the stop condition: \`{{ not response.has_more }}\`. ${all}`,
  ],

  // Records, methods, steps.
  [
    'records that are read at the wrong place',
    'offset',
    { 'record_selector.extractor.field_path': ['items'] },
    `missing/record-path: Take the records from data. ${all}`,
  ],
  [
    'offsets where the API counts pages from 1',
    'page',
    counting('OffsetIncrement', 'page', 'per_page'),
    `duplicates/method: Count pages from 1 instead of records: Page Increment. ${all}`,
  ],
  [
    'offsets where the API counts pages from 0',
    'page0',
    counting('OffsetIncrement', 'page', 'per_page'),
    `duplicates/method: Count pages from 0 instead of records: Page Increment. ${all}`,
  ],
  [
    'page numbers where the API counts records',
    'offset',
    counting('PageIncrement', 'offset', 'limit'),
    `duplicates/method: Count records instead of pages: Offset Increment. ${all}`,
  ],
  [
    'a step that is shorter than a page',
    'after',
    { [`${strategy}.cursor_value`]: "{{ last_record['id'] - 50 }}" },
    `duplicates/step: Continue after the id of the last record. ${all}`,
  ],
  [
    'a parameter that is sent from two places',
    'page',
    { 'requester.request_parameters': { page: '1' } },
    `duplicates/mixed-methods: Remove page from request_parameters: the paginator sends it. ${all}`,
  ],

  // No pagination at all.
  ...(
    [
      ['offset', 'Read page by page, with the query parameter offset.'],
      ['page', 'Read page by page, with the query parameter page.'],
      ['page0', 'Read page by page, with the query parameter page.'],
      ['cursor', 'Send the value at meta.next_token as the query parameter cursor.'],
      ['cursor_header', 'Send the value at header x-next-cursor as the query parameter cursor.'],
      ['link', 'Follow the address at header link next.'],
      ['next_url', 'Follow the address at links.next.'],
      ['next_path', 'Follow the address at next.'],
      ['odata', 'Follow the address at @odata.nextLink.'],
      ['jsonapi', 'Follow the address at links.next.'],
      ['after', 'Continue after the id of the last record, with the query parameter after.'],
      ['search', 'Send the value at page.next_cursor as the member of the JSON body page.cursor.'],
      ['form', 'Send the value at next_cursor as the form field cursor.'],
      ['graphql', 'Send the value at data.records.pageInfo.endCursor as the member of the JSON body variables.after.'],
    ] as const
  ).map(
    ([stream, fix]): Row => [`no pagination for ${stream}`, stream, unpaged, `missing/not-paginated: ${fix} ${all}`],
  ),
]

for (const [wrong, stream, changes, finding, options] of rows) {
  test(`${wrong} is found and fixed`, async () => {
    const diagnosis = await diagnoseLab(stream, broken(stream, changes, labTextOf(stream)), options)
    assert.deepEqual(brief(diagnosis), [finding])
    assert.ok(diagnosis.findings[0]?.fix?.retest?.isFixed)
    assert.ok(diagnosis.findings[0].evidence.every(({ pages }) => pages.length > 0))
    assert.ok(diagnosis.probes.length <= 12)
  })
}
