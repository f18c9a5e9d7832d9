/** Plan + slice + page token → the request of one page, unsigned. */
import { ConnectorError, type SourceLocation } from '../../errors.ts'
import type { Config, Placement, StreamPlan } from '../plan/plan.ts'
import { sliceForTemplates, type Slice } from '../slices/slice.ts'
import type { Scope } from '../template/template.ts'
import { describeValue, pythonText } from '../template/text.ts'
import { credentialPlacement } from './auth.ts'
import { encodeJson } from './body.ts'
import { evaluateFields, evaluateJson } from './fields.ts'
import { credentialMark, type HttpRequest } from './http-request.ts'
import { mergeJson, mergeNamed, nest, type Source, type Sourced, type SourcedJson } from './merge.ts'
import type { PageToken } from './page-token.ts'
import { encodePairs, joinUrl, type QueryPair, queryOf, withQuery } from './url.ts'

/** A value on its way into the request. */
export type Placed = { readonly source: Source; readonly placement: Placement; readonly value: unknown }

export type RequestInput = {
  readonly stream: StreamPlan
  readonly config: Config
  readonly slice: Slice
  readonly token: PageToken | null
  readonly pageSize: number | null
  /** Values the slice itself sends. */
  readonly sliceOptions: readonly Placed[]
}

/** The request that asks for one page. The place of the credential is marked, not filled: see auth.ts. */
export function buildRequest(input: RequestInput): HttpRequest {
  const { requester, at } = input.stream
  const scope = requestScope(input)
  const placed = placedValues(input)

  const ownQuery = evaluateFields(requester.query, scope, 'param').map(named('request_parameters'))
  const query = mergeNamed([...ownQuery, ...placedInto(placed, 'query')], 'the query parameter', at)
  const ownHeaders = evaluateFields(requester.headers, scope, 'header').map(named('request_headers'))
  const headers = mergeNamed([...ownHeaders, ...placedInto(placed, 'header')], 'the header', at)
  const body = buildBody(input, scope, placed)

  return {
    method: requester.method,
    url: addressOf(input, scope, query),
    headers: headersOf(headers, body?.contentType, at),
    body: body?.text ?? null,
  }
}

/** The address credentials belong to: where the stream starts, whatever link a page may name. */
export function homeUrl(input: Pick<RequestInput, 'stream' | 'config' | 'slice'>): string {
  return pathUrl(input.stream, requestScope({ ...input, token: null }))
}

function requestScope({
  stream,
  config,
  slice,
  token,
}: Pick<RequestInput, 'stream' | 'config' | 'slice' | 'token'>): Scope {
  return {
    config,
    parameters: stream.requester.parameters,
    stream_slice: sliceForTemplates(slice),
    next_page_token: token === null ? null : { next_page_token: token.value },
  }
}

/** Everything that is injected rather than written by the author, in the order Airbyte sends it. */
function placedValues({ stream, token, pageSize, sliceOptions }: RequestInput): Placed[] {
  const { requester, pagination } = stream
  const placed: Placed[] = []
  const credential = credentialPlacement(requester.auth)
  if (credential !== null) placed.push({ source: 'authenticator', placement: credential, value: credentialMark })
  if (pagination.kind !== 'none') {
    const { token: tokenPlacement, size: sizePlacement } = pagination
    if (tokenPlacement !== null && token !== null) {
      placed.push({ source: 'page_token_option', placement: tokenPlacement, value: token.value })
    }
    if (sizePlacement !== null && pageSize !== null) {
      placed.push({ source: 'page_size_option', placement: sizePlacement, value: pageSize })
    }
  }
  const skipsSlice = requester.sliceOptionsOnFirstPageOnly && token !== null
  return skipsSlice ? placed : [...placed, ...sliceOptions]
}

function placedInto(placed: readonly Placed[], into: 'query' | 'header' | 'form'): Sourced<unknown>[] {
  return placed.flatMap(({ source, placement, value }) =>
    placement.into === into ? [{ source, name: placement.name, value }] : [],
  )
}

const named =
  (source: Source) =>
  ({ name, value }: { name: string; value: unknown }): Sourced<unknown> => ({ source, name, value })

