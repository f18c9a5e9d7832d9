/** HttpRequest → the form in which requests are stored and compared: what means the same is the same. */
import type { HttpRequest } from '../engine/request/http-request.ts'
import { parseJson, stringifyJson } from '../std/json.ts'
import { isList, isObject } from '../std/values/objects.ts'
import { sortedMembers } from '../std/values/sorted-members.ts'
import type { RecordedRequest, RecordedRequestBody } from './recording.ts'

/** Set by the transport or by the program that reads: they say nothing about the manifest. */
const ofTransport = new Set(['user-agent', 'accept-encoding', 'content-length', 'host', 'connection'])

type Several = Readonly<Record<string, string | readonly string[]>>

export function recordRequest({ method, url, headers, body }: HttpRequest): RecordedRequest {
  const [, address = url, query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(url) ?? []
  const parameters = fieldsIn(query)
  const kept = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !ofTransport.has(name))
    .toSorted(byName)
  const contentType = kept.find(([name]) => name === 'content-type')?.[1] ?? ''
  return {
    method: method.toUpperCase(),
    url: address,
    ...(Object.keys(parameters).length > 0 && { query: parameters }),
    ...(kept.length > 0 && { headers: Object.fromEntries(kept) }),
    ...(body !== null && body !== '' && { body: recordBodyOf(body, contentType) }),
  }
}

function recordBodyOf(body: string, contentType: string): RecordedRequestBody {
  if (/x-www-form-urlencoded/i.test(contentType)) return { form: fieldsIn(body) }
  try {
    const { value } = parseJson(body)
    if (isObject(value) || isList(value)) return { json: sortedMembers(value) }
  } catch {
    // A text of another kind is compared as it is.
  }
  return { text: body }
}

/** By name; values of the same name keep their order, which may count. */
function fieldsIn(query: string): Several {
  const all = [...new URLSearchParams(query)]
  const names = [...new Set(all.map(([name]) => name))].toSorted()
  return Object.fromEntries(
    names.map((name) => {
      const values = all.filter(([one]) => one === name).map(([, value]) => value)
      return [name, values.length === 1 ? (values[0] as string) : values]
    }),
  )
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Every part of a request with its name, to compare and to show: `query.page`, `header accept`, `body.filter.id`. */
export function partsOfRequest(request: RecordedRequest): Map<string, string> {
  const parts = new Map<string, string>([
    ['method', request.method],
    ['url', request.url],
  ])
  for (const [name, value] of Object.entries(request.query ?? {})) addParts(parts, `query ${name}`, value)
  for (const [name, value] of Object.entries(request.headers ?? {})) parts.set(`header ${name}`, value)
  const { body } = request
  if (body === undefined) return parts
  if ('json' in body) addParts(parts, 'body', body.json)
  else if ('form' in body) for (const [name, value] of Object.entries(body.form)) addParts(parts, `form ${name}`, value)
  else parts.set('body', body.text)
  return parts
}

function addParts(parts: Map<string, string>, name: string, value: unknown): void {
  if (isList(value) && value.length > 0) value.forEach((member, index) => addParts(parts, `${name}[${index}]`, member))
  else if (isObject(value) && Object.keys(value).length > 0)
    for (const [key, member] of Object.entries(value)) addParts(parts, `${name}.${key}`, member)
  else parts.set(name, typeof value === 'string' ? value : stringifyJson(value))
}
