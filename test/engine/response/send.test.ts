import assert from 'node:assert/strict'
import { getEventListeners, once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { loadManifest, readRecords } from '../../../src/index.ts'
import { openNetwork } from '../../../src/engine/response/send.ts'
import { collect } from '../../helpers/collect.ts'
import { manifestOf } from '../../helpers/manifests.ts'
import { ownCertificate } from '../../helpers/own-certificate.ts'
import { type Handler, serveApi } from '../../helpers/serve-api.ts'
import { against, get, hasCode, never, post } from './asking.ts'
import { isTransient, type NetworkLimits } from '../../../src/engine/response/failure.ts'
import { ConnectorError } from '../../../src/std/errors.ts'

const text = (body: Uint8Array) => new TextDecoder().decode(body)
const raw =
  (write: (response: ServerResponse) => void): Handler =>
  () => ({ raw: write })

test('send: a response comes back as it was sent, several values of a header joined', () =>
  against(
    () => ({ status: 201, headers: { 'X-Mark': ['a', 'b'] }, json: { id: 1 } }),
    async (api, network) => {
      const response = await network.send(get(`${api.url}/orders?offset=2`), never)
      assert.equal(response.status, 201)
      assert.equal(response.url, `${api.url}/orders?offset=2`)
      assert.equal(response.headers['x-mark'], 'a, b')
      assert.equal(text(response.body), '{"id":1}')
      assert.deepEqual(api.asked, ['GET /orders?offset=2'])
    },
  ))

test('send: says who asks and what it can read, unless the request says so itself', () =>
  against(
    () => ({}),
    async (api, network) => {
      const version = /"version": "(.*)"/.exec(readFileSync('package.json', 'utf8'))?.[1]
      await network.send(get(api.url), never)
      await network.send(
        get(api.url, { 'User-Agent': 'mine', Accept: 'text/csv', 'Accept-Encoding': 'identity' }),
        never,
      )
      const [usual, own] = api.requests.map(({ headers }) => headers)
      assert.equal(usual?.['user-agent'], `turnleaf/${version}`)
      assert.equal(usual?.accept, '*/*')
      assert.equal(usual?.['accept-encoding'], 'gzip, deflate, br')
      assert.equal(own?.['user-agent'], 'mine')
      assert.equal(own?.accept, 'text/csv')
      assert.equal(own?.['accept-encoding'], 'identity')
    },
  ))

test('send: a body goes along', () =>
  against(
    () => ({}),
    async (api, network) => {
      await network.send(post(`${api.url}/search`, '{"q":"é"}', { 'content-type': 'application/json' }), never)
      assert.equal(api.requests[0]?.body, '{"q":"é"}')
      assert.equal(api.requests[0]?.headers['content-type'], 'application/json')
    },
  ))

test('send: a redirect is a response like any other', () =>
  against(
    () => ({ status: 302, headers: { location: '/elsewhere' } }),
    async (api, network) => assert.equal((await network.send(get(api.url), never)).status, 302),
  ))

test('send: requests in a row share kept-alive connections', () =>
  against(
    () => ({ json: [] }),
    async (api, network) => {
      for (let page = 0; page < 20; page++) await network.send(get(`${api.url}/?page=${page}`), never)
      assert.equal(api.asked.length, 20)
      // undici holds a connection back for one turn of the loop, so the requests take turns on two.
      assert.ok(api.connections() <= 2, `${api.connections()} connections`)
    },
  ))

test('send: a port where nothing listens is unreachable, with the code of the cause', async () => {
  const network = openNetwork()
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  server.close()
  await once(server, 'close')
  const asking = network.send(get(`http://127.0.0.1:${port}/?key=s3cret`), never)
  await assert.rejects(asking, (error) => {
    assert.doesNotMatch(String(error), /s3cret/)
    return hasCode('response/unreachable', /127\.0\.0\.1.*ECONNREFUSED/)(error)
  })
  await network.close()
})

test('send: a certificate that is not trusted, and a server without TLS, are named and not retried', async () => {
  const server = createTlsServer(ownCertificate())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const network = openNetwork()
  await assert.rejects(network.send(get(`https://127.0.0.1:${port}/`), never), (error) => {
    assert.ok(error instanceof ConnectorError)
    assert.equal(isTransient(error), false)
    assert.match(error.hint, /NODE_EXTRA_CA_CERTS/)
    return hasCode('response/tls-refused', /certificate of 127\.0\.0\.1.*\(DEPTH_ZERO_SELF_SIGNED_CERT\)\.$/)(error)
  })
  server.close()
  await against(
    () => ({}),
    async (api) => {
      await assert.rejects(network.send(get(api.url.replace('http:', 'https:')), never), (error) => {
        assert.ok(error instanceof ConnectorError)
        assert.equal(isTransient(error), false)
        assert.match(error.hint, /`http:\/\/` instead of `https:\/\/`/)
        return hasCode('response/tls-refused', /^127\.0\.0\.1\S* does not answer in TLS \([A-Z_]+\)\.$/)(error)
      })
    },
  )
  await network.close()
})

test('send: an unknown host name is unreachable', async () => {
  const network = openNetwork()
  await assert.rejects(
    network.send(get('http://no-such-host.invalid/'), never),
    hasCode('response/unreachable', /no-such-host\.invalid.*(ENOTFOUND|EAI_AGAIN)/),
  )
  await network.close()
})

test('send: an address that is not http is refused', async () => {
  const network = openNetwork()
  await assert.rejects(network.send(get('ftp://host/'), never), hasCode('request/invalid-url'))
  await assert.rejects(network.send(get('/orders'), never), hasCode('request/invalid-url'))
  await network.close()
})

test('send: a header that HTTP cannot carry is an error of the request', () =>
  against(
    () => ({}),
    (api, network) =>
      assert.rejects(network.send(get(api.url, { 'x-name': 'a\nb' }), never), hasCode('request/invalid-header')),
  ))

/** A server that goes silent, the limits to meet it with, and the words of the timeout. */
const silences: [
  name: string,
  write: (response: ServerResponse) => void,
  limits: Partial<NetworkLimits>,
  words: RegExp,
][] = [
  ['before the headers', () => {}, { headersMs: 40 }, /headers is 40 ms/],
  [
    'in the body',
    (response) => response.writeHead(200, { 'content-length': '100' }).write('{"a":'),
    { bodyMs: 40 },
    /body is 40 ms/,
  ],
]

// Side by side, since undici looks at its clock once a second.
test('send: silence is a timeout that names its limit', { concurrency: true }, async (t) => {
  const cases = silences.map(([name, write, limits, words]) =>
    t.test(name, () =>
      against(
        raw(write),
        (api, network) => assert.rejects(network.send(get(api.url), never), hasCode('response/timeout', words)),
        limits,
      ),
    ),
  )
  await Promise.all([
    ...cases,
    t.test('in the handshake', handshakeTimesOut),
    t.test('unless the manifest says that the server takes long', slowReportIsRead),
  ])
})

async function slowReportIsRead(): Promise<void> {
  await using api = await serveApi({
    'GET /items': async () => {
      await wait(2500)
      return { json: { data: [{ id: 1 }] } }
    },
  })
  const network = openNetwork({ limits: { headersMs: 40, totalMs: 100 } })
  const manifest = loadManifest(manifestOf({ url: api.url, requester: { read_timeout_in_seconds: 30 } }))
  assert.deepEqual(await collect(readRecords(manifest, { network })), [{ id: 1 }])
  assert.equal(api.asked.length, 1)
  await network.close()
}

async function handshakeTimesOut(): Promise<void> {
  const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const network = openNetwork({ limits: { connectMs: 30 } })
  const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
  await assert.rejects(network.send(get(url), never), hasCode('response/timeout', /connecting is 30 ms/))
  await network.close()
  silent.close()
}

test('send: a body that dribbles on is stopped by the limit for the whole response', () =>
  against(
    raw((response) => {
      response.writeHead(200)
      const dribble = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(dribble))
    }),
    (api, network) =>
      assert.rejects(network.send(get(api.url), never), hasCode('response/timeout', /whole response is 50 ms/)),
    { totalMs: 50 },
  ))

