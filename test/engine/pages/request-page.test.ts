/** Properties requested by name: in groups, one request each, and put together to one page again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, type Notice, type Page, type ReadOptions, readPages } from '../../../src/index.ts'
import { collect } from '../../helpers/collect.ts'
import { manifestOf, offsetPaginator, option, type StreamParts, streamOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'

const chunks = (property_limit: number | undefined, more: object = {}) => ({
  type: 'PropertyChunking',
  property_limit_type: 'property_count',
  ...(property_limit !== undefined && { property_limit }),
  ...more,
})
const byKey = (key: string | string[]) => ({ record_merge_strategy: { type: 'GroupByKeyMergeStrategy', key } })
const properties = (property_list: unknown, more: object = {}) => ({ type: 'QueryProperties', property_list, ...more })
const asking = (...given: Parameters<typeof properties>): StreamParts => ({
  requester: { request_parameters: { fields: properties(...given) } },
})

const read = (parts: StreamParts, options: ReadOptions = {}): Promise<Page[]> =>
  collect(readPages(loadManifest(manifestOf(parts)), { ...options, sleep: async () => {} }))
const recordsOf = (pages: readonly Page[]) => pages.flatMap(({ records }) => records)

type Row = Record<string, unknown>

/** Responses with the requested fields, and always with `id`. */
function picking(rows: readonly Row[]) {
  return (query: URLSearchParams) => {
    const fields = ['id', ...(query.get('fields') ?? '').split(',')]
    const data = rows.map((row) =>
      Object.fromEntries(fields.flatMap((name) => (name in row ? [[name, row[name]]] : []))),
    )
    return { json: { data } }
  }
}
const asked = (api: { requests: { query: URLSearchParams }[] }) => api.requests.map(({ query }) => query.get('fields'))

const lists: [name: string, given: Parameters<typeof properties>, expected: string[]][] = [
  ['all at once', [['a', 'b']], ['a,b']],
  ['always, first', [['a', 'b'], { always_include_properties: ['id'] }], ['id,a,b']],
  ['groups of two', [['a', 'b', 'c'], { property_chunking: chunks(2) }], ['a,b', 'c']],
  [
    'some in every group, not counted by the limit',
    [['a', 'b', 'c'], { always_include_properties: ['id', 'x'], property_chunking: chunks(2) }],
    ['id,x,a,b', 'id,x,c'],
  ],
  [
    'by characters, three more for each comma',
    [['abc', 'de', 'f', 'g'], { property_chunking: chunks(11, { property_limit_type: 'characters' }) }],
    ['abc,de', 'f,g'],
  ],
  [
    'a name longer than the limit goes alone',
    [['abcdefghij', 'k', 'lmnopqrstuvw'], { property_chunking: chunks(5, { property_limit_type: 'characters' }) }],
    ['abcdefghij', 'k', 'lmnopqrstuvw'],
  ],
  [
    'characters are those that people count',
    [['😀😀', 'b'], { property_chunking: chunks(9, { property_limit_type: 'characters' }) }],
    ['😀😀,b'],
  ],
  [
    'no limit is one group',
    [['a', 'b'], { always_include_properties: ['id'], property_chunking: chunks(undefined) }],
    ['a,b,id'],
  ],
  ['a limit of nothing is none', [['a', 'b'], { property_chunking: chunks(0) }], ['a,b']],
  ['none at all still asks', [[], { property_chunking: chunks(2) }], ['']],
]
for (const [name, given, expected] of lists) {
  test(`properties: ${name}`, async () => {
    await using api = await serveApi({ 'GET /items': picking([]) })
    await read({ url: api.url, ...asking(...given) })
    assert.deepEqual(asked(api), expected)
  })
}

