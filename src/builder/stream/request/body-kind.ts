/** What a stream sends as its body ↔ the keys of the requester that say so. */
import { valueAt } from '../../../std/values/get-at.ts'
import { isObject, type Members } from '../../../std/values/objects.ts'
import type { Change } from '../../../document/edit-resolved.ts'
import type { Path } from '../../../document/value-path.ts'

export const bodyKinds = ['none', 'json', 'form', 'text', 'graphql'] as const
export type RequestBodyKind = (typeof bodyKinds)[number]

/** `at` is the path below the requester to what the fields edit. */
export type RequestBody = { readonly kind: RequestBodyKind | 'other'; readonly at: Path }

const typed: Record<string, RequestBody> = {
  RequestBodyJsonObject: { kind: 'json', at: ['request_body', 'value'] },
  RequestBodyUrlEncodedForm: { kind: 'form', at: ['request_body', 'value'] },
  RequestBodyPlainText: { kind: 'text', at: ['request_body', 'value'] },
  RequestBodyGraphQL: { kind: 'graphql', at: ['request_body', 'value', 'query'] },
}

/** Airbyte has two spellings: `request_body` with a type, and the older keys, which every version reads. */
export function requestBodyIn(requester: unknown): RequestBody {
  if (!isObject(requester)) return { kind: 'none', at: [] }
  const { request_body: body, request_body_json: json, request_body_data: data } = requester
  const given = [body, json, data].filter((one) => one !== undefined && one !== null)
  if (given.length > 1) return { kind: 'other', at: [] }
  if (isObject(body)) return typed[String(body.type)] ?? { kind: 'other', at: [] }
  if (json !== undefined && json !== null) return { kind: 'json', at: ['request_body_json'] }
  if (typeof data === 'string') return { kind: 'text', at: ['request_body_data'] }
  return data !== undefined && data !== null ? { kind: 'form', at: ['request_body_data'] } : { kind: 'none', at: [] }
}

/** The keys anew for another kind. Pairs become pairs, all else starts empty. */
export function changesToBody(requesterAt: Path, requester: unknown, kind: RequestBodyKind): Change[] {
  const before = requestBodyIn(requester)
  const held = before.at.length === 0 ? undefined : valueAt(requester, before.at)
  const pairs: Members = isObject(held) ? held : {}
  const isTyped = before.at[0] === 'request_body'
  const wished: Record<RequestBodyKind, Members> = {
    none: {},
    json: isTyped ? { request_body: { type: 'RequestBodyJsonObject', value: pairs } } : { request_body_json: pairs },
    form: isTyped
      ? { request_body: { type: 'RequestBodyUrlEncodedForm', value: pairs } }
      : { request_body_data: pairs },
    text: isTyped ? { request_body: { type: 'RequestBodyPlainText', value: '' } } : { request_body_data: '' },
    graphql: { request_body: { type: 'RequestBodyGraphQL', value: { type: 'RequestBodyGraphQlQuery', query: '' } } },
  }
  return (['request_body', 'request_body_json', 'request_body_data'] as const)
    .filter((key) => wished[kind][key] !== undefined || (isObject(requester) && requester[key] !== undefined))
    .map((key) => ({ at: [...requesterAt, key], value: wished[kind][key] }))
}
