/** One stream per pagination method, and each sync mode. */
import type { SyncMode } from '../../src/index.ts'
import { cursorPaginator, offsetPaginator, option, sourceOf, streamOf } from '../helpers/manifests.ts'

export const modes = {
  offset: 'full_refresh_overwrite',
  pages: 'full_refresh_append',
  cursor: 'full_refresh_overwrite',
  links: 'full_refresh_append',
  regions: 'full_refresh_append',
  orders: 'incremental_dedup',
  events: 'incremental_append',
} as const satisfies Record<string, SyncMode>

const regions = ['eu', 'usa', 'asia', 'oceania']

export type StreamName = keyof typeof modes

export const streamNames = Object.keys(modes) as StreamName[]

/** Their tables change only when they are published: a reader sees the old one or the new one. */
export const publishedTables = streamNames.filter((name) => !modes[name].endsWith('append'))

export function manifestFor(url: string): Record<string, unknown> {
  const stream = (name: StreamName, parts: Parameters<typeof streamOf>[0]) =>
    streamOf({ url, name, requester: { path: `/${name}` }, ...parts })
  return sourceOf([
    stream('offset', { paginator: offsetPaginator({ page_size: 4 }), stream: { primary_key: 'id' } }),
    stream('pages', { paginator: pageNumbers(4) }),
    stream('cursor', { paginator: cursorPaginator('{{ response.next }}') }),
    stream('links', { paginator: nextLinks('{{ response.next }}') }),
    stream('regions', {
      paginator: offsetPaginator({ page_size: 3 }),
      retriever: {
        partition_router: {
          type: 'ListPartitionRouter',
          values: regions,
          cursor_field: 'region',
          request_option: option('request_parameter', 'region'),
        },
      },
    }),
    stream('orders', {
      paginator: offsetPaginator({ page_size: 3 }),
      stream: { primary_key: 'id', incremental_sync: { ...windows, lookback_window: 'P1D' } },
    }),
    stream('events', { paginator: pageNumbers(4), stream: { incremental_sync: windows } }),
  ])
}

const windows = {
  type: 'DatetimeBasedCursor',
  cursor_field: 'day',
  datetime_format: '%Y-%m-%d',
  cursor_granularity: 'P1D',
  start_datetime: '2024-01-01',
  step: 'P2D',
  start_time_option: option('request_parameter', 'from'),
  end_time_option: option('request_parameter', 'to'),
}

function pageNumbers(page_size: number): Record<string, unknown> {
  return {
    pagination_strategy: { type: 'PageIncrement', page_size, start_from_page: 1 },
    page_token_option: option('request_parameter', 'page'),
  }
}

function nextLinks(cursor_value: string): Record<string, unknown> {
  return {
    pagination_strategy: { type: 'CursorPagination', cursor_value },
    page_token_option: { type: 'RequestPath' },
  }
}
