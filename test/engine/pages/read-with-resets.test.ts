/** Pages that start again: by a response, by a limit, with and without a cursor to shrink the slice by. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, type Page, type ReadOptions, readPages } from '../../../src/index.ts'
import { manifestOf, option } from '../../helpers/manifests.ts'
import { type Answer, type Handler, serveApi } from '../../helpers/serve-api.ts'
import { countsOf, verdictOf } from '../../helpers/receipts.ts'
import { hasCode } from '../response/asking.ts'

type Row = { id: number; at: string }

/** Ten rows, one a day, the last two on the same one. */
const rows: Row[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 9].map((day, index) => ({ id: index + 1, at: `2024-01-0${day}` }))

/** An API that refuses to page beyond `depth` rows, as search indexes do. */
function shallow(depth: number, data = rows): Record<string, Handler> {
  return {
    'GET /items': (query) => {
      const offset = Number(query.get('offset') ?? 0)
      if (offset >= depth) return { status: 400, json: { message: 'too deep' } }
      const from = query.get('from') ?? ''
      return { json: { data: data.filter(({ at }) => at >= from).slice(offset, offset + 2) } }
    },
  }
}

const onTooDeep = {
  type: 'DefaultErrorHandler',
  response_filters: [{ type: 'HttpResponseFilter', http_codes: [400], action: 'RESET_PAGINATION' }],
}

const byDay = {
  incremental_sync: {
    type: 'DatetimeBasedCursor',
    cursor_field: 'at',
    datetime_format: '%Y-%m-%d',
    start_datetime: '2024-01-01',
    end_datetime: '2024-01-31',
    start_time_option: option('request_parameter', 'from'),
    end_time_option: option('request_parameter', 'to'),
  },
}

type Parts = { reset?: object; stream?: Record<string, unknown>; selector?: Record<string, unknown> }

function manifest(url: string, { reset, stream = byDay, selector = {} }: Parts) {
  return loadManifest(
    manifestOf({
      url,
      requester: { error_handler: onTooDeep },
      paginator: {
        pagination_strategy: { type: 'OffsetIncrement', page_size: 2 },
        page_token_option: option('request_parameter', 'offset'),
      },
      retriever: reset === undefined ? {} : { pagination_reset: { type: 'PaginationReset', ...reset } },
      stream,
      selector,
    }),
  )
}

async function pagesOf(url: string, parts: Parts, options: ReadOptions = {}): Promise<Page[]> {
  const pages: Page[] = []
  for await (const page of readPages(manifest(url, parts), { sleep: async () => {}, ...options })) pages.push(page)
  return pages
}

const ids = (pages: readonly Page[]) => pages.flatMap(({ records }) => records.map(({ id }) => id))
const split = { action: 'SPLIT_USING_CURSOR' }
const limited = (number_of_records: number) => ({
  ...split,
  limits: { type: 'PaginationResetLimits', number_of_records },
})

test('a response asks to start again: the slice resumes from the newest record, whose moment is read twice', async () => {
  await using api = await serveApi(shallow(4))
  const pages = await pagesOf(api.url, { reset: split }, { prefetch: 'off' })
  assert.deepEqual(ids(pages), [1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 9, 10])
  assert.deepEqual(
    api.asked.map((line) => line.replace('&to=2024-01-31', '')),
    [
      'GET /items?from=2024-01-01',
      'GET /items?offset=2&from=2024-01-01',
      'GET /items?offset=4&from=2024-01-01',
      'GET /items?from=2024-01-04',
      'GET /items?offset=2&from=2024-01-04',
      'GET /items?offset=4&from=2024-01-04',
      'GET /items?from=2024-01-07',
      'GET /items?offset=2&from=2024-01-07',
      'GET /items?offset=4&from=2024-01-07',
      'GET /items?from=2024-01-09',
      'GET /items?offset=2&from=2024-01-09',
    ],
  )
})

