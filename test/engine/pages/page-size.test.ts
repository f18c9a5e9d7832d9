/** Pages that are too large for the API: requested again with fewer records, by offset and by cursor. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, type Page, type ReadOptions, readPages } from '../../../src/index.ts'
import { manifestOf, option } from '../../helpers/manifests.ts'
import { verdictOf } from '../../helpers/receipts.ts'
import { type Handler, serveApi } from '../../helpers/serve-api.ts'
import { hasCode } from '../response/asking.ts'

const rows = Array.from({ length: 20 }, (_, index) => ({ id: index + 1 }))

/** An API that sends at most as many rows as `fits` says for this offset, and 502 when asked for more. */
function heavy(fits: (offset: number) => number): Record<string, Handler> {
  return {
    'GET /items': (query) => {
      const limit = Number(query.get('limit'))
      const offset = Number(query.get('offset') ?? query.get('after') ?? 0)
      if (limit > fits(offset)) return { status: 502, json: { message: 'this page is too heavy' } }
      const data = rows.slice(offset, offset + limit)
      return { json: { data, next: offset + limit < rows.length ? offset + limit : null } }
    },
  }
}

const tooHeavy = {
  type: 'DefaultErrorHandler',
  response_filters: [{ type: 'HttpResponseFilter', http_codes: [502], action: 'REDUCE_PAGE_SIZE' }],
}

const byOffset = (page_size: number) => ({
  pagination_strategy: { type: 'OffsetIncrement', page_size },
  page_token_option: option('request_parameter', 'offset'),
  page_size_option: option('request_parameter', 'limit'),
})
const byCursor = (stop_condition: string) => ({
  pagination_strategy: { type: 'CursorPagination', page_size: 8, cursor_value: '{{ response.next }}', stop_condition },
  page_token_option: option('request_parameter', 'after'),
  page_size_option: option('request_parameter', 'limit'),
})

function manifest(url: string, paginator: Record<string, unknown>, reduction: object | null = {}) {
  const retriever = reduction === null ? {} : { page_size_reduction: { type: 'PageSizeReduction', ...reduction } }
  return loadManifest(manifestOf({ url, requester: { error_handler: tooHeavy }, paginator, retriever }))
}

async function read(
  url: string,
  paginator: Record<string, unknown>,
  reduction: object | null = {},
  options: ReadOptions = {},
) {
  const pages: Page[] = []
  const waits: number[] = []
  const sleep = async (ms: number) => void waits.push(ms)
  for await (const page of readPages(manifest(url, paginator, reduction), { sleep, ...options })) pages.push(page)
  return { pages, waits, ids: pages.flatMap(({ records }) => records.map(({ id }) => id)) }
}

const sent = (asked: readonly string[]) => asked.map((line) => line.replace('GET /items?', ''))
const all = rows.map(({ id }) => id)

test('the refused page comes again with half as many records, and the smaller size stays', async () => {
  await using api = await serveApi(heavy((offset) => (offset >= 8 ? 2 : 8)))
  const { ids, waits, pages } = await read(api.url, byOffset(8))
  assert.deepEqual(ids, all)
  assert.deepEqual(sent(api.asked), [
    'limit=8',
    'offset=8&limit=8',
    'offset=8&limit=4',
    'offset=8&limit=2',
    'offset=10&limit=2',
    'offset=12&limit=2',
    'offset=14&limit=2',
    'offset=16&limit=2',
    'offset=18&limit=2',
    'offset=20&limit=2',
  ])
  assert.deepEqual(waits, [500, 1000])
  assert.equal(pages.at(-1)?.stop, 'empty-page')
})

