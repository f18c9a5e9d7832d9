/** The request of one page or of an auxiliary step: what `request/` makes and `response/` sends. */
import type { PageAction } from '../plan/error-handler.ts'

export type HttpRequest = {
  readonly method: string
  /** Absolute, query included. */
  readonly url: string
  /** Names as authored; one entry per name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** An address of the origin that credentials belong to, where `url` may be a link to another one. */
  readonly home?: string
  /** The body of a successful response is read as it arrives: it may be larger than memory. */
  readonly streams?: true
  /** What the sender can do with its pages: a response that asks for it is returned, marked `asks`. */
  readonly mayAsk?: readonly PageAction[]
  /** The page may not be wanted: one try, and whatever is not accepted is an error that is not reported. */
  readonly isAhead?: true
  /** Parameters left out because the address has another origin. */
  readonly withheld?: readonly string[]
  /** How long the server may be silent, where the manifest says so. */
  readonly silenceMs?: number
  /** Why it is sent; absent for a page of the stream that is read. */
  readonly purpose?: Purpose
}

/** Why a request that is not a page of the stream is sent. */
export type Purpose =
  | { readonly kind: 'parent'; readonly stream: string }
  | { readonly kind: 'token' }
  | { readonly kind: 'job'; readonly step: 'create' | 'poll' | 'list' | 'abort' | 'delete' }
  /** Which streams, fields or columns there are. */
  | { readonly kind: 'lookup' }

/** Takes the place of the credential: a page shows its request as sent, with this mark instead of the secret. */
export const credentialMark = '****'

/** The same request with one more header; an equal name in any case is replaced. */
export function withHeader(request: HttpRequest, name: string, value: string): HttpRequest {
  const { headers } = withoutHeader(request, name)
  return { ...request, headers: { ...headers, [name]: value } }
}

export function withoutHeader(request: HttpRequest, name: string): HttpRequest {
  const others = Object.entries(request.headers).filter(([known]) => known.toLowerCase() !== name.toLowerCase())
  return { ...request, headers: Object.fromEntries(others) }
}
