/** Reads that lose records, over a real server: the API's own words must not be taken for more than they say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, readPages } from '../../src/index.ts'
import { cursorPaginator, manifestOf, offsetPaginator, option, type StreamParts } from '../helpers/manifests.ts'
import { type Answer, serveApi } from '../helpers/serve-api.ts'

type Read = { readonly ids: unknown[]; readonly said: string; readonly pagesWithoutList: number | undefined }

async function read(answer: (query: URLSearchParams, url: string) => Answer, parts: StreamParts): Promise<Read> {
  await using api = await serveApi({ 'GET /items': (query) => answer(query, api.url) })
  const manifest = loadManifest(manifestOf({ ...parts, url: api.url }))
  const ids: unknown[] = []
  let [said, pagesWithoutList]: [string, number | undefined] = ['', undefined]
  for await (const { records, receipt } of readPages(manifest, { sleep: async () => {} })) {
    ids.push(...records.map(({ id }) => id))
    if (receipt) [said, pagesWithoutList] = [`${receipt.verdict}: ${receipt.reason}`, receipt.pagesWithoutList]
  }
  return { ids, said, pagesWithoutList }
}

const rows = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => ({ id: from + index }))

const pageNumbers = (start_from_page: number, page_size = 10) => ({
  pagination_strategy: { type: 'PageIncrement', page_size, start_from_page, inject_on_first_request: true },
  page_token_option: option('request_parameter', 'page'),
})

test('a cursor that several records share may skip some: a flag at the end is no proof', async () => {
  const all = rows(1, 25).map(({ id }) => ({ id, day: Math.ceil(id / 4) }))
  const answer = (query: URLSearchParams) => {
    const left = all.filter(({ day }) => day > Number(query.get('cursor') ?? 0))
    return { json: { data: left.slice(0, 10), has_more: left.length > 10 } }
  }
  const paginator = cursorPaginator('{{ last_record.day }}', '{{ not response.has_more }}')
  const { ids, said } = await read(answer, { paginator })
  assert.ok(ids.length < 25)
  assert.equal(
    said,
    'unproven: the API says that this was the last page, but page 1 ends with several records of the same day, so the next page may skip some',
  )
  const byId = cursorPaginator('{{ last_record.id }}', '{{ not response.has_more }}')
  const unique = (query: URLSearchParams) => {
    const left = all.filter(({ id }) => id > Number(query.get('cursor') ?? 0))
    return { json: { data: left.slice(0, 10), has_more: left.length > 10 } }
  }
  assert.match((await read(unique, { paginator: byId })).said, /^complete: /)
})

test('a read from page 1 of an API that counts from 0 is not complete, whatever its last page says', async () => {
  const answer = (query: URLSearchParams) => {
    const start = Number(query.get('page') ?? 0) * 10
    return { json: { data: rows(start + 1, Math.min(25, start + 10)), has_more: start + 10 < 25 } }
  }
  const { ids, said } = await read(answer, { paginator: pageNumbers(1) })
  assert.equal(ids.length, 15)
  assert.match(said, /^unproven: .*nothing shows that the read began with the first page$/)
  assert.match((await read(answer, { paginator: pageNumbers(0) })).said, /^complete: /)
})

test('the offset that the API names on the first page shows that records come before it', async () => {
  const answer = (query: URLSearchParams) => {
    const offset = Number(query.get('page') ?? 0) * 10
    return { json: { data: rows(offset + 1, Math.min(25, offset + 10)), offset, has_more: offset + 10 < 25 } }
  }
  assert.match(
    (await read(answer, { paginator: pageNumbers(1) })).said,
    /^unproven: the first page names a previous page/,
  )
})

test('an offset that is sent as a page number skips pages, and the empty page it ends at is no proof', async () => {
  const answer = (query: URLSearchParams) => {
    const page = Number(query.get('offset') ?? 0)
    const start = page * 10
    return { json: { data: rows(start + 1, Math.min(45, start + 10)), has_more: start + 10 < 45 } }
  }
  const { ids, said } = await read(answer, { paginator: offsetPaginator({ page_size: 10 }) })
  assert.equal(ids.length, 10)
  assert.match(said, /^unproven: .*said there is more, and the page after it was empty$/)
})

test('page numbers of the API that jump show a gap', async () => {
  const answer = (query: URLSearchParams) => {
    const page = Number(query.get('offset') ?? 0) / 5
    const start = page * 10
    return { json: { data: rows(start + 1, Math.min(45, start + 10)), page, has_more: start + 10 < 45 } }
  }
  const { ids, said } = await read(answer, { paginator: offsetPaginator({ page_size: 10 }) })
  assert.ok(ids.length < 45)
  assert.match(said, /^unproven: .*by its own numbers, page 2 does not follow the one before it$/)
})

test('the link to the last page is not the next page', async () => {
  const answer = (query: URLSearchParams, url: string): Answer => {
    const page = Number((query.get('at') ?? 'p1').slice(1))
    const link = (to: number) => `${url}/items?at=p${to}`
    const links = { next: page < 5 ? link(page + 1) : null, last: page < 5 ? link(5) : null }
    return { json: { data: rows(page * 10 - 9, Math.min(45, page * 10)), links } }
  }
  const paginator = (name: string) => ({
    ...cursorPaginator(`{{ response.links.${name} }}`),
    page_token_option: { type: 'RequestPath' },
  })
  const { ids, said } = await read(answer, { paginator: paginator('last') })
  assert.equal(ids.length, 15)
  assert.match(said, /^unproven: .*did not continue at the next page that the API names$/)
  assert.match((await read(answer, { paginator: paginator('next') })).said, /^complete: /)
})

test('a total speaks also where the record path does not fit', async () => {
  const answer = () => ({ json: { items: rows(1, 10), total: 250 } })
  assert.deepEqual(await read(answer, { paginator: offsetPaginator({ page_size: 10 }) }), {
    ids: [],
    said: 'incomplete: the API counts 250, received 0',
    pagesWithoutList: 1,
  })
})

test('a flag next to a missing list proves nothing', async () => {
  const answer = () => ({ json: { items: rows(1, 10), has_more: false } })
  const { said } = await read(answer, { paginator: offsetPaginator({ page_size: 10 }) })
  assert.equal(said, 'unproven: no page has the list at `data`')
})

test('an API without records may say so without a list', async () => {
  assert.match((await read(() => ({ json: { total: 0 } }), {})).said, /^complete: total 0/)
})

test('a total speaks through `edges.*.node`', async () => {
  const answer = (query: URLSearchParams) => {
    const start = Number(query.get('cursor') ?? 0)
    const edges = rows(start + 1, Math.min(45, start + 10)).map((node) => ({ node }))
    return {
      json: { data: { totalCount: 45, edges, pageInfo: { endCursor: start + 10, hasNextPage: start + 10 < 45 } } },
    }
  }
  const parts = (stop: string) => ({
    fieldPath: ['data', 'edges', '*', 'node'],
    paginator: cursorPaginator('{{ response.data.pageInfo.endCursor }}', stop),
  })
  assert.equal(
    (await read(answer, parts('{{ response.data.pageInfo.endCursor >= 20 }}'))).said,
    'incomplete: the API counts 45, received 20',
  )
  assert.match((await read(answer, parts('{{ not response.data.pageInfo.hasNextPage }}'))).said, /^complete: total 45/)
})

test('a body that is an envelope around a list is not one record that is complete', async () => {
  const answer = () => ({ json: { hits: rows(1, 50), total: 237, next_cursor: 'abc' } })
  assert.equal((await read(answer, { fieldPath: [] })).said, 'incomplete: the API counts 237, received 1')
  const whole = () => ({ json: { id: 7, lines: rows(1, 3), total: 3 } })
  assert.match((await read(whole, { fieldPath: [] })).said, /^unproven: /)
})

test('a total that only later pages carry is read', async () => {
  const answerOf =
    (total: number, has: (offset: number) => boolean, end = 60) =>
    (query: URLSearchParams): Answer => {
      const offset = Number(query.get('offset') ?? 0)
      return { json: { data: rows(offset + 1, Math.min(offset + 10, end)), ...(has(offset) && { total }) } }
    }
  const paginator = offsetPaginator({ page_size: 10 })
  const said = async (answer: (query: URLSearchParams) => Answer) => (await read(answer, { paginator })).said
  const isLater = (offset: number) => offset > 0
  assert.equal(await said(answerOf(60, isLater)), 'complete: total 60')
  assert.equal(await said(answerOf(250, isLater)), 'incomplete: the API counts 250, received 60')
  assert.equal(await said(answerOf(250, isLater, 55)), 'incomplete: the API counts 250, received 55')
  // Not on the last page, which is empty.
  assert.match(await said(answerOf(250, (offset) => offset > 0 && offset < 60)), /^incomplete: the API counts 250/)
  // Only on the last page.
  assert.equal(await said(answerOf(250, (offset) => offset === 50, 55)), 'incomplete: the API counts 250, received 55')
  // The size of each later page is no total.
  const sizes = (query: URLSearchParams): Answer => {
    const data = rows(Number(query.get('offset') ?? 0) + 1, Math.min(Number(query.get('offset') ?? 0) + 10, 55))
    return { json: { data, ...(query.get('offset') && { total: data.length }) } }
  }
  assert.match(await said(sizes), /^unproven: /)
})

test('an emptied holder of the list is the end after full pages, and no proof', async () => {
  const said = async (past: object, count = 15) => {
    const answer = (query: URLSearchParams): Answer => {
      const offset = Number(query.get('offset') ?? 0)
      const found = rows(offset + 1, Math.min(offset + 5, count))
      const whole = { QueryResponse: { Item: found, startPosition: offset + 1 }, time: '2024-01-01' }
      return { json: offset < count ? whole : past }
    }
    return (await read(answer, { fieldPath: ['QueryResponse', 'Item'], paginator: offsetPaginator({ page_size: 5 }) }))
      .said
  }
  assert.match(await said({ QueryResponse: {}, time: '2024-01-02' }), /^unproven: /)
  const missing = 'incomplete: page 4 has no list at `QueryResponse.Item`'
  assert.equal(await said({ QueryResponse: {} }), missing)
  assert.equal(await said({ QueryResponse: { Other: rows(1, 5) }, time: '2024-01-02' }), missing)
  assert.equal(await said({ time: '2024-01-02' }), missing)
})

test('an envelope that leaves out its list and its token is the end, and no proof', async () => {
  const said = async (last: object, first: object = { kind: 'things#list', etag: 'x' }) => {
    const answer = (query: URLSearchParams): Answer => {
      const page = Number(query.get('cursor') ?? 0)
      return {
        json: page === 3 ? last : { ...first, data: rows(page * 5, page * 5 + 4), next_page_token: `${page + 1}` },
      }
    }
    return (await read(answer, { paginator: cursorPaginator("{{ response.get('next_page_token') }}") })).said
  }
  assert.match(await said({ kind: 'things#list', etag: 'y' }), /^unproven: .* but page 4 has no list at `data`$/)
  assert.match(await said({ kind: 'things#list', etag: 'y', next_sync_token: 's' }), /^unproven: /)
  const missing = 'incomplete: page 4 has no list at `data`'
  assert.equal(await said({ kind: 'things#list', etag: 'y', items: rows(1, 5) }), missing)
  assert.equal(await said({ kind: 'things#list', etag: 'y', ids: ['a', 'b'] }), missing)
  assert.equal(await said({ kind: 'things#list', etag: 'y', by_id: { a: { id: 1 } } }), missing)
  assert.equal(await said({ kind: 'things#list' }), missing)
  assert.equal(await said({ message: 'try again' }), missing)
  assert.equal(await said({}), missing)
  // Nothing to know the envelope by.
  assert.equal(await said({ kind: 'things#list' }, {}), missing)
  // A total is the plainer word.
  assert.match(await said({ kind: 'k', total: 100 }, { kind: 'k', total: 100 }), /^incomplete: the API counts 100/)
})

test('a cursor that is no key may skip records where a page ends with the first of several: no proof', async () => {
  // Page 1 ends with record 10, the first of three of day 10: 11 and 12 are skipped, and no page shows it.
  const all = rows(1, 25).map(({ id }) => ({ id, day: id === 11 || id === 12 ? 10 : id, place: { id } }))
  const answer = (query: URLSearchParams) => {
    const left = all.filter(({ day }) => day > Number(query.get('cursor') ?? 0))
    return { json: { data: left.slice(0, 10), has_more: left.length > 10 } }
  }
  const said = async (value: string, stream: Record<string, unknown> = {}) => {
    const paginator = cursorPaginator(value, '{{ not response.has_more }}')
    const found = await read(answer, { paginator, stream })
    return `${found.ids.length} ${found.said}`
  }
  const doubt = (field: string) =>
    `23 unproven: the API says that this was the last page, but several records may have the same ${field}, so a page may skip some`
  assert.equal(await said('{{ last_record.day }}'), doubt('day'))
  assert.equal(await said("{{ last_records[-1]['day'] }}", { primary_key: 'id' }), doubt('day'))
  assert.equal(await said('{{ last_record.day | string }}'), doubt('day'))
  assert.equal(await said('{{ response.data[-1].day }}'), doubt('cursor'))
  assert.equal(await said('{{ (response.data | last).day }}'), doubt('cursor'))
  assert.equal(await said('{{ last_record.day }}', { primary_key: ['id', 'day'] }), doubt('day'))
  // A key has one record.
  const whole = '25 complete: the API says that this was the last page'
  for (const record of all) record.day = record.id
  assert.equal(await said('{{ last_record.id }}'), whole)
  assert.equal(await said('{{ last_record.day }}', { primary_key: 'day' }), whole)
  assert.equal(await said("{{ last_record['place']['id'] }}"), whole)
  assert.equal(await said('{{ response.data[-1].id }}'), whole)
})

test('a cursor that is no key: the number of pages is no proof, and a single page needs none', async () => {
  // Two pages of ten by the API's count; 11 and 12 are of the day that page 1 ends with.
  const all = rows(1, 20).map(({ id }) => ({ id, day: id === 11 || id === 12 ? 10 : id }))
  const answer = (query: URLSearchParams) => {
    const left = all.filter(({ day }) => day > Number(query.get('cursor') ?? 0))
    return { json: { data: left.slice(0, 10), total_pages: Math.ceil(all.length / 10), has_more: left.length > 10 } }
  }
  const paginator = cursorPaginator('{{ last_record.day }}', '{{ not response.has_more }}')
  const { ids, said } = await read(answer, { paginator })
  assert.deepEqual(
    [ids.length, said],
    [18, 'unproven: 2 of 2 pages, but several records may have the same day, so a page may skip some'],
  )
  all.length = 10
  assert.equal((await read(answer, { paginator })).said, 'complete: 1 of 1 page')
  const flagged = () => ({ json: { data: all, has_more: false } })
  assert.equal((await read(flagged, { paginator })).said, 'complete: the API says that this was the last page')
})

test('a text where edges should be is no empty list', async () => {
  const answer = (query: URLSearchParams): Answer => {
    const isLast = query.get('cursor') !== null
    const pageInfo = { hasNextPage: !isLast, endCursor: isLast ? null : 'b' }
    return { json: { x: { edges: isLast ? rows(11, 15).map((node) => ({ node })) : 'unavailable', pageInfo } } }
  }
  const paginator = cursorPaginator('{{ response.x.pageInfo.endCursor }}')
  const { ids, said } = await read(answer, { fieldPath: ['x', 'edges', '*', 'node'], paginator })
  assert.deepEqual([ids.length, said], [5, 'incomplete: page 1 has no list at `x.edges.*.node`'])
})

test('members of a list that are no records prove nothing, where the list is the body', async () => {
  const link = { page_token_option: { type: 'RequestPath' } }
  const errors = [{ error: 'quota exceeded' }]
  for (const odd of [[null, null], [{}, {}], { a: { id: 1 }, b: { id: 2 } }, { things: rows(1, 10) }, errors]) {
    const answer = (query: URLSearchParams, url: string): Answer =>
      query.get('page') === null
        ? { json: odd, headers: { link: `<${url}/items?page=2>; rel="next"` } }
        : { json: rows(11, 15), headers: { link: `<${url}/items>; rel="first"` } }
    const paginator = cursorPaginator('{{ headers.link.next.url }}', undefined, link)
    const { said } = await read(answer, { fieldPath: [], paginator })
    assert.match(said, /^(unproven|incomplete): /, JSON.stringify(odd))
  }
})

test('a response that the manifest ignores ends a slice and proves nothing', async () => {
  const filter = {
    type: 'HttpResponseFilter',
    action: 'IGNORE',
    predicate: "{{ response.get('error') | default(false, true) }}",
  }
  const requester = { error_handler: { type: 'DefaultErrorHandler', response_filters: [filter] } }
  const answer = (query: URLSearchParams): Answer =>
    query.get('cursor') === null
      ? { json: { data: rows(1, 10), next_cursor: 'b' } }
      : { json: { error: 'no more for you', next_cursor: null } }
  const { ids, said } = await read(answer, {
    requester,
    paginator: cursorPaginator("{{ response.get('next_cursor') }}"),
  })
  assert.deepEqual([ids.length, said], [10, 'unproven: the API reports no total'])
})

const grouped = (values?: string[]): StreamParts => ({
  paginator: offsetPaginator({ page_size: 10 }),
  requester: {
    error_handler: {
      type: 'DefaultErrorHandler',
      response_filters: [{ type: 'HttpResponseFilter', http_codes: [403], action: 'IGNORE' }],
    },
    request_parameters: {
      fields: {
        type: 'QueryProperties',
        property_list: ['a', 'b'],
        property_chunking: { type: 'PropertyChunking', property_limit_type: 'property_count', property_limit: 1 },
      },
    },
  },
  ...(values && {
    retriever: { partition_router: { type: 'ListPartitionRouter', values, cursor_field: 'shop' } },
  }),
})
const lacks = (count: string) => `page 1 has ${count} without the properties of one or more groups`
const groupsOfProperties: [name: string, ofB: Answer, said: string, saidOfSlices: string][] = [
  ['all', { json: { data: rows(1, 10), total: 10 } }, 'complete: total 10', 'complete: total 10'],
  [
    'in another order',
    { json: { data: rows(1, 10).toReversed(), total: 10 } },
    'complete: total 10',
    'complete: total 10',
  ],
  [
    'none',
    { json: { data: [], total: 0 } },
    `incomplete: ${lacks('10 records')}`,
    `unproven: total 10, but ${lacks('10 records')}`,
  ],
  [
    'an ignored answer',
    { status: 403, json: {} },
    `incomplete: ${lacks('10 records')}`,
    `unproven: total 10, but ${lacks('10 records')}`,
  ],
  [
    'fewer than it counts',
    { json: { data: rows(1, 4), total: 10 } },
    `incomplete: ${lacks('6 records')}`,
    `incomplete: ${lacks('6 records')}`,
  ],
  [
    'fewer',
    { json: { data: rows(2, 10), total: 9 } },
    `unproven: total 10, but ${lacks('1 record')}`,
    `unproven: total 10, but ${lacks('1 record')}`,
  ],
  [
    'others',
    { json: { data: rows(2, 11), total: 10 } },
    `unproven: total 10, but ${lacks('2 records')}`,
    `unproven: total 10, but ${lacks('2 records')}`,
  ],
]
for (const [name, ofB, said, saidOfSlices] of groupsOfProperties) {
  test(`a group of properties that has ${name}, of the records of another group`, async () => {
    const answer = (query: URLSearchParams): Answer => {
      if (query.get('offset') !== null) return { json: { data: [], total: 10 } }
      return query.get('fields') === 'b' ? ofB : { json: { data: rows(1, 10), total: 10 } }
    }
    assert.equal((await read(answer, grouped())).said, said)
    assert.equal((await read(answer, grouped(['x', 'y']))).said, saidOfSlices)
  })
}

test('an error in the body is tried again, then fails with the words of the API and the filter to add', async () => {
  let asked = 0
  const answer = () => {
    asked++
    return { json: { error: { message: 'quota exceeded' } } }
  }
  await assert.rejects(read(answer, {}), {
    code: 'response/error-body',
    message: /6 tries.*\/items answered 200 OK with an error \(`error`\) instead of the list at `data`: quota exceeded/,
    hint: /action: IGNORE, predicate: "\{\{ response\.get\('error'\) \| default\(false, true\) \}\}"/,
  })
  assert.equal(asked, 6)
})

test('the filter that an error in the body proposes matches that answer, and no good page', async () => {
  for (const [error, good] of [
    [{ error: 'nothing left' }, {}],
    [{ error: { code: 4 } }, { error: null }],
    [{ status: 'error', reason: 'x' }, { status: 'ok' }],
    [{ success: false }, { success: true }],
    [{ meta: { code: 404 } }, { meta: { code: 200 } }],
  ]) {
    const answer = (query: URLSearchParams): Answer => {
      const offset = Number(query.get('offset') ?? 0)
      return { json: offset > 10 ? error : { ...good, data: rows(offset + 1, offset + 10), total: 20 } }
    }
    const paginator = offsetPaginator({ page_size: 10 })
    const hint = await read(answer, { paginator }).then(
      () => '',
      (failure: { hint?: string }) => failure.hint ?? '',
    )
    const [, predicate = ''] = /predicate: "(.*)"/.exec(hint) ?? []
    const filter = { type: 'HttpResponseFilter', action: 'IGNORE', predicate }
    const requester = { error_handler: { type: 'DefaultErrorHandler', response_filters: [filter] } }
    const { ids, said } = await read(answer, { paginator, requester })
    assert.deepEqual([ids.length, said], [20, 'complete: total 20'], predicate)
  }
})

test('an error in the body that passes costs nothing', async () => {
  let asked = 0
  const answer = () => ({ json: asked++ === 0 ? { errors: [{ message: 'busy' }] } : { data: rows(1, 3) } })
  assert.deepEqual((await read(answer, {})).ids, [1, 2, 3])
})

/** The same record in each format, and responses with 200 that have no record. */
type Format = { parts: StreamParts; inner?: object; good: (ids: number[]) => string; errors: string[] }
const formats: Record<string, Format> = {
  JsonlDecoder: {
    parts: { fieldPath: [] },
    good: (ids) => ids.map((id) => `{"id":${id},"error":"none","status":"failed"}\n`).join(''),
    errors: [
      '{"error":"quota exceeded"}\n',
      '\ufeff{"errors":[{"message":"quota exceeded"}]}',
      JSON.stringify({ status: 'error', message: 'quota exceeded' }, null, 2),
    ],
  },
  CsvDecoder: {
    parts: { fieldPath: [] },
    good: (ids) => `id,error\n${ids.map((id) => `${id},{"x"}\n`).join('')}`,
    errors: [
      '{"error":"quota exceeded"}\n',
      JSON.stringify({ error: 'quota exceeded', code: 429 }, null, 2),
      '<Error><Message>quota exceeded</Message></Error>',
    ],
  },
  // A server that compresses its files does not compress its errors.
  GzipDecoder: {
    parts: { fieldPath: [] },
    inner: { decoder: { type: 'JsonlDecoder' } },
    good: (ids) => ids.map((id) => `{"id":${id},"error":"none"}\n`).join(''),
    errors: ['{"error":"quota exceeded"}\n', JSON.stringify({ error: 'quota exceeded', code: 429 }, null, 2)],
  },
  XmlDecoder: {
    parts: { fieldPath: ['list', 'item'] },
    good: (ids) => `<list>${ids.map((id) => `<item><id>${id}</id><status>error</status></item>`).join('')}</list>`,
    errors: [
      '<?xml version="1.0"?>\n<error><code>42</code><message>quota exceeded</message></error>',
      '<response status="error"><message>quota exceeded</message></response>',
      '{"error":"quota exceeded"}',
    ],
  },
}
for (const [type, { parts, inner = {}, good, errors }] of Object.entries(formats)) {
  const decoded = (isPaged: boolean, response_filters: object[] = []): StreamParts => ({
    ...parts,
    retriever: { decoder: { type, ...inner } },
    requester: { error_handler: { type: 'DefaultErrorHandler', response_filters } },
    ...(isPaged && { paginator: offsetPaginator({ page_size: 2 }) }),
  })
  test(`${type}: an error with 200 is tried again, then fails with the words of the API`, async () => {
    for (const error of errors) {
      for (const isPaged of [true, false]) {
        const answer = (query: URLSearchParams): Answer => {
          const isError = !isPaged || query.get('offset') !== null
          return { text: isError ? error : good([1, 2]) }
        }
        const failure = await read(answer, decoded(isPaged)).then(
          () => null,
          (thrown: { code: string; message: string; hint: string }) => thrown,
        )
        assert.equal(failure?.code, 'response/error-body', error)
        assert.match(failure.message, /6 tries.*answered 200 OK with an error .*: quota exceeded/)
        const [, member, value = ''] =
          /(predicate|error_message_contains): (?:"(.*)"|'(.*)') \}/.exec(failure.hint)?.filter(Boolean) ?? []
        const filter = { type: 'HttpResponseFilter', action: 'IGNORE', [member ?? '']: value }
        const { ids, said } = await read(answer, decoded(isPaged, [filter]))
        assert.deepEqual([ids.length, said.startsWith('complete')], [isPaged ? 2 : 0, false], `${error} ${value}`)
      }
    }
  })

  test(`${type}: an error with 200 that passes costs nothing, and records like an error are records`, async () => {
    for (const isPaged of [true, false]) {
      let asked = 0
      const answer = (query: URLSearchParams): Answer => {
        if (asked++ === 0) return { text: errors[0] ?? '' }
        return { text: good(query.get('offset') === null ? [1, 2] : [3]) }
      }
      assert.deepEqual((await read(answer, decoded(isPaged))).ids.map(Number), isPaged ? [1, 2, 3] : [1, 2])
    }
  })
}

