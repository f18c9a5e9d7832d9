/** The whole read, against a real server: every method, every size, every interruption. */
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import {
  detect,
  evaluateTemplate,
  importOpenApi,
  loadManifest,
  type Page,
  type PageToken,
  publish,
  type ReadOptions,
  readPages,
  readRecords,
  stringifyJson,
  sync,
} from '../src/index.ts'
import { cursorPaginator, manifestOf, offsetPaginator, option, type StreamParts } from './helpers/manifests.ts'
import { countsOf } from './helpers/receipts.ts'
import { type Handler, serveApi } from './helpers/serve-api.ts'

const instantly = { sleep: async () => {}, random: () => 0 }

async function pagesOf(parts: StreamParts, options: ReadOptions = {}): Promise<Page[]> {
  const pages: Page[] = []
  for await (const page of readPages(loadManifest(manifestOf(parts)), { ...instantly, ...options })) pages.push(page)
  return pages
}

const rows = (size: number) => Array.from({ length: size }, (_, index) => ({ id: index + 1 }))
const pageSize = 3

/** One server per method: it answers from `size` rows, and knows nothing of the engine. */
const dialects: {
  name: string
  paginator: object
  serve: (size: number) => Handler
  requests: (size: number) => number
}[] = [
  {
    name: 'offset',
    paginator: offsetPaginator(),
    serve: (size) => (query) => ({
      json: { data: rows(size).slice(Number(query.get('offset') ?? 0), Number(query.get('offset') ?? 0) + pageSize) },
    }),
    requests: (size) => Math.floor(size / pageSize) + 1,
  },
  {
    name: 'page from 1, injected on the first request',
    paginator: {
      pagination_strategy: {
        type: 'PageIncrement',
        page_size: pageSize,
        start_from_page: 1,
        inject_on_first_request: true,
      },
      page_token_option: option('request_parameter', 'page'),
    },
    serve: (size) => (query) => {
      const page = Number(query.get('page'))
      return page < 1
        ? { status: 400, json: { message: 'page starts at 1' } }
        : { json: { data: rows(size).slice((page - 1) * pageSize, page * pageSize) } }
    },
    requests: (size) => Math.floor(size / pageSize) + 1,
  },
  {
    name: 'page from 0, omitted at first',
    paginator: {
      pagination_strategy: { type: 'PageIncrement', page_size: pageSize },
      page_token_option: option('header', 'X-Page'),
    },
    serve:
      (size) =>
      (_query, { headers }) => {
        const page = Number(headers['x-page'] ?? 0)
        return { json: { data: rows(size).slice(page * pageSize, (page + 1) * pageSize) } }
      },
    requests: (size) => Math.floor(size / pageSize) + 1,
  },
  {
    name: 'cursor in the response',
    paginator: cursorPaginator("{{ response.get('next', {}) }}"),
    serve: (size) => (query) => cursorPage(size, Number(query.get('cursor') ?? 0), (next) => ({ next })),
    requests: (size) => Math.max(1, Math.ceil(size / pageSize)),
  },
  {
    name: 'cursor in a header',
    paginator: cursorPaginator("{{ headers['X-Next'] }}"),
    serve: (size) => (query) => {
      const { json } = cursorPage(size, Number(query.get('cursor') ?? 0), (next) => ({ next }))
      return {
        json: { data: json.data },
        headers: json.next === undefined ? {} : { 'x-next': JSON.stringify(json.next) },
      }
    },
    requests: (size) => Math.max(1, Math.ceil(size / pageSize)),
  },
  {
    name: 'start after the last key, with has_more',
    paginator: cursorPaginator("{{ last_record['id'] }}", '{{ response.has_more is false }}'),
    serve: (size) => (query) =>
      cursorPage(size, Number(query.get('cursor') ?? 0), (next) => ({ has_more: next !== undefined })),
    requests: (size) => Math.max(1, Math.ceil(size / pageSize)),
  },
  {
    name: 'relative next link in the path',
    paginator: cursorPaginator('{{ response.next }}', undefined, { page_token_option: { type: 'RequestPath' } }),
    serve: (size) => (query) =>
      cursorPage(size, Number(query.get('from') ?? 0), (next) => ({
        next: next === undefined ? null : `?from=${next}`,
      })),
    requests: (size) => Math.max(1, Math.ceil(size / pageSize)),
  },
]

function cursorPage(
  size: number,
  from: number,
  more: (next: number | undefined) => Record<string, unknown>,
): { json: Record<string, unknown> } {
  const to = Math.min(size, from + pageSize)
  return { json: { data: rows(size).slice(from, to), ...more(to < size ? to : undefined) } }
}

