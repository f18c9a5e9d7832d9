import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, describe, test } from 'node:test'
import { createApi } from '../../../src/server/server.ts'
import { startApi } from '../start-api.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { manifestOf, requester, streamOf } from '../manifest-server/manifests.ts'
import { testServices } from '../services.ts'

const facts = { baseUrl: 'https://turnleaf.example', apiUrl: 'https://api.turnleaf.example', version: '0.1.0' }
const services = testServices()
after(() => services[Symbol.dispose]())

const asking = (body: unknown, signal?: AbortSignal) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
  ...(signal !== undefined && { signal }),
})

const readOf = (url: string) => ({
  manifest: manifestOf([streamOf('orders', requester(url, '/orders'))]),
  config: {},
  stream_name: 'orders',
})

describe('the routes of the manifest server', () => {
  test('answer with a slash at the end too', async () => {
    const app = createApi(facts, services)
    const body = { manifest: manifestOf([streamOf('orders', requester('https://shop.example', '/orders'))]) }
    assert.equal((await app.request('/v1/manifest/resolve/', asking(body))).status, 200)
    assert.equal((await app.request('/capabilities/')).status, 200)
  })

  test('say where a body is wrong, as a list', async () => {
    const reply = await createApi(facts, services).request('/v1/manifest/check', asking({ manifest: {} }))
    assert.equal(reply.status, 422)
    const { detail } = (await reply.json()) as { detail: { loc: string[] }[] }
    assert.deepEqual(detail[0]?.loc, ['body', 'config'])
  })

  test('say what is wrong with a manifest as a problem, with its place', async () => {
    const body = { manifest: { version: '6.0.0', streams: [] } }
    const reply = await createApi(facts, services).request('/v1/manifest/resolve', asking(body))
    assert.equal(reply.status, 400)
    assert.equal(reply.headers.get('content-type'), 'application/problem+json')
    const problem = (await reply.json()) as Record<string, unknown>
    assert.equal(problem.code, 'manifest/missing-field')
    assert.equal(problem.status, 400)
    assert.equal(typeof problem.detail, 'string')
  })

  test('reach only what the egress policy lets them', async () => {
    await using api = await serveApi({ 'GET /orders': () => ({ json: [] }) })
    const app = createApi(facts, testServices({ egress: 'public-only' }))
    const reply = await app.request('/v1/manifest/test_read', asking(readOf(api.url)))
    const { logs } = (await reply.json()) as { logs: { message: string; internal_message: string }[] }
    assert.match(String(logs.at(-1)?.internal_message), /address-refused/)
    assert.deepEqual(api.asked, [])
  })

  test('disconnecting ends the read, and releases its slot', async () => {
    const hangUp = new AbortController()
    const happened = new EventEmitter()
    const ended = once(happened, 'ended')
    await using api = await serveApi({
      'GET /orders': () => ({
        raw: (response) => {
          response.on('close', () => happened.emit('ended'))
          hangUp.abort()
        },
      }),
    })
    await using server = await startApi({ ...facts, services })
    const asked = fetch(`${server.url}/v1/manifest/test_read`, asking(readOf(api.url), hangUp.signal))
    await assert.rejects(asked, { name: 'AbortError' })
    await ended
  })

  test('no more than eight reads run at once: the ninth is refused at once, and a slot that is released is free', async () => {
    const waiting: (() => void)[] = []
    const happened = new EventEmitter()
    const asked = (count: number) => once(happened, `asked ${count}`)
    await using api = await serveApi({
      'GET /orders': () => ({
        raw: (response) => {
          waiting.push(() => response.end('[]'))
          happened.emit(`asked ${waiting.length}`)
        },
      }),
    })
    const app = createApi(facts, services)
    const ask = async () => app.request('/v1/manifest/test_read', asking(readOf(api.url)))
    const full = asked(8)
    const reads = Array.from({ length: 8 }, ask)
    await full
    const ninth = await ask()
    assert.equal(ninth.status, 429)
    assert.equal(((await ninth.json()) as { code: string }).code, 'server/busy')
    for (const answer of waiting) answer()
    for (const reply of await Promise.all(reads)) assert.equal(reply.status, 200)
    const again = asked(9)
    const later = ask()
    await again
    waiting[8]?.()
    assert.equal((await later).status, 200)
  })
})
