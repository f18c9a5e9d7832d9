import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Running, ask, startBoth } from './running.ts'

const paths: [path: string, status: number, type: string][] = [
  ['/', 200, 'text/html; charset=utf-8'],
  ['/index.md', 200, 'text/markdown; charset=utf-8'],
  ['/.well-known/api-catalog', 200, 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
  ['/openapi.json', 200, 'application/json'],
  ['/docs', 200, 'text/html; charset=utf-8'],
  ['/docs/index.md', 200, 'text/markdown; charset=utf-8'],
  ['/docs/sync', 200, 'text/html; charset=utf-8'],
  ['/docs/sync.md', 200, 'text/markdown; charset=utf-8'],
  ['/docs/search.json', 200, 'application/json'],
  ['/llms-full.txt', 200, 'text/plain; charset=utf-8'],
  ['/site/docs.css', 200, 'text/css; charset=utf-8'],
  ['/site/page.js', 200, 'text/javascript; charset=utf-8'],
  ['/site/search.js', 200, 'text/javascript; charset=utf-8'],
  ['/site/theme.js', 200, 'text/javascript; charset=utf-8'],
  ['/pictures/builder-light.webp', 200, 'image/webp'],
  ['/pictures/builder-dark.webp', 200, 'image/webp'],
  ['/.well-known/agent-skills/index.json', 200, 'application/json'],
  ['/.well-known/agent-skills/build-a-connector/SKILL.md', 200, 'text/markdown; charset=utf-8'],
  ['/api/x402', 402, 'application/json'],
  ['/api', 402, 'application/json'],
  ['/robots.txt', 200, 'text/plain; charset=utf-8'],
  ['/sitemap.xml', 200, 'application/xml; charset=utf-8'],
  ['/llms.txt', 200, 'text/plain; charset=utf-8'],
  ['/.well-known/security.txt', 200, 'text/plain; charset=utf-8'],
  ['/favicon.svg', 200, 'image/svg+xml'],
  ['/favicon.ico', 200, 'image/x-icon'],
  ['/speed-read-light.svg', 200, 'image/svg+xml'],
  ['/speed-read-dark.svg', 200, 'image/svg+xml'],
  ['/speed-latency-100-light.svg', 200, 'image/svg+xml'],
  ['/speed-latency-100-dark.svg', 200, 'image/svg+xml'],
]

/** Nothing there, or nothing we could honestly put there. */
const absent = [
  '/nope',
  '/index.html',
  '/api/x402/',
  '/api/v1',
  '/.well-known/api-catalog/',
  '/.well-known/x402',
  '/.well-known/mpp',
  '/.well-known/mcp.json',
  '/docs/nope',
  '/docs/../package.json',
  '/docs/pictures/builder.json',
  '/site/dates.json',
  '/pictures/builder.json',
  '/.well-known/agent-card.json',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/../etc/passwd',
  '/%2e%2e/package.json',
  '//',
  '/__proto__',
  '/constructor',
]

describe('methods', () => {
  let running: Running
  before(async () => {
    running = await startBoth()
  })
  after(() => running[Symbol.asyncDispose]())

  for (const [path, status, type] of paths) {
    test(`${path} answers ${status} to GET and HEAD alike, with its type and open to every origin`, async () => {
      const got = await ask(running.baseUrl + path)
      assert.equal(got.status, status)
      assert.equal(got.headers['content-type'], type)
      assert.equal(got.headers['access-control-allow-origin'], '*')
      assert.match(String(got.headers['access-control-expose-headers']), /PAYMENT-REQUIRED/)
      assert.equal(got.headers['x-content-type-options'], 'nosniff')
      assert.equal(got.headers['content-length'], String(got.bytes.length))
      for (const never of ['set-cookie', 'x-powered-by', 'server', 'access-control-allow-credentials']) {
        assert.equal(got.headers[never], undefined, never)
      }
      const headOnly = await ask(running.baseUrl + path, { method: 'HEAD' })
      assert.equal(headOnly.status, status)
      assert.equal(headOnly.body, '')
      assert.deepEqual({ ...headOnly.headers, date: '' }, { ...got.headers, date: '' })
      const queried = await ask(`${running.baseUrl}${path}?utm_source=x&a[]=%00`)
      assert.equal(queried.body, got.body)
    })

    test(`${path} answers 204 to OPTIONS, with what a preflight asks for`, async () => {
      const reply = await ask(running.baseUrl + path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'GET' },
      })
      assert.equal(reply.status, 204)
      assert.equal(reply.body, '')
      assert.equal(reply.headers['content-length'], undefined)
      assert.equal(reply.headers.allow, 'GET, HEAD, OPTIONS')
      assert.equal(reply.headers['access-control-allow-origin'], '*')
      assert.equal(reply.headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS')
      assert.match(
        String(reply.headers['access-control-allow-headers']),
        /PAYMENT-SIGNATURE, X-PAYMENT, Access-Control-Expose-Headers/,
      )
      assert.equal(reply.headers['access-control-max-age'], '86400')
    })

    test(`${path} answers 405 to every other method`, async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY']) {
        const reply = await ask(running.baseUrl + path, { method, ...(method === 'POST' && { body: '{"a":1}' }) })
        assert.equal(reply.status, 405, method)
        assert.equal(reply.headers.allow, 'GET, HEAD, OPTIONS')
        assert.equal(reply.headers['content-type'], 'application/problem+json')
        assert.equal(reply.headers['access-control-allow-origin'], '*')
        const problem = JSON.parse(reply.body) as Record<string, unknown>
        assert.deepEqual([problem.type, problem.title, problem.status], ['about:blank', 'Method Not Allowed', 405])
        assert.equal(typeof problem.detail, 'string')
        assert.equal(reply.headers.vary, 'Accept')
      }
      for (const preferred of ['text/html', 'text/markdown']) {
        const reply = await ask(running.baseUrl + path, {
          method: 'POST',
          headers: { Accept: `${preferred}, */*;q=0.8` },
        })
        assert.deepEqual([reply.status, reply.headers.allow], [405, 'GET, HEAD, OPTIONS'])
        assert.equal(reply.headers['content-type'], `${preferred}; charset=utf-8`)
        assert.match(reply.body, /405 Method Not Allowed/)
      }
    })
  }

  test('an unknown path is a 404 problem, whatever the method', async () => {
    for (const path of absent) {
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']) {
        const reply = await ask(running.baseUrl, { method, path })
        assert.equal(reply.status, 404, `${method} ${path}`)
        assert.equal(reply.headers['content-type'], 'application/problem+json')
        assert.equal(reply.headers['cache-control'], 'no-store')
        if (method === 'HEAD') continue
        const problem = JSON.parse(reply.body) as Record<string, unknown>
        assert.deepEqual([problem.type, problem.title, problem.status], ['about:blank', 'Not Found', 404])
        assert.equal(reply.body.includes(path === '//' ? '///' : path), false, 'the request is not repeated')
      }
    }
  })

  test('a preflight about the server as a whole is answered too', async () => {
    const reply = await ask(running.baseUrl, { method: 'OPTIONS', path: '*' })
    assert.equal(reply.status, 204)
    assert.equal(reply.headers.allow, 'GET, HEAD, OPTIONS')
  })
})

