/**
 * A network that puts secrets into requests as they leave, only to the origins they were allowed for, and takes them out of the
 * responses. Nothing above it, templates and custom classes included, ever sees a value.
 */
import type { HttpRequest } from '../../engine/request/http-request.ts'
import type { HttpResponse } from '../../engine/response/http-response.ts'
import { ConnectorError, type ErrorCode } from '../../std/errors.ts'
import { asItIs, type WrapNetwork } from '../wrap-network.ts'

/** A secret, and where it may be sent. */
export type BoundSecret = {
  readonly name: string
  /** What it is called in messages; `${NAME}` unless given. */
  readonly title?: string
  readonly value: string
  /** As `URL.origin` writes them. */
  readonly origins: readonly string[]
}

/** Shorter values could not be hidden in responses without hiding other text, too. */
export const shortestHidden = 8

/** Only characters that URLs, forms, JSON and headers leave as they are. */
export function markerOf({ name }: Pick<BoundSecret, 'name'>): string {
  return `turnleaf-secret.${name}.reference`
}

/** @param code of the error for a request to another origin. */
export function withSecrets(secrets: readonly BoundSecret[], code: ErrorCode = 'mcp/secret-elsewhere'): WrapNetwork {
  if (secrets.length === 0) return asItIs
  return (network) => ({
    ...network,
    async send(request, signal) {
      const used = secrets.filter((secret) => mentions(request, secret))
      if (used.length === 0) return hideIn(await network.send(request, signal), secrets)
      refuseOtherOrigins(used, request.url, code)
      const filled = used.reduce(fillRequest, request)
      const response = await network.send(filled, signal)
      return hideIn({ ...response, url: request.url }, secrets, filledPairs(request, filled))
    },
  })
}

function mentions({ url, headers, body }: HttpRequest, secret: BoundSecret): boolean {
  const marker = markerOf(secret)
  const isIn = (text: string) => text.includes(marker)
  return (
    isIn(url) || (body !== null && isIn(body)) || Object.values(headers).some((one) => isIn(one) || isIn(pairIn(one)))
  )
}

/**
 * For values that templates can see: no request to another origin at all, since a manifest can write a value in ways in which it
 * is not recognized.
 */
export function onlyToOrigins(secrets: readonly Omit<BoundSecret, 'value'>[], code: ErrorCode): WrapNetwork {
  if (secrets.length === 0) return asItIs
  return (network) => ({
    ...network,
    async send(request, signal) {
      refuseOtherOrigins(secrets, request.url, code)
      return network.send(request, signal)
    },
  })
}

function refuseOtherOrigins(secrets: readonly Omit<BoundSecret, 'value'>[], url: string, code: ErrorCode): void {
  const origin = URL.canParse(url) ? new URL(url).origin : url
  for (const { name, title = `\${${name}}`, origins } of secrets) {
    if (origins.includes(origin)) continue
    const allowed = origins.length === 0 ? 'no address yet' : `${origins.join(', ')} only`
    const message = `${title} would be sent to ${origin}, but may be sent to ${allowed}. Nothing was sent.`
    throw new ConnectorError(code, message)
  }
}

function fillRequest(request: HttpRequest, secret: BoundSecret): HttpRequest {
  const marker = markerOf(secret)
  const { value } = secret
  const headers = Object.entries(request.headers).map(([name, text]): [string, string] => {
    const pair = pairIn(text)
    // Basic authentication is the one place where the marker itself is encoded.
    if (pair.includes(marker)) return [name, `Basic ${base64(pair.replaceAll(marker, () => value))}`]
    return [name, text.replaceAll(marker, () => value)]
  })
  const url = request.url.replaceAll(marker, () => encodeURIComponent(value))
  return { ...request, url, headers: Object.fromEntries(headers), body: fillBody(request, marker, value) }
}

function fillBody({ headers, body }: HttpRequest, marker: string, value: string): string | null {
  if (body === null) return null
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const isForm = type.includes('x-www-form-urlencoded')
  const written = isForm
    ? encodeURIComponent(value)
    : type.includes('json')
      ? JSON.stringify(value).slice(1, -1)
      : value
  return body.replaceAll(marker, () => written)
}

/** `user:password` of a header for basic authentication; otherwise empty. */
function pairIn(header: string): string {
  const [, encoded] = /^basic ([A-Za-z\d+/]+=*)$/i.exec(header) ?? []
  return encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString()
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

type Spelled = { readonly found: string; readonly shown: string }

/** An API that sends back how one signed in: the value is in the middle of what is encoded. */
function filledPairs(request: HttpRequest, filled: HttpRequest): Spelled[] {
  const encodedIn = (header = '') => header.replace(/^basic +/i, '')
  return Object.entries(request.headers).flatMap(([name, text]) => {
    const found = encodedIn(filled.headers[name])
    return pairIn(text) === '' || found === encodedIn(text) ? [] : [{ found, shown: encodedIn(text) }]
  })
}

/** As JSON, with the slashes that PHP escapes, in addresses, in forms, and in base64. */
function spellings(value: string): ReadonlySet<string> {
  const json = JSON.stringify(value).slice(1, -1)
  const form = new URLSearchParams({ value }).toString().slice('value='.length)
  return new Set([value, json, json.replaceAll('/', String.raw`\/`), encodeURIComponent(value), form, base64(value)])
}

type Hiding = readonly { readonly found: Buffer; readonly shown: Buffer }[]

function hideIn(response: HttpResponse, secrets: readonly BoundSecret[], pairs: readonly Spelled[] = []): HttpResponse {
  const values = secrets.flatMap((secret) =>
    [...spellings(secret.value)].map((found) => ({ found, shown: markerOf(secret) })),
  )
  // Longest first: where one secret is the beginning of another, the whole is hidden.
  const hiding: Hiding = [...pairs, ...values]
    .map(({ found, shown }) => ({ found: Buffer.from(found), shown: Buffer.from(shown) }))
    .toSorted((one, other) => other.found.length - one.found.length)
  const text = (given: string) => hideBytes(Buffer.from(given), hiding).toString()
  const { headers, cookies, body, stream } = response
  return {
    ...response,
    headers: Object.fromEntries(Object.entries(headers).map(([name, one]) => [name, text(one)])),
    ...(cookies !== undefined && { cookies: cookies.map(text) }),
    body: hideBytes(body, hiding),
    ...(stream !== undefined && { stream: { ...stream, chunks: hideChunks(stream.chunks, hiding) } }),
  }
}

function hideBytes(bytes: Uint8Array, hiding: Hiding): Buffer {
  let left = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const { found, shown } of hiding) {
    const parts: Buffer[] = []
    let from = 0
    for (let at = left.indexOf(found); at !== -1; at = left.indexOf(found, from)) {
      parts.push(left.subarray(from, at), shown)
      from = at + found.length
    }
    if (parts.length > 0) left = Buffer.concat([...parts, left.subarray(from)])
  }
  return left
}

/** A secret may be in two chunks: the end of each waits for the next one. */
async function* hideChunks(chunks: AsyncIterable<Uint8Array>, hiding: Hiding): AsyncGenerator<Uint8Array> {
  const longest = Math.max(...hiding.map(({ found }) => found.length))
  let kept: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const joined = hideBytes(Buffer.concat([kept, chunk]), hiding)
    const passed = Math.max(0, joined.length - longest + 1)
    if (passed > 0) yield joined.subarray(0, passed)
    kept = joined.subarray(passed)
  }
  if (kept.length > 0) yield kept
}
