/** One request that somebody made by hand, as parts: what a connector is made from. */
import { isUrl } from '../is-url.ts'

export type Pair = readonly [name: string, value: string]

export type GivenRequest = {
  readonly method: string
  /** `https://api.example.com`, without what follows it. */
  readonly origin: string
  readonly path: string
  readonly query: readonly Pair[]
  readonly headers: readonly Pair[]
  readonly body: GivenBody | null
  /** `name:password`, from the command line or the address. */
  readonly user: string | null
  /** What of the request could not be taken along, in words. */
  readonly notes: readonly string[]
}

export type GivenBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly pairs: readonly Pair[] }
  | { readonly kind: 'text'; readonly text: string }

export type AddressParts = Pick<GivenRequest, 'origin' | 'user' | 'path' | 'query'>

/** Read by hand: `URL` would write templates and placeholders of the path in its own way. */
export function addressParts(address: string): AddressParts | null {
  const [, scheme = 'https', rest = ''] = /^(?:([a-z][\w+.-]*):\/\/)?(.*)$/is.exec(address.trim()) ?? []
  const [, user, host, path = '', query = ''] = /^(?:([^/?#@]*)@)?([^/?#\s]+)([^?#]*)(?:\?([^#]*))?/.exec(rest) ?? []
  if (!/^https?$/i.test(scheme) || host === undefined || !isUrl(`${scheme}://${host}`)) return null
  return {
    origin: `${scheme.toLowerCase()}://${host.toLowerCase()}`,
    user: user === undefined ? null : decoded(user),
    path: path === '/' ? '' : path,
    query: pairsOf(query),
  }
}

export function pairsOf(text: string): Pair[] {
  return [...new URLSearchParams(text)].map(([name, value]) => [name, value] as const)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