function addressOf({ stream, token }: RequestInput, scope: Scope, query: readonly Sourced<unknown>[]): string {
  const pairs = query.flatMap(({ name, value }) => pairsOf(name, value, stream.at))
  if (token?.url !== undefined) {
    // The link's own value wins: a parameter it already has is not sent twice.
    const own = new URL(token.url).searchParams
    return withQuery(
      token.url,
      pairs.filter(([name]) => !own.has(name)),
    )
  }
  const url = pathUrl(stream, scope)
  // Airbyte: a parameter that the path already holds with the same value is not repeated.
  const own = queryOf(url)
  return withQuery(
    url,
    pairs.filter(([name, value]) => own.get(name) !== value),
  )
}

function pathUrl({ requester, at }: StreamPlan, scope: Scope): string {
  const base = pythonText(requester.base.evaluate(scope))
  const path = requester.path === null ? '' : pythonText(requester.path.evaluate(scope))
  return joinUrl(base, path, at)
}

/** A list repeats its name; null is not sent. */
function pairsOf(name: string, value: unknown, at: SourceLocation): QueryPair[] {
  if (value === null) return []
  if (typeof value === 'object' && Symbol.iterator in value && !(value instanceof Map)) {
    return Array.from(value as Iterable<unknown>).flatMap((item) =>
      item === null ? [] : [[name, pythonText(item)] as const],
    )
  }
  if (value instanceof Map || (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)) {
    const message = `\`${name}\` would send ${describeValue(value)} as a parameter.`
    throw new ConnectorError('request/invalid-parameter', message, { at })
  }
  return [[name, pythonText(value)]]
}

type Body = { readonly text: string; readonly contentType: string | null }

function buildBody({ stream, config: _config }: RequestInput, scope: Scope, placed: readonly Placed[]): Body | null {
  const { requester, at } = stream
  const json = jsonParts(stream, scope, placed)
  const form = formFields(stream, scope, placed)
  const text = requester.body.kind === 'text' ? pythonText(requester.body.value.evaluate(scope)) : ''
  const merged = mergeJson(json, at)

  const kinds = [Object.keys(merged).length > 0 && 'JSON', form.length > 0 && 'form', text !== '' && 'text'].filter(
    Boolean,
  )
  if (kinds.length > 1) {
    throw new ConnectorError('request/two-bodies', `The request would carry a ${kinds.join(' and a ')} body.`, { at })
  }
  if (text !== '') return { text, contentType: null }
  if (form.length > 0) {
    const pairs = form.flatMap(({ name, value }) => pairsOf(name, value, at))
    return { text: encodePairs(pairs), contentType: 'application/x-www-form-urlencoded' }
  }
  return kinds.length === 0 ? null : { text: encodeJson(merged, at), contentType: 'application/json' }
}

function jsonParts({ requester, at }: StreamPlan, scope: Scope, placed: readonly Placed[]): SourcedJson[] {
  const own = requester.body.kind === 'json' ? evaluateJson(requester.body.value, scope, at) : {}
  const injected = placed.flatMap(({ source, placement, value }) =>
    placement.into === 'json' ? [{ source, value: nest(placement.path, value) }] : [],
  )
  return [{ source: 'request body', value: own }, ...injected]
}

function formFields({ requester, at }: StreamPlan, scope: Scope, placed: readonly Placed[]): Sourced<unknown>[] {
  const own = requester.body.kind === 'form' ? evaluateFields(requester.body.fields, scope, 'param') : []
  return mergeNamed([...own.map(named('request body')), ...placedInto(placed, 'form')], 'the form field', at)
}

function headersOf(
  headers: readonly Sourced<unknown>[],
  contentType: string | null | undefined,
  at: SourceLocation,
): Record<string, string> {
  const texts: Record<string, string> = Object.create(null) as Record<string, string>
  for (const { name, value } of headers) {
    if (value === null) continue
    texts[checkedName(name, at)] = checkedValue(name, pythonText(value), at)
  }
  const isSet = Object.keys(texts).some((name) => name.toLowerCase() === 'content-type')
  if (contentType && !isSet) texts['Content-Type'] = contentType
  return texts
}

function checkedName(name: string, at: SourceLocation): string {
  if (/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) return name
  throw new ConnectorError('request/invalid-header', `\`${name}\` is no name for a header.`, { at })
}

/** RFC 9110 §5.5: no control characters, no space at either end. */
function checkedValue(name: string, value: string, at: SourceLocation): string {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value) && !/^\s/.test(value)) return value
  throw new ConnectorError(
    'request/invalid-header',
    `The header \`${name}\` would carry characters that headers cannot.`,
    { at },
  )
}
