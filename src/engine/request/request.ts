/** Plan + slice + page token → the request of one page, unsigned. */
import type { SourceLocation } from '../../errors.ts'
import type { Config, RequesterPlan } from '../plan/plan.ts'
import { sliceForTemplates, type Slice } from '../slices/slice.ts'
import type { Scope } from '../template/template.ts'
import { pythonText } from '../template/text.ts'
import { buildBody } from './body.ts'
import { isCredentialName } from './credential-names.ts'
import { evaluateFields } from './fields.ts'
import { headersOf } from './headers.ts'
import type { HttpRequest } from './http-request.ts'
import { mergeNamed, sourcedAs, type Sourced } from './merge.ts'
import { sameOrigin } from './origin.ts'
import { type PageToken, tokenValue } from './page-token.ts'
import { markedCredential, pairsOf, type Placed, placedInto } from './placement.ts'
import { joinUrl, queryOf, withQuery } from './url.ts'

export type RequestInput = {
  readonly requester: RequesterPlan
  /** Whom to name when something is wrong with the request. */
  readonly at: SourceLocation
  readonly config: Config
  readonly slice: Slice
  readonly token: PageToken | null
  /** What paging and the slice put into the request, besides what the author wrote. */
  readonly placed: readonly Placed[]
  /** Further names that the request's templates may use: `creation_response`. */
  readonly names?: Scope
  /** Origins besides the stream's own that its credentials may go to. */
  readonly trustedOrigins: readonly string[]
}

/** The request that asks for one page. The place of the credential is marked, not filled: see auth.ts. */
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
    // Airbyte: what a parent tells besides is a name of its own.
    ...slice.extra,
    ...names,
    config,
    parameters: requester.parameters,
    stream_slice: sliceForTemplates(slice),
    next_page_token: token === null ? null : { next_page_token: tokenValue(token) },
  }
}

type Address = Pick<HttpRequest, 'url' | 'home' | 'withheld'>

function addressOf(input: RequestInput, scope: Scope, query: readonly Sourced<unknown>[]): Address {
  const { requester, at, token } = input
  const pairs = query.flatMap((parameter) => pairsOf(parameter, at))
  if (token?.url !== undefined) {
    const { url: link } = token
    const home = homeOf(input)
    // The link's own value wins: a parameter it already has is not sent twice. A credential stays at home.
    const own = new URL(link).searchParams
    const isAway = ![home, ...input.trustedOrigins].some((origin) => sameOrigin(origin, link))
    const missing = pairs.filter(([name]) => !own.has(name))
    const withheld = isAway ? missing.map(([name]) => name).filter(isCredentialName) : []
    const sent = missing.filter(([name]) => !withheld.includes(name))
    return { url: withQuery(link, sent), home, ...(withheld.length > 0 && { withheld }) }
  }
  const url = authoredUrl(input, scope)
  // Airbyte: a parameter that the path already holds with the same value is not repeated.
  const own = queryOf(url)
  const missing = pairs.filter(([name, value]) => own.get(name) !== value)
  return { url: withQuery(url, missing), home: readsToken(requester) ? homeOf(input) : url }
}

function authoredUrl({ requester: { base, path }, at }: RequestInput, scope: Scope): string {
  return joinUrl(pythonText(base.evaluate(scope)), path === null ? '' : pythonText(path.evaluate(scope)), at)
}

function readsToken({ base, path }: RequesterPlan): boolean {
  return base.names.has('next_page_token') || (path?.names.has('next_page_token') ?? false)
}

/** Where credentials belong: the address as the author wrote it, with nothing in it that an answer said. */
function homeOf(input: RequestInput): string {
  const { requester, at } = input
  const scope = requestScope({ ...input, token: null })
  try {
    return authoredUrl(input, scope)
  } catch (error) {
    // A path that cannot do without a token: the base alone says whose it is.
    if (requester.path === null) throw error
    return joinUrl(pythonText(requester.base.evaluate(scope)), '', at)
  }
}
