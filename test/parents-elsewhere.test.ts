/** Records of a parent that name addresses: credentials stay with the host that the manifest names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, type Notice, readRecords } from '../src/index.ts'
import { collect } from './helpers/collect.ts'
import { sourceOf, streamOf } from './helpers/manifests.ts'
import { serveApi } from './helpers/serve-api.ts'

const authenticator = { type: 'BearerAuthenticator', api_token: 'secret-of-the-shop' }

function manifest(url: string, requester: Record<string, unknown>) {
  const parent = streamOf({ url, name: 'parents', requester: { path: '/parents', authenticator } })
  const parent_stream_configs = [
    { type: 'ParentStreamConfig', stream: parent, parent_key: 'id', partition_field: 'at', extra_fields: [['host']] },
  ]
  const partition_router = { type: 'SubstreamPartitionRouter', parent_stream_configs }
  return sourceOf([
    streamOf({ url, name: 'children', requester: { authenticator, ...requester }, retriever: { partition_router } }),
  ])
}

async function read(url: string, requester: Record<string, unknown>) {
  const notices: Notice[] = []
  const loaded = loadManifest(manifest(url, requester))
  const records = await collect(readRecords(loaded, { onNotice: (notice) => void notices.push(notice) }))
  return { records, notices }
}

const items = () => ({ json: { data: [{ id: 1 }] } })

const ways: [name: string, requester: (url: string) => Record<string, unknown>][] = [
  ['path', () => ({ path: "{{ stream_partition['at'] }}" })],
  ['extra field', () => ({ path: "{{ stream_slice.extra_fields['host'] }}/stolen" })],
  ['url', () => ({ url_base: '{{ stream_partition.at }}', path: '' })],
]
for (const [name, requester] of ways) {
  test(`a parent's record that names another host, ${name}: it is requested without credentials, and that is reported`, async () => {
    await using away = await serveApi({ 'GET /stolen': items })
    const data = [{ id: `${away.url}/stolen`, host: away.url }]
    await using api = await serveApi({ 'GET /parents': () => ({ json: { data } }) })
    const { records, notices } = await read(api.url, requester(api.url))
    assert.deepEqual(records, [{ id: 1 }])
    assert.equal(api.requests[0]?.headers.authorization, 'Bearer secret-of-the-shop')
    assert.deepEqual(
      away.requests.map(({ headers }) => headers.authorization),
      [undefined],
    )
    assert.ok(notices.some(({ kind }) => kind === 'foreign-origin'))
  })
}

const homeward: [name: string, id: (url: string) => unknown, requester: (url: string) => Record<string, unknown>][] = [
  ['a part of the path', () => 'items', () => ({ path: "/{{ stream_partition['at'] }}" })],
  ['a link', (url) => `${url}/items`, () => ({ path: "{{ stream_partition['at'] }}" })],
  ['all of the address', (url) => `${url}/items`, () => ({ url_base: '{{ stream_partition.at }}', path: '' })],
  ['the path after the host', () => '/items', (url) => ({ url_base: `${url}{{ stream_partition.at }}`, path: '' })],
  [
    'a path inside an object',
    () => ({ all: '/items' }),
    (url) => ({ url_base: `${url}{{ stream_partition.at['all'] }}`, path: '' }),
  ],
]
for (const [name, id, requester] of homeward) {
  test(`a parent's record that stays at home, ${name}: the credentials go along`, async () => {
    const data: unknown[] = []
    await using api = await serveApi({ 'GET /parents': () => ({ json: { data } }), 'GET /items': items })
    data.push({ id: id(api.url), host: api.url })
    const { records } = await read(api.url, requester(api.url))
    assert.deepEqual(records, [{ id: 1 }])
    assert.equal(api.requests[1]?.headers.authorization, 'Bearer secret-of-the-shop')
  })
}
