/** Windows that are too large for the API: read in halves, as one slice with one state. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, type Page, type ReadOptions, readPages } from '../../../src/index.ts'
import { manifestOf, option } from '../../helpers/manifests.ts'
import { countsOf, verdictOf } from '../../helpers/receipts.ts'
import { type Handler, serveApi } from '../../helpers/serve-api.ts'
import { hasCode } from '../response/asking.ts'

const two = (number: number) => String(number).padStart(2, '0')
const rows = Array.from({ length: 16 }, (_, index) => ({ id: index + 1, at: `2024-01-${two(index + 1)}` }))

type Api = { readonly fits: number; readonly deep?: boolean; readonly loses?: number; readonly counts?: boolean }

/** An API that refuses windows with more rows than fit: at once, or only on their second page. */
function narrow({ fits, deep = false, loses, counts = true }: Api): Record<string, Handler> {
  return {
    'GET /items': (query) => {
      const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
      const offset = Number(query.get('offset') ?? 0)
      const within = rows.filter(({ at }) => at >= from && at <= to)
      if (within.length > fits && (!deep || offset > 0)) return { status: 400, json: { name: 'RESULTSET_TOO_LARGE' } }
      const data = within.filter(({ id }) => id !== loses).slice(offset, offset + 2)
      return { json: { data, ...(counts && { total: within.length }) } }
    },
  }
}

const incremental_sync = {
  type: 'DatetimeBasedCursor',
  cursor_field: 'at',
  datetime_format: '%Y-%m-%d',
  start_datetime: '2024-01-01',
  end_datetime: '2024-01-16',
  cursor_granularity: 'P1D',
  start_time_option: option('request_parameter', 'from'),
  end_time_option: option('request_parameter', 'to'),
}

type Parts = { splitting?: object | null; cursor?: object }

function manifest(url: string, { splitting = {}, cursor = {} }: Parts) {
  return loadManifest(
    manifestOf({
      url,
      requester: {
        error_handler: {
          type: 'DefaultErrorHandler',
          response_filters: [
            {
              type: 'HttpResponseFilter',
              predicate: "{{ response.get('name') == 'RESULTSET_TOO_LARGE' }}",
              action: 'SPLIT_REQUEST_WINDOW',
            },
          ],
        },
      },
      paginator: {
        pagination_strategy: { type: 'OffsetIncrement', page_size: 2 },
        page_token_option: option('request_parameter', 'offset'),
      },
      retriever:
        splitting === null ? {} : { request_window_splitting: { type: 'RequestWindowSplitting', ...splitting } },
      stream: { primary_key: 'id', incremental_sync: { ...incremental_sync, ...cursor } },
    }),
  )
}

async function read(url: string, parts: Parts = {}, options: ReadOptions = {}) {
  const pages: Page[] = []
  for await (const page of readPages(manifest(url, parts), { prefetch: 'off', ...options })) pages.push(page)
  return { pages, ids: pages.flatMap(({ records }) => records.map(({ id }) => id)) }
}

const windows = (asked: readonly string[]) => [
  ...new Set(asked.map((line) => line.replace(/.*from=2024-01-(\d\d)&to=2024-01-(\d\d).*/, '$1-$2'))),
]
const all = rows.map(({ id }) => id)

test('a refused window is read in halves, and these in halves, in order and without a gap', async () => {
  await using api = await serveApi(narrow({ fits: 4 }))
  const { pages, ids } = await read(api.url)
  assert.deepEqual(ids, all)
  assert.deepEqual(windows(api.asked), ['01-16', '01-08', '01-04', '05-08', '09-16', '09-12', '13-16'])
  // One slice: numbered through, one receipt.
  assert.deepEqual(new Set(pages.map(({ slice }) => slice.window.start_time)), new Set(['2024-01-01']))
  assert.deepEqual(
    pages.map(({ index }) => index),
    pages.map((_, index) => index),
  )
  assert.deepEqual(
    pages.flatMap(({ receipt }) => countsOf(receipt) ?? []),
    [{ pages: pages.length, received: 16, emitted: 16, stop: 'empty-page' }],
  )
  assert.equal(verdictOf(pages.at(-1)?.receipt), 'complete: each of 4 slices is complete')
})

test('the total of each half counts: one that lacks a record makes the slice incomplete', async () => {
  for (const loses of [2, 7, 16]) {
    await using api = await serveApi(narrow({ fits: 4, loses }))
    const { pages } = await read(api.url)
    assert.match(
      verdictOf(pages.at(-1)?.receipt) ?? '',
      /^incomplete: 1 of 4 slices: the API counts 4, received 3/,
      String(loses),
    )
  }
})

test('an API that refuses the second page: what came before comes again', async () => {
  await using api = await serveApi(narrow({ fits: 8, deep: true, counts: false }))
  const { pages, ids } = await read(api.url)
  assert.deepEqual(ids, [1, 2, ...all])
  assert.equal(
    verdictOf(pages.at(-1)?.receipt),
    'unproven: 2 of 2 slices: the API reports no total, but 2 records received more than once, because the window of a refused request was read again in halves',
  )
})

test('a window that cannot be made smaller ends the read, with the advice of the author', async () => {
  const advice = 'Select fewer fields.'
  const said = (error: unknown) =>
    hasCode('response/gave-up', /cannot be made smaller.*400/)(error) && (error as { hint?: string }).hint === advice
  await using none = await serveApi(narrow({ fits: 0 }))
  await assert.rejects(read(none.url, { splitting: { failure_message: advice } }), said)
  assert.equal(windows(none.asked).at(-1), '01-01')
  await using some = await serveApi(narrow({ fits: 3 }))
  await assert.rejects(read(some.url, { splitting: { failure_message: advice, min_split_window: 'P3D' } }), said)
  assert.equal(windows(some.asked).at(-1), '01-04')
})

test('maxPages counts the pages of all halves', async () => {
  await using api = await serveApi(narrow({ fits: 4 }))
  const { pages, ids } = await read(api.url, {}, { maxPages: 3 })
  assert.deepEqual([ids, pages.at(-1)?.stop], [[1, 2, 3, 4], 'limit'])
})

test('without a block the read fails with the words of the API, and says what is missing', async () => {
  await using api = await serveApi(narrow({ fits: 4 }))
  const said = (error: unknown) =>
    hasCode('response/rejected', /400/)(error) && /request_window_splitting/.test((error as { hint: string }).hint)
  await assert.rejects(read(api.url, { splitting: null }), said)
})

test('CDK: a cursor that cannot be halved is refused before the read', async () => {
  for (const cursor of [{ cursor_granularity: undefined }, { is_client_side_incremental: true }]) {
    await assert.rejects(read('http://127.0.0.1:1', { cursor }), hasCode('manifest/invalid-value'))
  }
})

test('an API that never refuses is read as without the block', async () => {
  await using api = await serveApi(narrow({ fits: 100 }))
  const { pages, ids } = await read(api.url)
  assert.deepEqual([ids, windows(api.asked)], [all, ['01-16']])
  assert.equal(verdictOf(pages.at(-1)?.receipt), 'complete: total 16')
})
