/** A response as it was received: the value that `send.ts` makes. */
import type { ParsedJson } from '../../std/json.ts'
import type { PageAction } from '../plan/error-handler.ts'
import type { HttpRequest, Purpose } from '../request/http-request.ts'

export type HttpResponse = {
  readonly status: number
  /** The address of the response, after redirects. */
  readonly url: string
  /** Lower-case names; several values of one name joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** The lines of `Set-Cookie`, which cannot be joined. */
  readonly cookies?: readonly string[]
  /** The whole body, decompressed; empty when it comes as a stream. */
  readonly body: Uint8Array
  /** The body as it arrives, where the request has `streams` and succeeded. */
  readonly stream?: BodyStream
  /** A rule of the manifest ignores it: no records, and no page after this one. */
  readonly isIgnored?: true
  /** A rule of the manifest accepts it although the list of records is not there. */
  readonly lacksList?: true
  /** What a rule of the manifest asks of the reader of the pages, and the words for it. */
  readonly asks?: { readonly action: PageAction; readonly reason: string }
  /**
   * What this body was parsed to, by a rule that looked at it before the read did. Here rather than in a WeakMap, which
   * would keep pages alive that a quick collection could free.
   */
  peeked?: { readonly body: Uint8Array; readonly decoded: ParsedJson }
}

export type BodyStream = {
  /** Decompressed; can be read once. A connection that breaks is an error, never an end. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** Ends the exchange; the rest is not read. */
  readonly discard: () => void
}

/** One request, one response. Wrappers of this shape add signing, redirects, retries. */
export type Send = (request: HttpRequest, signal: AbortSignal) => Promise<HttpResponse>

/** A purpose set closer to the request stays: the token of a parent stream is a token. */
export function withPurpose(send: Send, purpose: Purpose): Send {
  return (request, signal) => send({ purpose, ...request }, signal)
}
