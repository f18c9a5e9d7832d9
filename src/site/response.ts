/** Status, fields and body → a response whose bytes are ready to be sent any number of times. */
import { createHash } from 'node:crypto'
import { type Coding, compress, isWorthCompressing } from './codings.ts'

export type SiteHeaders = Readonly<Record<string, string>>

export type SiteResponse = {
  readonly status: number
  /** Name, value, name, value: the form Node writes fastest. */
  readonly headers: string[]
  readonly body: Buffer
}

/** Everything here is public and free of credentials, so every page of every origin may read it. */
const everywhere: SiteHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'PAYMENT-REQUIRED, Link, ETag',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

export function answer(status: number, fields: SiteHeaders, body: string | Buffer): SiteResponse {
  const bytes = Buffer.from(body)
  return { status, headers: flat({ ...fields, 'Content-Length': String(bytes.length) }), body: bytes }
}

/** 204 and 304: they may not name a length. */
export function emptyResponse(status: number, fields: SiteHeaders): SiteResponse {
  return { status, headers: flat(fields), body: Buffer.alloc(0) }
}

function flat(fields: SiteHeaders): string[] {
  return Object.entries({ ...everywhere, ...fields }).flat()
}

/** The responses of one representation: for each coding, made when it is first requested. */
export type Representation = (coding: Coding | null) => {
  readonly whole: SiteResponse
  /** null when no copy can be current, as with the payment probe. */
  readonly kept: { readonly etag: string; readonly unchanged: SiteResponse } | null
}

/** RFC 9110 §15.4.5: what a 304 repeats, because caches renew it. */
const renewed = ['Cache-Control', 'Content-Location', 'Link', 'Vary']

/** Five minutes, as the payment discovery draft advises. */
const cacheControl = 'public, max-age=300'

export function represent(type: string, body: string | Buffer, fields: SiteHeaders = {}): Representation {
  const bytes = Buffer.from(body)
  const tag = tagOf(type, bytes)
  if (!isWorthCompressing(type, bytes))
    return once(() => current(bytes, `"${tag}"`, { 'Content-Type': type, ...fields }))
  const headers = {
    'Content-Type': type,
    ...fields,
    Vary: fields.Vary === undefined ? 'Accept-Encoding' : `${fields.Vary}, Accept-Encoding`,
  }
  const plain = once(() => current(bytes, `"${tag}"`, headers))
  const packed = (coding: Coding) =>
    once(() => current(compress(coding, bytes), `"${tag}-${coding}"`, { ...headers, 'Content-Encoding': coding }))
  const packings = { br: packed('br'), gzip: packed('gzip') }
  return (coding) => (coding === null ? plain() : packings[coding]())
}

function current(body: Buffer, etag: string, fields: SiteHeaders): ReturnType<Representation> {
  const headers = { ETag: etag, 'Cache-Control': cacheControl, ...fields }
  const repeated = Object.entries(headers).filter(([name]) => renewed.includes(name))
  const unchanged = emptyResponse(304, { ETag: etag, ...Object.fromEntries(repeated) })
  return { whole: answer(200, headers, body), kept: { etag, unchanged } }
}

/** What is never kept: a refusal, a probe. */
export function uncached(whole: SiteResponse): Representation {
  return () => ({ whole, kept: null })
}

/** For what takes time to make: nothing is made before it is requested. */
export function lazily(make: () => Representation): Representation {
  const made = once(make)
  return (coding) => made()(coding)
}

function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined
  return () => (made ??= { value: make() }).value
}

/** The type counts too: two representations never share a tag. */
function tagOf(type: string, body: Buffer): string {
  return createHash('sha256').update(type).update('\0').update(body).digest('base64url').slice(0, 27)
}

/** Weak comparison, as RFC 9110 §13.1.2 wants. A quote ends each tag, so finding ours anywhere means it was listed. */
export function isCurrent(etag: string, ifNoneMatch: string): boolean {
  return ifNoneMatch.includes(etag) || ifNoneMatch.trim() === '*'
}