test('send: a connection closed before the response is cut short', () =>
  against(
    raw((response) => response.socket?.destroy()),
    (api, network) =>
      assert.rejects(network.send(get(api.url), never), hasCode('response/cut-short', /before it answered/)),
  ))

const truncations: [name: string, write: (response: ServerResponse) => void][] = [
  ['fewer bytes than announced', (response) => response.writeHead(200, { 'content-length': '100' }).write('{"a":')],
  ['chunks without an end', (response) => response.writeHead(200).write('{"a":')],
]
for (const [name, write] of truncations) {
  test(`send: ${name} are cut short`, () =>
    against(
      raw((response) => {
        write(response)
        setImmediate(() => response.socket?.end())
      }),
      (api, network) => assert.rejects(network.send(get(api.url), never), hasCode('response/cut-short')),
    ))
}

test('send: a kept connection that the server closed is cut short, and the next request opens another', () =>
  against(
    () => ({ text: 'ok', headers: { connection: 'keep-alive' } }),
    async (api, network) => {
      await network.send(get(api.url), never)
      await api.closeConnections()
      const again = await network.send(get(api.url), never).catch((error: unknown) => error)
      // Whether the close is noticed before the next request is written is up to the system.
      if (again instanceof Error) hasCode('response/cut-short')(again)
      assert.equal((await network.send(get(api.url), never)).status, 200)
    },
  ))

