/** What several streams ask for is asked once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectorError } from '../../../src/std/errors.ts'
import type { HttpRequest } from '../../../src/engine/request/http-request.ts'
import type { Send } from '../../../src/engine/response/http-response.ts'
import { createReuseStore, withReuse } from '../../../src/engine/response/reuse.ts'

const { signal } = new AbortController()
const get = (url: string, more: Partial<HttpRequest> = {}) => ({ method: 'GET', url, headers: {}, body: null, ...more })

function counting(answer: (url: string) => number = () => 10) {
  const asked: string[] = []
  const send: Send = async ({ url }) => {
    asked.push(url)
    return { status: 200, url, headers: {}, body: new Uint8Array(answer(url)) }
  }
  return { asked, send }
}

test('the same request of two streams is asked once, also while it is under way', async () => {
  const { asked, send } = counting()
  const store = createReuseStore()
  const [one, other] = [withReuse(send, store, 'a'), withReuse(send, store, 'a')]
  const answers = await Promise.all([one(get('/x'), signal), other(get('/x'), signal)])
  assert.equal(answers[0], answers[1])
  await one(get('/x'), signal)
  assert.deepEqual(asked, ['/x'])
})

test('other headers, another signature, another method: asked again', async () => {
  const { asked, send } = counting()
  const store = createReuseStore()
  const one = withReuse(send, store, 'a')
  await one(get('/x'), signal)
  await one(get('/x', { headers: { accept: 'text/csv' } }), signal)
  await withReuse(send, store, 'b')(get('/x'), signal)
  await one(get('/x', { method: 'POST' }), signal)
  await one(get('/x', { method: 'POST' }), signal)
  assert.equal(asked.length, 5)
})

test('a failure is not kept; a cancelled asker does not end the others', async () => {
  const store = createReuseStore()
  const failures = [new ConnectorError('response/aborted', 'cancelled'), new ConnectorError('response/rejected', 'no')]
  let asked = 0
  const send: Send = async (request) => {
    const failure = failures[asked++]
    if (failure !== undefined) throw failure
    return { status: 200, url: request.url, headers: {}, body: new Uint8Array(1) }
  }
  const one = withReuse(send, store, '')
  const first = one(get('/x'), signal)
  const second = one(get('/x'), signal)
  await assert.rejects(first, { code: 'response/aborted' })
  await assert.rejects(second, { code: 'response/rejected' })
  assert.equal((await one(get('/x'), signal)).status, 200)
  assert.equal(asked, 3)
})

test('memory is bounded: the oldest answers go', async () => {
  const { asked, send } = counting(() => 400)
  const one = withReuse(send, createReuseStore(1000), '')
  for (const url of ['/1', '/2', '/3', '/3', '/1']) await one(get(url), signal)
  assert.deepEqual(asked, ['/1', '/2', '/3', '/1'])
})

test('a response that asks to start again is not kept', async () => {
  const asks = { action: 'reset', reason: 'too deep' } as const
  const store = createReuseStore()
  let sent = 0
  const send: Send = async ({ url }) => {
    sent++
    return { status: 400, url, headers: {}, body: new Uint8Array(), ...(sent === 1 && { asks }) }
  }
  const one = withReuse(send, store, '')
  const page = get('/x', { mayAsk: ['reset'] })
  assert.equal((await one(page, signal)).asks, asks)
  assert.equal((await one(page, signal)).asks, undefined)
  assert.equal(sent, 2)
})

test('addresses count towards the bound, too', async () => {
  const { asked, send } = counting(() => 0)
  const one = withReuse(send, createReuseStore(1200), '')
  const long = (name: string) => `/${name}/${'x'.repeat(400)}`
  for (const name of ['1', '2', '3', '3', '1']) await one(get(long(name)), signal)
  assert.deepEqual(
    asked.map((url) => url.slice(0, 2)),
    ['/1', '/2', '/3', '/1'],
  )
})
