/** A request → a string that is equal for requests that ask for the same thing, however they are spelt. */
import type { HttpRequest } from '../../engine/request/http-request.ts'
import { parseJson, stringifyJson } from '../../std/json.ts'
import { isList, isObject } from '../../std/values/objects.ts'

export function requestKey({ method, url, headers, body }: HttpRequest): string {
  const target = new URL(url)
  const query = sortedPairs(target.searchParams)
  const sent = Object.entries(headers)
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .filter((line) => !/^(accept|accept-encoding|user-agent): /.test(line))
    .toSorted()
  return [method, target.origin + target.pathname, query, ...sent, bodyKey(body)].join('\n')
}

/** Values of one name keep their order, since it may matter. */
function sortedPairs(params: URLSearchParams): string {
  const sorted = new URLSearchParams(params)
  sorted.sort()
  return sorted.toString()
}

function bodyKey(body: string | null): string {
  if (body === null || body === '') return ''
  const json = jsonIn(body)
  return json === null ? sortedPairs(new URLSearchParams(body)) : stringifyJson(inOrder(json.value))
}

function jsonIn(body: string): { readonly value: unknown } | null {
  if (!/^\s*[[{]/.test(body)) return null
  try {
    return parseJson(body)
  } catch {
    return null
  }
}

function inOrder(value: unknown): unknown {
  if (isList(value)) return value.map(inOrder)
  if (!isObject(value)) return value
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name])]))
}
