import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { stringifyJson } from '../../../src/std/json.ts'
import type { ApiProblem } from '../../../src/server/wire/problem.ts'
import { manifestOf, sourceOf, streamOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { jsonOf, testApi } from '../api.ts'
import { endOf, idOf, kindsOf, pagesIn, readEvents } from './ask.ts'

const api = testApi()
after(() => api[Symbol.dispose]())

const cursorPaging = {
  pagination_strategy: { type: 'CursorPagination', cursor_value: '{{ response.next }}', page_size: 2 },
  page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'cursor' },
  page_size_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'limit' },
}

describe('a test read', () => {
  test('sends each request before its response, and each page with its page tokens', async () => {
    await using server = await serveApi({
      'GET /items': (query) => ({
        json: query.has('cursor')
          ? { data: [{ id: 3 }], next: null }
          : { data: [{ id: 1 }, { id: 2 }], next: 90071992547409931n.toString() },
      }),
    })
    const events = await readEvents(api, {
      text: JSON.stringify(manifestOf({ url: server.url, paginator: cursorPaging, stream: { primary_key: 'id' } })),
      stream: 'items',
    })
    assert.deepEqual(kindsOf(events), ['started', 'slice', 'asked', 'page', 'asked', 'page', 'end'])
    const [first, second] = pagesIn(events)
    assert.equal(first?.request.url, `${server.url}/items?limit=2`)
    assert.equal(first.tokenIn, null)
    assert.equal(stringifyJson(first.tokenOut), '90071992547409931')
    assert.equal(first.stop, null)
    assert.equal(second?.request.url, `${server.url}/items?cursor=90071992547409931&limit=2`)
    assert.equal(stringifyJson(second.tokenIn), '90071992547409931')
    assert.equal(second.stop, 'no-cursor')
    assert.equal(second.stopWords, 'no cursor at response.next')
    assert.deepEqual(second.records, [{ id: 3 }])
    assert.equal(second.response.body, '{\n  "data": [\n    {\n      "id": 3\n    }\n  ],\n  "next": null\n}')
    assert.equal(first.request.headers['user-agent']?.startsWith('turnleaf/'), true)
    const end = endOf(events)
    assert.equal(end.ending, 'complete')
    assert.deepEqual(end.schema?.required, ['id'])
    assert.equal(end.verdict, 'complete')
    const keys = end.receipt?.keys
    assert.equal(keys?.unique, 3)
    const claimed = { total: null, pages: null, more: { value: false, at: 'next', by: 'token' } }
    const proof = {
      verdict: 'complete',
      reason: 'the last page names no next page',
      at: 'next',
      pages: 2,
      received: 3,
      emitted: 3,
      keys,
      claimed,
    }
    assert.deepEqual(end.receipt, {
      ...proof,
      slices: 1,
      ofSlices: [{ slice: 0, stop: 'no-cursor', ...proof }],
    })
  })

  test('ends with a receipt for each slice, and one for all of them', async () => {
    await using server = await serveApi({
      'GET /items': (query) => {
        const size = query.get('shop') === 'a' ? 2 : 1
        return { json: { data: Array.from({ length: size }, (_, id) => ({ id })), total: 2 } }
      },
    })
    const router = { type: 'ListPartitionRouter', values: ['a', 'b'], cursor_field: 'shop' }
    const byShop = { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'shop' }
    const retriever = { partition_router: { ...router, request_option: byShop } }
    const sliced = manifestOf({ url: server.url, retriever, stream: { primary_key: 'id' } })
    const { receipt } = endOf(await readEvents(api, { text: JSON.stringify(sliced), stream: 'items' }))
    assert.deepEqual(
      receipt?.ofSlices.map(({ slice, verdict, reason }) => `${slice} ${verdict}: ${reason}`),
      ['0 complete: total 2', '1 unproven: the API counts 2, received 1'],
    )
    assert.equal(receipt.verdict, 'incomplete')
    assert.equal(receipt.claimed.total?.value, 4)
    assert.equal(receipt.keys?.unique, 3)
  })

  test('that failed says with which code, and keeps the receipts of the slices before', async () => {
    await using server = await serveApi({ 'GET /items': () => ({ status: 404, json: { message: 'gone' } }) })
    const events = await readEvents(api, { text: JSON.stringify(manifestOf({ url: server.url })), stream: 'items' })
    const { ending, receipt } = endOf(events)
    assert.equal(ending, 'failed')
    assert.equal(receipt?.verdict, 'incomplete')
    assert.equal(receipt.reason, 'ended by an error: response/rejected')
    assert.deepEqual(receipt.ofSlices, [])
  })

  test('keeps the pages before an error, and shows the response that was refused', async () => {
    await using server = await serveApi({
      'GET /items': (query) =>
        query.has('cursor')
          ? { status: 403, json: { error: 'not for you' } }
          : { json: { data: [{ id: 1 }, { id: 2 }], next: 'b' } },
    })
    const text = JSON.stringify(manifestOf({ url: server.url, paginator: cursorPaging }))
    const events = await readEvents(api, { text, stream: 'items' })
    assert.equal(pagesIn(events).length, 1)
    const { ending, problem, pages } = endOf(events)
    assert.equal(ending, 'failed')
    assert.equal(problem?.code, 'response/rejected')
    assert.equal(pages, 1)
    const [refused] = events.filter((event) => event.kind === 'auxiliary')
    assert.equal(refused?.title, 'Page: refused with 403')
    assert.match(refused.response?.body ?? '', /not for you/)
  })

  test('shows a response that is no JSON', async () => {
    await using server = await serveApi({ 'GET /items': () => ({ text: '<html>Sign in</html>' }) })
    const events = await readEvents(api, { text: JSON.stringify(manifestOf({ url: server.url })), stream: 'items' })
    assert.equal(endOf(events).problem?.code, 'response/not-decodable')
    const [shown] = events.filter((event) => event.kind === 'auxiliary')
    assert.equal(shown?.response?.body, '<html>Sign in</html>')
  })

  test('ends with the problems of a manifest that is broken', async () => {
    const events = await readEvents(api, { text: 'streams: [', stream: 'items' })
    assert.deepEqual(kindsOf(events), ['started', 'end'])
    const { ending, problem } = endOf(events)
    assert.equal(ending, 'failed')
    assert.equal(problem?.code, 'manifest/syntax')
    assert.equal(problem.at?.line, 1)
  })

  test('ends with what is missing in the config, and with a stream that is not there', async () => {
    const spec = { type: 'object', required: ['api_key'], properties: { api_key: { type: 'string' } } }
    const text = JSON.stringify(manifestOf({ spec }))
    assert.equal(endOf(await readEvents(api, { text, stream: 'items' })).problem?.code, 'plan/missing-config')
    const other = await readEvents(api, { text: JSON.stringify(manifestOf()), stream: 'itms' })
    assert.match(endOf(other).problem?.hint ?? '', /Did you mean "items"/)
  })

  test('reads slices up to the limit, and knows whether there are more', async () => {
    await using server = await serveApi({
      'GET /items': (query) => ({ json: { data: [{ of: query.get('region') }] } }),
    })
    const router = {
      type: 'ListPartitionRouter',
      values: ['eu', 'us', 'asia'],
      cursor_field: 'region',
      request_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'region' },
    }
    const text = JSON.stringify(manifestOf({ url: server.url, retriever: { partition_router: router } }))
    const two = await readEvents(api, { text, stream: 'items', maxSlices: 2 })
    assert.deepEqual(
      two.flatMap((event) => (event.kind === 'slice' ? [event.descriptor] : [])),
      [{ region: 'eu' }, { region: 'us' }],
    )
    assert.equal(endOf(two).ending, 'limit')
    assert.equal(server.asked.length, 2)
    assert.equal(endOf(await readEvents(api, { text, stream: 'items', maxSlices: 3 })).ending, 'complete')
    const full = await readEvents(api, { text, stream: 'items', maxRecords: 1 })
    assert.deepEqual([endOf(full).ending, endOf(full).pages], ['limit', 1])
  })

  test('shows the requests of parent streams as well', async () => {
    await using server = await serveApi({
      'GET /parents': () => ({ json: { data: [{ id: 7 }] } }),
      'GET /items': () => ({ json: { data: [{ id: 1 }] } }),
    })
    const parent = streamOf({ url: server.url, name: 'parents', requester: { path: '/parents' } })
    const router = {
      type: 'SubstreamPartitionRouter',
      parent_stream_configs: [
        { type: 'ParentStreamConfig', parent_key: 'id', partition_field: 'parent', stream: parent },
      ],
    }
    const text = JSON.stringify(
      sourceOf([streamOf({ url: server.url, retriever: { partition_router: router } }), parent]),
    )
    const events = await readEvents(api, { text, stream: 'items' })
    const auxiliary = events.filter((event) => event.kind === 'auxiliary')
    assert.deepEqual(
      auxiliary.map(({ title }) => title),
      ['Parent stream: parents'],
    )
    assert.equal(auxiliary[0]?.request.url, `${server.url}/parents`)
    assert.equal(endOf(events).emitted, 1)
  })

  test('says that a page brought only what earlier pages brought, though a limit ended the read', async () => {
    await using server = await serveApi({
      'GET /items': (query) => ({ json: { data: [{ id: 1 }, { id: 2 }], next: `${query.get('cursor') ?? ''}x` } }),
    })
    const paged = manifestOf({ url: server.url, paginator: cursorPaging, stream: { primary_key: 'id' } })
    const events = await readEvents(api, { text: JSON.stringify(paged), stream: 'items', maxPages: 2 })
    assert.equal(endOf(events).verdict, 'duplicated')
  })

  test('reports that it waits, and why', async () => {
    let tries = 0
    await using server = await serveApi({
      'GET /items': () =>
        tries++ === 0 ? { status: 429, headers: { 'retry-after': '1' }, json: {} } : { json: { data: [] } },
    })
    const events = await readEvents(api, { text: JSON.stringify(manifestOf({ url: server.url })), stream: 'items' })
    const [notice] = events.filter((event) => event.kind === 'notice')
    assert.equal(notice?.level, 'warning')
    assert.ok((notice.waitMs ?? 0) >= 1000)
    assert.doesNotMatch(notice.text, /^Stream/)
    assert.equal(endOf(events).ending, 'complete')
  })

  test('brings an empty stream to its end', async () => {
    await using server = await serveApi({ 'GET /items': () => ({ json: { data: [] } }) })
    const events = await readEvents(api, { text: JSON.stringify(manifestOf({ url: server.url })), stream: 'items' })
    const { ending, schema, emitted } = endOf(events)
    assert.deepEqual([ending, schema, emitted], ['complete', null, 0])
  })
})

