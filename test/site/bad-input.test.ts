import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { type Running, ask, holdOpen, sendRaw, startBoth } from './running.ts'

let running: Running
before(async () => {
  running = await startBoth({ headersMs: 400, requestMs: 600, keepAliveMs: 300, idleMs: 1000, checkMs: 50 })
})
after(() => running[Symbol.asyncDispose]())

const origins = { site: () => running.baseUrl, API: () => running.apiUrl }

/** Status lines of everything the server said on one connection. */
const statuses = (said: string) => [...said.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))

const close = 'Host: x\r\nConnection: close\r\n'

const unreadable: [name: string, bytes: string, status: number][] = [
  ['64 KB of headers', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(65_536)}\r\n\r\n`, 431],
  ['a thousand headers', `GET / HTTP/1.1\r\nHost: x\r\n${'X-Many: yes, very many\r\n'.repeat(1000)}\r\n`, 431],
  ['an address of 64 KB', `GET /${'a'.repeat(65_536)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414],
  ['an address that never ends', `GET /${'a'.repeat(40_000)}`, 414],
  ['no HTTP at all', 'hello, is this the door?\r\n\r\n', 400],
  ['binary', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n', 400],
  ['a method nobody knows', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a version nobody speaks', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400],
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n', 400],
  ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\u0000d\r\n\r\n', 400],
  ['two lengths', 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
  [
    'length and chunks',
    'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['a length below zero', 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
  ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 405],
]

for (const [name, origin] of Object.entries(origins)) {
  describe(`bad input to the ${name}`, () => {
    for (const [what, bytes, status] of unreadable) {
      test(`${what} gets ${status}, then the connection ends`, async () => {
        const said = await sendRaw(origin(), bytes)
        assert.deepEqual(statuses(said), [status], said.slice(0, 300))
        assertTellsNothing(said)
        assert.equal((await ask(origin())).status, 200, 'the next client is served')
      })
    }

    test('garbage behind a request: the request is answered, the garbage refused', async () => {
      const said = await sendRaw(origin(), `GET /nope HTTP/1.1\r\nHost: x\r\n\r\n\u0000\u0001garbage\r\n\r\n`)
      assert.ok([400, 404].includes(statuses(said)[0] ?? 0), said)
      assert.equal(statuses(said).at(-1), 400)
      assertTellsNothing(said)
    })

    test('a body nobody asked for is passed over, and the next request is read in its place', async () => {
      const body = 'x'.repeat(100_000)
      const first = `GET /nope HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      const chunked = 'GET /nope HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'
      const said = await sendRaw(origin(), `${first}${chunked}POST / HTTP/1.1\r\n${close}Content-Length: 2\r\n\r\nhi`)
      assert.deepEqual(statuses(said), [404, 404, 405])
    })

    test('whoever hangs up in the middle leaves the server standing', async () => {
      const words = [
        'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
        'garbage\r\n\r\n',
        'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
        'GET / HT',
      ]
      for (const bytes of words) {
        const socket = await holdOpen(origin(), bytes)
        socket.resetAndDestroy()
      }
      assert.equal((await ask(origin())).status, 200)
    })

    test('an upgrade nobody offers is an ordinary request', async () => {
      const headers = {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Key': 'x',
        'Sec-WebSocket-Version': '13',
      }
      assert.equal((await ask(origin(), { headers })).status, 200)
    })

    test('many requests in one packet are answered in order', async () => {
      const one = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
      const said = await sendRaw(origin(), `${one('/').repeat(50)}${one('/nope')}GET / HTTP/1.1\r\n${close}\r\n`)
      assert.deepEqual(statuses(said), [...Array.from({ length: 50 }, () => 200), 404, 200])
    })

    test('clients that say half a request do not hold up others, and are sent away', async () => {
      const halves = [
        '',
        'G',
        'GET / HTTP/1.1\r\n',
        'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ',
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx',
      ]
      const slow = await Promise.all(
        Array.from({ length: 200 }, (_, index) => holdOpen(origin(), halves[index % 5] ?? '')),
      )
      for (const socket of slow) socket.resume()
      const gone = Promise.all(slow.map((socket) => once(socket, 'close')))
      assert.equal((await ask(origin())).status, 200)
      assert.ok(slow.some((socket) => !socket.destroyed))
      for (let times = 0; times < 20; times++) assert.equal((await ask(origin())).status, 200)
      await gone
    })
  })
}

describe('bad input that can be read', () => {
  test('a Host that is none is a problem to the API, and nothing to the site', async () => {
    for (const host of ['a b', '[::', 'x:99999', 'user@x', '%%%']) {
      const request = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
      assert.deepEqual(statuses(await sendRaw(running.baseUrl, request)), [200])
      const said = await sendRaw(running.apiUrl, request)
      assert.deepEqual(statuses(said), [400])
      assert.match(said, /application\/problem\+json[^]*"detail":/)
      assertTellsNothing(said)
    }
  })

  test('an Accept header of thousands of ranges, or of nonsense, is refused', async () => {
    const hostile = [
      'a/b,'.repeat(3000),
      'text/html;q=2',
      ';;;,,,===',
      '"'.repeat(12_000),
      '*',
      'text/html;q=x,'.repeat(900),
    ]
    for (const accept of hostile) {
      const reply = await ask(running.baseUrl, { headers: { Accept: accept } })
      assert.equal(reply.status, 406, accept.slice(0, 40))
      assertTellsNothing(reply.body)
    }
  })

  test('an address in the form for proxies leads to the same resource', async () => {
    for (const target of ['http://evil.example/robots.txt', 'HTTPS://evil.example:99/robots.txt?x']) {
      const said = await sendRaw(running.baseUrl, `GET ${target} HTTP/1.1\r\n${close}\r\n`)
      assert.deepEqual(statuses(said), [200])
      assert.ok(said.includes(`Sitemap: ${running.baseUrl}/sitemap.xml`))
      assert.equal(said.includes('evil'), false)
    }
  })

  test('a client that asks and never reads does not hold up others', async () => {
    const socket = await holdOpen(running.baseUrl, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(500))
    socket.pause()
    assert.equal((await ask(running.baseUrl)).status, 200)
    socket.destroy()
  })
})

/** Neither stack nor path nor anything about what it runs on. */
function assertTellsNothing(said: string): void {
  assert.doesNotMatch(said, /\bat \S+ \(|node:|\.[jt]s\b|\/work|\/src\/|HPE_|Error:/)
}
