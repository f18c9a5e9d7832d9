/** `RequestPath`: which address the next page is requested from. Real server, every method, as Airbyte 7.39 requests them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadManifest, readRecords } from '../../../src/index.ts'
import { collect } from '../../helpers/collect.ts'
import { cursorPaginator, manifestOf, option, type StreamParts } from '../../helpers/manifests.ts'
import { type Answer, serveApi } from '../../helpers/serve-api.ts'

const intoPath = { page_token_option: { type: 'RequestPath' } }
const byLink = cursorPaginator('{{ response.next }}', undefined, intoPath)
const limit = { page_size_option: option('request_parameter', 'limit') }
const sizedLink = {
  ...byLink,
  pagination_strategy: { ...byLink.pagination_strategy, page_size: 2 },
  ...limit,
}

/** Serves one record per request, and the links one after the other; `URL` is the server's own address. */
async function readLinks(links: readonly string[], parts: StreamParts = {}) {
  let served = 0
  const answer = (own: string): Answer => {
    const next = links[served++]?.replace('URL', own) ?? null
    return { json: { data: [{ id: served }], next } }
  }
  await using api = await serveApi({ '*': (_query, { headers }) => answer(`http://${headers.host}`) })
  const manifest = manifestOf({ url: `${api.url}/v1`, paginator: byLink, ...parts })
  const records = await collect(readRecords(loadManifest(manifest), { config: { key: 'k-123' }, prefetch: 'off' }))
  return { asked: api.asked.map((line) => line.replace('GET ', '')), ids: records.map(({ id }) => id) }
}

describe('a cursor in the path', () => {
  test('a bare path is joined to the base, page after page', async () => {
    const { asked, ids } = await readLinks(['6/info.0.json', '5/info.0.json', '4/info.0.json'])
    assert.deepEqual(asked, ['/v1/items', '/v1/6/info.0.json', '/v1/5/info.0.json', '/v1/4/info.0.json'])
    assert.deepEqual(ids, [1, 2, 3, 4])
  })

  test('a bare path with its own query keeps it, and its own values win', async () => {
    const { asked } = await readLinks(['items?page=2&limit=9', 'items?page=3'], { paginator: sizedLink })
    assert.deepEqual(asked, ['/v1/items?limit=2', '/v1/items?page=2&limit=9', '/v1/items?page=3&limit=2'])
  })

  test('a base with templates is evaluated for each request', async () => {
    const requester = { path: '/shops/{{ stream_partition.shop }}/items' }
    const router = { type: 'ListPartitionRouter', values: ['a'], cursor_field: 'shop' }
    const { asked } = await readLinks(['more/2'], { requester, retriever: { partition_router: router } })
    assert.deepEqual(asked, ['/v1/shops/a/items', '/v1/more/2'])
  })

  for (const [name, link, url] of [
    ['the root of the host', '/other?page=2', '/other?page=2'],
    ['the page just requested', '?page=2', '/v1/items?page=2'],
    ['dots', '../y', '/y'],
    ['a whole address', 'URL/x?page=2', '/x?page=2'],
  ] as const) {
    test(`relative to ${name}`, async () => {
      const { asked, ids } = await readLinks([link])
      assert.deepEqual(asked, ['/v1/items', url])
      assert.deepEqual(ids, [1, 2])
    })
  }

  test('an address without a scheme: the host is replaced', async () => {
    await using other = await serveApi({ '*': () => ({ json: { data: [{ id: 'other' }] } }) })
    const { ids } = await readLinks([`//${new URL(other.url).host}/x`])
    assert.deepEqual(ids, [1, 'other'])
    assert.deepEqual(other.asked, ['GET /x'])
  })
})

const inQuery = {
  type: 'ApiKeyAuthenticator',
  api_token: '{{ config.key }}',
  inject_into: option('request_parameter', 'key'),
}

describe('a pre-signed address is sent as it is', () => {
  for (const query of [
    'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA/20260101/eu/s3/aws4_request&X-Amz-Signature=ab12',
    'X-Goog-Expires=60&X-Goog-Signature=ff',
    'sv=2024-01-01&se=2026-01-01T00%3A00%3A00Z&sig=a%2Bb%3D',
    'Expires=1800000000&Signature=x~y_&Key-Pair-Id=K1',
  ]) {
    test(query.slice(0, 40), async () => {
      const { asked, ids } = await readLinks([`URL/files/a%20b[1].json?${query}`], {
        paginator: sizedLink,
        requester: { authenticator: inQuery, request_parameters: { sort: 'id' } },
      })
      assert.deepEqual(asked, ['/v1/items?sort=id&key=k-123&limit=2', `/files/a%20b[1].json?${query}`])
      assert.deepEqual(ids, [1, 2])
    })
  }

  test('`Expires` alone is no signature', async () => {
    const { asked } = await readLinks(['/files?Expires=1800000000'], { paginator: sizedLink })
    assert.deepEqual(asked[1], '/files?Expires=1800000000&limit=2')
  })
})

describe('a number in the path is appended to the base, as in Airbyte', () => {
  const counting = (type: string, fields: object) => ({
    pagination_strategy: { type, page_size: 2, ...fields },
    ...intoPath,
  })
  const page = (fields: object = {}) => counting('PageIncrement', { start_from_page: 1, ...fields })

  async function readCounted(paginator: Record<string, unknown>, requester: Record<string, unknown> = {}) {
    let served = 0
    const full = () => (++served < 4 ? [{ id: served * 2 - 1 }, { id: served * 2 }] : [{ id: 7 }])
    await using api = await serveApi({ '*': () => ({ json: { data: full() } }) })
    const manifest = manifestOf({ url: `${api.url}/v1`, paginator, requester })
    const records = await collect(readRecords(loadManifest(manifest), { config: {}, prefetch: 'off' }))
    assert.deepEqual(
      records.map(({ id }) => id),
      [1, 2, 3, 4, 5, 6, 7],
    )
    return api.asked.map((line) => line.replace('GET /v1', ''))
  }

  test('page numbers', async () => {
    assert.deepEqual(await readCounted(page()), ['/items', '/2', '/3', '/4'])
    assert.deepEqual(await readCounted(page({ inject_on_first_request: true })), ['/1', '/2', '/3', '/4'])
  })
  test('a first number of 0 leaves the path as it is', async () => {
    const paginator = page({ start_from_page: 0, inject_on_first_request: true })
    assert.deepEqual(await readCounted(paginator), ['/items', '/1', '/2', '/3'])
  })
  test('offsets', async () => {
    assert.deepEqual(await readCounted(counting('OffsetIncrement', {})), ['/items', '/2', '/4', '/6'])
  })
  test('with parameters and a page size', async () => {
    const asked = await readCounted({ ...page(), ...limit }, { request_parameters: { q: 'x' } })
    assert.deepEqual(asked, ['/items?q=x&limit=2', '/2?q=x&limit=2', '/3?q=x&limit=2', '/4?q=x&limit=2'])
  })
  test('after a stream that writes its whole address in `url`', async () => {
    const asked = await readCounted(page(), { path: '' })
    assert.deepEqual(asked, ['', '/2', '/3', '/4'])
  })
})