test('JSON in place of CSV is no CSV; a response of any size arrives whole', async () => {
  const csv: StreamParts = { fieldPath: [], retriever: { decoder: { type: 'CsvDecoder' } } }
  for (const json of [{ message: 'no report' }, { data: rows(1, 9000) }, rows(1, 2), [{}]]) {
    for (const space of [0, 2]) {
      const answer = () => ({ text: JSON.stringify(json, null, space) })
      await assert.rejects(read(answer, csv), { code: 'response/not-decodable', message: /it looks like JSON/ })
    }
  }
  for (const text of ['', 'id', '"id"', '[id]', '[]', '{}']) {
    assert.deepEqual((await read(() => ({ text }), csv)).ids, [], text)
  }
  for (const count of [1, 100, 3_000, 5_000, 200_000]) {
    const text = `id\n${rows(1, count)
      .map(({ id }) => `${id}\n`)
      .join('')}`
    const { ids } = await read(() => ({ text }), csv)
    assert.deepEqual([ids.length, ids.at(-1)], [count, String(count)])
  }
})

/** Responses of one page, or of the second of three, with which records are lost although the API seems to say "that was all". */
const deceiving: [name: string, isPaged: boolean, page: number, body: unknown][] = [
  [
    'an error next to an empty list and a total of 0',
    true,
    1,
    { success: false, message: 'timeout', data: [], total: 0 },
  ],
  [
    'an error next to an empty list and a flag',
    true,
    1,
    { ok: false, error: 'ratelimited', data: [], has_more: false },
  ],
  ['an error next to part of the list', true, 2, { error: 'partial results', data: rows(11, 13), next: null }],
  ['results that the API calls partial', true, 2, { data: rows(11, 13), timed_out: true, next: null }],
  ['a list that became an object', true, 2, { data: { items: rows(11, 20) }, next: null }],
  ['a list that became a map', true, 2, { data: { 11: { id: 11 }, 12: { id: 12 } }, next: null }],
  ['a list that became a number', true, 2, { data: 0, next: null }],
  ['a message in place of the first list', true, 1, { data: { message: 'quota', code: 'X1' }, has_more: false }],
  ['a body that lost its next link and its records', true, 2, { data: [], message: 'upstream timeout' }],
  [
    'two totals that contradict each other',
    true,
    2,
    { data: rows(11, 20), total: 25, meta: { total: 20 }, next: null },
  ],
  ['a total that shrank to nothing', true, 2, { data: [], total: 0, next: null }],
  ['a total as large as the page, and a next link', false, 1, { data: rows(1, 10), total: 10, next: '/b' }],
]
for (const [name, isPaged, page, body] of deceiving) {
  test(`never complete: ${name}`, async () => {
    const answer = (query: URLSearchParams): Answer => {
      const number = Number(query.get('cursor') ?? 1)
      if (number === page) return { json: body }
      const next = number < 3 ? number + 1 : null
      return { json: { data: rows(number * 10 - 9, Math.min(25, number * 10)), total: 25, meta: { total: 20 }, next } }
    }
    const usual = { paginator: cursorPaginator('{{ response.next }}'), stream: { primary_key: 'id' } }
    const said = await read(answer, isPaged ? usual : { stream: usual.stream }).then(
      ({ said: verdict }) => verdict,
      (error: unknown) => `error: ${(error as { code?: string }).code}`,
    )
    assert.doesNotMatch(said, /^complete/)
  })
}

