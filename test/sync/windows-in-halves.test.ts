/** A window that the API finds too large is read in halves: its rows are in the table, and the state is past all of it. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { destinationAt, loadManifest, sync, type SyncMode } from '../../src/index.ts'
import { manifestOf, offsetPaginator, option } from '../helpers/manifests.ts'
import { serveApi } from '../helpers/serve-api.ts'

const rows = Array.from({ length: 16 }, (_, index) => ({
  id: index + 1,
  at: `2024-01-${String(index + 1).padStart(2, '0')}`,
}))

/** Refuses windows of more than four rows: at once, or only on their second page. */
const serveNarrow = (isLate: boolean) =>
  serveApi({
    'GET /items': (query) => {
      const [from = '', to = ''] = ['from', 'to'].map((name) => query.get(name) ?? '')
      const offset = Number(query.get('offset') ?? 0)
      const within = rows.filter(({ at }) => at >= from && at <= to)
      if (within.length > 4 && (!isLate || offset > 0)) return { status: 400, json: { name: 'TOO_LARGE' } }
      return { json: { data: within.slice(offset, offset + 2), total: within.length } }
    },
  })

const manifestAt = (url: string) =>
  loadManifest(
    manifestOf({
      url,
      requester: {
        error_handler: {
          type: 'DefaultErrorHandler',
          response_filters: [
            {
              type: 'HttpResponseFilter',
              predicate: "{{ response.get('name') == 'TOO_LARGE' }}",
              action: 'SPLIT_REQUEST_WINDOW',
            },
          ],
        },
      },
      paginator: offsetPaginator({ page_size: 2 }),
      retriever: { request_window_splitting: { type: 'RequestWindowSplitting' } },
      stream: {
        primary_key: 'id',
        incremental_sync: {
          type: 'DatetimeBasedCursor',
          cursor_field: 'at',
          datetime_format: '%Y-%m-%d',
          start_datetime: '2024-01-01',
          end_datetime: '2024-01-16',
          cursor_granularity: 'P1D',
          start_time_option: option('request_parameter', 'from'),
          end_time_option: option('request_parameter', 'to'),
        },
      },
    }),
  )

async function syncTwice(isLate: boolean, mode: SyncMode) {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-halves-'))
  await using api = await serveNarrow(isLate)
  try {
    const to = destinationAt(`duckdb:${join(folder, 'shop.duckdb')}`)
    const first = await sync(manifestAt(api.url), { to, mode })
    const second = await sync(manifestAt(api.url), { to, mode })
    const counted = await to.query?.('select count(*), count(distinct id) from items', 1)
    const [all, ids] = counted?.rows[0]?.map(Number) ?? []
    return { all, ids, endings: [first.ending, second.ending], verdict: first.receipts[0]?.verdict }
  } finally {
    await rm(folder, { recursive: true })
  }
}

for (const mode of ['incremental_append', 'incremental_dedup', 'full_refresh_overwrite'] as const) {
  test(`${mode}: every row of a window in halves is there once, after a second sync, too`, async () => {
    const { verdict, ...found } = await syncTwice(false, mode)
    assert.deepEqual(found, { all: 16, ids: 16, endings: ['complete', 'complete'] })
    assert.equal(verdict, 'complete')
  })
}

test('refused on a later page, the pages before it come again: one row for each key, and nothing is called complete', async () => {
  const { all, ids, verdict } = await syncTwice(true, 'incremental_dedup')
  assert.deepEqual([all, ids, verdict], [16, 16, 'unproven'])
})
