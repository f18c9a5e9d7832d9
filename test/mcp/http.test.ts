/** MCP over HTTP: the guards of the API, sessions, and what is no MCP. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { openMcpContext } from '../../src/mcp/context.ts'
import { serveMcp } from '../../src/mcp/http.ts'
import { openWorkspace } from '../../src/server/workspace.ts'
import { ConnectorError } from '../../src/std/errors.ts'
import { testServices } from '../server/services.ts'
import { openHttp } from './mcp-clients.ts'

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}
const usual = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { ...usual, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

test('garbage is refused with a reason, and the server stays', async () => {
  await using opened = await openHttp()
  const { url } = opened
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const refused: readonly [number, Promise<Response>][] = [
    [400, post(url, '{"jsonrpc":')],
    [400, post(url, 'garbage')],
    [400, post(url, '"text"')],
    [400, post(url, [])],
    [400, post(url, list)],
    [404, post(url, list, { 'Mcp-Session-Id': 'no-such-session' })],
    [400, fetch(url, { headers: { Accept: 'text/event-stream' } })],
    [405, fetch(url, { method: 'PUT', body: '{}' })],
    [415, post(url, initialize, { 'Content-Type': 'text/plain' })],
    [406, post(url, initialize, { Accept: 'text/html' })],
    [413, post(url, `"${'x'.repeat(17 * 1024 * 1024)}"`)],
  ]
  for (const [status, response] of refused) assert.equal((await response).status, status)
  await using one = await opened.open()
  assert.deepEqual((await one.call('list_connectors')).connectors, [])
})

test('pages of other sites and other host names are refused', async () => {
  await using opened = await openHttp()
  const foreign = await post(opened.url, initialize, { Origin: 'https://evil.example' })
  assert.equal(foreign.status, 403)
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { ...usual, Host: 'evil.example' }
    const asked = request(opened.url, { method: 'POST', headers }, ({ statusCode }) => resolve(statusCode))
    asked.on('error', reject).end(JSON.stringify(initialize))
  })
  assert.equal(status, 403)
  const own = await post(opened.url, initialize, { Origin: new URL(opened.url).origin })
  assert.equal(own.status, 200)
  await own.body?.cancel()
})

test('with a token, every request needs it; the card does not', async () => {
  await using opened = await openHttp({}, { token: 'the-token-of-the-server' })
  assert.equal((await post(opened.url, initialize)).status, 401)
  assert.equal((await post(opened.url, initialize, { Authorization: 'Bearer wrong' })).status, 401)
  const accepted = await post(opened.url, initialize, { Authorization: 'Bearer the-token-of-the-server' })
  assert.equal(accepted.status, 200)
  await accepted.body?.cancel()
  const card = await fetch(`${opened.url}/server-card`)
  assert.equal(card.status, 200)
  assert.equal(card.headers.get('content-type'), 'application/mcp-server-card+json')
})

test('a server of an API without MCP has none', async () => {
  const { testApi } = await import('../server/api.ts')
  using api = testApi()
  assert.equal((await api.post('/mcp', initialize)).status, 404)
  assert.equal((await api.get('/mcp/server-card')).status, 404)
})

test('a stream begins at once: its headers do not wait for the first event', async () => {
  await using opened = await openHttp()
  const begun = await post(opened.url, initialize)
  await begun.text()
  const headers = { Accept: 'text/event-stream', 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' }
  const { body } = await fetch(opened.url, { headers })
  const reader = body?.getReader()
  // Not yet what keeps the connection open, which the first bytes were before.
  assert.equal(new TextDecoder().decode((await reader?.read())?.value), ':\n\n')
  await reader?.cancel()
})

test('sessions are bounded in number and in idle time; one that ended is not found', async () => {
  await using services = testServices()
  const options = { secrets: [], docs: 'docs' }
  const context = openMcpContext(services, openWorkspace(services), options)
  let now = 0
  const respond = serveMcp('0.1.0', context, { most: 2, idleMs: 1000 }, () => now)
  const ask = (body: unknown, session?: string) =>
    respond(
      new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers: { ...usual, ...(session !== undefined && { 'Mcp-Session-Id': session }) },
        body: JSON.stringify(body),
      }),
    )
  const begin = async () => {
    now += 10
    const response = await ask(initialize)
    await response.text()
    return response.headers.get('mcp-session-id') ?? ''
  }
  const statusOf = async (session: string) => {
    const response = await ask({ jsonrpc: '2.0', id: 2, method: 'tools/list' }, session)
    await response.text()
    return response.status
  }
  const first = await begin()
  const second = await begin()
  now += 10
  assert.equal(await statusOf(first), 200)
  // The second is idle for longer now.
  const third = await begin()
  assert.deepEqual([await statusOf(first), await statusOf(second), await statusOf(third)], [200, 404, 200])
  now += 2000
  const fourth = await begin()
  assert.deepEqual([await statusOf(first), await statusOf(third), await statusOf(fourth)], [404, 404, 200])

  // Streams that are open keep their session: then there is no room.
  const listen = (session: string) =>
    respond(
      new Request('http://127.0.0.1/mcp', { headers: { Accept: 'text/event-stream', 'Mcp-Session-Id': session } }),
    )
  const fifth = await begin()
  const streams = [await listen(fourth), await listen(fifth)]
  assert.deepEqual(
    streams.map(({ status }) => status),
    [200, 200],
  )
  await assert.rejects(
    begin(),
    (error: unknown) => error instanceof ConnectorError && error.code === 'mcp/too-many-sessions',
  )
  for (const { body } of streams) await body?.cancel()
  assert.notEqual(await begin(), '')
})