test('`edges` whose nodes are gone are not an empty list', async () => {
  const edges = rows(1, 25).map((item) => ({ item }))
  const answer = () => ({ json: { data: { totalCount: 25, edges, pageInfo: { hasNextPage: false } } } })
  const { said } = await read(answer, { fieldPath: ['data', 'edges', '*', 'node'] })
  assert.equal(said, 'incomplete: the API counts 25, received 0')
  const half = rows(1, 10).map((node) => ({ node: node.id % 2 === 0 ? node : undefined }))
  const partial = () => ({ json: { data: { edges: half, pageInfo: { hasNextPage: false } } } })
  assert.match(
    (await read(partial, { fieldPath: ['data', 'edges', '*', 'node'] })).said,
    /^unproven: .*holds more than/,
  )
})

test('the response around the list is no record, though it names no next page in the end', async () => {
  const answer = (query: URLSearchParams): Answer => {
    const start = Number(query.get('cursor') ?? 0)
    const next = start < 20 ? start + 10 : null
    return { json: { object: 'list', results: rows(start + 1, Math.min(25, start + 10)), next_cursor: next } }
  }
  const paginator = cursorPaginator('{{ response.next_cursor }}')
  assert.match((await read(answer, { fieldPath: [], paginator })).said, /^unproven: .*page 1 holds more than/)
  assert.match((await read(answer, { fieldPath: ['results'], paginator })).said, /^complete/)
})