for (const { name, paginator, serve, requests } of dialects) {
  for (const size of [0, 1, pageSize - 1, pageSize, pageSize + 1, 3 * pageSize]) {
    test(`${name}: ${size} records, each once, in order`, async () => {
      await using api = await serveApi({ 'GET /items': serve(size) })
      const parts = { url: api.url, paginator: paginator as Record<string, unknown> }
      const pages = await pagesOf(parts, { prefetch: 'off' })
      assert.deepEqual(
        pages.flatMap(({ records }) => records.map(({ id }) => id)),
        rows(size).map(({ id }) => id),
      )
      assert.equal(api.asked.length, requests(size))
      assert.deepEqual(
        pages.map(({ stop }) => stop !== null),
        pages.map((_, index) => index === pages.length - 1),
      )
      assert.deepEqual(countsOf(pages.at(-1)?.receipt), {
        pages: pages.length,
        received: size,
        emitted: size,
        stop: pages.at(-1)?.stop,
      })
    })
  }
}

const threePages: Handler = (query) => {
  const offset = Number(query.get('offset') ?? 0)
  return { json: { data: rows(8).slice(offset, offset + 3) } }
}

test('no pagination: exactly one request, no paging values', async () => {
  await using api = await serveApi({ 'GET /items': threePages })
  const pages = await pagesOf({ url: api.url })
  assert.deepEqual(api.asked, ['GET /items'])
  assert.equal(pages[0]?.stop, 'not-paginated')
})

test('a read resumes from any token', async () => {
  await using api = await serveApi({ 'GET /items': threePages })
  const parts = { url: api.url, paginator: offsetPaginator() }
  const [first] = await pagesOf(parts, { maxPages: 1 })
  const token = JSON.parse(JSON.stringify(first?.next)) as { value: unknown }
  const rest = await pagesOf(parts, { from: token })
  assert.deepEqual(
    rest.flatMap(({ records }) => records.map(({ id }) => id)),
    [4, 5, 6, 7, 8],
  )
})

test('the limit is the reader’s: no page beyond it is requested', async () => {
  await using api = await serveApi({ 'GET /items': threePages })
  const pages = await pagesOf({ url: api.url, paginator: offsetPaginator() }, { maxPages: 2 })
  assert.equal(pages.length, 2)
  assert.equal(pages[1]?.stop, 'limit')
  assert.equal(api.asked.length, 2)
})

test('the next page is requested while this one is being used; with prefetch off it is not', async () => {
  let second = () => {}
  const isAsked = new Promise<void>((resolve) => {
    second = resolve
  })
  await using api = await serveApi({
    'GET /items': (query, request) => {
      if (query.has('offset')) second()
      return threePages(query, request)
    },
  })
  const open = (prefetch: 'auto' | 'off') =>
    readPages(loadManifest(manifestOf({ url: api.url, paginator: offsetPaginator() })), { prefetch })
  const off = open('off')
  await off.next()
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(api.asked.length, 1)
  await off.return(undefined)
  const auto = open('auto')
  await auto.next()
  await isAsked
  await auto.return(undefined)
})

test('leaving the loop cancels what is under way and frees the process', async () => {
  await using api = await serveApi({
    'GET /items': (query, request) => (query.get('offset') === null ? threePages(query, request) : { raw: () => {} }),
  })
  for await (const page of readPages(loadManifest(manifestOf({ url: api.url, paginator: offsetPaginator() })))) {
    assert.equal(page.records.length, 3)
    break
  }
})

test('an abort in the middle of a page ends the read with its own code', async () => {
  const stop = new AbortController()
  await using api = await serveApi({
    'GET /items': (query, request) => {
      if (query.get('offset') === null) return threePages(query, request)
      return {
        raw: (response) => {
          response.write('{"data":[{"id":4}')
          setTimeout(() => stop.abort(), 20)
        },
      }
    },
  })
  const ids: unknown[] = []
  const read = async () => {
    for await (const record of readRecords(loadManifest(manifestOf({ url: api.url, paginator: offsetPaginator() })), {
      signal: stop.signal,
    }))
      ids.push(record.id)
  }
  await assert.rejects(read(), { code: 'response/aborted' })
  assert.deepEqual(ids, [1, 2, 3])
})

