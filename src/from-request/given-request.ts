/** One request, in parts, that a connector is made from. */
import { isUrl } from '../std/text/is-url.ts'
import { isObject } from '../std/values/objects.ts'
import { percentDecode } from '../std/text/percent-decode.ts'

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
    user: user === undefined ? null : percentDecode(user),
    path: path === '/' ? '' : path,
    query: parsePairs(query),
  }
}

export function parsePairs(text: string): Pair[] {
  return [...new URLSearchParams(text)].map(([name, value]) => [name, value] as const)
}

const ofTheBrowser =
  /^(:|sec-|accept-(encoding|language|charset)$|connection$|host$|content-length$|origin$|referer$|dnt$|pragma$|cache-control$|upgrade-insecure-requests$|priority$|te$|if-(none-match|modified-since)$|x-client-data$|x-requested-with$)/i

export function keptHeaders(headers: readonly Pair[], hasTypedBody: boolean): readonly Pair[] {
  return headers.filter(([name, value]) => {
    if (ofTheBrowser.test(name)) return false
    if (/^user-agent$/i.test(name)) return !/^(Mozilla|curl)\//.test(value)
    if (/^accept$/i.test(name)) return !value.includes('*/*')
    // JSON and forms say so themselves.
    return !(hasTypedBody && /^content-type$/i.test(name))
  })
}

export function withoutPath(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || !isObject(value) || !Object.hasOwn(value, name)) return value
  const { [name]: member, ...others } = value
  return rest.length === 0 ? others : { ...value, [name]: withoutPath(member, rest) }
}
