import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { ConnectorError } from '../../../src/std/errors.ts'
import { readGiven } from '../../../src/server/manifest-server/test-read.ts'
import type { ManifestReadRequest, StreamRead } from '../../../src/server/wire/manifest-server.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { byDay, byOffset, byParent, jobStream, manifestOf, oauth, perShop, requester, streamOf } from './manifests.ts'
import { serveShop } from './shop-api.ts'

const api = await serveShop()
after(() => api[Symbol.asyncDispose]())

const limits = { state: [], record_limit: 100, page_limit: 5, slice_limit: 5 }

function read(streams: object[], more: Partial<ManifestReadRequest> = {}): Promise<StreamRead> {
  const [first] = streams as { name: string }[]
  const asked = { ...limits, manifest: manifestOf(streams), config: {}, stream_name: first?.name ?? '', ...more }
  return readGiven(asked, { egress: 'loopback-allowed' })
}

const orders = (more: object = {}) =>
  streamOf('orders', requester(api.url, '/orders'), { field_path: ['data'], retriever: byOffset(3), ...more })
const shops = streamOf('shops', requester(api.url, '/shops'))
const ofShops = streamOf('of_shops', requester(api.url, '/shops/{{ stream_slice.shop }}'), {
  retriever: byParent(shops),
})
const days = streamOf('days', requester(api.url, '/days'), { incremental_sync: byDay })

const pathsIn = ({ slices }: StreamRead) =>
  slices.map(({ pages }) => pages.map(({ request }) => request?.url.replace(api.url, '')))
const idsIn = ({ slices }: StreamRead) =>
  slices.map(({ pages }) => pages.map(({ records }) => records.map(({ id }) => id)))
const statesIn = ({ slices }: StreamRead) =>
  slices.map(({ state }) => state.map((one) => (one as { stream: { stream_state: unknown } }).stream.stream_state))