test('AFTER_SUCCESSFUL_PAGE: each page starts with the size of the manifest', async () => {
  await using api = await serveApi(heavy((offset) => (offset === 8 ? 4 : 8)))
  const reduction = { reset_policy: 'AFTER_SUCCESSFUL_PAGE', backoff_seconds: 0 }
  const { ids } = await read(api.url, byOffset(8), reduction)
  assert.deepEqual(ids, all)
  assert.deepEqual(sent(api.asked), [
    'limit=8',
    'offset=8&limit=8',
    'offset=8&limit=4',
    'offset=12&limit=8',
    'offset=20&limit=8',
  ])
})

test('a stop condition sees the size that was requested, and a full page is never taken for a short one', async () => {
  // The second compares with the size of the manifest: Airbyte refuses it.
  for (const condition of ['{{ last_page_size < page_size }}', '{{ last_page_size < 8 }}']) {
    await using api = await serveApi(heavy(() => 4))
    const { ids, pages } = await read(api.url, byCursor(condition))
    assert.deepEqual(ids, all, condition)
    assert.equal(pages.length, 5, condition)
    assert.match(verdictOf(pages.at(-1)?.receipt) ?? '', /^complete/)
  }
})

test('a stop condition that does not count records ends the read as before', async () => {
  await using api = await serveApi(heavy(() => 4))
  const { ids, pages } = await read(api.url, byCursor('{{ response.next == 4 }}'))
  assert.deepEqual(ids, [1, 2, 3, 4])
  assert.equal(pages.at(-1)?.stop, 'stop-condition')
})

test('a page that no size helps ends the read: by the smallest size, and by the number of reductions', async () => {
  await using api = await serveApi(heavy((offset) => (offset >= 8 ? 0 : 8)))
  const advice = 'Select fewer fields.'
  const failing = async (reduction: object, size = 8) => {
    const before = api.asked.length
    await assert.rejects(
      read(api.url, byOffset(size), { failure_message: advice, backoff_seconds: 0, ...reduction }),
      (error) => hasCode('response/gave-up', /too heavy/)(error) && (error as { hint?: string }).hint === advice,
    )
    return sent(api.asked.slice(before)).filter((line) => line.startsWith('offset=8'))
  }
  const tries = (sizes: number[]) => sizes.map((size) => `offset=8&limit=${size}`)
  assert.deepEqual(await failing({ minimum_page_size: 3 }), tries([8, 4, 3]))
  assert.deepEqual(await failing({ max_attempts: 1 }), tries([8, 4]))
  assert.deepEqual(await failing({ minimum_page_size: 4, retries_at_minimum_page_size: 2 }), tries([8, 4, 4, 4]))
})

test('without a block the read fails with the words of the API, and says what is missing', async () => {
  await using api = await serveApi(heavy(() => 4))
  const said = (error: unknown) =>
    hasCode('response/rejected', /too heavy/)(error) && /page_size_reduction/.test((error as { hint: string }).hint)
  await assert.rejects(read(api.url, byOffset(8), null), said)
})

test('CDK: what cannot work is refused before the read', async () => {
  const byPage = { ...byOffset(8), pagination_strategy: { type: 'PageIncrement', page_size: 8 } }
  const { page_size_option: _, ...unsized } = byOffset(8)
  const byLink = { ...byCursor('{{ False }}'), page_token_option: { type: 'RequestPath' } }
  for (const paginator of [byPage, unsized, byLink]) {
    await assert.rejects(read('http://127.0.0.1:1', paginator), hasCode('manifest/invalid-value'))
  }
  for (const odd of [{ reduction_factor: 1 }, { minimum_page_size: 0 }, { max_attempts: 0 }, { backoff_seconds: -1 }]) {
    await assert.rejects(read('http://127.0.0.1:1', byOffset(8), odd), hasCode('manifest/invalid-value'))
  }
})

test('an API that never refuses is read as without the block', async () => {
  await using api = await serveApi(heavy(() => 100))
  const { ids, waits } = await read(api.url, byOffset(8))
  assert.deepEqual(ids, all)
  assert.deepEqual(sent(api.asked), ['limit=8', 'offset=8&limit=8', 'offset=16&limit=8'])
  assert.deepEqual(waits, [])
})
