import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { withCandidate } from '../../../src/builder/detection/with-candidate.ts'
import { loadManifest, readRecords } from '../../../src/index.ts'
import { startLab } from '../../../src/lab/lab.ts'
import type { DetectionEvent } from '../../../src/server/wire/detection.ts'
import { collect } from '../../helpers/collect.ts'
import { manifestOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { testApi } from '../api.ts'
import { endOf, eventsFrom } from './ask.ts'

const api = testApi()
after(() => api[Symbol.dispose]())
const lab = await startLab({ size: 250 })
after(() => lab.close())

const detect = async (body: unknown) => {
  const events = await eventsFrom<DetectionEvent>(api, '/v1/detections', body)
  return { events, ...endOf(events) }
}

const secret = 'pa55-w0rd-of-the-shop'
const spec = { type: 'object', properties: { key: { type: 'string', airbyte_secret: true } } }
const bearer = { type: 'BearerAuthenticator', api_token: '{{ config.key }}' }

/** Numbered pages that need a bearer token, with the client in every response. */
const guarded = () =>
  serveApi({
    '*': (query, { headers }) => {
      if (headers.authorization !== `Bearer ${secret}`) return { status: 401, json: { error: 'who are you' } }
      const page = Number(query.get('page') ?? 1)
      const size = Number(query.get('per_page') ?? 10)
      const data = Array.from({ length: Math.max(0, Math.min(size, 45 - (page - 1) * size)) }, (_, index) => ({
        id: (page - 1) * size + index + 1,
        asked_by: headers.authorization,
      }))
      return { json: { data } }
    },
  })

describe('a detection of an address', () => {
  test('sends each probe as it happens, and ends with candidates and a manifest', async () => {
    const { events, detection, problem } = await detect({ url: `${lab.url}/offset` })
    assert.equal(problem, null)
    const probes = events.flatMap((event) => (event.kind === 'probe' ? [event.probe] : []))
    assert.deepEqual(probes, detection?.probes)
    assert.ok(probes.length > 0 && probes.length <= 12)
    assert.equal(detection?.answer, 'paginated')
    assert.equal(detection?.candidates[0]?.method, 'offset')
    assert.match(detection?.manifest ?? '', /OffsetIncrement/)
  })

  test('says what the API refuses as a problem', async () => {
    const { detection, problem } = await detect({ url: `${lab.url}/nothing-here` })
    assert.equal(detection, null)
    assert.match(problem?.code ?? '', /^detection\//)
  })

  test('shows no credential that was given in a header', async () => {
    await using server = await guarded()
    const { events, detection } = await detect({ url: server.url, headers: { Authorization: `Bearer ${secret}` } })
    assert.equal(detection?.answer, 'paginated')
    assert.ok(!JSON.stringify(events).includes(secret))
  })

  test('is no way into this machine where only public addresses may be reached', async () => {
    await using server = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }] } }) })
    using closed = testApi({ egress: 'public-only' })
    for (const url of [server.url, server.url.replace('127.0.0.1', 'localhost'), 'http://169.254.169.254/latest']) {
      const told = await eventsFrom<DetectionEvent>(closed, '/v1/detections', { url })
      assert.equal(endOf(told).detection, null)
    }
    assert.deepEqual(server.asked, [])
  })

  test('of something that is neither an address nor a stream is refused', async () => {
    const reply = await api.post('/v1/detections', { stream: 'items' })
    assert.equal(reply.status, 400)
  })
})