test('a page that fails once is neither lost nor read twice', async () => {
  let failures = 0
  await using api = await serveApi({
    'GET /items': (query, request) =>
      query.get('offset') === '3' && failures++ === 0 ? { status: 503 } : threePages(query, request),
  })
  const pages = await pagesOf({ url: api.url, paginator: offsetPaginator() })
  assert.deepEqual(
    pages.flatMap(({ records }) => records.map(({ id }) => id)),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
})

const faults: [name: string, answer: ReturnType<Handler>, code: string][] = [
  [
    'an HTML page with 200',
    { text: '<html><title>Log in</title></html>', headers: { 'content-type': 'text/html' } },
    'response/not-decodable',
  ],
  [
    'JSON cut off',
    { text: '{"data":[{"id":4},', headers: { 'content-type': 'application/json' } },
    'response/not-decodable',
  ],
  ['404', { status: 404, json: { message: 'no such thing' } }, 'response/rejected'],
  ['500 for ever', { status: 500 }, 'response/gave-up'],
  ['records that are none', { json: { data: ['a'] } }, 'records/not-an-object'],
]
for (const [name, answer, code] of faults) {
  test(`${name} on page two: typed error, and page one stays emitted`, async () => {
    await using api = await serveApi({
      'GET /items': (query, request) => (query.get('offset') === null ? threePages(query, request) : answer),
    })
    const ids: unknown[] = []
    const read = async () => {
      for await (const record of readRecords(
        loadManifest(manifestOf({ url: api.url, paginator: offsetPaginator() })),
        instantly,
      ))
        ids.push(record.id)
    }
    await assert.rejects(read(), { code })
    assert.deepEqual(ids, [1, 2, 3])
  })
}

test('a server that hangs meets the time limit', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ raw: () => {} }) })
  await assert.rejects(
    pagesOf({ url: api.url }, { limits: { totalMs: 50 }, retry: { maxRetries: 0 } }),
    (error: Error & { cause?: { code?: string } }) => error.cause?.code === 'response/timeout',
  )
})

test('nothing listens: unreachable, after the retries', async () => {
  await using api = await serveApi({})
  const { url } = api
  await api[Symbol.asyncDispose]()
  await assert.rejects(
    pagesOf({ url }),
    (error: Error & { code: string; cause?: { code?: string } }) =>
      error.code === 'response/gave-up' && error.cause?.code === 'response/unreachable',
  )
})

test('a page beyond the size limit is refused', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: rows(10_000) } }) })
  await assert.rejects(pagesOf({ url: api.url }, { limits: { maxBodyBytes: 1000 } }), { code: 'response/too-large' })
})

test('an API that ignores the offset is stopped with an error that names the pages', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: rows(3) } }) })
  await assert.rejects(pagesOf({ url: api.url, paginator: offsetPaginator() }), {
    code: 'pagination/loop',
    message: /pages 3 to 5/,
  })
})

test('a filter that drops a whole page does not end the read', async () => {
  await using api = await serveApi({ 'GET /items': threePages })
  const selector = { record_filter: { type: 'RecordFilter', condition: '{{ record.id > 6 }}' } }
  const pages = await pagesOf({ url: api.url, paginator: offsetPaginator(), selector })
  assert.deepEqual(
    pages.map(({ records, receivedCount }) => [records.length, receivedCount]),
    [
      [0, 3],
      [0, 3],
      [2, 2],
    ],
  )
})

test('a cursor from the last record survives a filter that drops it', async () => {
  await using api = await serveApi({
    'GET /items': (query) => cursorPage(8, Number(query.get('cursor') ?? 0), (next) => ({ more: next !== undefined })),
  })
  const selector = { record_filter: { type: 'RecordFilter', condition: '{{ record.id == 7 }}' } }
  const pages = await pagesOf({
    url: api.url,
    paginator: cursorPaginator("{{ last_record['id'] }}", '{{ not response.more }}'),
    selector,
  })
  assert.deepEqual(
    pages.flatMap(({ records }) => records),
    [{ id: 7 }],
  )
})

test('big integers keep every digit, from the record into the next request', async () => {
  await using api = await serveApi({
    'GET /items': (query) =>
      query.get('cursor') === null
        ? { text: '{"data":[{"id":9007199254740993}],"more":true}' }
        : { text: '{"data":[],"more":false}' },
  })
  const pages = await pagesOf({
    url: api.url,
    paginator: cursorPaginator("{{ last_record['id'] }}", '{{ response.more is false }}'),
  })
  assert.deepEqual(pages[0]?.records, [{ id: 9007199254740993n }])
  assert.equal(api.asked[1], 'GET /items?cursor=9007199254740993')
})