test('the records of all groups are merged by their key, objects member by member', async () => {
  const answers: Record<string, object[]> = {
    a: [
      { id: 'x', a: 1, more: { a: 1, n: 1 } },
      { id: 'y', a: 2 },
    ],
    b: [
      { id: 'y', b: 3 },
      { id: 'x', b: 4, more: { b: 2, n: 2 } },
    ],
  }
  await using api = await serveApi({
    'GET /items': (query) => ({ json: { data: answers[query.get('fields') ?? ''] } }),
  })
  const [page] = await read({ url: api.url, ...asking(['a', 'b'], { property_chunking: chunks(1) }) })
  assert.deepEqual(page?.records, [
    { id: 'x', a: 1, b: 4, more: { a: 1, b: 2, n: 2 } },
    { id: 'y', a: 2, b: 3 },
  ])
  assert.equal(page?.receivedCount, 2)
  assert.equal(page?.request.url, `${api.url}/items?fields=a`)
  assert.deepEqual(page?.response.body, { data: answers.a })
  assert.deepEqual(
    page?.further?.map(({ request, response }) => [request.url, response.body]),
    [[`${api.url}/items?fields=b`, { data: answers.b }]],
  )
})

const keys: [name: string, key: string | string[], first: Row[], second: Row[], expected: Row[]][] = [
  [
    'numbers, zero too',
    'id',
    [
      { id: 1, a: 1 },
      { id: 0, a: 2 },
    ],
    [
      { id: 0, b: 3 },
      { id: 1, b: 4 },
    ],
    [
      { id: 1, a: 1, b: 4 },
      { id: 0, a: 2, b: 3 },
    ],
  ],
  [
    'a number is not its text',
    'id',
    [{ id: 1, a: 1 }],
    [{ id: '1', b: 1 }],
    [
      { id: 1, a: 1 },
      { id: '1', b: 1 },
    ],
  ],
  [
    'several fields, whatever is in them',
    ['p', 'q'],
    [{ p: 'x,y', q: 'z', a: 1 }],
    [{ p: 'x', q: 'y,z', b: 1 }],
    [
      { p: 'x,y', q: 'z', a: 1 },
      { p: 'x', q: 'y,z', b: 1 },
    ],
  ],
  ['an object', 'id', [{ id: { n: 1 }, a: 1 }], [{ id: { n: 1 }, b: 2 }], [{ id: { n: 1 }, a: 1, b: 2 }]],
  [
    'a missing or empty key: no record is lost',
    'id',
    [{ a: 1 }, { id: null, a: 2 }, { id: '', a: 3 }],
    [{ b: 4 }],
    [{ a: 1 }, { id: null, a: 2 }, { id: '', a: 3 }, { b: 4 }],
  ],
  [
    'a record that one group lacks',
    'id',
    [{ id: 1, a: 1 }],
    [{ id: 2, b: 2 }],
    [
      { id: 1, a: 1 },
      { id: 2, b: 2 },
    ],
  ],
  [
    'two of one key that contradict each other',
    'id',
    [
      { id: 1, a: 1 },
      { id: 1, a: 2 },
    ],
    [
      { id: 1, b: 3 },
      { id: 1, b: 4 },
    ],
    [
      { id: 1, a: 1, b: 3 },
      { id: 1, a: 2, b: 4 },
    ],
  ],
  [
    'two of one key that complete each other',
    'id',
    [
      { id: 1, a: 1 },
      { id: 1, c: 2 },
    ],
    [{ id: 1, b: 3 }],
    [{ id: 1, a: 1, c: 2, b: 3 }],
  ],
  [
    'a name of the prototype',
    'constructor',
    [{ id: 1, a: 1 }],
    [{ id: 1, b: 2 }],
    [
      { id: 1, a: 1 },
      { id: 1, b: 2 },
    ],
  ],
]
for (const [name, key, first, second, expected] of keys) {
  test(`merging by ${name}`, async () => {
    await using api = await serveApi({
      'GET /items': (query) => ({ json: { data: query.get('fields') === 'a' ? first : second } }),
    })
    const pages = await read({ url: api.url, ...asking(['a', 'b'], { property_chunking: chunks(1, byKey(key)) }) })
    assert.deepEqual(recordsOf(pages), expected)
  })
}

test('records are merged after the transformations, which may make the key', async () => {
  const stream = {
    transformations: [{ type: 'AddFields', fields: [{ path: ['key'], value: "{{ record.p ~ '-' ~ record.q }}" }] }],
  }
  await using api = await serveApi({
    'GET /items': (query) => ({ json: { data: [{ p: 1, q: 2, [query.get('fields') ?? '']: 0 }] } }),
  })
  const pages = await read({
    url: api.url,
    stream,
    ...asking(['a', 'b'], { property_chunking: chunks(1, byKey('key')) }),
  })
  assert.deepEqual(recordsOf(pages), [{ p: 1, q: 2, key: '1-2', a: 0, b: 0 }])
})