describe('captured pages', () => {
  test('give the rest of their records and of their body, as they came', async () => {
    const data = Array.from({ length: 350 }, (_, id) => ({ id, text: 'x'.repeat(400) }))
    await using server = await serveApi({ 'GET /items': () => ({ json: { data } }) })
    const events = await readEvents(api, { text: JSON.stringify(manifestOf({ url: server.url })), stream: 'items' })
    const [page] = pagesIn(events)
    assert.equal(page?.records.length, 100)
    assert.equal(page.emitted, 350)
    assert.equal(page.response.isCut, true)
    assert.equal(page.response.body.length, 64 * 1024)

    const at = `/v1/test-reads/${idOf(events)}/slices/0/pages/0`
    const rest = await jsonOf<{ total: number; records: unknown[] }>(await api.get(`${at}/records?from=340&count=100`))
    assert.equal(rest.total, 350)
    assert.deepEqual(rest.records, data.slice(340))

    let body = ''
    for (let total = 1; body.length < total; ) {
      const part = await jsonOf<{ total: number; from: number; text: string }>(
        await api.get(`${at}/body?from=${body.length}&count=50000`),
      )
      assert.equal(part.from, body.length)
      body += part.text
      total = part.total
    }
    assert.equal(body, JSON.stringify({ data }, null, 2))
    assert.equal((await jsonOf<{ text: string }>(await api.get(`${at}/body?from=99999999`))).text, '')
  })

  test('that do not exist are different from those that are gone', async () => {
    const gone = await api.get('/v1/test-reads/00000000-0000-0000-0000-000000000000/slices/0/pages/0/records')
    assert.equal(gone.status, 410)
    assert.equal((await jsonOf<ApiProblem>(gone)).code, 'server/gone')
    await using server = await serveApi({ 'GET /items': () => ({ json: { data: [] } }) })
    const events = await readEvents(api, { text: JSON.stringify(manifestOf({ url: server.url })), stream: 'items' })
    assert.equal((await api.get(`/v1/test-reads/${idOf(events)}/slices/0/pages/7/body`)).status, 404)
    assert.equal((await api.get(`/v1/test-reads/${idOf(events)}/slices/x/pages/7/body`)).status, 400)
  })
})
