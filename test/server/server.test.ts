import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectorError } from '../../src/std/errors.ts'
import { createApi } from '../../src/server/server.ts'
import { startApi } from './start-api.ts'
import { manifestOf } from '../helpers/manifests.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { until } from '../helpers/until.ts'
import { testServices } from './services.ts'

const facts = { baseUrl: 'https://turnleaf.example', apiUrl: 'https://api.turnleaf.example', version: '0.1.0' }
const services = testServices()
after(() => services[Symbol.dispose]())
const app = createApi(facts, services)

const paths = ['/health', '/capabilities', '/openapi.json', '/.well-known/api-catalog']

describe('the API', () => {
  test('says that it works', async () => {
    const reply = await app.request('/health')
    assert.equal(reply.status, 200)
    assert.equal(reply.headers.get('content-type'), 'application/json')
    assert.deepEqual(await reply.json(), { status: 'ok' })
  })

  test('describes every route it has, and no other', async () => {
    const {
      openapi,
      servers,
      paths: described,
    } = (await (await app.request('/openapi.json')).json()) as {
      openapi: string
      servers: { url: string }[]
      paths: Record<string, object>
    }
    assert.equal(openapi, '3.1.0')
    assert.deepEqual(servers, [{ url: facts.apiUrl }])
    for (const path of paths) assert.ok(path in described, path)
    for (const path of Object.keys(described)) {
      const reply = await app.request(path.replaceAll(/[{}]/g, ''), { method: 'OPTIONS' })
      assert.equal(reply.status, 204, path)
    }
  })

  test('describes each operation in a sentence that is not its summary', async () => {
    const { paths: described } = (await (await app.request('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { operationId: string; summary: string; description?: string }>>
    }
    const operations = Object.values(described).flatMap((methods) => Object.values(methods))
    assert.ok(operations.length >= 40, `${operations.length} operations`)
    const lacking = operations.filter(
      ({ summary, description = '' }) => description.length < 20 || description === summary,
    )
    assert.deepEqual(
      lacking.map(({ operationId }) => operationId),
      [],
    )
  })

  test('describes each parameter', async () => {
    const { paths: described } = (await (await app.request('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { parameters?: { name: string; description?: string }[] }>>
    }
    const lacking = Object.entries(described).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ parameters = [] }) =>
        parameters.flatMap(({ name, description = '' }) => (description === '' ? [`${path} ${name}`] : [])),
      ),
    )
    assert.deepEqual(lacking, [])
  })

  test('shows a browser its problems as pages, and programs as problems', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const refusals: [method: string, path: string, status: number, says: RegExp, allow: string | null][] = [
      ['GET', '/v1/nothing', 404, /<h1>404 Not Found<\/h1>/, null],
      ['GET', '/v1/connectors/none', 404, /no connector &quot;none&quot;/, null],
      ['PATCH', '/v1/connectors', 405, /<h1>405 Method Not Allowed<\/h1>/, 'GET, HEAD, POST, OPTIONS'],
      ['POST', '/', 405, /<h1>405 Method Not Allowed<\/h1>/, 'GET, HEAD, OPTIONS'],
      ['GET', '/v1/connectors/No%3Cb%3E', 400, /<h1>400 Bad Request<\/h1>/, null],
    ]
    for (const [method, path, status, says, allow] of refusals) {
      const page = await app.request(path, { method, headers: { Accept: browser } })
      assert.equal(page.status, status, path)
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8', path)
      assert.match(String(page.headers.get('content-security-policy')), /default-src 'none'.*script-src 'none'/)
      assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
      assert.equal(page.headers.get('cache-control'), 'no-store')
      assert.equal(page.headers.get('allow'), allow)
      assert.equal(page.headers.get('vary'), 'Accept')
      const text = await page.text()
      assert.match(text, says)
      assert.doesNotMatch(text, /<b>/)
      for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
        const problem = await app.request(path, { method, headers: { Accept: accept } })
        assert.equal(problem.headers.get('content-type'), 'application/problem+json', `${path} ${accept}`)
        assert.equal(problem.headers.get('vary'), 'Accept')
        assert.equal(((await problem.json()) as { status: number }).status, status)
      }
    }
  })

  test('takes 49.0 where an integer is expected, as JSON Schema does, and not 49.5', async () => {
    const ask = async (path: string, body: string) => {
      const headers = { 'Content-Type': 'application/json' }
      return (await app.request(path, { method: 'POST', headers, body })).status
    }
    const diagnosis = (pages: string) => ask('/v1/diagnoses', `{"text": "", "stream": "x", "maxPages": ${pages}}`)
    const wrong = await diagnosis('49')
    assert.notEqual(wrong, 400)
    assert.equal(await diagnosis('49.0'), wrong)
    for (const pages of ['49.5', '0.0', '"49"', '1234567890.123456789'])
      assert.equal(await diagnosis(pages), 400, pages)
    // Within a union, next to words.
    const sync = (prefetch: string) => ask('/v1/syncs', `{"connector": "none", "prefetch": ${prefetch}}`)
    assert.equal(await sync('2'), 404)
    assert.equal(await sync('2.0'), 404)
    assert.equal(await sync('2.5'), 400)
    const read = (pages: string) =>
      ask('/v1/manifest/test_read', `{"manifest": {}, "config": {}, "stream_name": "x", "page_limit": ${pages}}`)
    assert.equal(await read('2.0'), await read('2'))
    assert.equal(await read('2.5'), 422)
  })

  test('a body that is not JSON is an invalid request, one of another type an unsupported one', async () => {
    const ask = async (body: string, type = 'application/json') => {
      const headers = { 'Content-Type': type }
      const answer = await app.request('/v1/queries', { method: 'POST', headers, body })
      const { status, code, detail } = (await answer.json()) as { status: number; code: string; detail: string }
      return [status, code, detail]
    }
    const [status, code, detail] = await ask('{"sql": ')
    assert.deepEqual([status, code], [400, 'server/invalid-request'])
    assert.match(String(detail), /^The body is not JSON: /)
    for (const none of ['', ' \n']) {
      assert.deepEqual(await ask(none), [400, 'server/invalid-request', 'The body is empty; it must be JSON.'])
    }
    assert.deepEqual(await ask('{}', 'text/plain'), [415, 'server/not-json', 'The body is text/plain, not JSON.'])
  })

  test('an unknown key of a schedule or a connection is refused, with its place and the one that was meant', async () => {
    const ask = async (method: string, path: string, body: object) => {
      const headers = { 'Content-Type': 'application/json' }
      const answer = await app.request(path, { method, headers, body: JSON.stringify(body) })
      const { status, code, detail } = (await answer.json()) as { status: number; code: string; detail: string }
      assert.deepEqual([status, code], [400, 'server/invalid-request'])
      return detail
    }
    const schedule = { every: '1h', webhok: 'https://a.example', colour: 'red' }
    const words = 'Unknown key `webhok` (did you mean `webhook`?); Unknown key `colour`.'
    assert.equal(await ask('PUT', '/v1/schedules/shop', schedule), `The body is invalid. ${words}`)
    assert.equal(
      await ask('POST', '/v1/connectors/shop/connections', { schedule }),
      `The body is invalid. \`schedule\`: ${words}`,
    )
  })

  test('leads to the canonical catalog, whatever the Host', async () => {
    const reply = await app.request('/.well-known/api-catalog', { headers: { Host: 'evil.example' } })
    assert.equal(reply.status, 308)
    assert.equal(reply.headers.get('location'), 'https://turnleaf.example/.well-known/api-catalog')
  })

  test('serves the builder at every address of the app, and nothing from elsewhere may run in it', async () => {
    assert.match(await (await app.request('/')).text(), /<meta\s+name="description"\s+content="[^"]{50,170}"/)
    for (const path of ['/', '/connectors/shop']) {
      const reply = await app.request(path)
      assert.match(String(reply.headers.get('content-type')), /^text\/html/)
      assert.match(String(reply.headers.get('content-security-policy')), /default-src 'none'; script-src 'self'/)
      const html = await reply.text()
      const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(html) ?? []
      const loaded = await app.request(script)
      assert.equal(loaded.status, 200)
      assert.match(String(loaded.headers.get('content-type')), /javascript/)
      assert.match(String(loaded.headers.get('cache-control')), /immutable/)
    }
  })

  for (const path of paths) {
    test(`${path} answers HEAD like GET, 204 to OPTIONS, and 405 to the rest`, async () => {
      const [got, headOnly] = [await app.request(path), await app.request(path, { method: 'HEAD' })]
      assert.equal(headOnly.status, got.status)
      assert.equal(headOnly.headers.get('content-type'), got.headers.get('content-type'))
      assert.equal(await headOnly.text(), '')
      assert.equal((await app.request(path, { method: 'OPTIONS' })).status, 204)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const reply = await app.request(path, { method })
        assert.equal(reply.status, 405)
        assert.equal(reply.headers.get('allow'), 'GET, HEAD, OPTIONS')
        await assertProblem(reply, 'Method Not Allowed')
      }
    })
  }

  test('leads to the docs of the public site, and nowhere else', async () => {
    for (const path of ['/docs', '/docs/pagination', '/docs/custom-classes']) {
      const reply = await app.request(path)
      assert.equal(reply.status, 302, path)
      assert.equal(reply.headers.get('location'), `${facts.baseUrl}${path}`)
    }
    for (const path of ['/docs/../x', '/docs//elsewhere.example', '/docs/%0d%0ax', '/docs/A', '/docs/a/b']) {
      assert.equal((await app.request(path)).status, 404, path)
    }
  })

  test('an unknown path is a 404 problem with title and detail', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const reply = await app.request('/v1/nothing', { method })
      assert.equal(reply.status, 404)
      const { hint } = (await reply.clone().json()) as { hint: string }
      assert.equal(hint, 'The operations are in /openapi.json.')
      await assertProblem(reply, 'Not Found')
    }
  })

  test('does not start with an address that is more than an origin', () => {
    const isRefusal = (error: unknown) => error instanceof ConnectorError && error.code === 'site/invalid-base-url'
    assert.throws(() => createApi({ ...facts, baseUrl: 'https://turnleaf.example/app' }, services), isRefusal)
    assert.throws(() => createApi({ ...facts, apiUrl: 'https://user@turnleaf.example' }, services), isRefusal)
  })
})

async function assertProblem(reply: Response, title: string): Promise<void> {
  assert.equal(reply.headers.get('content-type'), 'application/problem+json')
  assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
  const problem = (await reply.json()) as Record<string, unknown>
  assert.equal(problem.title, title)
  assert.equal(problem.status, reply.status)
  assert.equal(typeof problem.detail, 'string')
}

test('a request that takes longer than clients may be idle gets its response', async () => {
  let release = () => {}
  await using slow = await serveApi({
    '*': () => ({
      raw: (response) => {
        release = () => void response.setHeader('Content-Type', 'application/json').end('[{"id":1}]')
      },
    }),
  })
  await using api = await startApi({
    host: '127.0.0.1',
    port: 0,
    baseUrl: facts.baseUrl,
    version: '0.1.0',
    services,
    limits: { idleMs: 1000 },
  })
  const text = JSON.stringify(manifestOf({ url: slow.url, fieldPath: [] }))
  const asked = fetch(`${api.url}/v1/checks`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text, config: {} }),
  })
  await until('the API is requested', () => slow.asked.length > 0)
  await sleep(2000)
  release()
  assert.equal((await asked).status, 200)
})
