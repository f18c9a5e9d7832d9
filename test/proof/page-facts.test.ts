import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStreamNamed } from '../../src/engine/streams-of.ts'
import { loadManifest, planStream, readPages } from '../../src/index.ts'
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

/** Without a run: what does not depend on anything but the manifest. */
function plannedRules(
  parts: StreamParts,
  more: { isFirstRead?: boolean; earlier?: Parameters<typeof claimRulesOf>[1] } = {},
): ClaimRules {
  const { earlier, ...others } = more
  return claimRulesOf(
    { plan: planStream(loadManifest(manifestOf(parts)), 'items', {}), config: {}, ...others },
    earlier,
  )
}

const dated = (more: object = {}) => ({
  stream: {
    incremental_sync: {
      type: 'DatetimeBasedCursor',
      cursor_field: 'day',
      datetime_format: '%Y-%m-%d',
      start_datetime: '2024-01-01',
      ...more,
    },
  },
})

test('a stream that was read before is sliced by time, unless its totals count what is new', () => {
  const isSliced = (...args: Parameters<typeof plannedRules>) => plannedRules(...args).isSliced
  assert.equal(isSliced(dated()), true)
  assert.equal(isSliced(dated(), { isFirstRead: true }), false)
  assert.equal(isSliced(dated(), { earlier: { last: 5 } }), true)
  assert.equal(isSliced(dated(), { earlier: { last: 5, countsNew: true } }), false)
  assert.equal(isSliced({}, { isFirstRead: false }), false)
  const windows = dated({ step: 'P1D', cursor_granularity: 'P1D', end_datetime: '2024-01-03' })
  assert.equal(isSliced(windows, { isFirstRead: true }), true)
})

test('an earlier total is compared where a read continues from its state and ends now', () => {
  const earlierTotal = (parts: StreamParts, more: object = {}) =>
    plannedRules(parts, { earlier: { last: 5 }, ...more }).earlierTotal
  assert.equal(earlierTotal(dated()), 5)
  assert.equal(earlierTotal(dated(), { isFirstRead: true }), undefined)
  assert.equal(earlierTotal(dated({ end_datetime: '2024-02-01' })), undefined)
  assert.equal(earlierTotal({}), undefined)
  assert.equal(plannedRules(dated()).earlierTotal, undefined)
  const counted = { stream: { incremental_sync: { type: 'IncrementingCountCursor', cursor_field: 'id' } } }
  assert.equal(earlierTotal(counted), 5)
})

test('a read that counts may start late where its pages are numbered from 1', () => {
  const ofPages = (strategy: object) => {
    const { isCounting, mayStartLate } = plannedRules({ paginator: { pagination_strategy: strategy } })
    return [isCounting, mayStartLate]
  }
  assert.deepEqual(ofPages({ type: 'PageIncrement', start_from_page: 1 }), [true, true])
  assert.deepEqual(ofPages({ type: 'PageIncrement', start_from_page: 0 }), [true, false])
  assert.deepEqual(ofPages({ type: 'OffsetIncrement' }), [true, false])
  assert.deepEqual(ofPages({ type: 'CursorPagination', cursor_value: '{{ response.next }}' }), [false, false])
  assert.equal(plannedRules({}).isCounting, false)
})

test('the size that each request asks for is known where the manifest sends it, or counts by it', () => {
  const asked = (strategy: object, more: object = {}) =>
    plannedRules({ paginator: { pagination_strategy: strategy, ...more } }).askedSize
  const sent = { page_size_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'limit' } }
  const value = { cursor_value: '{{ response.next }}', page_size: 7 }
  assert.equal(asked({ type: 'OffsetIncrement', page_size: 7 }, sent), 7)
  assert.equal(asked({ type: 'PageIncrement', page_size: 7 }), 7)
  assert.equal(asked({ type: 'PageIncrement' }), null)
  // It may depend on each response.
  assert.equal(asked({ type: 'OffsetIncrement', page_size: 7 }), null)
  assert.equal(asked({ type: 'CursorPagination', ...value }, sent), 7)
  assert.equal(asked({ type: 'CursorPagination', ...value }), null)
  assert.equal(plannedRules({}).askedSize, null)
})