test('a filter on a property of one group costs no property of the others', async () => {
  const rows = [
    { id: 1, a: 1, b: 'yes' },
    { id: 2, a: 2, b: 'no' },
  ]
  const selector = { record_filter: { type: 'RecordFilter', condition: "{{ record.b == 'yes' }}" } }
  await using api = await serveApi({ 'GET /items': picking(rows) })
  const [page] = await read({ url: api.url, selector, ...asking(['a', 'b'], { property_chunking: chunks(1) }) })
  assert.deepEqual(page?.records, [rows[0]])
  assert.equal(page?.receivedCount, 2)
})

test('every page asks for every group, and a group that lacks a record does not end the read', async () => {
  const pages: Record<string, Row[]> = {
    'a 0': [
      { id: 1, a: 1 },
      { id: 2, a: 2 },
    ],
    'b 0': [{ id: 1, b: 1 }],
    'a 2': [{ id: 3, a: 3 }],
    'b 2': [{ id: 3, b: 3 }],
  }
  await using api = await serveApi({
    'GET /items': (query) => ({ json: { data: pages[`${query.get('fields')} ${query.get('offset') ?? 0}`] } }),
  })
  const parts = {
    url: api.url,
    ...asking(['a', 'b'], { property_chunking: chunks(1) }),
    paginator: offsetPaginator({ page_size: 2 }),
  }
  const all = await read(parts, { prefetch: 'off' })
  assert.deepEqual(recordsOf(all), [
    { id: 1, a: 1, b: 1 },
    { id: 2, a: 2 },
    { id: 3, a: 3, b: 3 },
  ])
  assert.equal(api.asked.length, 4)
  assert.equal(all.at(-1)?.receipt?.received, 3)
})

test('the next page follows from the last group, and from the last that is not ignored', async () => {
  const paginator = {
    pagination_strategy: { type: 'CursorPagination', cursor_value: '{{ response.next }}' },
    page_token_option: option('request_parameter', 'cursor'),
  }
  const error_handler = {
    type: 'DefaultErrorHandler',
    response_filters: [{ type: 'HttpResponseFilter', http_codes: [404], action: 'IGNORE' }],
  }
  const parts = asking(['a', 'b'], { property_chunking: chunks(1) })
  for (const lastIsThere of [true, false]) {
    await using api = await serveApi({
      'GET /items': (query) => {
        if (query.has('cursor')) return { json: { data: [] } }
        if (query.get('fields') === 'b')
          return lastIsThere ? { json: { data: [], next: 'of-b' } } : { status: 404, text: '' }
        return { json: { data: [{ id: 1, a: 1 }], next: 'of-a' } }
      },
    })
    const all = await read({ url: api.url, paginator, requester: { ...parts.requester, error_handler } })
    assert.deepEqual(recordsOf(all), [{ id: 1, a: 1 }])
    assert.equal(all[0]?.next?.value, lastIsThere ? 'of-b' : 'of-a')
  }
})

test('a page whose every group is ignored ends the read', async () => {
  const error_handler = {
    type: 'DefaultErrorHandler',
    response_filters: [{ type: 'HttpResponseFilter', http_codes: [404], action: 'IGNORE' }],
  }
  await using api = await serveApi({})
  const parts = asking(['a', 'b'], { property_chunking: chunks(1) })
  const [page] = await read({ url: api.url, requester: { ...parts.requester, error_handler } })
  assert.equal(page?.stop, 'ignored')
  assert.equal(api.asked.length, 2)
})

test('a group that fails fails the page', async () => {
  await using api = await serveApi({
    'GET /items': (query) =>
      query.get('fields') === 'b' ? { status: 403, text: '' } : { json: { data: [{ id: 1 }] } },
  })
  await assert.rejects(read({ url: api.url, ...asking(['a', 'b'], { property_chunking: chunks(1) }) }), {
    code: 'response/rejected',
  })
})

