/** What will be asked: the value that `request/` makes and `response/` sends. */
export type HttpRequest = {
  readonly method: string
  /** Absolute, query included. */
  readonly url: string
  /** Names as authored; one entry per name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** An address of the origin that credentials belong to, where `url` may be a link to another one. */
  readonly home?: string
  /** The body of a good answer is wanted as it arrives: it may be larger than memory. */
  readonly streams?: true
  /** The sender can start its pages again: a response that asks for it is returned, marked `asksReset`. */
  readonly mayReset?: true
  /** Parameters left out because the address is not at home. */
  readonly withheld?: readonly string[]
  /** What it is asked for; a page of the stream that is read, unless said. */
  readonly purpose?: Purpose
}

/** Why something besides the pages of a stream is asked for. */
export type Purpose =
  | { readonly kind: 'parent'; readonly stream: string }
  | { readonly kind: 'token' }
  | { readonly kind: 'job'; readonly step: 'create' | 'poll' | 'list' | 'abort' | 'delete' }
  /** Which streams, fields or columns there are. */
  | { readonly kind: 'lookup' }

/** Stands where the credential will: a page shows its request as sent, with this in the credential's place. */
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
