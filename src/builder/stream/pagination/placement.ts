/** Where a paging value goes ↔ the option in the manifest that says so. */
import { valueAt } from '../../../std/values/get-at.ts'
import { isObject, type Members } from '../../../std/values/objects.ts'
import { namesIn } from '../../fields/name-path.ts'
import { requestBodyIn } from '../request/body-kind.ts'

export const places = ['request_parameter', 'header', 'body_json', 'body_data'] as const

/** Where a value starts out: what it goes into, and the object there that holds it. */
export type UsualPlace = { readonly into: (typeof places)[number]; readonly under: readonly string[] }

export const usualQuery: UsualPlace = { into: 'request_parameter', under: [] }

/** Into the body where the requests have one that takes names; GraphQL has them in its variables. */
export function usualPlaceIn(requester: unknown): UsualPlace {
  const { kind, at } = requestBodyIn(requester)
  if (kind === 'graphql') return { into: 'body_json', under: ['variables'] }
  const body = valueAt(requester, at)
  if ((kind !== 'json' && kind !== 'form') || !isObject(body)) return usualQuery
  if (kind === 'form') return { into: 'body_data', under: [] }
  return { into: 'body_json', under: typeof body.query === 'string' ? ['variables'] : [] }
}

/** @param name absent where only the author knows it: then it is left to be typed */
export function optionIn({ into, under }: UsualPlace, name?: string): Members {
  return { type: 'RequestOption', inject_into: into, ...(name && named([...under, name])) }
}

export function isInBody(option: unknown): boolean {
  return placeOf(option).startsWith('body')
}

/** `path` for a whole address; what else the manifest says, as it says it. Empty where it says nothing. */
export function placeOf(option: unknown): string {
  if (!isObject(option)) return ''
  if (option.type === 'RequestPath') return 'path'
  return typeof option.inject_into === 'string' ? option.inject_into : ''
}

/** The name of the value there: one, or a path of several into a JSON body. Null where it is written in another way. */
export function placementNames(option: unknown): readonly string[] | null {
  if (!isObject(option)) return []
  return namesIn(option.field_path ?? option.field_name)
}

/** Only a JSON body has places within places. Documentation 1.7 called it `body`. */
export function isNested(place: string): boolean {
  return place === 'body_json' || place === 'body'
}

/** The same value elsewhere. Its name comes along, of a path the last one where there is room for one only. */
export function withPlace(option: unknown, place: string, usualName: string): Members {
  const { type: _, inject_into: __, field_name: ___, field_path: ____, ...rest } = isObject(option) ? option : {}
  if (place === 'path') return { ...rest, type: 'RequestPath' }
  const names = placementNames(option) ?? []
  const kept = isNested(place) ? names : names.slice(-1)
  return { ...rest, type: 'RequestOption', inject_into: place, ...named(kept.length === 0 ? [usualName] : kept) }
}

/** One name as Airbyte has always written it, several as a path. */
export function withNames(option: unknown, names: readonly string[]): Members {
  const { field_name: _, field_path: __, ...rest } = isObject(option) ? option : {}
  return { ...rest, ...named(names) }
}

function named(names: readonly string[]): Members {
  return names.length > 1 ? { field_path: [...names] } : { field_name: names[0] ?? '' }
}
