/** Where in a request a page token may go, and the paginator parts of a manifest that put it there. */
import { isObject, type Members } from '../../std/values/objects.ts'
import type { ManifestPlace } from './manifest-place.ts'
import { isGraphqlBody } from '../names/graphql-body.ts'
import type { CursorPlace } from './cursor-places.ts'

export type TokenPlace = { readonly into: Into; readonly name: string }

/**
 * Each name where values of this stream's requests usually go. `above` is what holds the cursor in the answer: what is
 * found at `page.next_cursor` is often sent at `page.cursor`.
 */
export function tokenPlaces(
  place: ManifestPlace,
  names: readonly string[],
  above: readonly string[] = [],
): TokenPlace[] {
  const intos = usualPlaces(place)
  const { request_body_json: json } = place.written.requester
  const holder = isGraphqlBody(json) ? ['variables'] : above
  return names.flatMap((name) =>
    intos.flatMap((into): TokenPlace[] => {
      if (into !== 'body_json' || holder.length === 0) return [{ into, name }]
      return [{ into, name: [...holder, name].join('.') }, ...(holder === above ? [{ into, name }] : [])]
    }),
  )
}

/** Where the requests of this stream carry their values: into a body where they have one. */
export function usualPlaces({ written: { requester, paginator } }: ManifestPlace): Into[] {
  const size = paginator.page_size_option
  const sizeInto = isObject(size) && typeof size.inject_into === 'string' ? (size.inject_into as Into) : null
  if (sizeInto !== null) return [sizeInto]
  if (requester.request_body_json !== undefined) return ['body_json']
  if (requester.request_body_data !== undefined) return ['body_data']
  return requester.http_method === 'POST' ? ['body_json', 'body_data'] : ['request_parameter']
}

export const whereWords: Readonly<Record<Into, string>> = {
  request_parameter: 'the query parameter',
  header: 'the header',
  body_json: 'the member of the JSON body',
  body_data: 'the form field',
}

/** Parts of a paginator as a manifest has them. */
export type Into = 'request_parameter' | 'header' | 'body_json' | 'body_data'

export function requestOption(into: Into, name: string): Members {
  const field = into === 'body_json' && name.includes('.') ? { field_path: name.split('.') } : { field_name: name }
  return { type: 'RequestOption', inject_into: into, ...field }
}

/**
 * Follows what the API names; the page size, where one is requested, stays as it is. `stop` is a condition for cursors that are
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