test('send: an announced size past the limit is refused at once', () =>
  against(
    raw((response) => response.writeHead(200, { 'content-length': '1001' }).write('[')),
    (api, network) => assert.rejects(network.send(get(api.url), never), hasCode('response/too-large', /1000 bytes/)),
    { maxBodyBytes: 1000 },
  ))

test('send: a body as long as the limit is received', () =>
  against(
    raw((response) => response.writeHead(200, { 'content-length': '1000' }).end('x'.repeat(1000))),
    async (api, network) => assert.equal((await network.send(get(api.url), never)).body.length, 1000),
    { maxBodyBytes: 1000 },
  ))

test('send: an endless body is stopped at the limit, and the connection is closed', async () => {
  const closed: Promise<unknown>[] = []
  await against(
    raw((response) => {
      response.writeHead(200)
      const pour = () => void (response.writable && response.write('x'.repeat(500)) && setImmediate(pour))
      closed.push(once(response.on('drain', pour), 'close'))
      pour()
    }),
    async (api, network) => {
      await assert.rejects(network.send(get(api.url), never), hasCode('response/too-large'))
      await Promise.all(closed)
    },
    { maxBodyBytes: 1000 },
  )
})

test('send: a signal that aborted before the call sends nothing', () =>
  against(
    () => ({}),
    async (api, network) => {
      await assert.rejects(network.send(get(api.url), AbortSignal.abort('enough')), hasCode('response/aborted'))
      assert.deepEqual(api.asked, [])
    },
  ))

const stalls: [name: string, write: (response: ServerResponse) => void][] = [
  ['before the headers', () => {}],
  ['in the middle of a body', (response) => response.writeHead(200).write('{"a":')],
  [
    'in the middle of a compressed body',
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).write(Buffer.from([0x1f, 0x8b, 8, 0])),
  ],
]
for (const [name, write] of stalls) {
  test(`send: an abort ${name} ends the request and its socket`, async () => {
    const abort = new AbortController()
    let closed: Promise<unknown> | undefined
    await against(
      raw((response) => {
        closed = once(response, 'close')
        write(response)
        setTimeout(() => abort.abort(), 10)
      }),
      async (api, network) => {
        await assert.rejects(network.send(get(api.url), abort.signal), hasCode('response/aborted', /cancelled/))
        await closed
      },
    )
  })
}

test('send: an abort while connecting ends the request', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const abort = new AbortController()
  silent.on('connection', (socket) => socket.on('error', () => {}) && abort.abort())
  const network = openNetwork()
  const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
  await assert.rejects(network.send(get(url), abort.signal), hasCode('response/aborted'))
  await network.close()
  silent.close()
})

test('send: closing the network ends what is under way', () =>
  against(
    raw((response) => response.writeHead(200).write('{')),
    async (api, network) => {
      const asking = network.send(get(api.url), never)
      setTimeout(() => void network.close(), 20)
      await assert.rejects(asking, hasCode('response/aborted'))
    },
  ))

test('send: a long-lived signal gathers no listeners', () =>
  against(
    () => ({}),
    async (api, network) => {
      const { signal } = new AbortController()
      for (let page = 0; page < 3; page++) await network.send(get(api.url), signal)
      assert.equal(getEventListeners(signal, 'abort').length, 0)
    },
  ))