test('one thing a page, with a list inside, is a record that names the next one', async () => {
  const answer = (query: URLSearchParams): Answer => {
    const id = Number(query.get('cursor') ?? 1)
    return { json: { id, lines: rows(1, 3), next: id < 4 ? id + 1 : null } }
  }
  const paginator = cursorPaginator('{{ response.next }}')
  assert.match((await read(answer, { fieldPath: [], paginator })).said, /^complete/)
})

test('an envelope that is gone proves nothing', async () => {
  const answer = (query: URLSearchParams): Answer => {
    const isFirst = query.get('cursor') === null
    return {
      json: { data: isFirst ? rows(1, 10) : rows(11, 20), ...(isFirst && { paging: { next: { after: '10' } } }) },
    }
  }
  const paginator = cursorPaginator("{{ response.get('paging', {}).get('next', {}).get('after') }}")
  assert.match((await read(answer, { paginator })).said, /^unproven: /)
})

test('an empty element of XML is an empty page', async () => {
  const answer = (query: URLSearchParams): Answer => {
    const page = Number(query.get('page'))
    const items = page < 2 ? rows(page * 10 + 1, page * 10 + 10).map(({ id }) => `<item><id>${id}</id></item>`) : []
    return { text: `<r><items>${items.join('')}</items></r>`, headers: { 'content-type': 'application/xml' } }
  }
  const retriever = { decoder: { type: 'XmlDecoder' } }
  const { ids, said } = await read(answer, { fieldPath: ['r', 'items', 'item'], paginator: pageNumbers(0), retriever })
  assert.deepEqual([ids.length, said], [20, 'unproven: the API reports no total'])
})