test('long decimals keep every digit, through filter, transformation and schema', async () => {
  const text = '{"id":1,"price":1234567890.123456789,"deep":{"rate":-0.12345678901234567891},"whole":2.0}'
  await using api = await serveApi({ 'GET /items': () => ({ text: `{"data":[${text}]}` }) })
  const selector = { record_filter: { type: 'RecordFilter', condition: '{{ record.price > 1234567890 }}' } }
  const transformations = [{ type: 'RemoveFields', field_pointers: [['none']] }]
  for (const parts of [{}, { selector, stream: { transformations } }]) {
    const [page] = await pagesOf({ url: api.url, ...parts })
    assert.equal(stringifyJson(page?.records), `[${text.replace('2.0', '2')}]`)
    assert.equal(stringifyJson(page?.response?.body), `{"data":[${text}]}`)
  }
})

test('tokens with long numbers and whole floats survive being stored', async () => {
  for (const [sent, asked] of [
    ['9007199254740993', '9007199254740993'],
    ['2.0', '2.0'],
    ['[1, 2.0]', '1&cursor=2.0'],
    // Airbyte's number, which is what the template gave.
    ['1234567890.123456789', '1234567890.1234567'],
  ] as const) {
    await using api = await serveApi({
      'GET /items': (query) => ({ text: query.has('cursor') ? '{"data":[]}' : `{"data":[{"id":1}],"next":${sent}}` }),
    })
    const parts = { url: api.url, paginator: cursorPaginator("{{ response.get('next') }}") }
    const [first] = await pagesOf(parts)
    await pagesOf(parts, { from: JSON.parse(JSON.stringify(first?.next)) as PageToken })
    assert.deepEqual(api.asked.slice(1), [`GET /items?cursor=${asked}`, `GET /items?cursor=${asked}`])
  }
})

test('a read resumes within its slice, and continues with those after it', async () => {
  await using api = await serveApi({ 'GET /items': threePages })
  const partition_router = { type: 'ListPartitionRouter', values: ['a', 'b', 'c'], cursor_field: 'x' }
  const parts = { url: api.url, paginator: offsetPaginator(), retriever: { partition_router } }
  const stopped = (await pagesOf(parts)).find(({ slice, index }) => slice.partition.x === 'b' && index === 1)
  assert.ok(stopped?.next)
  const rest = await pagesOf(parts, { slice: stopped.slice, from: stopped.next })
  assert.deepEqual(
    rest.map(({ slice, records }) => [slice.partition.x, records.length]),
    [
      ['b', 2],
      ['c', 3],
      ['c', 3],
      ['c', 2],
    ],
  )
})

test('with a concurrency of one, slices are read one after the other, each from its first page', async () => {
  await using api = await serveApi({ 'GET /items': threePages })
  const partition_router = {
    type: 'ListPartitionRouter',
    values: ['eu', 'us'],
    cursor_field: 'region',
    request_option: option('request_parameter', 'region'),
  }
  await pagesOf({ url: api.url, paginator: offsetPaginator(), retriever: { partition_router } }, { concurrency: 1 })
  assert.deepEqual(api.asked, [
    'GET /items?limit=3&region=eu',
    'GET /items?offset=3&limit=3&region=eu',
    'GET /items?offset=6&limit=3&region=eu',
    'GET /items?limit=3&region=us',
    'GET /items?offset=3&limit=3&region=us',
    'GET /items?offset=6&limit=3&region=us',
  ])
})

test('an unknown stream is named with a near miss', async () => {
  await assert.rejects(pagesOf({}, { stream: 'itms' }), {
    code: 'manifest/unknown-stream',
    hint: 'Did you mean "items"?',
  })
})

test('missing config is named before any request', async () => {
  const spec = {
    type: 'object',
    required: ['api_key'],
    properties: { api_key: { type: 'string', airbyte_secret: true } },
  }
  await using api = await serveApi({ '*': threePages })
  await assert.rejects(pagesOf({ url: api.url, spec }), { code: 'plan/missing-config', message: /api_key/ })
  await assert.rejects(pagesOf({ url: api.url, spec }, { config: { api_key: 5 } }), { code: 'plan/invalid-config' })
  assert.deepEqual(api.asked, [])
})

