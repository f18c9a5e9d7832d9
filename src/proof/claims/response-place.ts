/** A place in a response: its name, and the value that is there. */
import { linksOf } from '../../engine/pagination/link-header.ts'
import { followPath } from '../../std/values/get-at.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { Float } from '../../std/json.ts'
import type { ListState } from '../../std/values/find-list.ts'

/** `['body', 'meta', 'total']`, `['header', 'x-total-count']` */
export type ResponsePlace = readonly [from: 'body' | 'header', ...names: string[]]

/** `meta.total`, `header x-total-count` */
export function placeName([from, ...names]: ResponsePlace): string {
  return from === 'header' ? `header ${names.join(' ')}` : names.join('.')
}

export function isSamePlace(one: ResponsePlace, other: ResponsePlace): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index])
}

type ResponseParts = { readonly body: unknown; readonly headers: Readonly<Record<string, string>> }

export function responseValue({ body, headers }: ResponseParts, [from, ...names]: ResponsePlace): unknown {
  if (from === 'body') return followPath(body, names)
  const [header, relation] = names
  if (header === 'link') return relation === undefined ? undefined : linksOf(headers.link)[relation]?.url
  return valueInHeaders(headers, names)
}

/** Whether the object that would hold the value is there: only then does its absence say something. */
export function hasHolder(
  { body, headers, list }: ResponseParts & { readonly list?: ListState },
  [from, ...names]: ResponsePlace,
): boolean {
  // A header with several members is an envelope; one that is the cursor itself belongs to the response.
  if (from === 'header' && names.length > 1) return headers[names[0] ?? ''] !== undefined
  // The body itself is an envelope as long as it holds the list.
  if (names.length <= 1) return list === undefined || list === 'found'
  const holder = followPath(body, names.slice(0, -1))
  return isObject(holder) || isList(holder)
}

/** The value at a place of the headers, as `claimsInHeaders` reads it. */
function valueInHeaders(headers: ResponseParts['headers'], [name = '', inner]: readonly string[]): unknown {
  if (name === 'content-range') return rangeTotal(headers[name])
  return inner === undefined ? headers[name] : jsonInHeader(headers[name])?.[inner]
}

/** `items 0-9/57` → 57, and PostgREST leaves the unit out. `bytes` count something else, and `*` is unknown. */
export function rangeTotal(header: string | undefined): number | null {
  const [, unit = '', total] = /^\s*(?:([\w-]+)\s+)?(?:\d+-\d+|\*)\/(\d+)\s*$/.exec(header ?? '') ?? []
  return unit.toLowerCase() === 'bytes' ? null : wholeNumber(total)
}

export function jsonInHeader(header: string | undefined): Members | null {
  if (header === undefined || !header.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(header)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** Digits in quotes count: BigQuery and every header write them so. Sums of money and `-1` for "unknown" do not. */
export function wholeNumber(value: unknown): number | null {
  if (typeof value === 'string') return /^\d{1,15}$/.test(value) ? Number(value) : null
  const number = value instanceof Float ? value.value : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}

export function flagOf(value: unknown): boolean | null {
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : null
}
