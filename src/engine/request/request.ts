/** Plan + slice + page token → the request of one page, unsigned. */
import type { Config } from '../plan/plan.ts'
import { sliceForTemplates, type Slice } from '../slices/slice.ts'
import type { Scope } from '../template/template.ts'
import { pythonText } from '../template/text.ts'
import { buildBody } from './body.ts'
import { evaluateFields } from './fields.ts'
import { headersOf } from './headers.ts'
import type { HttpRequest } from './http-request.ts'
import { mergeNamed, sourcedAs, type Sourced } from './merge.ts'
import { pairsOf, placedInto, placedValues, type PlacedInput } from './placement.ts'
import { joinUrl, queryOf, withQuery } from './url.ts'

export type RequestInput = PlacedInput & { readonly config: Config; readonly slice: Slice }

/** The request that asks for one page. The place of the credential is marked, not filled: see auth.ts. */
export function buildRequest(input: RequestInput): HttpRequest {
  const { requester, at } = input.stream
  const scope = requestScope(input)
  const placed = placedValues(input)

  const ownQuery = sourcedAs('request_parameters', evaluateFields(requester.query, scope, 'param'))
  const query = mergeNamed([...ownQuery, ...placedInto(placed, 'query')], 'the query parameter', at)
  const ownHeaders = sourcedAs('request_headers', evaluateFields(requester.headers, scope, 'header'))
  const headers = mergeNamed([...ownHeaders, ...placedInto(placed, 'header')], 'the header', at)
  const body = buildBody(input.stream, scope, placed)

  return {
    method: requester.method,
    ...addressOf(input, scope, query),
    headers: headersOf(headers, body?.contentType ?? null, at),
    body: body?.text ?? null,
  }
}

function requestScope({ stream, config, slice, token }: RequestInput): Scope {
  return {
    config,
    parameters: stream.requester.parameters,
    stream_slice: sliceForTemplates(slice),
    next_page_token: token === null ? null : { next_page_token: token.value },
  }
}

type Address = Pick<HttpRequest, 'url' | 'home'>

function addressOf({ stream, token }: RequestInput, scope: Scope, query: readonly Sourced<unknown>[]): Address {
  const { requester, at } = stream
  const pairs = query.flatMap((parameter) => pairsOf(parameter, at))
  const base = pythonText(requester.base.evaluate(scope))
  if (token?.url !== undefined) {
    // The link's own value wins: a parameter it already has is not sent twice.
    const own = new URL(token.url).searchParams
    const missing = pairs.filter(([name]) => !own.has(name))
    return { url: withQuery(token.url, missing), home: joinUrl(base, '', at) }
  }
  const path = requester.path === null ? '' : pythonText(requester.path.evaluate(scope))
  const url = joinUrl(base, path, at)
  // Airbyte: a parameter that the path already holds with the same value is not repeated.
  const own = queryOf(url)
  const missing = pairs.filter(([name, value]) => own.get(name) !== value)
  return { url: withQuery(url, missing), home: url }
}