const wrongOptions: [name: string, options: object][] = [
  ['concurrency', { concurrency: Number.NaN }],
  ['concurrency', { concurrency: 0 }],
  ['maxPages', { maxPages: 0 }],
  ['prefetch', { prefetch: Number.NaN }],
  ['prefetch', { prefetch: 'on' }],
  ['limits.totalMs', { limits: { totalMs: Number.POSITIVE_INFINITY } }],
  ['retry.maxRetries', { retry: { maxRetries: '3' } }],
  ['egress', { egress: 'public' }],
  ['signal', { signal: new AbortController() }],
  ['config', { config: null }],
  ...['x', 2, '2', -5, 1.5, {}, { next_page_token: 2 }].map((from): [string, object] => ['from', { from }]),
  ['slice', { slice: { partition: {} } }],
  ['stream', { stream: 5 }],
  ['onState', { onState: 'x' }],
  ['onNotice', { onNotice: {} }],
  ['trustedOrigins', { trustedOrigins: 'https://a.example' }],
  ['limits', { limits: 5 }],
  ['state', { state: '{}' }],
]

test('a manifest that was not read from its file, or not loaded: the error says how', async () => {
  const text = JSON.stringify(manifestOf({}))
  for (const source of [Buffer.from(text), Promise.resolve(text)]) {
    assert.throws(() => loadManifest(source), { code: 'manifest/wrong-type', hint: /readFile\(path, 'utf8'\)/ })
  }
  const reading = readRecords(text as never)
  await assert.rejects(reading.next(), { code: 'manifest/wrong-type', hint: /loadManifest\(text\)/ })
})

test('an option that a program got wrong is named before any request: a read of nothing would look like an empty API', async () => {
  await using api = await serveApi({ '*': threePages })
  for (const [name, options] of wrongOptions) {
    const message = new RegExp(`^The option \`${name}\` must be `)
    await assert.rejects(pagesOf({ url: api.url }, options), { code: 'plan/invalid-option', message }, name)
  }
  assert.deepEqual(api.asked, [])
})

test('a read from a page, as it was handed out or as JSON, goes on there', async () => {
  await using api = await serveApi({ '*': threePages })
  const [first] = await pagesOf({ url: api.url, paginator: offsetPaginator() }, { maxPages: 1 })
  const from = JSON.parse(JSON.stringify(first?.next))
  const [second] = await pagesOf({ url: api.url, paginator: offsetPaginator() }, { from, concurrency: 1, maxPages: 1 })
  assert.equal(new URL(second?.request.url ?? '').searchParams.get('offset'), '3')
})

test('a misspelled option is named, and nothing is requested', async () => {
  await using api = await serveApi({ '*': threePages })
  const expected = { code: 'plan/invalid-option', message: /`maxpages`/, hint: 'Did you mean `maxPages`?' }
  await assert.rejects(pagesOf({ url: api.url }, { maxpages: 1 } as ReadOptions), expected)
  const given = readPages(loadManifest(manifestOf({ url: api.url })), 'items' as never)
  await assert.rejects(given.next(), { message: /^The argument `options` must be an object; it is a string/ })
  assert.deepEqual(api.asked, [])
})

test('what other functions are given by mistake is a ConnectorError that says what is expected', async () => {
  const wrong: [call: () => unknown, says: RegExp][] = [
    [
      () => readRecords(loadManifest(manifestOf({})), null as never).next(),
      /The argument `options` must be an object; it is null/,
    ],
    [() => readRecords(undefined as never).next(), /not a manifest that `loadManifest` gave/],
    [() => sync(undefined as never, { to: 'duckdb::memory:' }), /not a manifest that `loadManifest` gave/],
    [() => detect('http://127.0.0.1:1/items' as never), /The request has no URL/],
    [() => detect(undefined as never), /The request has no URL/],
    [() => importOpenApi(undefined as never), /The description must be the text .* it is missing/],
    [() => importOpenApi('{}', { only: 'orders' } as never), /`only` must be a list of strings; it is a string/],
    [() => publish('orders', undefined as never), /`to` must be an address .* it is missing/],
    [() => publish(5 as never, { to: 'duckdb:x' }), /The name of the stream must be/],
    [() => evaluateTemplate(5 as never, {}), /The template must be a string/],
    [() => evaluateTemplate('x', null as never), /must be an object/],
    [() => evaluateTemplate('x', {}, { as: 'foo' as never }), /`as` must be one of string, boolean/],
  ]
  for (const [call, message] of wrong) await assert.rejects(async () => call(), { name: 'ConnectorError', message })
})

test('thirty reads that share a signal put few listeners on it', async () => {
  await using api = await serveApi({ '*': threePages })
  const { signal } = new AbortController()
  const reads = Array.from({ length: 30 }, () => pagesOf({ url: api.url }, { signal }))
  const most = getEventListeners(signal, 'abort').length
  await Promise.all(reads)
  assert.ok(most <= 10 && getEventListeners(signal, 'abort').length <= 10, `${most} listeners`)
})
