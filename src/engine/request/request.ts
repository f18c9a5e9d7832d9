/** Plan + slice + page token → the request of one page, unsigned. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import type { Config } from '../plan/plan.ts'
import type { RequesterPlan } from '../plan/requester.ts'
import { type Slice, isOfParent, sliceForTemplates } from '../slices/slice.ts'
import type { Scope } from '../template/template.ts'
import { isTruthy, pythonText } from '../template/text.ts'
import { isCredentialName } from '../secrets/credential-names.ts'
import { type SettledBody, evaluateBodyText, evaluateFields, evaluateJson, settleBody } from './fields.ts'
import { headersOf } from './headers.ts'
import type { HttpRequest } from './http-request.ts'
import { type JsonObject, type Sourced, mergeJson, mergeNamed, nest, sourcedAs } from './merge.ts'
import { type QueryPair, encodePairs, isPreSigned, joinUrl, queryOf, resolveUrl, sameOrigin, withQuery } from './url.ts'
import { type PageToken, tokenValue } from './page-token.ts'
import { type PlacedValue, markedCredential, pairsOf, placedInto } from './placement.ts'
import { encodeJson } from './encode-json.ts'

export type RequestInput = {
  readonly requester: RequesterPlan
  /** What to name when something is wrong with the request. */
  readonly at: SourceLocation
  readonly config: Config
  readonly slice: Slice
  readonly token: PageToken | null
  /** What pagination and the slice add to what the author wrote. */
  readonly placed: readonly PlacedValue[]
  /** Values of earlier responses, by their name in templates: `creation_response`. Credentials do not follow them. */
  readonly names?: Scope
  /** Where credentials belong when the address comes from a response alone. */
  readonly home?: string
  /** Other origins that the stream's credentials may be sent to. */
  readonly trustedOrigins: readonly string[]
}

/** The request of one page. The credential is a marker that is replaced when the request is signed: see `auth/sign-request.ts`. */
export function buildRequest(input: RequestInput): HttpRequest {
  const { requester, at } = input
  const scope = requestScope(input)
  // In the order Airbyte sends them.
  const placed = [...markedCredential(requester.auth), ...input.placed]

  const ownQuery = sourcedAs('request_parameters', evaluateFields(requester.query, scope, 'param'))
  const query = mergeNamed([...ownQuery, ...placedInto(placed, 'query')], 'the query parameter', at)
  const ownHeaders = sourcedAs('request_headers', evaluateFields(requester.headers, scope, 'header'))
  const headers = mergeNamed([...ownHeaders, ...placedInto(placed, 'header')], 'the header', at)
  const body = buildBody(input, scope, placed)

  return {
    method: requester.method,
    ...addressOf(input, scope, query),
    headers: headersOf(headers, body?.contentType ?? null, at),
    body: body?.text ?? null,
  }
}

/** What the templates of this request may use. */
export function requestScope({ requester, config, slice, token, names }: RequestInput): Scope {
  return {
    // Airbyte: each extra field of a parent is a name of its own.
    ...slice.extra,
    ...names,
    config,
    parameters: requester.parameters,
    // Airbyte: values of responses are among the slice's extra fields too.
    stream_slice: sliceForTemplates(names === undefined ? slice : { ...slice, extra: { ...slice.extra, ...names } }),
    next_page_token: token === null ? null : { next_page_token: tokenValue(token) },
  }
}

type Address = Pick<HttpRequest, 'url' | 'home' | 'withheld'>

function addressOf(input: RequestInput, scope: Scope, query: readonly Sourced<unknown>[]): Address {
  const { requester, at } = input
  const pairs = query.flatMap((parameter) => pairsOf(parameter, at))
  const link = linkOf(input, scope)
  if (link !== null) {
    // A signature covers the whole address: nothing may be added to it.
    if (isPreSigned(link)) return awayOrAtHome(input, homeOf(input), link, [])
    // The link's own value wins: a parameter it already has is not sent twice.
    const own = new URL(link).searchParams
    const missing = pairs.filter(([name]) => !own.has(name))
    return awayOrAtHome(input, homeOf(input), link, missing)
  }
  const url = authoredUrl(input, scope)
  // Airbyte: a parameter that the path already holds with the same value is not repeated.
  const own = queryOf(url)
  const missing = pairs.filter(([name, value]) => own.get(name) !== value)
  const mayFollowResponses = readsToken(requester) || input.names !== undefined || readsParent(input)
  return mayFollowResponses
    ? awayOrAtHome(input, homeOf(input), url, missing)
    : { url: withQuery(url, missing), home: url }
}

/** The address in the page token, where it is placed into the path; null where it is placed elsewhere. */
function linkOf(input: RequestInput, scope: Scope): string | null {
  const { requester, token, placed, at } = input
  if (token === null) return null
  if (token.url !== undefined) return token.url
  const isPath = placed.some(({ source, placement }) => source === 'page_token_option' && placement.into === 'path')
  const value = tokenValue(token)
  // Airbyte: a token of 0 or '' leaves the path as it is written.
  if (!isPath || !isTruthy(value)) return null
  const base = pythonText(requester.base.evaluate(scope))
  const path = pythonText(value)
  // Without a base the path of the stream is its whole address.
  return base === '' ? resolveUrl(path, homeOf(input), at) : joinUrl(base, path, at)
}

