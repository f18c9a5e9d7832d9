/** Credentials × request → the signed request. Credentials live for one read and go to their own origin only. */
import { parseJson, stringifyJson } from '../../json.ts'
import type { AuthPlan, Config, Placement } from '../plan/plan.ts'
import type { Template } from '../template/template.ts'
import { pythonText } from '../template/text.ts'
import { encodeJson } from './encode-json.ts'
import { credentialMark, type HttpRequest, withHeader, withoutHeader } from './http-request.ts'
import { isObject, type JsonObject } from './merge.ts'
import { encodeForm, encodePairs, separatorAfter } from './url.ts'

/** The plan's auth with its templates evaluated. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'placed'; readonly placement: Placement; readonly secret: string }

export function credentialPlacement(auth: AuthPlan): Placement | null {
  switch (auth.kind) {
    case 'none':
      return null
    case 'key':
      return auth.placement
    case 'bearer':
    case 'basic':
      return { into: 'header', name: 'Authorization' }
  }
}

export function credentialsOf(auth: AuthPlan, config: Config): Credentials {
  const placement = credentialPlacement(auth)
  if (auth.kind === 'none' || placement === null) return { kind: 'none' }
  return { kind: 'placed', placement, secret: secretOf(auth, config) }
}

type Authenticated = Exclude<AuthPlan, { kind: 'none' }>

function textOf(template: Template | null, { parameters }: Authenticated, config: Config): string {
  return template === null ? '' : pythonText(template.evaluate({ config, parameters }) ?? '')
}

/** Empty when the config holds no credential: many APIs answer without one, and none is then sent. */
function secretOf(auth: Authenticated, config: Config): string {
  switch (auth.kind) {
    case 'key':
      return textOf(auth.token, auth, config)
    case 'bearer': {
      const token = textOf(auth.token, auth, config)
      return token === '' ? '' : `Bearer ${token}`
    }
    case 'basic': {
      // An API key as user name, with no password, is common.
      const pair = `${textOf(auth.username, auth, config)}:${textOf(auth.password, auth, config)}`
      return pair === ':' ? '' : `Basic ${base64(pair)}`
    }
  }
}

/** Every text that must not be shown: the credential and what it was made of. */
export function secretTexts(auth: AuthPlan, config: Config): string[] {
  if (auth.kind === 'none') return []
  const password = auth.kind === 'basic' ? textOf(auth.password, auth, config) : ''
  // An API key stands as the user name where there is no password.
  const part =
    auth.kind !== 'basic' ? textOf(auth.token, auth, config) : password || textOf(auth.username, auth, config)
  const whole = secretOf(auth, config).replace(/^(Bearer|Basic) /, '')
  return [part, whole].filter((text) => text !== '')
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

/** The same request with the credential where its mark stood. */
export function authenticate(credentials: Credentials, request: HttpRequest): HttpRequest {
  if (credentials.kind === 'none') return request
  const { placement, secret } = credentials
  if (secret === '') return withoutMark(credentials, request)
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

/** A link or redirect may lack the mark, or name a parameter of its own there: the credential takes its place. */
function signUrl(url: string, name: string, secret: string): string {
  const signed = replaceMark(url, name, secret)
  if (signed !== url || new URL(url).searchParams.has(name)) return signed
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

/** The body is text by now; what stands at the path is changed and the rest written as it was. */
function changeMember(
  body: string,
  path: readonly string[],
  change: (holder: JsonObject, name: string) => void,
): string {
  const { value } = parseJson(body)
  const holder = path.slice(0, -1).reduce<unknown>((node, name) => (isObject(node) ? node[name] : undefined), value)
  if (isObject(holder)) change(holder, path.at(-1) ?? '')
  return encodeJson(value, { pointer: '' })
}

/** A next link often repeats the key it was asked with: the mark takes its place, so that the token can be shown and stored. */
export function unsignLink(credentials: Credentials, url: string): string {
  if (credentials.kind === 'none' || credentials.secret === '' || credentials.placement.into !== 'query') return url
  const { name } = credentials.placement
  if (new URL(url).searchParams.get(name) !== credentials.secret) return url
  return url.replace(/\?[^#]*/, (query) =>
    query.replace(/[^?&]+/g, (pair) => (new URLSearchParams(pair).has(name) ? markOf(name) : pair)),
  )
}

/** Whether what a page showed hides a secret. The mark of the credential's own parameter is none: signing fills it in. */
export function holdsHidden(auth: AuthPlan, shown: unknown): boolean {
  const placement = credentialPlacement(auth)
  const text = stringifyJson(shown)
  const others = placement?.into === 'query' ? text.replaceAll(markOf(placement.name), '') : text
  return others.includes(credentialMark)
}

/** The same request without any mark, for an origin the credential does not belong to. */
export function withoutMark(credentials: Credentials, request: HttpRequest): HttpRequest {
  if (credentials.kind === 'none') return request
  const { placement } = credentials
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
