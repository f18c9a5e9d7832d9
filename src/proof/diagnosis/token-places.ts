/** Where in a request a token may go, the likeliest place first. */
import { isObject } from '../../std/values/objects.ts'
import type { ManifestPlace } from './manifest-place.ts'
import type { Into } from './paginators.ts'

export type TokenPlace = { readonly into: Into; readonly name: string }

/**
 * Each name where values of this stream's requests usually go. `above` is what holds the cursor in the answer: what is
 * found at `page.next_cursor` is often asked for at `page.cursor`.
 */
export function tokenPlaces(
  place: ManifestPlace,
  names: readonly string[],
  above: readonly string[] = [],
): TokenPlace[] {
  const intos = usualPlaces(place)
  const { request_body_json: json } = place.written.requester
  const holder = isObject(json) && typeof json.query === 'string' ? ['variables'] : above
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
