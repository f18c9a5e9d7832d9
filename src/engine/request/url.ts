/** Base, path and query → one address, spelt the way Python's `requests` spells it. */
import { isUrl } from '../../std/text/is-url.ts'
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import { credentialMark } from './http-request.ts'

/** The author's address: `url_base` and `path` joined. */
export function joinUrl(base: string, path: string, at?: SourceLocation): string {
  if (latest.base !== base || latest.path !== path) latest = { base, path, url: join(base, path, at) }
  return latest.url
}

/** Nearly all pages of a read have the same address but for the query, and parsing it takes longer than the rest of a request. */
let latest: { base: string | null; path: string; url: string } = { base: null, path: '', url: '' }

function join(base: string, path: string, at: SourceLocation | undefined): string {
  const trimmed = path.trimStart().replace(/^\/+/, '')
  // Airbyte: without a path the base is used as written, with or without a trailing slash.
  if (trimmed === '') return absoluteUrl(base, undefined, at)
  // Airbyte: without a base the path is the whole address.
  if (base === '') return absoluteUrl(trimmed, undefined, at)
  const home = base.endsWith('/') ? base : `${base}/`
  if (/^https?:/i.test(trimmed)) return absoluteUrl(trimmed, home, at)
  // WHATWG takes a backslash for a slash, so that an id of a record could lead elsewhere; Python encodes it.
  return withoutEmptyParts(absoluteUrl(withWholeEscapes(trimmed).replaceAll('\\', '%5C'), home, at))
}

/** Python's `urljoin` drops the empty parts of a path that it joins: `groups//1` asks for `groups/1`. */
function withoutEmptyParts(address: string): string {
  if (!address.includes('//', 'https://'.length)) return address
  const url = new URL(address)
  if (url.pathname.includes('//')) url.pathname = url.pathname.replaceAll(/\/{2,}/g, '/')
  return url.href
}

/** A next link, absolute or relative to the page that named it. A pre-signed one keeps every character: its signature covers them. */
export function resolveUrl(link: string, from: string | undefined, at?: SourceLocation): string {
  if (/^https?:\/\//i.test(link) && isUrl(link) && isPreSigned(link)) return link.replace(/#.*$/s, '')
  return absoluteUrl(link, from, at)
}

/**
 * Whether a link is a path that starts neither at the root of the host nor at the page: `6/info.0.json`. Airbyte joins
 * such a path to `url_base`.
 */
export function isBarePath(link: string): boolean {
  return !/^\s*([/?\\]|[a-z][a-z0-9+.-]*:)/i.test(link)
}

function absoluteUrl(text: string, base: string | undefined, at: SourceLocation | undefined): string {
  // WHATWG drops spaces at the end; Python sends them.
  const kept = withWholeEscapes(text).replace(/ +$/, (spaces) => '%20'.repeat(spaces.length))
  const url = parsed(kept, base)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    const shown = base === undefined ? text : `${base} + ${text}`
    throw new ConnectorError('request/invalid-url', `\`${shown.slice(0, 200)}\` is not an http or https URL.`, {
      at,
    })
  }
  if (url.hash !== '') url.hash = ''
  // Python's requests takes `//` at the start of a path for `/`.
  if (url.pathname.startsWith('//')) url.pathname = url.pathname.replace(/^\/+/, '/')
  if (url.pathname.search(leftAlone) !== -1) url.pathname = url.pathname.replace(leftAlone, encodeURIComponent)
  return withPlainEscapes(url.href)
}

/** Python's `requests`: no escape for letters, digits and `-._~`, and capital letters in every other. A signature covers each character. */
function withPlainEscapes(address: string): string {
  if (!otherEscape.test(address) || isPreSigned(address)) return address
  return address.replaceAll(/%[\da-f]{2}/gi, (escape) => {
    const sign = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
    return /[\w.~-]/.test(sign) ? sign : escape.toUpperCase()
  })
}

/** Of a letter, a digit or one of `-._~`, or with a small letter. */
const otherEscape = /%(?:2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E|[\dA-F]?[a-f])/

/** Python's urllib3: if one percent sign of a path begins no escape (`50% off`), all of its percent signs are letters. The same in a query. */
function withWholeEscapes(text: string): string {
  if (!barePercent.test(text)) return text
  const query = text.indexOf('?')
  const parts = query === -1 ? [text] : [text.slice(0, query), text.slice(query)]
  return parts.map((part) => (barePercent.test(part) ? part.replaceAll('%', '%25') : part)).join('')
}

const barePercent = /%(?![\da-f]{2})/i

/** Signs that WHATWG leaves as they are in a path and Python's urllib3 encodes. */
const leftAlone = /[[\]^|"{}]/g

function parsed(text: string, base: string | undefined): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

export type QueryPair = readonly [name: string, value: string]

/** Adds pairs to whatever query the address already has. */
export function withQuery(url: string, pairs: readonly QueryPair[]): string {
  if (pairs.length === 0) return url
  return `${url}${separatorAfter(url)}${encodePairs(pairs)}`
}

/** What joins more parameters to an address. */
export function separatorAfter(url: string): '?' | '&' | '' {
  if (/[?&]$/.test(url)) return ''
  return url.includes('?') ? '&' : '?'
}

export function encodePairs(pairs: readonly QueryPair[]): string {
  return pairs.map(([name, value]) => `${encodeForm(name)}=${encodeValue(value)}`).join('&')
}

/** The mark stays readable: pages show it. */
function encodeValue(value: string): string {
  return value === credentialMark ? value : encodeForm(value)
}

/** As an HTML form encodes, and Python's `quote_plus`: a space is `+`, only `-._~` and alphanumerics stay. */
export function encodeForm(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

/** First value of each name in the address's own query. Airbyte: blank values do not count. */
export function queryOf(url: string): ReadonlyMap<string, string> {
  const own = new Map<string, string>()
  if (!url.includes('?')) return own
  for (const [name, value] of new URL(url).searchParams) {
    if (value !== '' && !own.has(name)) own.set(name, value)
  }
  return own
}

/** `X-Amz-Signature`, `X-Goog-Signature`, `sig` (Azure), `Signature` (CloudFront, older S3). */
const signatureName = /^(x-[a-z]+-signature|signature|sig)$/i

/** @example isPreSigned('https://files.test/x?Expires=1&Signature=abc') // true */
export function isPreSigned(url: string): boolean {
  const start = url.indexOf('?')
  if (start === -1) return false
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    if (value !== '' && signatureName.test(name)) return true
  }
  return false
}

/**
 * Scheme, host and port are equal; or the host is and http became https, both on their default ports.
 *
 * @example sameOrigin('http://api.shop/v1', 'https://api.shop/v2') // true
 */
export function sameOrigin(home: string, target: string): boolean {
  // Nearly every page: the addresses are equal up to the path.
  const path = home.indexOf('/', 'https://'.length)
  if (path !== -1 && /^https?:/.test(home) && target.startsWith(home.slice(0, path + 1))) return true
  if (!isUrl(home) || !isUrl(target)) return false
  const from = new URL(home)
  const to = new URL(target)
  // The origin of any scheme but http and https is the text "null", equal for all of them.
  if (from.origin === to.origin) return from.origin !== 'null'
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === ''
  return isUpgrade && from.hostname === to.hostname
}
