/** Parts of a paginator as a manifest has them. */
import type { Members } from '../../std/values/objects.ts'
import type { CursorPlace } from './cursor-places.ts'
import type { ManifestPlace } from './manifest-place.ts'

export type Into = 'request_parameter' | 'header' | 'body_json' | 'body_data'

export function requestOption(into: Into, name: string): Members {
  const field = into === 'body_json' && name.includes('.') ? { field_path: name.split('.') } : { field_name: name }
  return { type: 'RequestOption', inject_into: into, ...field }
}

/**
 * Follows what the API names; the size, where one is asked for, stays as it is. `stop` is a condition for cursors that are
 * still there on the last page.
 */
export function followingPaginator(
  { written }: ManifestPlace,
  place: CursorPlace,
  token: Members,
  stop: string | null = null,
): Members {
  const condition = place.stopCondition ?? stop
  const { page_size } = written.strategy
  const { page_size_option } = written.paginator
  return {
    type: 'DefaultPaginator',
    pagination_strategy: {
      type: 'CursorPagination',
      ...(page_size !== undefined && page_size_option !== undefined && { page_size }),
      cursor_value: place.template,
      ...(condition !== null && { stop_condition: condition }),
    },
    page_token_option: token,
    ...(page_size !== undefined && page_size_option !== undefined && { page_size_option }),
  }
}

export const nextAddress: Members = { type: 'RequestPath' }
