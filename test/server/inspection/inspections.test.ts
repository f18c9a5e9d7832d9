import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setInterval } from 'node:timers/promises'
import type { Inspection, Preview } from '../../../src/server/wire/inspection.ts'
import { manifestOf, sourceOf, streamOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { jsonOf, testApi } from '../api.ts'
import { endOf, readEvents } from '../test-reads/ask.ts'

const api = testApi()
after(() => api[Symbol.dispose]())

const inspect = async (request: object) => jsonOf<Inspection>(await api.post('/v1/inspections', request))

const into = (inject_into: string, field_name: string) => ({ type: 'RequestOption', inject_into, field_name })

async function previewOf(parts: object, request: object = {}): Promise<Preview> {
  const text = JSON.stringify(manifestOf(parts))
  const { preview } = await inspect({ text, stream: 'items', ...request })
  assert.ok(preview)
  return preview
}

const urlsOf = ({ requests }: Preview) => requests.map(({ url }) => url.replace('https://api.test/v1', ''))

describe('an inspection', () => {
  test('of a sound manifest names its streams, its inputs and nothing else', async () => {
    const spec = { type: 'object', properties: { start: { type: 'string' } } }
    const { problems, streams, spec: inputs, preview } = await inspect({ text: JSON.stringify(manifestOf({ spec })) })
    assert.deepEqual(problems, [])
    assert.deepEqual(streams, [
      { name: 'items', at: { pointer: '/streams/0', line: 1, column: 114 }, isTemplate: false, runs: true },
    ])
    assert.deepEqual(inputs, spec)
    assert.equal(preview, null)
  })

  test('of text that is no YAML yet says where it breaks off', async () => {
    const { problems, streams, preview } = await inspect({ text: 'version: 6.0.0\nstreams: [', stream: 'items' })
    assert.equal(problems[0]?.code, 'manifest/syntax')
    assert.equal(problems[0].at.line, 2)
    assert.deepEqual(streams, [])
    assert.deepEqual(preview?.requests, [])
    assert.equal(preview?.trouble, problems[0].message)
  })

  test('of nothing at all answers too', async () => {
    for (const text of ['', '# only a comment', '[]', 'null', '{"a": 1e999}']) {
      const { problems } = await inspect({ text, stream: 'x' })
      assert.ok(problems.length > 0, text)
    }
  })

  test('finds templates that do not compile, once for all streams that share them', async () => {
    const text = `
version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [a] }
definitions:
  requester: { type: HttpRequester, url_base: "https://api.test/{{ config.x | nope }}", path: / }
  selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
streams:
  - type: DeclarativeStream
    name: a
    retriever: { type: SimpleRetriever, requester: { $ref: "#/definitions/requester" }, record_selector: { $ref: "#/definitions/selector" } }
  - type: DeclarativeStream
    name: b
    retriever: { type: SimpleRetriever, requester: { $ref: "#/definitions/requester" }, record_selector: { $ref: "#/definitions/selector" } }
`
    const { problems, streams } = await inspect({ text })
    assert.deepEqual(
      problems.map(({ code, at }) => [code, at.line]),
      [['template/unknown-function', 6]],
    )
    assert.deepEqual(
      streams.map(({ runs }) => runs),
      [false, false],
    )
  })

  test('lists missing classes, until they are in the folder', async () => {
    await using server = await serveApi({
      'GET /items': (query) => ({ json: { data: [{ month: query.get('month') ?? 'first' }] } }),
    })
    const text = JSON.stringify(
      manifestOf({
        url: server.url,
        paginator: {
          pagination_strategy: { type: 'CustomPaginationStrategy', class_name: 'source_shop.paging.Once' },
          page_token_option: into('request_parameter', 'month'),
        },
      }),
    )
    const [unsaved] = (await inspect({ text })).problems
    assert.deepEqual([unsaved?.code, unsaved?.severity], ['plan/no-folder', 'warning'])

    const folder = join(api.home, 'connectors', 'shop')
    mkdirSync(join(folder, 'source_shop'), { recursive: true })
    writeFileSync(join(folder, 'manifest.yaml'), text)
    const missing = await inspect({ text, connector: 'shop' })
    assert.equal(missing.problems[0]?.code, 'plan/class-file-missing')
    assert.equal(missing.streams[0]?.runs, false)
    assert.match(missing.problems[0].hint, /class Once extends PaginationStrategy/)

    writeFileSync(
      join(folder, 'source_shop', 'paging.ts'),
      `import { PaginationStrategy } from 'turnleaf'
       export class Once extends PaginationStrategy {
         nextPageToken({ token }) { return token === null ? 'second' : null }
       }`,
    )
    const { problems, streams, preview } = await inspect({ text, connector: 'shop', stream: 'items' })
    assert.deepEqual(problems, [])
    assert.equal(streams[0]?.runs, true)
    assert.deepEqual(
      preview?.requests.map(({ url, when }) => [url, when]),
      [
        [`${server.url}/items`, 'first'],
        [`${server.url}/items?month=‹token from page 1›`, 'while Once returns a token'],
        [`${server.url}/items?month=‹token from page 2›`, 'while Once returns a token'],
      ],
    )
    const end = endOf(await readEvents(api, { text, connector: 'shop', stream: 'items' }))
    assert.deepEqual([end.ending, end.pages], ['complete', 2])
    assert.equal(endOf(await readEvents(api, { text, stream: 'items' })).problem?.code, 'plan/no-folder')
  })
})

describe('the preview of the first requests', () => {
  test('counts offsets on by full pages', async () => {
    const preview = await previewOf({
      paginator: {
        pagination_strategy: { type: 'OffsetIncrement', page_size: 50 },
        page_token_option: into('request_parameter', 'offset'),
        page_size_option: into('request_parameter', 'limit'),
      },
    })
    assert.deepEqual(urlsOf(preview), ['/items?limit=50', '/items?offset=50&limit=50', '/items?offset=100&limit=50'])
    assert.deepEqual(preview.requests[1]?.marks, [
      { what: 'page-token', place: 'query', name: 'offset', value: '50' },
      { what: 'page-size', place: 'query', name: 'limit', value: '50' },
    ])
    assert.deepEqual(
      preview.requests.map(({ when }) => when),
      ['first', 'after a full page of 50 records', 'after a full page of 50 records'],
    )
    assert.equal(preview.stops, 'Stops when a page has fewer than 50 records, or none.')
    assert.equal(preview.trouble, null)
  })

  test('starts with the configured page, in headers and bodies as well', async () => {
    const strategy = { type: 'PageIncrement', page_size: 10, start_from_page: 1, inject_on_first_request: true }
    const inHeader = await previewOf({
      paginator: { pagination_strategy: strategy, page_token_option: into('header', 'X-Page') },
    })
    assert.deepEqual(
      inHeader.requests.map(({ headers }) => headers['X-Page']),
      ['1', '2', '3'],
    )
    const inBody = await previewOf({
      requester: { http_method: 'POST' },
      paginator: {
        pagination_strategy: strategy,
        page_token_option: { type: 'RequestOption', inject_into: 'body_json', field_path: ['page', 'number'] },
      },
    })
    assert.deepEqual(
      inBody.requests.map(({ body }) => body),
      ['{"page": {"number": 1}}', '{"page": {"number": 2}}', '{"page": {"number": 3}}'],
    )
    assert.deepEqual(inBody.requests[0]?.marks, [
      { what: 'page-token', place: 'body', name: 'page.number', value: '1' },
    ])
  })

  test('puts a named gap where a cursor will go', async () => {
    const strategy = { type: 'CursorPagination', cursor_value: "{{ response['meta']['next'] }}" }
    const inQuery = await previewOf({
      paginator: { pagination_strategy: strategy, page_token_option: into('request_parameter', 'after') },
    })
    assert.deepEqual(urlsOf(inQuery), [
      '/items',
      '/items?after=‹cursor from page 1›',
      '/items?after=‹cursor from page 2›',
    ])
    assert.equal(inQuery.requests[1]?.when, 'while the response has a cursor at response.meta.next')
    assert.equal(inQuery.stops, 'Stops when response.meta.next is null, empty or missing.')
    const asPath = await previewOf({
      paginator: {
        pagination_strategy: { ...strategy, page_size: 5 },
        page_token_option: { type: 'RequestPath' },
        page_size_option: into('request_parameter', 'limit'),
      },
    })
    assert.deepEqual(urlsOf(asPath), ['/items?limit=5', '‹link from page 1›', '‹link from page 2›'])
    assert.deepEqual(asPath.requests[1]?.marks, [
      { what: 'page-token', place: 'path', name: '', value: '‹link from page 1›' },
    ])
  })

  test('follows templates of the author’s own', async () => {
    const preview = await previewOf({
      requester: {
        request_parameters: { range: "{{ next_page_token['next_page_token'] if next_page_token else 0 }},20" },
      },
      paginator: { pagination_strategy: { type: 'OffsetIncrement', page_size: 20 } },
    })
    assert.deepEqual(urlsOf(preview), ['/items?range=0%2C20', '/items?range=20%2C20', '/items?range=40%2C20'])
    assert.equal(preview.requests[2]?.marks[0]?.value, '40,20')
  })

  test('names inputs that are missing, uses defaults, and hides secrets wherever they go', async () => {
    const spec = {
      type: 'object',
      required: ['subdomain', 'key', 'size'],
      properties: {
        subdomain: { type: 'string' },
        key: { type: 'string', airbyte_secret: true },
        size: { type: 'integer', default: 25 },
      },
    }
    const parts = {
      url: 'https://{{ config.subdomain }}.shop.example/{{ config.key }}',
      requester: { authenticator: { type: 'BearerAuthenticator', api_token: '{{ config.key }}' } },
      paginator: {
        pagination_strategy: { type: 'PageIncrement', page_size: '{{ config.size }}' },
        page_size_option: into('request_parameter', 'size'),
        page_token_option: into('request_parameter', 'page'),
      },
      spec,
    }
    const unknown = await previewOf(parts)
    assert.equal(unknown.requests[0]?.url, 'https://‹subdomain›.shop.example/••••/items?size=25')
    assert.equal(unknown.requests[0].headers.Authorization, 'Bearer ••••')
    const known = await previewOf(parts, { config: { subdomain: 'acme', key: 'k3y-of-acme', size: 7 } })
    assert.equal(known.requests[1]?.url, 'https://acme.shop.example/••••/items?page=1&size=7')
    assert.ok(!JSON.stringify(known).includes('k3y-of-acme'))
  })

  test('shows no piece of what is a secret by its name or its use, however short', async () => {
    const parts = {
      requester: {
        path: '/{{ config.api_key[:4] }}/items',
        request_headers: { 'X-Piece': '{{ config.api_key[:3] | lower }}', 'X-Shop': '{{ config.shop_code[:3] }}' },
        authenticator: { type: 'BearerAuthenticator', api_token: '{{ config.shop_code }}' },
      },
    }
    const preview = await previewOf(parts, { config: { api_key: 'Kq7-vXw2pLm9', shop_code: 'zx81-spectrum' } })
    assert.equal(preview.trouble, null)
    assert.equal(preview.requests.length, 1)
    assert.doesNotMatch(JSON.stringify(preview), /Kq7|zx8/i)
  })

  test('shows the first slice, and names what only a parent knows', async () => {
    const parent = streamOf({ name: 'customers' })
    const child = streamOf({
      requester: { path: '/customers/{{ stream_partition.customer }}/items' },
      retriever: {
        partition_router: {
          type: 'SubstreamPartitionRouter',
          parent_stream_configs: [
            { type: 'ParentStreamConfig', parent_key: 'id', partition_field: 'customer', stream: parent },
          ],
        },
      },
      stream: {
        incremental_sync: {
          type: 'DatetimeBasedCursor',
          cursor_field: 'at',
          datetime_format: '%Y-%m-%d',
          start_datetime: '2024-01-01',
          end_datetime: '2024-03-01',
          step: 'P1M',
          cursor_granularity: 'P1D',
          start_time_option: into('request_parameter', 'from'),
          end_time_option: into('request_parameter', 'to'),
        },
      },
    })
    const { preview } = await inspect({ text: JSON.stringify(sourceOf([child, parent])), stream: 'items' })
    assert.equal(
      preview?.requests[0]?.url,
      'https://api.test/v1/customers/‹customers id›/items?from=2024-01-01&to=2024-01-31',
    )
  })

  test('is not hidden by what is wrong with another stream', async () => {
    const broken = { type: 'DeclarativeStream', name: 'broken' } as { name: string }
    const { problems, preview } = await inspect({
      text: JSON.stringify(sourceOf([streamOf({}), broken])),
      stream: 'items',
    })
    assert.ok(problems.some(({ severity }) => severity === 'error'))
    assert.equal(preview?.requests[0]?.url, 'https://api.test/v1/items')
  })

  test('reports why there is none', async () => {
    const collision = await previewOf({
      paginator: {
        pagination_strategy: { type: 'OffsetIncrement', page_size: 5 },
        page_token_option: into('request_parameter', 'p'),
        page_size_option: into('request_parameter', 'p'),
      },
    })
    assert.deepEqual(collision.requests, [])
    assert.match(collision.trouble ?? '', /both write the query parameter `p`/)
    const { preview } = await inspect({ text: JSON.stringify(manifestOf()), stream: 'other' })
    assert.match(preview?.trouble ?? '', /no stream "other"/)
  })

  test('sends nothing to anybody', async () => {
    await using server = await serveApi({ '*': () => ({ json: {} }) })
    await previewOf({ url: server.url })
    assert.deepEqual(server.asked, [])
  })
})

describe('the inspection of a large manifest', () => {
  const small = JSON.stringify(manifestOf({ requester: { path: '/{{ config.nowhere' } }))
  const large = `${small}\n# ${'x'.repeat(120_000)}`

  test('finds what that of a small one finds, in a thread', async () => {
    const request = { stream: 'items', config: { long: 12345678901234567890n } }
    const [one, other] = [await inspect({ text: small, ...request }), await inspect({ text: large, ...request })]
    assert.ok(other.problems.length > 0)
    assert.deepEqual(other, one)
  })

  test('leaves the server free for others', async () => {
    const streams = Array.from({ length: 400 }, (_, index) => streamOf({ name: `stream-${index}` }))
    // Turns of the event loop: an inspection in the same thread leaves a handful.
    let turns = 0
    const counting = new AbortController()
    const counted = (async () => {
      for await (const _ of setInterval(0, null, { signal: counting.signal })) turns++
    })().catch(() => {})
    const { streams: found } = await inspect({ text: JSON.stringify(sourceOf(streams)) })
    counting.abort()
    await counted
    assert.equal(found.length, 400)
    assert.ok(turns > 20, `${turns} turns`)
  })

  test('is left out where nobody waits for it any more', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const client = new AbortController()
    const ask = (text: string, signal?: AbortSignal) =>
      api.app.request('https://api.turnleaf.example/v1/inspections', {
        method: 'POST',
        headers,
        body: JSON.stringify({ text }),
        ...(signal !== undefined && { signal }),
      })
    const first = ask(large)
    const second = ask(`${large}y`, client.signal)
    await new Promise((resolve) => setTimeout(resolve, 1))
    client.abort()
    assert.equal((await first).status, 200)
    assert.equal((await second).status, 204)
  })
})