test('slices of one size whose sum is the total of one of them prove nothing', async () => {
  const router = {
    type: 'ListPartitionRouter',
    values: ['a', 'b'],
    cursor_field: 'part',
    request_option: option('request_parameter', 'part'),
  }
  const answer = () => ({ json: { data: rows(1, 10), total: 20 } })
  await using api = await serveApi({ 'GET /items': answer })
  const manifest = loadManifest(manifestOf({ url: api.url, retriever: { partition_router: router } }))
  let verdict = ''
  for await (const { receipt } of readPages(manifest)) verdict = receipt?.stream.verdict ?? verdict
  assert.equal(verdict, 'unproven')
})

test('a next object that stays on the last page without its cursor says the end; with one it says more', async () => {
  const answer = (last: object) => (query: URLSearchParams) => {
    const start = Number(query.get('cursor') ?? 0)
    const isLast = start + 10 >= 25
    const params = isLast ? last : { limit: 10, cursor: start + 10 }
    return { json: { data: rows(start + 1, Math.min(25, start + 10)), _links: { self: '/items', more: { params } } } }
  }
  const cursor = '{{ response._links.more.params.cursor | default(None) }}'
  const paginator = cursorPaginator(cursor, '{{ response._links.more is not defined or response._links.more is none }}')
  for (const last of [{}, { limit: 10 }, { limit: 10, cursor: null }]) {
    const { ids, said } = await read(answer(last), { paginator })
    assert.equal(ids.length, 25, JSON.stringify(last))
    assert.doesNotMatch(said, /^incomplete/, JSON.stringify(last))
  }
  const misspelt = cursorPaginator(
    '{{ response._links.more.params.curser | default(None) }}',
    '{{ not response._links.more }}',
  )
  const { ids, said } = await read(answer({}), { paginator: misspelt })
  assert.equal(ids.length, 10)
  assert.match(said, /^incomplete: /)
})