test('all starts are one read: pages numbered through, one receipt, one slice', async () => {
  for (const reset of [split, limited(4)]) {
    await using api = await serveApi(shallow(4))
    const pages = await pagesOf(api.url, { reset })
    assert.deepEqual(
      pages.map(({ index }) => index),
      pages.map((_, position) => position),
    )
    assert.deepEqual(new Set(pages.map(({ slice }) => slice.window.start_time)), new Set(['2024-01-01']))
    assert.deepEqual(
      pages.flatMap(({ receipt }) => countsOf(receipt) ?? []),
      [{ pages: pages.length, received: 14, emitted: 14, stop: 'empty-page' }],
    )
    assert.equal(
      verdictOf(pages.at(-1)?.receipt),
      'unproven: the API reports no total, but 4 records received more than once, because its pages may restart',
    )
    assert.deepEqual(
      pages.slice(0, -1).filter(({ stop }) => stop !== null),
      [],
    )
  }
})

test('a limit on records starts again before the API refuses, and asks for nothing in vain', async () => {
  await using api = await serveApi(shallow(4))
  const pages = await pagesOf(api.url, { reset: limited(4) })
  assert.deepEqual(ids(pages), [1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 9, 10])
  assert.equal(api.asked.length, pages.length)
  assert.ok(!api.asked.some((line) => line.includes('offset=4')))
})

test('CDK: a limit reached by the last page starts again too, since the API may have stopped there', async () => {
  await using api = await serveApi(shallow(100, rows.slice(0, 3)))
  const pages = await pagesOf(api.url, { reset: limited(3) })
  assert.deepEqual(ids(pages), [1, 2, 3, 3])
  assert.deepEqual(pages.at(-1)?.receipt?.stop, 'short-page')
})

test('maxPages counts the pages of all starts, and what it cuts off is no end', async () => {
  await using api = await serveApi(shallow(4))
  const pages = await pagesOf(api.url, { reset: limited(4) }, { maxPages: 3 })
  assert.deepEqual(ids(pages), [1, 2, 3, 4, 4, 5])
  assert.equal(pages.at(-1)?.stop, 'limit')
  const cut = await pagesOf(api.url, { reset: limited(4) }, { maxPages: 2 })
  assert.deepEqual(countsOf(cut.at(-1)?.receipt), { pages: 2, received: 4, emitted: 4, stop: 'limit' })
})

test('CDK: a slice that cannot shrink ends the read', async () => {
  const sameDay = rows.map(({ id }) => ({ id, at: '2024-01-05' }))
  await using api = await serveApi(shallow(4, sameDay))
  const seen: Page[] = []
  const reading = async () => {
    for await (const page of readPages(manifest(api.url, { reset: split }))) seen.push(page)
  }
  await assert.rejects(reading, hasCode('pagination/reset-loop', /Stream "items"/))
  assert.deepEqual(ids(seen), [1, 2, 3, 4, 1, 2, 3, 4])
  assert.deepEqual(
    seen.filter(({ receipt }) => receipt !== undefined),
    [],
  )
})

test('records that are not sorted by the cursor cannot be split: the rest would be lost', async () => {
  await using api = await serveApi(shallow(4, rows.toReversed()))
  await assert.rejects(pagesOf(api.url, { reset: split }), hasCode('pagination/reset-unordered'))
})

test('unsorted records do no harm as long as nothing starts again', async () => {
  await using api = await serveApi(shallow(100, rows.toReversed()))
  assert.equal(ids(await pagesOf(api.url, { reset: split })).length, 10)
})

test('a record dated after the end of the slice does not move the start past the others', async () => {
  const [first, second, ...others] = rows as [Row, Row, ...Row[]]
  const strange = [first, second, { id: 99, at: '2099-01-01' }, ...others]
  await using api = await serveApi(shallow(3, strange))
  await assert.rejects(pagesOf(api.url, { reset: limited(4) }), hasCode('pagination/reset-unordered'))
  const last = [first, second, { id: 99, at: '2099-01-01' }]
  await using other = await serveApi(shallow(100, last))
  await pagesOf(other.url, { reset: limited(3) })
  assert.match(other.asked.at(-1) ?? '', /from=2024-01-02/)
})

