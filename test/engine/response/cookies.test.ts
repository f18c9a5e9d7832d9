/** A session in a cookie lives as long as the read, and stays with its origin. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpRequest } from '../../../src/engine/request/http-request.ts'
import { withCookies } from '../../../src/engine/response/cookies.ts'
import { openNetwork } from '../../../src/engine/response/send.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { answered, get, never } from './asking.ts'

/** The cookie header of each request, when these lines are set one response after the other. */
async function cookiesSent(lines: string[][], urls: string[] = [], headers = {}): Promise<(string | undefined)[]> {
  const heard: HttpRequest[] = []
  const send = withCookies(
    async (request) => {
      heard.push(request)
      return { ...answered(200), cookies: lines[heard.length - 1] ?? [] }
    },
    () => Date.UTC(2024, 0, 1),
  )
  for (let index = 0; index <= lines.length; index++)
    await send(get(urls[index] ?? 'https://api.shop/a', headers), never)
  return heard.map((request) => request.headers.cookie)
}

test('cookies: what was set is sent back, the newest value of each name', async () => {
  const sent = await cookiesSent([['sid=1; Path=/; HttpOnly', 'lang=de'], ['sid=2']])
  assert.deepEqual(sent, [undefined, 'sid=1; lang=de', 'lang=de; sid=2'])
})

test('cookies: another origin gets none', async () => {
  assert.deepEqual(await cookiesSent([['sid=1; Domain=shop']], ['https://api.shop/a', 'https://other.shop/a']), [
    undefined,
    undefined,
  ])
})

test('cookies: those that are over are forgotten', async () => {
  for (const over of ['sid=; Max-Age=0', 'sid=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT']) {
    assert.deepEqual(await cookiesSent([['sid=1'], [over]]), [undefined, 'sid=1', undefined])
  }
})

test('cookies: Max-Age wins over Expires', async () => {
  const line = 'sid=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT'
  assert.deepEqual(await cookiesSent([[line]]), [undefined, 'sid=1'])
})

test('cookies: no more than fifty are kept', async () => {
  const many = Array.from({ length: 60 }, (_, index) => `c${index}=1`)
  assert.equal((await cookiesSent([many]))[1]?.split('; ').length, 50)
})

test('cookies: the author’s own header wins, nonsense is ignored', async () => {
  assert.deepEqual(await cookiesSent([['sid=1', 'nonsense']], [], { cookie: 'own=1' }), ['own=1', 'own=1'])
})

test('cookies: several in one response come off the wire apart', async () => {
  await using api = await serveApi({
    '*': () => ({ json: {}, headers: { 'set-cookie': ['a=1; Expires=Wed, 01 Jan 2099 00:00:00 GMT', 'b=2'] } }),
  })
  const network = openNetwork()
  const send = withCookies(network.send, Date.now)
  await send(get(api.url), never)
  await send(get(api.url), never)
  await network.close()
  assert.equal(api.requests[1]?.headers.cookie, 'a=1; b=2')
})

test('cookies: one that ends at this very moment is over, one that lives a second is not', async () => {
  const ended = ['Max-Age=0', 'Max-Age=-1', 'Expires=Mon, 01 Jan 2024 00:00:00 GMT']
  for (const over of ended) assert.deepEqual(await cookiesSent([[`sid=1; ${over}`]]), [undefined, undefined], over)
  for (const open of ['Max-Age=1', 'Expires=Mon, 01 Jan 2024 00:00:01 GMT', 'Expires=soon', 'Path=/'])
    assert.deepEqual(await cookiesSent([[`sid=1; ${open}`]]), [undefined, 'sid=1'], open)
})

test('cookies: what has no name or no value is none, an empty value is one', async () => {
  assert.deepEqual(await cookiesSent([['=1', '', 'nonsense; a=b', 'sid=']]), [undefined, 'sid='])
})

test('cookies: of more than fifty the oldest goes, one that is set again is not old', async () => {
  const fifty = Array.from({ length: 50 }, (_, index) => `c${index}=1`)
  const [, all, later] = await cookiesSent([fifty, ['c0=2', 'new=1']])
  assert.equal(all, fifty.join('; '))
  assert.equal(later, [...fifty.slice(2), 'c0=2', 'new=1'].join('; '))
})
