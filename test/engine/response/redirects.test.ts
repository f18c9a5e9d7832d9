import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpRequest } from '../../../src/engine/request/http-request.ts'
import type { HttpResponse, Send } from '../../../src/engine/response/http-response.ts'
import type { Notice } from '../../../src/engine/response/notice.ts'
import { withRedirects } from '../../../src/engine/response/redirects.ts'
import { withSigning } from '../../../src/engine/auth/with-signing.ts'
import { openNetwork } from '../../../src/engine/response/send.ts'
import { type Handler, serveApi } from '../../helpers/serve-api.ts'
import { answered, get, hasCode, never, post } from './asking.ts'

const redactor = { isSecret: (text: string) => text.includes('s3cret'), isPlaced: () => false }

const withHome =
  (home: string, send: Send): Send =>
  (request, signal) =>
    send({ ...request, home }, signal)

/** As a stream composes it: each hop is signed, or stripped, for its own origin. */
function signedFor(home: string, send: Send, report: (notice: Notice) => void): Send {
  return withHome(home, withSigning(send, { credentials: { kind: 'none' }, trusted: [], redactor, report }))
}

async function followed(request: HttpRequest): Promise<{ response: HttpResponse; notices: Notice[] }> {
  const notices: Notice[] = []
  const network = openNetwork()
  const send = withRedirects(signedFor(request.url, network.send, (notice) => notices.push(notice)))
  try {
    return { response: await send(request, never), notices }
  } finally {
    await network.close()
  }
}

const to =
  (location: string, status = 302): Handler =>
  () => ({ status, headers: { location } })
const here: Handler = () => ({ text: 'here' })

test('redirects: a relative location is followed on the same origin, with all headers', async () => {
  await using api = await serveApi({ 'GET /v1/orders': to('../v2/orders?page=1#top'), 'GET /v2/orders': here })
  const headers = { authorization: 'Bearer s3cret', 'x-mark': 'a' }
  const { response, notices } = await followed(get(`${api.url}/v1/orders`, headers))
  assert.equal(response.status, 200)
  assert.equal(response.url, `${api.url}/v2/orders?page=1`)
  assert.deepEqual(api.asked, ['GET /v1/orders', 'GET /v2/orders?page=1'])
  assert.equal(api.requests[1]?.headers.authorization, 'Bearer s3cret')
  assert.equal(api.requests[1]?.headers['x-mark'], 'a')
  assert.deepEqual(notices, [])
})

test('redirects: another origin gets no credential and no secret, and is reported', async () => {
  await using other = await serveApi({ '*': here })
  await using api = await serveApi({ '*': to(`${other.url}/x?page=2&key=s3cret&size=%5b5%5d`) })
  const headers = { Authorization: 'Bearer abc', Cookie: 'a=b', 'X-Key': 's3cret', 'X-Mark': 'a', Host: 'api.shop' }
  const { response, notices } = await followed(get(`${api.url}/orders`, headers))

  assert.deepEqual(other.asked, ['GET /x?page=2&size=%5b5%5d'])
  const [heard] = other.requests
  assert.equal(heard?.headers.authorization, undefined)
  assert.equal(heard?.headers.cookie, undefined)
  assert.equal(heard?.headers['x-key'], undefined)
  assert.equal(heard?.headers['x-mark'], 'a')
  assert.equal(heard?.headers.host, new URL(other.url).host)
  assert.deepEqual(notices, [
    {
      kind: 'foreign-origin',
      from: `${api.url}/orders`,
      to: response.url,
      dropped: ['Authorization', 'Cookie', 'X-Key', 'Host', 'key'],
    },
  ])
})

test('redirects: back at the origin the credentials are sent again, and to no other origin', async () => {
  const ways: { away?: string } = {}
  await using api = await serveApi({
    'GET /a': () => ({ status: 302, headers: { location: `${ways.away}/b` } }),
    '*': here,
  })
  await using other = await serveApi({ '*': to(`${api.url}/c`) })
  ways.away = other.url
  await followed(get(`${api.url}/a`, { authorization: 'Bearer abc' }))
  assert.deepEqual(api.asked, ['GET /a', 'GET /c'])
  assert.equal(api.requests[1]?.headers.authorization, 'Bearer abc')
  assert.equal(other.requests[0]?.headers.authorization, undefined)
})

