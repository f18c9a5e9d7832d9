import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { cursorPaginator, manifestOf, offsetPaginator, option, sourceOf, streamOf } from '../helpers/manifests.ts'
import { serveApi } from '../helpers/serve-api.ts'
import type { Recording } from '../../src/recordings/recording.ts'
import { connectorOf, failures, sentences } from './shop.ts'

const items = Array.from({ length: 12 }, (_, index) => ({ id: index + 1, name: `item ${index + 1}` }))

/** By offset; the page size is the client's. */
function byOffset(query: URLSearchParams, all: readonly unknown[] = items) {
  const offset = Number(query.get('offset') ?? 0)
  return { json: { data: all.slice(offset, offset + Number(query.get('limit') ?? 3)), total: all.length } }
}

/** By a token in the response; the page size is the API's. */
function byCursor(query: URLSearchParams, size: number, all: readonly unknown[] = items) {
  const start = Number(query.get('cursor')?.slice(1) ?? 0)
  const next = start + size < all.length ? `c${start + size}` : null
  return { json: { data: all.slice(start, start + size), next } }
}

const nextCursor = "{{ response['next'] }}"
const passed = ['passed']
const outcomes = (results: readonly { outcome: string }[]) => results.map(({ outcome }) => outcome)

describe('a recorded stream', () => {
  test('passes without the API, and asks for small pages', async () => {
    let isOpen = true
    await using api = await serveApi({ 'GET /items': (query) => (isOpen ? byOffset(query) : { status: 500 }) })
    await using shop = await connectorOf(
      manifestOf({ url: api.url, stream: { primary_key: 'id' }, paginator: offsetPaginator({ page_size: 100 }) }),
    )
    await shop.record()
    assert.deepEqual(api.asked, ['GET /items?limit=5', 'GET /items?offset=5&limit=5', 'GET /items?offset=10&limit=5'])
    isOpen = false
    assert.deepEqual(outcomes(await shop.test()), passed)
    assert.equal(api.asked.length, 3)
    const recording = JSON.parse((await shop.written()).get('items.json') ?? '') as Recording
    assert.deepEqual(recording.expected.records, { count: 12, first: items })
    const [slice] = recording.expected.slices
    assert.deepEqual([slice?.stop, slice?.verdict, slice?.pages], ['short-page', 'complete', 3])
  })

  test('a list that larger pages can reach the end of is read to its end, unless a size is given', async () => {
    const sixty = Array.from({ length: 60 }, (_, index) => ({ id: index + 1 }))
    await using api = await serveApi({ 'GET /items': (query) => byOffset(query, sixty) })
    const manifest = manifestOf({ url: api.url, paginator: offsetPaginator({ page_size: 100 }) })
    for (const [recordsPerPage, expected] of [
      [undefined, [15, 5, 60, 'empty-page', 'complete']],
      [4, [4, 5, 20, 'limit', 'incomplete']],
    ] as const) {
      await using shop = await connectorOf(manifest)
      await shop.record({ recordsPerPage })
      const { limits, expected: read } = JSON.parse((await shop.written()).get('items.json') ?? '') as Recording
      const [slice] = read.slices
      assert.deepEqual([limits.pageSize, slice?.pages, read.records.count, slice?.stop, slice?.verdict], expected)
      assert.deepEqual(outcomes(await shop.test()), passed)
    }
  })

  test('notices each edit that breaks pagination, and none that means nothing', async () => {
    await using api = await serveApi({ 'GET /items': (query) => byOffset(query) })
    const requester = { request_parameters: { a: '1', b: '2' }, request_headers: { 'X-Part': 'one' } }
    const paginator = offsetPaginator({ page_size: 100 })
    const manifest = manifestOf({ url: api.url, requester, paginator })
    const edits: [string, string, string[]][] = [
      ['"field_name": "limit"', '"field_name": "size"', ['requests']],
      ['"field_name": "offset"', '"field_name": "skip"', ['requests']],
      ['"OffsetIncrement"', '"PageIncrement"', ['requests']],
      ['"data"', '"rows"', []],
      ['"path": "/items"', '"path": "/item"', ['requests']],
      ['"X-Part": "one"', '"x-PART": "one"', []],
      ['"a": "1",', '', ['requests']],
      ['"X-Part": "one"', '"X-Part": "one", "User-Agent": "me"', []],
    ]
    for (const [before, after, expected] of edits) {
      await using shop = await connectorOf(manifest)
      await shop.record()
      await shop.edit(before, after)
      const results = await shop.test()
      if (before === '"data"') assert.equal(results[0]?.outcome, 'failed', sentences(results))
      else assert.deepEqual(failures(results), expected, `${before} → ${after}: ${sentences(results)}`)
    }
    await using shop = await connectorOf(manifest)
    await shop.record()
    const path = join(shop.folder, 'manifest.json')
    const text = await readFile(path, 'utf8')
    const reordered = text.replace(/"a": "1",\s*"b": "2"/, '"b": "2", "a": "1"')
    assert.notEqual(reordered, text)
    await writeFile(path, reordered)
    assert.deepEqual(outcomes(await shop.test()), passed)
  })

  test('notices another primary key, unless the recording is older than that', async () => {
    await using api = await serveApi({ 'GET /items': (query) => byOffset(query) })
    await using shop = await connectorOf(
      manifestOf({ url: api.url, stream: { primary_key: 'id' }, paginator: offsetPaginator({ page_size: 100 }) }),
    )
    await shop.record()
    await shop.edit('"primary_key": "id"', '"primary_key": "name"')
    assert.equal(sentences(await shop.test()), 'The primary key differs.\n- 0.0: "id"\n+ 0.0: "name"')
    const path = join(shop.folder, 'recordings/items.json')
    await writeFile(path, (await readFile(path, 'utf8')).replace(/"primaryKey": .*\n/, ''))
    assert.deepEqual(outcomes(await shop.test()), passed)
  })

  test('shows an unexpected request next to the closest recorded one', async () => {
    await using api = await serveApi({ 'GET /items': (query) => byCursor(query, 4) })
    await using shop = await connectorOf(manifestOf({ url: api.url, paginator: cursorPaginator(nextCursor) }))
    await shop.record()
    await shop.edit('"cursor"', '"after"')
    assert.equal(
      sentences(await shop.test()),
      [
        `Request 2 is not in the recording: GET ${api.url}/items?after=c4.`,
        'closest: request 2 of the recording',
        '- query cursor: c4',
        '+ query after: c4',
      ].join('\n'),
    )
  })

  test('notices a cursor that is no longer found, and records that are transformed otherwise', async () => {
    await using api = await serveApi({ 'GET /items': (query) => byCursor(query, 4) })
    await using shop = await connectorOf(manifestOf({ url: api.url, paginator: cursorPaginator(nextCursor) }))
    await shop.record()
    await shop.edit("response['next']", "response['nxt']")
    assert.match(sentences(await shop.test()), /^2 recorded requests were not sent\.\n- GET .*cursor=c4\n/)
    await shop.edit("response['nxt']", "response['next']")
    const removal = '"transformations": [{ "type": "RemoveFields", "field_pointers": [["name"]] }]'
    await shop.edit('"name": "items"', `"name": "items", ${removal}`)
    assert.match(sentences(await shop.test()), /Record 1 differs\.\n- name: "item 1"/)
  })

  test('long pages are cut where that changes nothing, and stay whole where their length counts', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ id: index + 1, text: 'x'.repeat(5000) }))
    await using api = await serveApi({
      'GET /items': (query) => byCursor(query, 25, many),
      'GET /pages': (query) => byOffset(new URLSearchParams({ ...Object.fromEntries(query), limit: '25' }), many),
    })
    const { page_size_option: _, ...unsized } = offsetPaginator({ page_size: 25 })
    await using shop = await connectorOf(
      sourceOf([
        streamOf({ url: api.url, name: 'cursor', paginator: cursorPaginator(nextCursor) }),
        streamOf({ url: api.url, name: 'offset', requester: { path: '/pages' }, paginator: unsized }),
      ]),
    )
    await shop.record()
    assert.deepEqual(outcomes(await shop.test()), ['passed', 'passed'])
    const written = await shop.written()
    const cut = JSON.parse(written.get('cursor.json') ?? '') as Recording
    assert.deepEqual(
      cut.exchanges.map(({ response }) => response?.cutFrom),
      [25, 25, 10],
    )
    assert.equal(cut.expected.slices[0]?.stop, 'no-cursor')
    assert.ok((written.get('cursor.json') ?? '').length < 20_000)
    const whole = JSON.parse(written.get('offset.json') ?? '') as Recording
    assert.equal(whole.expected.records.count, 60)
    assert.equal(whole.expected.slices[0]?.verdict, 'complete')
  })

  test('the last record, from which the next page is requested, is kept', async () => {
    await using api = await serveApi({
      'GET /items': (query) => {
        const after = Number(query.get('cursor') ?? 0)
        const rest = Array.from({ length: 40 }, (_, index) => ({ id: index + 1 })).filter(({ id }) => id > after)
        return { json: { data: rest.slice(0, 20) } }
      },
    })
    await using shop = await connectorOf(
      manifestOf({
        url: api.url,
        paginator: cursorPaginator("{{ last_record['id'] }}", '{{ not last_record }}'),
      }),
    )
    await shop.record()
    assert.deepEqual(outcomes(await shop.test()), passed)
    const recording = JSON.parse((await shop.written()).get('items.json') ?? '') as Recording
    assert.deepEqual(
      recording.expected.records.first.map(({ id }) => id),
      [1, 2, 3, 4, 20, 21, 22, 23, 24, 40],
    )
  })

  test('parents, slices and their limit', async () => {
    await using api = await serveApi({
      'GET /users': () => ({ json: { data: [1, 2, 3, 4, 5].map((id) => ({ id })) } }),
      '*': (query, { path }) => byCursor(query, 4, items.slice(0, path.endsWith('/2/items') ? 6 : 2)),
    })
    const users = streamOf({ url: api.url, name: 'users', requester: { path: '/users' } })
    const partition_router = {
      type: 'SubstreamPartitionRouter',
      parent_stream_configs: [{ type: 'ParentStreamConfig', stream: users, parent_key: 'id', partition_field: 'user' }],
    }
    await using shop = await connectorOf(
      manifestOf({
        url: api.url,
        requester: { path: '/users/{{ stream_partition.user }}/items' },
        retriever: { partition_router },
        paginator: cursorPaginator(nextCursor),
      }),
    )
    await shop.record({ streams: ['items'] })
    assert.deepEqual(outcomes(await shop.test()), passed)
    const recording = JSON.parse((await shop.written()).get('items.json') ?? '') as Recording
    assert.deepEqual(
      recording.expected.slices.map(({ slice, pages }) => [slice.user, pages]),
      [
        [1, 1],
        [2, 2],
        [3, 1],
      ],
    )
    assert.deepEqual(
      recording.exchanges.map(({ purpose }) => purpose),
      ['parent users', undefined, undefined, undefined, undefined],
    )
    await shop.edit('"parent_key": "id"', '"parent_key": "name"')
    assert.equal((await shop.test())[0]?.outcome, 'failed')
  })

  test('retries after 429 and 503, and a rule that ignores an error', async () => {
    let tries = 0
    await using api = await serveApi({
      'GET /items': (query) => {
        tries++
        if (tries === 1) return { status: 429, headers: { 'retry-after': '1' }, json: {} }
        if (tries === 3) return { status: 503, text: 'busy' }
        return query.get('cursor') === 'c8' ? { status: 404, json: { error: 'gone' } } : byCursor(query, 4)
      },
    })
    const error_handler = {
      type: 'DefaultErrorHandler',
      backoff_strategies: [{ type: 'ConstantBackoffStrategy', backoff_time_in_seconds: 0.01 }],
      response_filters: [{ type: 'HttpResponseFilter', http_codes: [404], action: 'IGNORE' }],
    }
    await using shop = await connectorOf(
      manifestOf({ url: api.url, requester: { error_handler }, paginator: cursorPaginator(nextCursor) }),
    )
    await shop.record()
    const recording = JSON.parse((await shop.written()).get('items.json') ?? '') as Recording
    assert.deepEqual(
      recording.exchanges.map(({ response }) => response?.status),
      [429, 200, 503, 200, 404],
    )
    assert.equal(recording.expected.slices[0]?.stop, 'ignored')
    assert.deepEqual(outcomes(await shop.test()), passed)
    await shop.edit('"IGNORE"', '"FAIL"')
    assert.deepEqual(failures(await shop.test()), ['error'])
  })

  test('the time of the recording, a state to begin with, and the state after', async () => {
    await using api = await serveApi({
      'GET /items': () => ({ json: { data: [{ id: 1, at: '2026-01-05T00:00:00Z' }] } }),
    })
    const incremental_sync = {
      type: 'DatetimeBasedCursor',
      cursor_field: 'at',
      datetime_format: '%Y-%m-%dT%H:%M:%SZ',
      start_datetime: '2026-01-01T00:00:00Z',
      end_datetime: "{{ now_utc().strftime('%Y-%m-%dT%H:%M:%SZ') }}",
      start_time_option: option('request_parameter', 'since'),
      end_time_option: option('request_parameter', 'until'),
    }
    const requester = {
      request_headers: { 'X-Nonce': '{{ generate_uuid() }}', 'X-Time': '{{ now_utc().timestamp() }}' },
    }
    await using shop = await connectorOf(manifestOf({ url: api.url, requester, stream: { incremental_sync } }))
    await shop.record({ states: new Map([['items', { at: '2026-01-03T00:00:00Z' }]]) })
    const [asked = ''] = api.asked
    assert.match(asked, /since=2026-01-03T00/)
    const recording = JSON.parse((await shop.written()).get('items.json') ?? '') as Recording
    assert.equal(recording.exchanges[0]?.request.headers?.['x-nonce'], '(varies)')
    assert.match(String(recording.exchanges[0]?.request.headers?.['x-time']), /^\d+/)
    assert.match(JSON.stringify(recording.expected.state), /2026-01-05T00:00:00Z/)
    assert.deepEqual(outcomes(await shop.test()), passed)
    await shop.edit('"cursor_field": "at"', '"cursor_field": "id"')
    assert.equal((await shop.test())[0]?.outcome, 'failed')
  })

  test('a read that takes minutes: each page has the time at which it was requested', async () => {
    await using api = await serveApi({ 'GET /items': (query) => byCursor(query, 4) })
    const requester = { request_headers: { 'X-Time': "{{ now_utc().strftime('%H:%M:%S') }}" } }
    await using shop = await connectorOf(
      manifestOf({ url: api.url, requester, paginator: cursorPaginator(nextCursor) }),
    )
    let time = Date.UTC(2026, 0, 1)
    await shop.record({ now: () => (time += 61_000) })
    const recording = JSON.parse((await shop.written()).get('items.json') ?? '') as Recording
    const times = recording.exchanges.map(({ request }) => request.headers?.['x-time'])
    assert.equal(new Set(times).size, 3, times.join())
    assert.ok(recording.exchanges.every(({ clock }) => clock !== undefined))
    assert.deepEqual(outcomes(await shop.test()), passed)
  })

  test('POST bodies, forms, and responses of other formats', async () => {
    const csv = 'id,name\n1,"a\nb"\n2,c\n'
    await using api = await serveApi({
      'POST /search': (_query, { body }) => byOffset(new URLSearchParams(JSON.parse(body) as Record<string, string>)),
      'POST /form': (_query, { body }) => byOffset(new URLSearchParams(body)),
      'GET /lines': () => ({ text: '{"id":1}\n{"id":2.0}\n{"id":12345678901234567890}\n' }),
      'GET /csv': () => ({ text: csv }),
      'GET /gzip': () => ({ raw: (response) => void response.end(gzipSync(csv)) }),
      'GET /xml': () => ({ text: '<data><item><id>1</id></item><item><id>2</id></item></data>' }),
    })
    const sized = (into: 'body_json' | 'body_data') =>
      offsetPaginator(
        { page_size: 4 },
        { page_token_option: option(into, 'offset'), page_size_option: option(into, 'limit') },
      )
    const post = (path: string) => ({ path, http_method: 'POST' })
    const decoded = (name: string, decoder: object, fieldPath: string[] = []) =>
      streamOf({ url: api.url, name, requester: { path: `/${name}` }, retriever: { decoder }, fieldPath })
    await using shop = await connectorOf(
      sourceOf([
        streamOf({ url: api.url, name: 'search', requester: post('/search'), paginator: sized('body_json') }),
        streamOf({ url: api.url, name: 'form', requester: post('/form'), paginator: sized('body_data') }),
        decoded('lines', { type: 'JsonlDecoder' }),
        decoded('csv', { type: 'CsvDecoder' }),
        decoded('gzip', { type: 'GzipDecoder', decoder: { type: 'CsvDecoder' } }),
        decoded('xml', { type: 'XmlDecoder' }, ['data', 'item']),
      ]),
    )
    await shop.record()
    const results = await shop.test()
    assert.deepEqual(outcomes(results), Array(6).fill('passed'), sentences(results))
    assert.deepEqual(
      results.map(({ stream, records }) => [stream, records]),
      [
        ['csv', 2],
        ['form', 12],
        ['gzip', 2],
        ['lines', 3],
        ['search', 12],
        ['xml', 2],
      ],
    )
    assert.match((await shop.written()).get('lines.json') ?? '', /12345678901234567890/)
    await shop.edit('"body_json"', '"request_parameter"')
    assert.deepEqual(failures(await shop.test()), ['requests'])
  })

  test('--update accepts a changed request and changed records, and refuses one that has no response', async () => {
    await using api = await serveApi({ 'GET /items': (query) => byCursor(query, 4) })
    await using shop = await connectorOf(manifestOf({ url: api.url, paginator: cursorPaginator(nextCursor) }))
    await shop.record()
    await shop.edit('"cursor"', '"after"')
    assert.deepEqual(outcomes(await shop.test({ update: true })), ['updated'])
    assert.deepEqual(outcomes(await shop.test()), passed)
    await shop.edit(nextCursor, 'again')
    const results = await shop.test({ update: true })
    assert.deepEqual(outcomes(results), ['failed'])
    await shop.edit('again', nextCursor)
    assert.deepEqual(outcomes(await shop.test()), passed)
  })

  test('the survey is compared: a manifest that does worse fails', async () => {
    await using api = await serveApi({ 'GET /items': (query) => byOffset(query) })
    await using shop = await connectorOf(
      manifestOf({ url: api.url, stream: { primary_key: 'id' }, paginator: offsetPaginator({ page_size: 4 }) }),
    )
    await shop.record({ survey: true })
    assert.deepEqual(outcomes(await shop.test()), passed)
    const path = join(shop.folder, 'recordings/items.json')
    const recording = JSON.parse(await readFile(path, 'utf8')) as Recording
    const { survey = {} } = recording.expected
    assert.ok(Object.values(survey).includes('misses'))
    const better = Object.fromEntries(Object.keys(survey).map((fault) => [fault, 'survives']))
    await writeFile(path, JSON.stringify({ ...recording, expected: { ...recording.expected, survey: better } }))
    assert.deepEqual(failures(await shop.test()), ['survey'])
    assert.deepEqual(outcomes(await shop.test({ survey: false })), passed)
    assert.deepEqual(outcomes(await shop.test({ update: true })), ['updated'])
    assert.deepEqual((JSON.parse(await readFile(path, 'utf8')) as Recording).expected.survey, survey)
    assert.deepEqual(await readdir(join(shop.folder, 'recordings')), ['items.json'])
  })
})