test('templates see the group of the request', async () => {
  const requester = {
    query_properties: properties(['day', 'reach', 'week', 'clicks'], { property_chunking: chunks(2) }),
    request_parameters: {
      period: "{{ stream_partition.extra_fields['query_properties'][0] }}",
      metric: "{{ stream_slice.extra_fields['query_properties'][1] }}",
    },
  }
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [] } }) })
  await read({ url: api.url, requester })
  assert.deepEqual(api.asked, ['GET /items?period=day&metric=reach', 'GET /items?period=week&metric=clicks'])
})

const endpoint = (url: string, more: StreamParts = {}, path = ['name']) => ({
  type: 'PropertiesFromEndpoint',
  property_field_path: path,
  retriever: streamOf({ url, requester: { path: '/properties' }, fieldPath: ['results'], ...more }).retriever,
})

test('names from an endpoint: every page of it, read once for all slices', async () => {
  const names = [[{ name: 'a' }, { name: 'b' }], [{ name: 'c' }]]
  await using api = await serveApi({
    'GET /properties': (query) => ({ json: { results: names[Number(query.get('offset') ?? 0) / 2] } }),
    'GET /items': picking([{ id: 1, a: 1, b: 2, c: 3 }]),
  })
  const router = { type: 'ListPartitionRouter', values: ['x', 'y'], cursor_field: 'part' }
  const source = endpoint(api.url, { paginator: offsetPaginator({ page_size: 2 }) })
  const pages = await read({
    url: api.url,
    ...asking(source, { property_chunking: chunks(2) }),
    retriever: { partition_router: router },
  })
  assert.deepEqual(
    recordsOf(pages),
    [1, 2].map(() => ({ id: 1, a: 1, b: 2, c: 3 })),
  )
  assert.equal(api.asked.filter((line) => line.includes('/properties')).length, 2)
})

test('the older fetch_properties_from_endpoint, into a body', async () => {
  await using api = await serveApi({
    'GET /properties': () => ({ json: { results: [{ name: 'a' }, { name: 7 }, { label: 'x' }] } }),
    'POST /items': () => ({ json: { data: [] } }),
  })
  const requester = {
    http_method: 'POST',
    fetch_properties_from_endpoint: endpoint(api.url),
    request_body_json: { properties: "{{ stream_slice.extra_fields['query_properties'] }}" },
  }
  const notices: Notice[] = []
  await read({ url: api.url, requester }, { onNotice: (notice) => void notices.push(notice) })
  assert.deepEqual(JSON.parse(api.requests.at(-1)?.body ?? ''), { properties: ['a', '7'] })
  assert.deepEqual(notices, [
    { kind: 'warning', text: '1 of the properties that the API lists have nothing at `name` and are not requested.' },
  ])
})

test('an endpoint that fails fails the stream, before any page is requested', async () => {
  await using api = await serveApi({ 'GET /properties': () => ({ status: 401, text: '' }) })
  await assert.rejects(read({ url: api.url, ...asking(endpoint(api.url)) }), { code: 'response/rejected' })
  assert.deepEqual(api.asked, ['GET /properties'])
})

test('two lists of properties are refused before any request', () => {
  const two = { requester: { request_parameters: { a: properties(['x']), b: properties(['y']) } } }
  return assert.rejects(read(two), { code: 'manifest/invalid-value' })
})

const schema_loader = { type: 'InlineSchemaLoader', schema: { properties: { a: {}, New_c: {} } } }

test('a selector asks for the properties of the schema that was chosen, else of the stream’s own', async () => {
  const property_selector = {
    type: 'JsonSchemaPropertySelector',
    transformations: [{ type: 'KeysReplace', old: 'New_', new: '' }],
  }
  await using api = await serveApi({ 'GET /items': picking([]) })
  const given = asking(['a', 'b', 'c'], {
    property_selector,
    property_chunking: chunks(5),
    always_include_properties: ['id'],
  })
  await read({ url: api.url, ...given, stream: { schema_loader } })
  await read({ url: api.url, ...given, stream: { schema_loader } }, { chosenSchema: { properties: { b: {} } } })
  await read({ url: api.url, ...given })
  await read({ url: api.url, ...given }, { chosenSchema: {} })
  await read({ url: api.url, ...given }, { chosenSchema: { properties: {} } })
  assert.deepEqual(asked(api), ['id,a,c', 'id,b', 'id,a,b,c', 'id,a,b,c', 'id'])
})