/** A credential is never sent to another origin. */
function awayOrAtHome(
  { trustedOrigins }: RequestInput,
  home: string,
  url: string,
  pairs: readonly QueryPair[],
): Address {
  const isAway = ![home, ...trustedOrigins].some((origin) => sameOrigin(origin, url))
  const withheld = isAway ? pairs.map(([name]) => name).filter(isCredentialName) : []
  const sent = pairs.filter(([name]) => !withheld.includes(name))
  return { url: withQuery(url, sent), home, ...(withheld.length > 0 && { withheld }) }
}

function authoredUrl({ requester: { base, path }, at }: RequestInput, scope: Scope): string {
  return joinUrl(pythonText(base.evaluate(scope)), path === null ? '' : pythonText(path.evaluate(scope)), at)
}

function readsToken({ base, path }: RequesterPlan): boolean {
  return base.names.has('next_page_token') || (path?.names.has('next_page_token') ?? false)
}

/** Whether values of a parent's record are in the address. */
function readsParent({ requester: { base, path }, slice }: RequestInput): boolean {
  if (!isOfParent(slice)) return false
  const said = ['stream_slice', 'stream_partition', ...Object.keys(slice.extra ?? {})]
  return [base, path].some((template) => template !== null && said.some((name) => template.names.has(name)))
}

/** Where credentials belong: the address as the author wrote it, without values from responses. */
function homeOf(input: RequestInput): string {
  const { requester, at } = input
  if (readsParent(input)) return homeOfAuthor(input)
  const { names: _said, ...own } = input
  const scope = requestScope({ ...own, token: null })
  // Where the path needs a value of a response, the base alone decides.
  const ways = [
    () => authoredUrl(input, scope),
    () => joinUrl(pythonText(requester.base.evaluate(scope)), '', at),
    ...(input.home === undefined ? [] : [() => input.home as string]),
  ]
  return firstThatWorks(ways)
}

/** A record may name any address: the credentials stay with the host that the author wrote. */
function homeOfAuthor(input: RequestInput): string {
  const { requester, at, slice } = input
  const { names: _said, ...own } = input
  const baseWith = (filler: string) => {
    const fill = (values: object = {}) => Object.fromEntries(Object.keys(values).map((name) => [name, filler]))
    const filled = { ...slice, partition: fill(slice.partition), extra: fill(slice.extra) }
    return joinUrl(pythonText(requester.base.evaluate(requestScope({ ...own, token: null, slice: filled }))), '', at)
  }
  const ways = [
    () => {
      const [one, other] = ['', 'x'].map(baseWith)
      if (one === undefined || other === undefined || !sameOrigin(one, other)) throw new RangeError('the host is read')
      return one
    },
    // `https://api.shop.example{{ stream_partition.uri }}`
    () => joinUrl(/^https?:\/\/[^/{}]+\.[a-z0-9:]+(?=\{\{)/i.exec(requester.base.source)?.[0] ?? '', '', at),
    ...(input.home === undefined ? [] : [() => input.home as string]),
    () => authoredUrl(input, requestScope(input)),
  ]
  return firstThatWorks(ways)
}

function firstThatWorks<T>([way, ...others]: readonly (() => T)[]): T {
  if (way === undefined) throw new RangeError('there is no way')
  try {
    return way()
  } catch (error) {
    if (others.length === 0) throw error
    return firstThatWorks(others)
  }
}

/** Whose body it is, and what to name when it cannot be built. */
type Author = { readonly requester: RequesterPlan; readonly at: SourceLocation }

type Body = { readonly text: string; readonly contentType: string | null }

function buildBody({ requester, at }: Author, scope: Scope, placed: readonly PlacedValue[]): Body | null {
  const body = settleBody(requester.body, scope)
  const json = jsonOf(body, at, scope, placed)
  const form = formOf(body, at, scope, placed)
  const text = body.kind === 'text' ? evaluateBodyText(body.value, scope) : ''

  const kinds = [...(json === null ? [] : ['JSON']), ...(form.length > 0 ? ['form'] : []), ...(text ? ['text'] : [])]
  if (kinds.length > 1) {
    const message = `The request would have a ${kinds.join(' and a ')} body.`
    throw new ConnectorError('request/two-bodies', message, { at })
  }
  if (json !== null) return { text: encodeJson(json, at), contentType: 'application/json' }
  if (text !== '') return { text, contentType: null }
  if (form.length === 0) return null
  const pairs = form.flatMap((field) => pairsOf(field, at))
  return { text: encodePairs(pairs), contentType: 'application/x-www-form-urlencoded' }
}

function jsonOf(
  body: SettledBody,
  at: SourceLocation,
  scope: Scope,
  placed: readonly PlacedValue[],
): JsonObject | null {
  const own = body.kind === 'json' ? evaluateJson(body.value, scope, at) : {}
  const injected = placed.flatMap(({ source, placement, value }) =>
    placement.into === 'json' ? [{ source, value: nest(placement.path, value) }] : [],
  )
  const merged = injected.length === 0 ? own : mergeJson([{ source: 'request body', value: own }, ...injected], at)
  return Object.keys(merged).length === 0 ? null : merged
}

function formOf(
  body: SettledBody,
  at: SourceLocation,
  scope: Scope,
  placed: readonly PlacedValue[],
): Sourced<unknown>[] {
  const own = body.kind === 'form' ? evaluateFields(body.fields, scope, 'param') : []
  return mergeNamed([...sourcedAs('request body', own), ...placedInto(placed, 'form')], 'the form field', at)
}