describe('copies that clients keep', () => {
  let running: Running
  before(async () => {
    running = await startBoth()
  })
  after(() => running[Symbol.asyncDispose]())

  const tag = async (accept: string) =>
    String((await ask(`${running.baseUrl}/`, { headers: { Accept: accept } })).headers.etag)

  test('each face of the homepage has a strong tag of its own', async () => {
    const [html, markdown] = [await tag('text/html'), await tag('text/markdown')]
    assert.match(html, /^"[\w-]+"$/)
    assert.match(markdown, /^"[\w-]+"$/)
    assert.notEqual(html, markdown)
  })

  test('a tag that is current gives 304, in every way it may be listed', async () => {
    for (const [path] of paths.filter(([, status]) => status === 200)) {
      const { headers } = await ask(running.baseUrl + path)
      const etag = String(headers.etag)
      for (const listed of [etag, `W/${etag}`, `"old", ${etag}`, `${etag},"other"`, '*', ' * ']) {
        for (const method of ['GET', 'HEAD']) {
          const reply = await ask(running.baseUrl + path, { method, headers: { 'If-None-Match': listed } })
          assert.equal(reply.status, 304, `${path} ${listed}`)
          assert.equal(reply.body, '')
          for (const name of ['etag', 'vary', 'cache-control', 'content-location', 'access-control-allow-origin']) {
            assert.equal(reply.headers[name], headers[name], name)
          }
          assert.equal(reply.headers['content-type'], undefined)
        }
      }
      for (const listed of ['"old"', '', etag.slice(1, -1), 'garbage, "x"']) {
        const reply = await ask(running.baseUrl + path, { headers: { 'If-None-Match': listed } })
        assert.equal(reply.status, 200, `${path} ${listed}`)
      }
    }
  })

  test("one face's tag says nothing about the other", async () => {
    const headers = { 'If-None-Match': await tag('text/html'), Accept: 'text/markdown' }
    const reply = await ask(`${running.baseUrl}/`, { headers })
    assert.equal(reply.status, 200)
    assert.equal(reply.headers['content-type'], 'text/markdown; charset=utf-8')
  })

  test('304 varies by Accept as 200 does', async () => {
    const headers = { 'If-None-Match': await tag('text/markdown'), Accept: 'text/markdown' }
    const reply = await ask(`${running.baseUrl}/`, { headers })
    assert.equal(reply.status, 304)
    assert.equal(reply.headers.vary, 'Accept, Accept-Encoding')
    assert.equal(reply.headers['content-location'], '/index.md')
  })

  test('neither the probe nor a refusal can be kept', async () => {
    for (const headers of [{ 'If-None-Match': '*' }, {}]) {
      const probe = await ask(`${running.baseUrl}/api/x402`, { headers })
      assert.equal(probe.status, 402)
      assert.equal(probe.headers['cache-control'], 'no-store')
      assert.equal(probe.headers.etag, undefined)
    }
  })

  test('what a client claims about the host changes nothing', async () => {
    for (const [path] of paths) {
      const plain = await ask(running.baseUrl + path)
      const spoofed = await ask(running.baseUrl + path, {
        headers: {
          Host: 'not-ours.example',
          'X-Forwarded-Host': 'not-ours.example',
          'X-Forwarded-Proto': 'https',
          Forwarded: 'host=not-ours.example;proto=https',
        },
      })
      assert.deepEqual(
        { ...spoofed, headers: { ...spoofed.headers, date: '' } },
        { ...plain, headers: { ...plain.headers, date: '' } },
      )
      assert.equal(JSON.stringify([spoofed.headers, spoofed.body]).includes('not-ours'), false)
    }
  })
})
