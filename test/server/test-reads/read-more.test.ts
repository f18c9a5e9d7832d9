import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { ApiProblem } from '../../../src/server/wire/problem.ts'
import type { RecordsPart, TestReadEvent } from '../../../src/server/wire/test-read.ts'
import { manifestOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { jsonOf, testApi } from '../api.ts'
import { endOf, eventsIn, idOf, kindsOf, pagesIn, readEvents } from './ask.ts'

const api = testApi()
after(() => api[Symbol.dispose]())

const offsetPaging = {
  pagination_strategy: { type: 'OffsetIncrement', page_size: 2 },
  page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'offset' },
  page_size_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'limit' },
}
const total = 13

function pageOf(query: URLSearchParams) {
  const from = Number(query.get('offset') ?? 0)
  const ids = Array.from({ length: total }, (_, id) => id).slice(from, from + 2)
  return { json: { total, data: ids.map((id) => ({ id: `${query.get('shop') ?? ''}${id}` })) } }
}

async function more(id: string, limits: object): Promise<TestReadEvent[]> {
  return eventsIn(await (await api.post(`/v1/test-reads/${id}/more`, limits)).text())
}

const placesOf = (events: readonly TestReadEvent[]) => pagesIn(events).map(({ slice, page }) => `${slice}/${page}`)

describe('a test read that continues', () => {
  test('requests the next pages only, and ends with the verdict on all of them', async () => {
    await using server = await serveApi({ 'GET /items': pageOf })
    const text = JSON.stringify(manifestOf({ url: server.url, paginator: offsetPaging, stream: { primary_key: 'id' } }))
    const first = await readEvents(api, { text, stream: 'items', maxPages: 3 })
    assert.equal(endOf(first).ending, 'limit')
    assert.equal(endOf(first).canContinue, true)
    const id = idOf(first)

    const second = await more(id, { maxPages: 2 })
    assert.deepEqual(kindsOf(second), ['started', 'asked', 'page', 'asked', 'page', 'end'])
    assert.equal(idOf(second), id)
    assert.deepEqual(placesOf(second), ['0/3', '0/4'])
    assert.deepEqual([endOf(second).pages, endOf(second).received], [5, 10])
    assert.equal(pagesIn(second).at(-1)?.stopWords, 'page limit: 5 pages per slice')
    assert.equal(endOf(second).verdict, null)
    assert.ok(pagesIn(second)[0]!.at >= endOf(first).at, 'its time axis continues')

    const third = await more(id, { maxPages: 5 })
    assert.deepEqual(placesOf(third), ['0/5', '0/6'])
    const end = endOf(third)
    assert.deepEqual([end.ending, end.verdict, end.pages, end.received], ['complete', 'complete', 7, 13])
    assert.equal(end.receipt?.ofSlices[0]?.pages, 7)
    assert.equal(end.receipt?.keys?.unique, 13)
    assert.equal(end.canContinue, false)
    assert.equal(server.requests.length, 7, 'no page was requested twice')

    const kept = await api.get(`/v1/test-reads/${id}/slices/0/pages/6/records`)
    assert.deepEqual((await jsonOf<RecordsPart>(kept)).records, [{ id: '12' }])
    const over = await api.post(`/v1/test-reads/${id}/more`, {})
    assert.equal(over.status, 410)
    assert.equal((await jsonOf<ApiProblem>(over)).code, 'server/gone')
  })

  test('resumes every slice that was cut, then reads further slices', async () => {
    await using server = await serveApi({ 'GET /items': pageOf })
    const option = { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'shop' }
    const router = {
      type: 'ListPartitionRouter',
      values: ['a', 'b', 'c'],
      cursor_field: 'shop',
      request_option: option,
    }
    const manifest = manifestOf({
      url: server.url,
      paginator: offsetPaging,
      retriever: { partition_router: router },
      stream: { primary_key: 'id' },
    })
    const first = await readEvents(api, { text: JSON.stringify(manifest), stream: 'items', maxPages: 4, maxSlices: 2 })
    assert.equal(placesOf(first).length, 8)
    const id = idOf(first)

    const second = await more(id, { maxPages: 4, maxSlices: 2 })
    assert.deepEqual(placesOf(second), ['0/4', '0/5', '0/6', '1/4', '1/5', '1/6'])
    assert.equal(endOf(second).ending, 'limit', 'a slice is left')

    const third = await more(id, { maxPages: 10, maxSlices: 2 })
    assert.deepEqual(placesOf(third)[0], '2/0')
    const end = endOf(third)
    assert.deepEqual([end.ending, end.verdict, end.received], ['complete', 'complete', 39])
    assert.deepEqual(
      end.receipt?.ofSlices.map(({ pages }) => pages),
      [7, 7, 7],
    )
    assert.equal(server.requests.length, 21)
  })

  test('continues after a record limit', async () => {
    await using server = await serveApi({ 'GET /items': pageOf })
    const text = JSON.stringify(manifestOf({ url: server.url, paginator: offsetPaging }))
    const first = await readEvents(api, { text, stream: 'items', maxRecords: 4, maxPages: 50 })
    assert.equal(endOf(first).emitted, 4)
    const second = await more(idOf(first), { maxRecords: 4, maxPages: 50 })
    assert.deepEqual(placesOf(second), ['0/2', '0/3'])
    assert.equal(pagesIn(second).at(-1)?.stopWords, 'record limit: 8 records')
  })

  test('a read that reached its end, failed, or is not known does not continue', async () => {
    await using server = await serveApi({ 'GET /items': pageOf, 'GET /bad': () => ({ status: 400, json: {} }) })
    const whole = await readEvents(api, {
      text: JSON.stringify(manifestOf({ url: server.url, paginator: offsetPaging })),
      stream: 'items',
      maxPages: 50,
    })
    assert.equal(endOf(whole).canContinue, false)
    for (const id of [idOf(whole), 'unknown']) {
      assert.equal((await api.post(`/v1/test-reads/${id}/more`, {})).status, 410)
    }
  })
})