describe('a detection of a stream', () => {
  const stream = 'items'

  test('asks as the manifest does, without its paginator, and shows no secret', async () => {
    await using server = await guarded()
    const paginator = {
      pagination_strategy: { type: 'OffsetIncrement', page_size: 7 },
      page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'wrong_offset' },
    }
    const text = JSON.stringify(manifestOf({ url: server.url, requester: { authenticator: bearer }, paginator, spec }))
    const { events, detection } = await detect({ text, stream, config: { key: secret } })
    assert.equal(detection?.candidates[0]?.method, 'page')
    assert.ok(!server.asked.some((asked) => asked.includes('wrong_offset')))
    assert.ok(!JSON.stringify(events).includes(secret))
  })

  const sliced = (query: URLSearchParams) => {
    const [start, size] = [Number(query.get('offset') ?? 0), Math.min(50, Number(query.get('limit') ?? 20))]
    return Array.from({ length: Math.max(0, Math.min(size, 73 - start)) }, (_, index) => ({ id: start + index }))
  }
  const jsonOf = (body: string) => {
    const { offset = '0', limit = '20' } = JSON.parse(body) as Record<string, string>
    return sliced(new URLSearchParams({ offset, limit }))
  }
  const requesters: readonly [string, Record<string, unknown>][] = [
    ['parameters', { path: '/x', request_parameters: { limit: '10', offset: '30', state: 'open' } }],
    ['the path', { path: '/x?offset=30&state=open&limit=10' }],
    ['a JSON body', { path: '/x', http_method: 'POST', request_body_json: { limit: 10, offset: 30, state: 'open' } }],
    [
      'a body of the newer spelling',
      {
        path: '/x',
        http_method: 'POST',
        request_body: { type: 'RequestBodyJsonObject', value: { limit: 10, offset: 30, state: 'open' } },
      },
    ],
  ]
  for (const [place, requester] of requesters) {
    test(`whose paging values are in ${place}: what is used sends each once, from the first page on`, async () => {
      await using server = await serveApi({
        'GET /x': (query) => ({ json: { data: sliced(query) } }),
        'POST /x': (_query, { body }) => ({ json: { data: jsonOf(body) } }),
      })
      const text = JSON.stringify(manifestOf({ url: server.url, requester }))
      const { detection } = await detect({ text, stream })
      const candidate = detection?.candidates[0] ?? assert.fail()
      const at = ['streams', 0, 'retriever']
      const parts = { paginatorAt: [...at, 'paginator'], selectorAt: [...at, 'record_selector'] }
      const used = withCandidate(text, parts, candidate, detection?.recordPath ?? null)
      server.requests.length = 0
      const ids = (await collect(readRecords(loadManifest(used)))).map(({ id }) => id)
      assert.deepEqual(
        ids,
        Array.from({ length: 73 }, (_, index) => index),
      )
      for (const { query, body } of server.requests) {
        assert.equal(new Set(query.keys()).size, [...query.keys()].length)
        assert.match(`${query.toString()} ${body}`, /open/)
      }
    })
  }

  test('whose tokens come in one object: what is used sends all of them', async () => {
    await using server = await serveApi({
      'GET /w/api.php': (query) => {
        const at = Number(query.get('cmcontinue') ?? 0)
        if ((query.get('continue') === '-||') !== at > 0) return { status: 400, json: { error: 'not whole' } }
        const members = Array.from({ length: Math.min(10, 33 - at) }, (_, index) => ({ id: at + index }))
        const next = at + 10 < 33 ? { continue: { cmcontinue: String(at + 10), continue: '-||' } } : {}
        return { json: { ...next, query: { members } } }
      },
    })
    const requester = { path: '/w/api.php', request_parameters: { action: 'query', cmtitle: 'Category:A & B' } }
    const text = JSON.stringify(manifestOf({ url: server.url, requester }))
    const { detection } = await detect({ text, stream })
    const at = ['streams', 0, 'retriever']
    const parts = { paginatorAt: [...at, 'paginator'], selectorAt: [...at, 'record_selector'] }
    const used = withCandidate(text, parts, detection?.candidates[0] ?? assert.fail(), detection?.recordPath ?? null)
    server.requests.length = 0
    assert.equal((await collect(readRecords(loadManifest(used)))).length, 33)
    for (const { query } of server.requests) assert.equal(query.get('cmtitle'), 'Category:A & B')
  })

  test('in slices takes the first one', async () => {
    const router = {
      type: 'ListPartitionRouter',
      values: ['north', 'south'],
      cursor_field: 'region',
      request_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'region' },
    }
    await using server = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }, { id: 2 }] } }) })
    const text = JSON.stringify(manifestOf({ url: server.url, retriever: { partition_router: router } }))
    const { detection } = await detect({ text, stream })
    assert.ok(detection)
    assert.ok(server.asked.length > 0)
    assert.ok(server.asked.every((asked) => asked.includes('region=north')))
  })

  test('that has nothing to request reports it', async () => {
    await using server = await serveApi({ '*': () => ({ json: { data: [] } }) })
    const router = { type: 'ListPartitionRouter', values: [], cursor_field: 'region' }
    const text = JSON.stringify(manifestOf({ url: server.url, retriever: { partition_router: router } }))
    const { problem } = await detect({ text, stream })
    assert.match(problem?.detail ?? '', /nothing to request/)
    assert.deepEqual(server.asked, [])
  })
})
