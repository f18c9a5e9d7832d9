/** Credentials × request → the signed request. Credentials live for one read and go to their own origin only. */
import type { AuthPlan, Config, Placement } from '../plan/plan.ts'
import type { Template } from '../template/template.ts'
import { pythonText } from '../template/text.ts'
import { encodeJson } from './encode-json.ts'
import { credentialMark, type HttpRequest, withHeader } from './http-request.ts'
import { encodeForm, encodePairs } from './url.ts'

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
  const evaluate = (template: Template | null) =>
    template === null ? '' : pythonText(template.evaluate({ config, parameters: auth.parameters }) ?? '')
  return { kind: 'placed', placement, secret: secretOf(auth, evaluate) }
}

/** Empty when the config holds no credential: many APIs answer without one, and none is then sent. */
function secretOf(auth: Exclude<AuthPlan, { kind: 'none' }>, evaluate: (template: Template | null) => string): string {
  switch (auth.kind) {
    case 'key':
      return evaluate(auth.token)
    case 'bearer': {
      const token = evaluate(auth.token)
      return token === '' ? '' : `Bearer ${token}`
    }
    case 'basic': {
      // An API key as user name, with no password, is common.
      const pair = `${evaluate(auth.username)}:${evaluate(auth.password)}`
      return pair === ':' ? '' : `Basic ${base64(pair)}`
    }
  }
}

/** Every text that must not be shown: the credential and what it was made of. */
export function secretTexts(auth: AuthPlan, config: Config): string[] {
  if (auth.kind === 'none') return []
  const templates = auth.kind === 'basic' ? [auth.password] : [auth.token]
  const scope = { config, parameters: auth.parameters }
  const parts = templates.map((template) => (template === null ? '' : pythonText(template.evaluate(scope) ?? '')))
  const credentials = credentialsOf(auth, config)
  const whole = credentials.kind === 'placed' ? credentials.secret.replace(/^(Bearer|Basic) /, '') : ''
  return [...parts, whole].filter((text) => text !== '')
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
  return `${url}${url.includes('?') ? '&' : '?'}${encodeForm(name)}=${encodeForm(secret)}`
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

/** The body is text by now; the last name of the path with the mark behind it is found in it once. */
function signJson(body: string | null, path: readonly string[], secret: string): string | null {
  if (body === null) return null
  const member = (value: string) => encodeJson({ [path.at(-1) ?? '']: value }, { pointer: '' }).slice(1, -1)
  return body.replace(member(credentialMark), () => member(secret))
}

/** The same request without any mark, for an origin the credential does not belong to. */
export function withoutMark(credentials: Credentials, request: HttpRequest): HttpRequest {
  if (credentials.kind === 'none') return request
  const { placement } = credentials
  if (placement.into === 'header') {
    const others = Object.entries(request.headers).filter(
      ([name]) => name.toLowerCase() !== placement.name.toLowerCase(),
    )
    return { ...request, headers: Object.fromEntries(others) }
  }
  if (placement.into === 'query') return { ...request, url: withoutParameter(request.url, placement.name) }
  return request
}

function withoutParameter(url: string, name: string): string {
  const mark = markOf(name)
  const [address = '', query = ''] = url.split(/\?(.*)/s)
  const kept = query.split('&').filter((part) => part !== mark)
  return kept.length === 0 || query === '' ? address : `${address}?${kept.join('&')}`
}
