/** Credential × request → the signed request, or the same request without any trace of it. */
import { isPlainObject } from '../../std/values/objects.ts'
import { parseJson, stringifyJson } from '../../std/json.ts'
import { type AuthPlan, credentialPlacement } from './plan/authenticator.ts'
import type { Placement } from '../plan/plan.ts'
import type { Credentials } from './credentials.ts'
import { encodeJson } from '../request/encode-json.ts'
import { credentialMark, type HttpRequest, withHeader, withoutHeader } from '../request/http-request.ts'
import type { JsonObject } from '../request/merge.ts'
import { isPreSigned, encodeForm, encodePairs, separatorAfter } from '../request/url.ts'

/** The same request with the credential in place of its mark. */
export function authenticate(placement: Placement, secret: string, request: HttpRequest): HttpRequest {
  if (secret === '') return withoutCredential(placement, request)
  switch (placement.into) {
    case 'header':
      return withHeader(request, placement.name, secret)
    case 'query':
      return { ...request, url: signUrl(request.url, placement.name, secret) }
    case 'form':
      return { ...request, body: replaceMark(request.body ?? '', placement.name, secret) }
    case 'json':
      return { ...request, body: signJson(request.body, placement.path, secret) }
    case 'path':
      return request
  }
}

/**
 * A link or redirect may lack the mark, and then gets the credential at its end; one that the API wrote into it stays. A
 * pre-signed address is its own credential and is sent as it is.
 */
function signUrl(url: string, name: string, secret: string): string {
  const signed = replaceMark(url, name, secret)
  if (signed !== url || isPreSigned(url) || new URL(url).searchParams.has(name)) return signed
  return `${url}${separatorAfter(url)}${encodeForm(name)}=${encodeForm(secret)}`
}

function replaceMark(text: string, name: string, secret: string): string {
  const mark = markOf(name)
  return text
    .split(/(?<=[?&])|(?=&)/)
    .map((part) => (part === mark ? `${encodeForm(name)}=${encodeForm(secret)}` : part))
    .join('')
}

function markOf(name: string): string {
  return encodePairs([[name, credentialMark]])
}

function signJson(body: string | null, path: readonly string[], secret: string): string | null {
  return body === null ? null : changeMember(body, path, (holder, name) => (holder[name] = secret))
}

/** The body is text by now: the value at the path is changed and the rest written as it was. */
function changeMember(
  body: string,
  path: readonly string[],
  change: (holder: JsonObject, name: string) => void,
): string {
  const { value } = parseJson(body)
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((node, name) => (isPlainObject(node) ? node[name] : undefined), value)
  if (isPlainObject(holder)) change(holder, path.at(-1) ?? '')
  return encodeJson(value, { pointer: '' })
}

/**
 * A next link often repeats the key of its request: the mark replaces it, so that the page token can be shown and stored. What
 * a class signed that request with is left out: it does not fit the next one.
 */
export function unsignLink(credentials: Credentials, url: string): string {
  if (credentials.kind === 'added') return withoutPairs(url, credentials.isKnown)
  if (credentials.kind !== 'placed' || credentials.placement.into !== 'query') return url
  const { name } = credentials.placement
  const repeated = new URL(url).searchParams.get(name) ?? ''
  if (repeated === '' || !credentials.secret.isKnown(repeated)) return url
  return url.replace(/\?[^#]*/, (query) =>
    query.replace(/[^?&]+/g, (pair) => (new URLSearchParams(pair).has(name) ? markOf(name) : pair)),
  )
}

/** The address without some of its parameters; the others as they are written. */
export function withoutPairs(url: string, isUnwanted: (name: string, value: string) => boolean): string {
  const [address = '', query = ''] = url.split(/\?(.*)/s)
  const pairs = query.split('&')
  const kept = pairs.filter((pair) => ![...new URLSearchParams(pair)].some(([name, value]) => isUnwanted(name, value)))
  if (kept.length === pairs.length) return url
  return kept.length === 0 ? address : `${address}?${kept.join('&')}`
}

/** Whether a secret is masked in what a page showed. The mark of the credential is not counted: signing fills it in. */
export function holdsHidden(auth: AuthPlan, shown: unknown): boolean {
  const placement = credentialPlacement(auth)
  const text = stringifyJson(shown)
  const others = placement?.into === 'query' ? text.replaceAll(markOf(placement.name), '') : text
  return others.includes(credentialMark)
}

/** The same request without any mark, for an origin the credential does not belong to. */
export function withoutCredential(placement: Placement, request: HttpRequest): HttpRequest {
  switch (placement.into) {
    case 'header':
      return withoutHeader(request, placement.name)
    case 'query':
      return { ...request, url: withoutParameter(request.url, placement.name) }
    case 'form':
      return { ...request, body: withoutField(request.body, placement.name) }
    case 'json':
      return { ...request, body: withoutMember(request.body, placement.path) }
    case 'path':
      return request
  }
}

function withoutParameter(url: string, name: string): string {
  const [address = '', query = ''] = url.split(/\?(.*)/s)
  const kept = withoutField(query, name)
  return kept === null ? address : `${address}?${kept}`
}

function withoutField(pairs: string | null, name: string): string | null {
  const mark = markOf(name)
  const kept = (pairs ?? '').split('&').filter((pair) => pair !== '' && pair !== mark)
  return kept.length === 0 ? null : kept.join('&')
}

function withoutMember(body: string | null, path: readonly string[]): string | null {
  if (body === null) return null
  const left = changeMember(body, path, (holder, name) => delete holder[name])
  return left === '{}' ? null : left
}