test('a record that changes and moves to the end of a counted list pushes another one out of the read', async () => {
  let all = rows(1, 25).map(({ id }) => ({ id, changed: 0 }))
  const answer = (query: URLSearchParams) => {
    const start = Number(query.get('offset') ?? 0)
    const data = all.slice(start, start + 10)
    if (start === 10) all = [...all.filter(({ id }) => id !== 4), { id: 4, changed: 1 }]
    return { json: { data, total: 25 } }
  }
  const { ids, said } = await read(answer, {
    paginator: offsetPaginator({ page_size: 10 }),
    stream: { primary_key: 'id' },
  })
  assert.equal(ids.length, 25)
  assert.ok(!ids.includes(21))
  assert.equal(
    said,
    'unproven: total 25, but 1 record received again with other values, so others may have been skipped',
  )
})

test('a next page that the API names by a count may skip records: a smaller total is no proof', async () => {
  const readBy = (name: string, positionOf: (start: number) => number, startOf: (token: number) => number) => {
    let all = rows(1, 25)
    const answer = (query: URLSearchParams) => {
      const token = query.get('cursor')
      const start = token === null ? 0 : startOf(Number(token))
      const hasMore = start + 10 < all.length
      const json = { data: all.slice(start, start + 10), total: all.length, [name]: hasMore ? positionOf(start) : null }
      if (start === 0) all = all.filter(({ id }) => id !== 4)
      return { json }
    }
    return read(answer, { paginator: cursorPaginator(`{{ response.${name} }}`, '{{ not true }}') })
  }
  const byOffset = await readBy(
    'next_offset',
    (start) => start + 10,
    (token) => token,
  )
  const byPage = await readBy(
    'next_page',
    (start) => start / 10 + 2,
    (token) => (token - 1) * 10,
  )
  for (const { ids, said } of [byOffset, byPage]) {
    assert.ok(!ids.includes(11))
    assert.match(said, /^unproven: /)
  }
})

test('a list without its page parameter does not go on for ever because its links are signed anew each time', async () => {
  let requests = 0
  const answer = () => {
    requests++
    return { json: { data: rows(1, 10).map(({ id }) => ({ id, link: `/files/${id}?signed=${requests}` })), total: 25 } }
  }
  const { said } = await read(answer, { paginator: pageNumbers(1) }).catch((error) => ({ said: String(error.code) }))
  assert.equal(said, 'pagination/loop')
})