test('the names of a token are where it is sent and where it is read', () => {
  const token = (page_token_option: object) =>
    plannedRules({
      paginator: {
        pagination_strategy: { type: 'CursorPagination', cursor_value: '{{ response.meta.next_offset }}' },
        page_token_option,
      },
    }).tokenNames
  const sentIn = (inject_into: string, more: object) => token({ type: 'RequestOption', inject_into, ...more })
  assert.deepEqual(sentIn('request_parameter', { field_name: 'from' }), ['from', 'next_offset'])
  assert.deepEqual(sentIn('body_json', { field_path: ['page', 'start'] }), ['start', 'next_offset'])
  assert.deepEqual(token({ type: 'RequestPath' }), ['next_offset'])
  const sent = { page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'page' } }
  assert.deepEqual(
    plannedRules({ paginator: { pagination_strategy: { type: 'PageIncrement' }, ...sent } }).tokenNames,
    [],
  )
})

test('a cursor made of the page’s size, or of records in the response, is no word of the API', async () => {
  const isOfApi = async (value: string) => (await rulesFor(cursor(value))).isCursorOfApi
  assert.equal(await isOfApi('{{ response.next + last_page_size }}'), false)
  assert.equal(await isOfApi('{{ response.data[-1].id }}'), false)
  assert.equal(await isOfApi('{{ (response.data | last).id }}'), false)
  assert.equal(await isOfApi("{{ response.next or last_records[0]['id'] }}"), false)
  assert.equal(await isOfApi("{{ config['next'] }}"), false)
})

test('of the first page and its records, facts keep what shows where the next page begins', async () => {
  await using api = await serveApi({
    'GET /items': (query) => {
      const page = Number(query.get('page') ?? 1)
      const data = [[{ id: 1 }, { id: 2 }, { id: 3 }], [{ id: 4 }], [{ id: 5 }, { id: 6 }]][page - 1]
      return { json: { data, next: page < 3 ? `/items?page=${page + 1}` : null } }
    },
  })
  const seen: unknown[] = []
  for await (const page of readPages(loadManifest(manifestOf({ url: api.url, ...cursor('{{ response.next }}') })))) {
    const { lastTwo, next, isLast, isError, list, receivedCount } = factsOf(page)
    seen.push([lastTwo, next?.value, isLast, isError, list, receivedCount])
  }
  assert.deepEqual(seen, [
    [[{ id: 2 }, { id: 3 }], '/items?page=2', false, false, 'found', 3],
    [undefined, undefined, false, false, 'found', 1],
    [undefined, undefined, true, false, 'found', 2],
  ])
})

test('an error or hollow rows in place of records are noted, and an error next to records', async () => {
  const noted = async (json: unknown) => {
    await using api = await serveApi({ 'GET /items': () => ({ json }) })
    for await (const page of readPages(loadManifest(manifestOf({ url: api.url })))) {
      const { hasNoRecords, isReported } = factsOf(page)
      return [hasNoRecords, isReported]
    }
    return null
  }
  const error = { error: 'too many requests' }
  assert.deepEqual(await noted({ data: [{ id: 1 }] }), [undefined, undefined])
  assert.deepEqual(await noted({ data: [error] }), [true, undefined])
  assert.deepEqual(await noted({ data: [error, error] }), [undefined, undefined])
  assert.deepEqual(await noted({ data: [{ id: null }, { id: 1 }] }), [true, undefined])
  assert.deepEqual(await noted({ data: [{ id: 1 }, { id: null }] }), [undefined, undefined])
  assert.deepEqual(await noted({ data: [] }), [undefined, undefined])
  assert.deepEqual(await noted({ data: [{ id: 1 }], timed_out: true }), [undefined, true])
})
