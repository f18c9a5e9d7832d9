/** What a connector's own class asks for → the answer, by the way all requests of its stream go. */
import { ConnectorError } from '../../std/errors.ts'
import { type ParsedJson, plainNumbers, stringifyJson } from '../../std/json.ts'
import { type HttpRequest, withHeader } from '../request/http-request.ts'
import { resolveUrl, withQuery } from '../request/url.ts'
import { peekOrNothing } from '../response/decode.ts'
import type { Slice } from '../slices/slice.ts'
import type { Answer } from './page.ts'
import type { FetchJson, FetchRequest } from './retriever.ts'
import type { OpenStream } from './stream.ts'

export type Exchange = { readonly answer: Answer; readonly decoded: ParsedJson }

export type OpenFetch = {
  readonly fetchJson: FetchJson
  /** The last exchange since it was asked for before; null when there was none. */
  readonly takeLast: () => Exchange | null
}

export function openFetch(stream: OpenStream, slice: Slice, signal: AbortSignal): OpenFetch {
  const { plan, send, now } = stream
  let last: Exchange | null = null
  // A retriever without a requester has no address of its own.
  const own = () =>
    plan.retriever?.fields.requester === undefined ? null : stream.build(stream.requestInput(slice, null))

  const fetchJson: FetchJson = async (wanted = {}) => {
    const request = requestFor(await own(), wanted, stream)
    const askedAt = now()
    const response = await send(request, signal)
    const decoded = response.isIgnored ? peekOrNothing(response) : await stream.decoder.whole(response)
    last = { answer: { token: null, request, response, askedAt, tookMs: now() - askedAt }, decoded }
    const { status, url, headers } = response
    return { status, url, headers, body: decoded.hasFloats ? plainNumbers(decoded.value) : decoded.value }
  }
  return {
    fetchJson,
    takeLast: () => {
      const taken = last
      last = null
      return taken
    },
  }
}

function requestFor(own: HttpRequest | null, wanted: FetchRequest, { plan }: OpenStream): HttpRequest {
  if (own === null && wanted.url === undefined) throw nowhereToAsk(plan.name, plan.retriever?.at)
  const home = own === null ? undefined : (own.home ?? own.url)
  const url = wanted.url === undefined ? (own?.url ?? '') : resolveUrl(wanted.url, home, plan.retriever?.at)
  const pairs = Object.entries(wanted.query ?? {}).map(([name, value]) => [name, String(value)] as const)
  const asked: HttpRequest = {
    method: (wanted.method ?? own?.method ?? 'GET').toUpperCase(),
    url: withQuery(url, pairs),
    headers: own?.headers ?? {},
    body: wanted.json === undefined ? (own?.body ?? null) : stringifyJson(wanted.json),
    ...(home !== undefined && { home }),
  }
  const typed = wanted.json === undefined ? asked : withHeader(asked, 'Content-Type', 'application/json')
  return Object.entries(wanted.headers ?? {}).reduce((grown, [name, value]) => withHeader(grown, name, value), typed)
}

function nowhereToAsk(name: string, at: { pointer: string } | undefined): ConnectorError {
  const message = `The retriever of stream "${name}" asks without an address, and the manifest gives it no \`requester\`.`
  return new ConnectorError('request/invalid-url', message, { at, hint: 'Give `fetchJson` a `url`.' })
}
