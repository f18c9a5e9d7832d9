import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { after, describe, test } from 'node:test'
import { startApi } from '../start-api.ts'
import type { ApiProblem } from '../../../src/server/wire/problem.ts'
import { manifestOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { facts, jsonOf, type TestApi, testApi } from '../api.ts'
import { testServices } from '../services.ts'

/** An API that never answers, and reports when the client disconnects. */
async function silentApi() {
  const asked: ServerResponse[] = []
  let tell: () => void = () => {}
  const isAsked = new Promise<void>((resolve) => {
    tell = resolve
  })
  const raw = (response: ServerResponse) => {
    asked.push(response)
    tell()
  }
  const server = await serveApi({ '*': () => ({ raw }) })
  return { ...server, isAsked, hungUp: async () => once(asked[0] as ServerResponse, 'close') }
}

/** As many as may be under way at once. */
const eight = Array.from({ length: 8 })

const services = testServices()
after(() => services[Symbol.dispose]())

async function openRead(apiUrl: string, url: string, signal: AbortSignal | null = null): Promise<Response> {
  return fetch(`${apiUrl}/v1/test-reads`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text: JSON.stringify(manifestOf({ url })), stream: 'items' }),
    signal,
  })
}

describe('a test read of an API that does not answer', () => {
  test('ends its request at once when the client disconnects', async () => {
    await using server = await silentApi()
    await using api = await startApi({ baseUrl: facts.baseUrl, version: facts.version, services })
    const leaving = new AbortController()
    const reply = await openRead(api.url, server.url, leaving.signal)
    assert.equal(reply.headers.get('content-type'), 'application/x-ndjson')
    await server.isAsked
    const hungUp = server.hungUp()
    leaving.abort()
    await hungUp
  })

  test('ends with the server', async () => {
    await using server = await silentApi()
    const api = await startApi({ baseUrl: facts.baseUrl, version: facts.version, services })
    const reply = await openRead(api.url, server.url)
    await server.isAsked
    const hungUp = server.hungUp()
    await api[Symbol.asyncDispose]()
    await hungUp
    await assert.rejects(reply.text())
  })

  test('says that time passes, before anything else happens', async () => {
    await using server = await silentApi()
    using api = testApi()
    const reply = await api.post('/v1/test-reads', {
      text: JSON.stringify(manifestOf({ url: server.url })),
      stream: 'items',
    })
    const reader = (reply.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('"waiting"')) text += (await reader.read()).value ?? ''
    assert.match(text, /"asked".*\n.*"waiting"/)
    const hungUp = server.hungUp()
    await reader.cancel()
    await hungUp
  })

  test('ends at once when the client left before it started', async () => {
    await using server = await silentApi()
    using api = testApi()
    const request = { text: JSON.stringify(manifestOf({ url: server.url })), stream: 'items' }
    const headers = { 'Content-Type': 'application/json' }
    const left = { method: 'POST', headers, body: JSON.stringify(request), signal: AbortSignal.abort() }
    const answers = await Promise.all(eight.map(async () => api.app.request(`${facts.apiUrl}/v1/test-reads`, left)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    await takesAnother(api, request)
  })

  test('is one of eight: a ninth is refused until another ends', async () => {
    await using server = await silentApi()
    using api = testApi()
    const request = { text: JSON.stringify(manifestOf({ url: server.url })), stream: 'items' }
    const open = await Promise.all(eight.map(() => api.post('/v1/test-reads', request)))
    const refused = await api.post('/v1/test-reads', request)
    assert.equal(refused.status, 429)
    assert.equal((await jsonOf<ApiProblem>(refused)).code, 'server/busy')
    await server.isAsked
    const hungUp = server.hungUp()
    for (const reply of open) await reply.body?.cancel()
    await hungUp
    await takesAnother(api, request)
  })
})

/** There is room again once the reads have closed what they had opened. */
async function takesAnother(api: TestApi, request: object): Promise<void> {
  for (;;) {
    const reply = await api.post('/v1/test-reads', request)
    await reply.body?.cancel()
    if (reply.status === 200) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a test read whose events are not read', () => {
  test('asks for no more than a few pages ahead', async () => {
    await using server = await serveApi({
      'GET /items': (query) => ({ json: { data: [{ id: 1 }], next: Number(query.get('cursor') ?? 0) + 1 } }),
    })
    const paginator = {
      pagination_strategy: { type: 'CursorPagination', cursor_value: '{{ response.next }}' },
      page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'cursor' },
    }
    using api = testApi()
    const text = JSON.stringify(manifestOf({ url: server.url, paginator, requester: {} }))
    const reply = await api.post('/v1/test-reads', { text, stream: 'items', maxPages: 1000 })
    const reader = (reply.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    let before = -1
    while (before !== server.asked.length) {
      before = server.asked.length
      // A page of this API takes a few turns of the loop; a read that does not wait would not stop within a hundred.
      for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    assert.ok(server.asked.length < 20, `${server.asked.length} pages were requested`)
    await reader.cancel()
  })
})
