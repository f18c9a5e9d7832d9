import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createApi } from '../../src/server/server.ts'
import { startApi } from './start-api.ts'
import type { Listening } from '../../src/site/listen.ts'
import { ask } from '../site/running.ts'
import { testServices } from './services.ts'

const services = testServices()
after(() => services[Symbol.dispose]())
const guarded = '/v1/connectors'

describe('a server on this machine', () => {
  let api: Listening
  before(async () => {
    const apiUrl = 'https://api.turnleaf.example'
    api = await startApi({ baseUrl: 'http://127.0.0.1:1', apiUrl, version: '1', services })
  })
  after(() => api.close())

  const statusOf = async (headers: Record<string, string>, path = guarded, method = 'GET') =>
    (await ask(`${api.url}${path}`, { method, headers })).status

  test('answers to its own names and to the one it is published by', async () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST']) {
      assert.equal(await statusOf({ Host: `${host}:${api.port}` }), 200, host)
    }
    for (const host of ['api.turnleaf.example', 'api.turnleaf.example:443']) {
      assert.equal(await statusOf({ Host: host }), 200, host)
    }
  })

  const strangers = [
    'evil.example',
    'evil.example:8081',
    'localhost',
    '127.0.0.1:1',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'api.turnleaf.example.evil.example',
    'api.turnleaf.example:8443',
    '192.168.1.7',
    '0.0.0.0',
  ]
  for (const host of strangers) {
    test(`the name ${host} is refused: a page may have made it lead here`, async () => {
      const reply = await ask(`${api.url}${guarded}`, { headers: { Host: host } })
      assert.equal(reply.status, 403)
      assert.equal(reply.headers['content-type'], 'application/problem+json')
      assert.equal(JSON.parse(reply.body).code, 'server/foreign')
      assert.ok(!reply.body.includes(host))
    })
  }

  test('pages of other origins are refused, whatever they ask', async () => {
    const own = `http://127.0.0.1:${api.port}`
    const origins = [
      'https://evil.example',
      'null',
      'http://127.0.0.1:1',
      `https://127.0.0.1:${api.port}`,
      `${own}/`,
      '',
    ]
    for (const origin of origins) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
        assert.equal(await statusOf({ Origin: origin }, guarded, method), 403, `${method} ${origin}`)
      }
    }
    for (const origin of [own, `http://localhost:${api.port}`, 'https://api.turnleaf.example']) {
      assert.equal(await statusOf({ Origin: origin }), 200, origin)
    }
  })

  test('no page of another site is allowed to look at a response', async () => {
    for (const path of ['/health', guarded, '/']) {
      const { headers } = await ask(`${api.url}${path}`, { headers: { Origin: 'https://evil.example' } })
      assert.ok(!Object.keys(headers).some((name) => name.startsWith('access-control-')))
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
    }
  })

  test('what browsers say of the asking page counts also where they name no origin', async () => {
    for (const site of ['cross-site', 'same-site', 'made-up']) {
      assert.equal(await statusOf({ 'Sec-Fetch-Site': site }), 403, site)
      assert.equal(await statusOf({ 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate' }), 403, site)
    }
    for (const site of ['same-origin', 'none']) assert.equal(await statusOf({ 'Sec-Fetch-Site': site }), 200, site)
  })

  test('a page may be visited by a link from anywhere, not loaded into another one', async () => {
    const visit = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
    const load = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' }
    const [, script = ''] = /src="(\/assets\/[^"]+)"/.exec((await ask(api.url)).body) ?? []
    for (const path of ['/', '/connectors/shop']) assert.equal(await statusOf(visit, path), 200)
    for (const path of ['/', '/connectors/shop', script]) assert.equal(await statusOf(load, path), 403, path)
    assert.equal(await statusOf({ 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' }, script), 200)
  })

  test('what reveals nothing needs no token', async () => {
    for (const path of ['/health', '/health/', '/openapi.json']) {
      assert.equal(await statusOf({ Host: 'evil.example', 'Sec-Fetch-Site': 'cross-site' }, path), 200, path)
    }
  })

  test('an address written in another way is the same address', async () => {
    for (const path of ['/%761/connectors', '/v1/connectors/', '/v1/%63onnectors']) {
      const status = await statusOf({ Host: 'evil.example' }, path)
      assert.ok([403, 404].includes(status), `${path} ${status}`)
    }
  })
})

describe('a server that asks for a token', () => {
  const facts = { baseUrl: 'https://turnleaf.example', apiUrl: 'https://api.turnleaf.example', version: '1' }
  const token = 'a-long-token.of_the~server'
  const app = createApi(facts, { ...services, token })

  test('every operation that is not open wants it, and so does every method', async () => {
    const { paths } = (await (await app.request('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { security?: unknown[] }>>
    }
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, { security }] of Object.entries(operations)) {
        const reply = await app.request(path.replaceAll(/\{\w+\}/g, 'x'), { method: method.toUpperCase() })
        assert.equal(reply.status === 401, security === undefined, `${method} ${path} ${reply.status}`)
      }
    }
    const reply = await app.request(guarded, { method: 'PATCH' })
    assert.equal(reply.status, 401)
    assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="Turnleaf"')
    assert.equal(((await reply.json()) as { code: string }).code, 'server/unauthorized')
  })

  const cases: [authorization: string, status: number][] = [
    [`Bearer ${token}`, 200],
    [`bearer  ${token}`, 200],
    [`Bearer ${token}x`, 401],
    [`Bearer ${token.slice(1)}`, 401],
    [`Bearer ${token} x`, 401],
    ['Bearer', 401],
    ['Bearer ', 401],
    [`Basic ${token}`, 401],
    [token, 401],
  ]
  for (const [authorization, status] of cases) {
    test(`${authorization.replace(token, '…')} gets ${status}`, async () => {
      const reply = await app.request(guarded, { headers: { Authorization: authorization } })
      assert.equal(reply.status, status)
      if (status === 401) assert.ok(!(await reply.text()).includes(token.slice(1)))
    })
  }

  test('the token does not open the door to other pages', async () => {
    const headers = { Authorization: `Bearer ${token}`, Origin: 'https://evil.example' }
    assert.equal((await app.request(guarded, { headers })).status, 403)
  })

  test('the page, its files and what reveals nothing need none', async () => {
    for (const path of ['/', '/connectors/shop', '/health', '/openapi.json']) {
      assert.equal((await app.request(path)).status, 200, path)
    }
  })
})