test('redirects: a body with a secret stays at home, another one goes along', async () => {
  await using other = await serveApi({ '*': here })
  await using api = await serveApi({ '*': to(other.url, 307) })
  const { notices } = await followed(post(api.url, 'client=s3cret'))
  await followed(post(api.url, 'page=2'))
  assert.deepEqual(
    other.requests.map(({ method, body }) => [method, body]),
    [
      ['POST', ''],
      ['POST', 'page=2'],
    ],
  )
  assert.deepEqual(notices[0]?.kind === 'foreign-origin' && notices[0].dropped, ['body'])
})

test('redirects: a secret in a foreign path is not followed', async () => {
  await using other = await serveApi({ '*': here })
  await using api = await serveApi({ '*': to(`${other.url}/bots3cret/x`) })
  await assert.rejects(followed(get(api.url)), hasCode('response/address-refused', /secret in its path/))
  assert.deepEqual(other.asked, [])
})

/** As Python's requests has it. */
const methods: [status: number, method: string, followedBy: string, body: string][] = [
  [301, 'POST', 'GET', ''],
  [302, 'POST', 'GET', ''],
  [303, 'POST', 'GET', ''],
  [307, 'POST', 'POST', 'q'],
  [308, 'POST', 'POST', 'q'],
  [301, 'PUT', 'PUT', ''],
  [302, 'PUT', 'GET', ''],
  [303, 'PUT', 'GET', ''],
  [308, 'PUT', 'PUT', 'q'],
]
for (const [status, method, followedBy, body] of methods) {
  test(`redirects: ${status} on ${method} continues with ${followedBy} ${body ? 'and the body' : 'without a body'}`, async () => {
    await using api = await serveApi({ [`${method} /a`]: to('/b', status), '*': here })
    await followed({ method, url: `${api.url}/a`, headers: { 'Content-Type': 'text/plain' }, body: 'q' })
    assert.equal(api.asked[1], `${followedBy} /b`)
    assert.equal(api.requests[1]?.body, body)
    assert.equal(api.requests[1]?.headers['content-type'], body === '' ? undefined : 'text/plain')
  })
}

test('redirects: HEAD stays HEAD', async () => {
  await using api = await serveApi({ 'HEAD /a': to('/b', 303), '*': here })
  await followed({ method: 'HEAD', url: `${api.url}/a`, headers: {}, body: null })
  assert.deepEqual(api.asked, ['HEAD /a', 'HEAD /b'])
})

test('redirects: ten hops are followed, a loop is not', async () => {
  await using api = await serveApi({
    'GET /steps': (query) => (query.get('n') === '10' ? { text: 'here' } : stepTo(query)),
    'GET /loop': to('/loop'),
  })
  assert.equal((await followed(get(`${api.url}/steps?n=0`))).response.status, 200)
  await assert.rejects(followed(get(`${api.url}/loop`)), hasCode('response/redirect-loop', /more than 10/))
  assert.equal(api.asked.length, 11 + 11)
})

test('redirects: 304, and a 302 without a location, are answers', async () => {
  await using api = await serveApi({ 'GET /a': () => ({ status: 302 }), 'GET /b': () => ({ status: 304 }) })
  assert.equal((await followed(get(`${api.url}/a`))).response.status, 302)
  assert.equal((await followed(get(`${api.url}/b`))).response.status, 304)
})

test('redirects: only to http and https', async () => {
  await using api = await serveApi({ 'GET /a': to('file:///etc/passwd'), 'GET /b': to('http://[') })
  await assert.rejects(followed(get(`${api.url}/a`)), hasCode('request/invalid-url', /file:/))
  await assert.rejects(followed(get(`${api.url}/b`)), hasCode('request/invalid-url'))
})

/** Hops that no local server can play. */
const hops: [from: string, location: string, keeps: boolean][] = [
  ['http://api.shop/a', 'https://api.shop/b', true],
  ['https://api.shop/a', 'http://api.shop/b', false],
  ['https://api.shop/a', '//evil.shop/b', false],
  ['https://api.shop/a', 'https://user:pass@api.shop/b', true],
]
for (const [from, location, keeps] of hops) {
  test(`redirects: ${from} → ${location} ${keeps ? 'keeps' : 'drops'} the credentials`, async () => {
    const heard: HttpRequest[] = []
    const network: Send = async (request) => {
      heard.push(request)
      return heard.length === 1 ? answered(302, '', { location }) : answered(200)
    }
    const send = withRedirects(signedFor(from, network, () => {}))
    await send(get(from, { authorization: 'Bearer abc' }), never)
    assert.equal('authorization' in (heard[1]?.headers ?? {}), keeps)
    assert.doesNotMatch(heard[1]?.url ?? '', /user|pass/)
  })
}

function stepTo(query: URLSearchParams) {
  return { status: 302, headers: { location: `?n=${Number(query.get('n')) + 1}` } }
}