test('a slice resumes in UTC from a record with another zone, where its dates are written in UTC', async () => {
  const hours = [1, 2, 3, 4].map((hour) => ({ id: hour, at: `2024-01-01T0${hour}:00:00Z` }))
  const shown = hours.map(({ id, at }) => ({
    id,
    at: at.replace(/T0(.).*/, (_, hour) => `T0${Number(hour) + 5}:00:00+05:00`),
  }))
  await using api = await serveApi({
    'GET /items': (query) => {
      const offset = Number(query.get('offset') ?? 0)
      if (offset >= 2) return { status: 400, json: { message: 'too deep' } }
      const from = query.get('from') ?? ''
      const data = shown.filter((_, index) => (hours[index]?.at ?? '') >= from)
      return { json: { data: data.slice(offset, offset + 2) } }
    },
  })
  const incremental_sync = {
    ...byDay.incremental_sync,
    datetime_format: '%Y-%m-%dT%H:%M:%SZ',
    cursor_datetime_formats: ['%Y-%m-%dT%H:%M:%S%z'],
    start_datetime: '2024-01-01T00:00:00Z',
    end_datetime: '2024-01-31T00:00:00Z',
  }
  const pages = await pagesOf(api.url, { reset: split, stream: { incremental_sync } }, { prefetch: 'off' })
  assert.deepEqual([...new Set(ids(pages))], [1, 2, 3, 4])
})

test('CDK: without a block, or with RESET, the slice is started a second time and no third', async () => {
  for (const reset of [undefined, { action: 'RESET' }]) {
    let refusals = 1
    const route: Handler = (query) => {
      const offset = Number(query.get('offset') ?? 0)
      if (offset === 4 && refusals-- > 0) return { status: 400 }
      return { json: { data: rows.slice(offset, offset + 2) } }
    }
    await using api = await serveApi({ 'GET /items': route })
    const parts = reset === undefined ? {} : { reset }
    assert.deepEqual(ids(await pagesOf(api.url, parts)), [1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    refusals = 2
    await assert.rejects(pagesOf(api.url, parts), hasCode('pagination/reset-loop'))
  }
})

test('CDK: SPLIT_USING_CURSOR in a stream without a cursor is a second start', async () => {
  const answers: Answer[] = [{ status: 400 }, { json: { data: [{ id: 1 }] } }]
  await using api = await serveApi({ 'GET /items': () => answers.shift() ?? { status: 500 } })
  assert.deepEqual(ids(await pagesOf(api.url, { reset: split, stream: {} })), [1])
})

test('an ignored response ends the slice, limit or not', async () => {
  const ignoring = { type: 'DefaultErrorHandler', response_filters: [{ http_codes: [404], action: 'IGNORE' }] }
  const { retriever } = { retriever: { pagination_reset: { type: 'PaginationReset', ...limited(1) } } }
  await using api = await serveApi({ 'GET /items': () => ({ status: 404 }) })
  const loaded = loadManifest(manifestOf({ url: api.url, requester: { error_handler: ignoring }, retriever }))
  const pages: Page[] = []
  for await (const page of readPages(loaded)) pages.push(page)
  assert.deepEqual(
    pages.map(({ stop }) => stop),
    ['ignored'],
  )
})

test('a limit that makes no sense is refused while planning, at its place', async () => {
  const at = '/streams/0/retriever/pagination_reset/limits/number_of_records'
  const placed = (error: unknown) =>
    hasCode('manifest/invalid-value')(error) && (error as { at: { pointer: string } }).at.pointer === at
  await assert.rejects(pagesOf('http://127.0.0.1:1', { reset: limited(0) }), placed)
  const selector = { record_filter: { type: 'RecordFilter', condition: '{{ True }}' } }
  await assert.rejects(pagesOf('http://127.0.0.1:1', { reset: limited(5), selector }), placed)
})
