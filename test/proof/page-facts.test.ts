import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStreamNamed } from '../../src/engine/streams-of.ts'
import { loadManifest, readPages } from '../../src/index.ts'
import { readClaims } from '../../src/proof/claims/read-claims.ts'
import { type ClaimRules, claimRulesOf, factsOf } from '../../src/proof/claims/page-facts.ts'
import { openRunOf } from '../../src/read.ts'
import { manifestOf, type StreamParts } from '../helpers/manifests.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { plainRules } from '../helpers/claims-of-pages.ts'

async function rulesFor(parts: StreamParts, config = {}): Promise<ClaimRules> {
  const { run, close } = await openRunOf(loadManifest(manifestOf(parts)), { config })
  try {
    return claimRulesOf(await openStreamNamed(run, undefined, {}))
  } finally {
    await close()
  }
}

const cursor = (value: string, stop?: string) => ({
  paginator: {
    pagination_strategy: { type: 'CursorPagination', cursor_value: value, ...(stop && { stop_condition: stop }) },
    page_token_option: { type: 'RequestPath' },
  },
})

test('the path to the records is the manifest’s own, its templates filled in', async () => {
  const { recordPath } = await rulesFor({ fieldPath: ['data', "{{ config['kind'] }}"] }, { kind: 'orders' })
  assert.deepEqual(recordPath, ['data', 'orders'])
})

test('the field that a cursor is made of is known, and links that lead elsewhere are no cursor of the API', async () => {
  assert.deepEqual((await rulesFor(cursor('{{ last_record.created }}'))).cursorField, ['created'])
  assert.deepEqual((await rulesFor(cursor("{{ last_records[-1]['id'] }}"))).cursorField, ['id'])
  assert.equal((await rulesFor(cursor('{{ response.next }}'))).cursorField, null)
  assert.equal((await rulesFor(cursor('{{ response.links.last }}'))).isCursorOfApi, false)
  assert.equal((await rulesFor(cursor('{{ response.links.next }}'))).isCursorOfApi, true)
})

test('a cursor made of a field that is no key may be that of many records', async () => {
  const mayShare = async (value: string, primaryKey?: unknown) =>
    (await rulesFor({ ...cursor(value), ...(primaryKey !== undefined && { stream: { primary_key: primaryKey } }) }))
      .mayShareCursor
  assert.equal(await mayShare('{{ last_record.created }}'), true)
  assert.equal(await mayShare('{{ last_record.id }}'), false)
  assert.equal(await mayShare('{{ last_record.page_token }}'), false)
  assert.equal(await mayShare('{{ last_record.code }}', 'code'), false)
  assert.equal(await mayShare('{{ last_record.code }}', ['code', 'region']), true)
  assert.equal(await mayShare("{{ last_record['code'] ~ '' }}", 'code'), false)
  assert.equal(await mayShare("{{ last_record['code'] ~ '' }}", 'number'), true)
  assert.equal(await mayShare('{{ response.next }}'), false)
})

test('a cursor from the response is the API’s word, one from the last record is not', async () => {
  assert.equal((await rulesFor(cursor('{{ response.next }}'))).isCursorOfApi, true)
  assert.equal((await rulesFor(cursor("{{ headers['x-cursor'] }}"))).isCursorOfApi, true)
  assert.equal((await rulesFor(cursor("{{ last_record['id'] }}"))).isCursorOfApi, false)
  assert.equal((await rulesFor({})).isCursorOfApi, false)
})

test('a stop condition that reads records may end a read early, one that reads the response may not', async () => {
  const stopping = async (stop: string) => (await rulesFor(cursor('{{ response.next }}', stop))).mayStopEarly
  assert.equal(await stopping("{{ last_record['created'] < config['start_date'] }}"), true)
  assert.equal(await stopping("{{ response.data[-1].created < config['start_date'] }}"), true)
  assert.equal(await stopping('{{ response.has_more is false }}'), false)
  assert.equal(await stopping("{{ last_page_size < config['page_size'] }}"), false)
  assert.equal(await stopping("{{ not headers['link'] }}"), false)
})

test('a stream of partitions or windows is sliced', async () => {
  const partition_router = { type: 'ListPartitionRouter', values: ['a', 'b'], cursor_field: 'kind' }
  assert.equal((await rulesFor({ retriever: { partition_router } })).isSliced, true)
  assert.equal((await rulesFor({})).isSliced, false)
})

test('claims are read from the response as it came, and hold nothing that is secret', async () => {
  const secret = '4711'
  await using api = await serveApi({
    'GET /items': () => ({
      json: { data: [{ id: 1 }], total: Number(secret), next: `https://api.test/?key=${secret}` },
      headers: { 'x-next-cursor': secret },
    }),
  })
  const spec = { type: 'object', properties: { key: { type: 'string', airbyte_secret: true } } }
  const manifest = loadManifest(manifestOf({ url: api.url, spec }))
  for await (const page of readPages(manifest, { config: { key: secret } })) {
    assert.equal((page.response.body as { total: unknown }).total, '****')
    const claims = readClaims(null, factsOf(page), plainRules)
    // A number of records may be any number, a secret's included; texts are never kept.
    assert.equal(claims.numbers[0]?.last, Number(secret))
    assert.doesNotMatch(JSON.stringify(claims.nexts), new RegExp(secret))
  }
})

test('a page that was stored as JSON can be read, too', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 1 }], total: 1 } }) })
  for await (const page of readPages(loadManifest(manifestOf({ url: api.url })))) {
    const stored = JSON.parse(JSON.stringify(page)) as typeof page
    assert.deepEqual(factsOf(stored), factsOf(page))
  }
})

test('only the token that follows the first page is looked at: a count there is one on every page', async () => {
  await using api = await serveApi({
    'GET /items': (query) => {
      const offset = Number(query.get('offset') ?? 0)
      return { json: { data: [{ id: offset }], next: offset < 2 ? `/items?offset=${offset + 1}` : null } }
    },
    'GET /others': (query) => {
      const token = { null: 'b7f', b7f: 'c9a' }[String(query.get('token'))]
      return { json: { data: [{ id: 1 }], next: token === undefined ? null : `/others?token=${token}` } }
    },
  })
  const countedOn = async (path: string) => {
    const counted: unknown[] = []
    const manifest = loadManifest(manifestOf({ url: api.url, requester: { path }, ...cursor('{{ response.next }}') }))
    for await (const page of readPages(manifest)) counted.push(factsOf(page).isNextCounted)
    return counted
  }
  assert.deepEqual(await countedOn('/items'), [true, false, false])
  assert.deepEqual(await countedOn('/others'), [false, false, false])
})