describe('a test read', () => {
  test('has every page with its request, its exact response, and its records', async () => {
    const result = await read([orders({ primary_key: ['id'] })])
    assert.deepEqual(pathsIn(result), [['/orders?limit=3', '/orders?offset=3&limit=3', '/orders?offset=6&limit=3']])
    assert.deepEqual(idsIn(result), [[[1, 2, 3], [4, 5, 6], [7]]])
    const [first] = result.slices[0]?.pages ?? []
    assert.equal(first?.request?.http_method, 'GET')
    assert.equal(first?.response?.status, 200)
    assert.match(first?.response?.body ?? '', /^\{"data":\[\{"id":1,"day":"2024-01-01","note":null\}/)
    assert.equal(result.slices[0]?.slice_descriptor, '{}')
    assert.equal(result.test_read_limit_reached, false)
    assert.deepEqual(result.inferred_schema, {
      $schema: 'http://json-schema.org/schema#',
      type: 'object',
      properties: { id: { type: 'number' }, day: { type: ['string', 'null'] } },
      required: ['id'],
    })
    assert.deepEqual(result.inferred_datetime_formats, { day: '%Y-%m-%d' })
    assert.deepEqual(result.logs, [])
    assert.equal(result.latest_config_update, null)
  })

  test('ends at the limit of pages, and asks for none beyond it', async () => {
    const before = api.asked.length
    const result = await read([orders()], { page_limit: 2 })
    assert.deepEqual(idsIn(result), [
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ])
    assert.equal(result.test_read_limit_reached, true)
    assert.equal(api.asked.length - before, 2)
  })

  test('counts records to the limit, and leaves pages whole', async () => {
    const result = await read([orders()], { record_limit: 2 })
    assert.deepEqual(idsIn(result), [[[1, 2, 3], [4, 5, 6], [7]]])
    assert.equal(result.test_read_limit_reached, true)
  })

  test('a slice that fails shows what the API said, and the others are read', async () => {
    const result = await read([ofShops])
    assert.deepEqual(pathsIn(result), [['/shops/a'], ['/shops/b'], ['/shops/c']])
    assert.deepEqual(idsIn(result), [[[1]], [[]], [[3]]])
    assert.match(String(result.slices[1]?.pages[0]?.response?.body), /shop b is closed/)
    assert.deepEqual(result.slices[0]?.slice_descriptor, { shop: 'a', parent_slice: {} })
    const [parent] = result.auxiliary_requests
    assert.deepEqual([parent?.type, parent?.request.url], ['PARENT_STREAM', `${api.url}/shops`])
    const error = result.logs.find(({ level }) => level === 'ERROR')
    assert.match(String(error?.message), /500/)
    assert.match(String(error?.internal_message), /^response\/.*try: /)
    assert.deepEqual(statesIn(result), [[], [], []])
  })

  test('a failure is not retried: the client sees it at once', async () => {
    const before = api.asked.filter((line) => line.endsWith('/shops/b')).length
    await read([streamOf('closed', requester(api.url, '/shops/b'))])
    assert.equal(api.asked.filter((line) => line.endsWith('/shops/b')).length, before + 1)
  })

  test('each window has the state to store once it is read', async () => {
    const result = await read([days])
    assert.deepEqual(
      result.slices.map(({ slice_descriptor }) => slice_descriptor),
      [
        { start_time: '2024-01-01', end_time: '2024-01-02' },
        { start_time: '2024-01-03', end_time: '2024-01-04' },
        { start_time: '2024-01-05', end_time: '2024-01-06' },
      ],
    )
    assert.deepEqual(statesIn(result), [[{ day: '2024-01-02' }], [{ day: '2024-01-04' }], [{ day: '2024-01-06' }]])
  })

  test('resumes from the state of an earlier one', async () => {
    const { slices } = await read([days])
    const result = await read([days], { state: slices[1]?.state ?? [] })
    assert.match(String(result.slices[0]?.pages[0]?.request?.url), /from=2024-01-04&/)
  })

  test('a state never passes over pages that were not read', async () => {
    const paged = streamOf('orders', requester(api.url, '/orders'), {
      field_path: ['data'],
      retriever: byOffset(2),
      incremental_sync: byDay,
    })
    assert.deepEqual(statesIn(await read([paged], { page_limit: 1, slice_limit: 2 })), [[], []])
  })

  test('a stream that is read from the start every time says so, limited or not, unless it failed', async () => {
    const state = { __ab_no_cursor_state_message: true }
    assert.deepEqual(statesIn(await read([orders()], { page_limit: 1 })), [[state]])
    assert.deepEqual(statesIn(await read([orders()])), [[state]])
    assert.deepEqual(statesIn(await read([streamOf('denied', requester(api.url, '/denied'))])), [[]])
  })

  test('the requests of a job are listed with its slice', async () => {
    const result = await read([jobStream(api.url)])
    const [slice] = result.slices
    assert.deepEqual(
      slice?.auxiliary_requests.map(({ type }) => type),
      ['ASYNC_CREATE', 'ASYNC_POLL', 'ASYNC_DELETE'],
    )
    assert.deepEqual(result.auxiliary_requests, [])
    assert.equal(slice?.pages[0]?.response?.body, 'id,name\n1,a\n2,b\n')
    assert.deepEqual(idsIn(result), [[['1', '2']]])
  })

  test('no secret is in it, not even one that the API gave on the way', async () => {
    await using echo = await serveApi({
      'POST /token': () => ({
        json: { access_token: 'access-SECRET', expires_in: 3600, error_description: 'key-SECRET' },
      }),
      'GET /orders': (_, { headers }) => ({ json: [{ id: 1 }], headers: { 'X-Echo': String(headers.authorization) } }),
    })
    const authenticator = oauth(echo.url)
    const result = await read([streamOf('orders', requester(echo.url, '/orders', { authenticator }))], {
      config: { key: 'key-SECRET', refresh: 'refresh-SECRET' },
    })
    assert.equal(result.auxiliary_requests[0]?.type, 'AUTH')
    assert.match(String(result.auxiliary_requests[0]?.request.body), /^grant_type=refresh_token&client_id=me&/)
    assert.equal(result.slices[0]?.pages[0]?.request?.headers.Authorization, '****')
    assert.doesNotMatch(JSON.stringify(result), /SECRET/)
  })

  test('tokens that work once come back in the config to keep, without what the platform put there', async () => {
    const authenticator = { ...oauth(api.url), refresh_token_updater: {} }
    const { latest_config_update: latest } = await read(
      [streamOf('orders', requester(api.url, '/orders', { authenticator }), { field_path: ['data'] })],
      { config: { key: 'client', credentials: { refresh_token: 'first' }, __command: 'read' } },
    )
    const { credentials, ...others } = latest ?? {}
    assert.deepEqual(others, { key: 'client' })
    assert.equal((credentials as Record<string, unknown>).refresh_token, 'next-SECRET')
  })

  test('a primary key that the records lack is reported', async () => {
    const { logs } = await read([orders({ primary_key: ['uuid'] })])
    assert.deepEqual(
      logs.map(({ level, message }) => [level, /`uuid`/.test(message)]),
      [['ERROR', true]],
    )
  })

  test('a stream that a template makes is read by its name', async () => {
    const result = await read([shops], {
      manifest: manifestOf([shops], { dynamic_streams: [perShop(api.url)] }),
      stream_name: 'shop_c',
    })
    assert.deepEqual(pathsIn(result), [['/shops/c']])
    assert.deepEqual(
      result.auxiliary_requests.map(({ type }) => type),
      ['HTTP'],
    )
  })

  test('numbers keep every digit', async () => {
    await using exact = await serveApi({
      'GET /': () => ({ text: '[{"id":12345678901234567890,"price":1.0}]' }),
    })
    const { slices } = await read([streamOf('exact', requester(exact.url, '/'))])
    assert.equal(slices[0]?.pages[0]?.records[0]?.id, 12345678901234567890n)
  })

  const refusals: readonly [string, () => Promise<unknown>, string][] = [
    ['code in a request', () => read([shops], { custom_components_code: 'import os' }), 'server/custom-code'],
    ['a stream that is not there', () => read([shops], { stream_name: 'shop' }), 'manifest/unknown-stream'],
    ['a manifest with an error', () => read([{ type: 'DeclarativeStream', name: 'x' }]), 'manifest/missing-field'],
    ['a state that is none', () => read([days], { state: ['yesterday'] }), 'slices/invalid-state'],
  ]
  for (const [what, refused, code] of refusals) {
    test(`${what} is refused before anything is asked`, async () => {
      const before = api.asked.length
      await assert.rejects(refused(), (error) => error instanceof ConnectorError && error.code === code)
      assert.equal(api.asked.length, before)
    })
  }

  test('a response holds so much and no more: the read ends with the page that fills it', async () => {
    const stream = orders()
    const asked = { ...limits, manifest: manifestOf([stream]), config: {}, stream_name: 'orders' }
    const result = await readGiven(asked, { egress: 'loopback-allowed' }, 200)
    assert.deepEqual(idsIn(result), [
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ])
    assert.equal(result.test_read_limit_reached, true)
  })

  test('what was read before the timeout is reported', async () => {
    const ending = new AbortController()
    await using slow = await serveApi({
      'GET /orders': (query) => {
        if (!query.has('offset')) return { json: { data: [{ id: 1 }] } }
        ending.abort()
        return { raw: () => {} }
      },
    })
    const stream = streamOf('orders', requester(slow.url, '/orders'), { field_path: ['data'], retriever: byOffset(1) })
    const asked = { ...limits, manifest: manifestOf([stream]), config: {}, stream_name: 'orders' }
    const result = await readGiven(asked, { egress: 'loopback-allowed', signal: ending.signal })
    assert.deepEqual(idsIn(result)[0]?.[0], [1])
    assert.equal(result.logs.at(-1)?.level, 'ERROR')
  })
})
