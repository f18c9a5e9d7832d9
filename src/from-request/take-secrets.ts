/** A request → the same with every secret replaced by an input, and the values apart from it, for the memory only. */
import { isInputName } from '../engine/secrets/credential-names.ts'
import { isSecretValue, isPlaceholder, looksRandom } from './secret-words.ts'
import type { GivenRequest, Pair } from './given-request.ts'

export type Input = { readonly name: string; readonly title: string }

/** How the secret is shown to the API. */
export type FoundCredential =
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | {
      readonly kind: 'key'
      readonly into: 'header' | 'request_parameter'
      readonly field: string
      readonly token: string
    }

export type OpenRequest = Omit<GivenRequest, 'user' | 'body'> & {
  readonly authentication: FoundCredential | null
  readonly body: GivenRequest['body']
  readonly inputs: readonly Input[]
  readonly values: Readonly<Record<string, string>>
  /** Of inputs whose value is only a placeholder: `****`, `<your key>`. */
  readonly placeholders: Readonly<Record<string, string>>
}

export function takeSecrets(request: GivenRequest): OpenRequest {
  const taken = new Map<string, { title: string; value: string }>()

  /** The template of the value; equal values share an input. */
  function hide(value: string, wished: string): string {
    const base = inputName(wished)
    let name = base
    for (let count = 2; taken.has(name) && taken.get(name)?.value !== value; count += 1) name = `${base}_${count}`
    taken.set(name, { title: titleOf(name), value })
    return `{{ config['${name}'] }}`
  }

  const valuesOf = (isWanted: (value: string) => boolean) =>
    Object.fromEntries([...taken].filter(([, { value }]) => isWanted(value)).map(([name, { value }]) => [name, value]))

  let authentication: FoundCredential | null = null
  const offer = (found: FoundCredential) => (authentication ??= found)

  const { user } = request
  const isAuthorization = (name: string) => /^authorization$/i.test(name)
  // Where a command has both, curl sends the header and leaves the user out.
  if (user !== null && !request.headers.some(([name]) => isAuthorization(name))) offer(basic(user, hide))
  const headers = request.headers.flatMap(([name, value]): Pair[] => {
    if (!isSecretHeader(name, value)) return [[name, templateSafe(value)]]
    if (isAuthorization(name) && authentication === null) {
      offer(authorization(value, hide))
      return []
    }
    const token = hide(value, /^cookie$/i.test(name) ? 'cookie' : name)
    if (authentication !== null) return [[name, token]]
    offer({ kind: 'key', into: 'header', field: name, token })
    return []
  })
  const query = request.query.flatMap(([name, value]): Pair[] => {
    if (!isInputName(name) && !isSecretValue(value)) return [[name, templateSafe(value)]]
    const token = hide(value, name)
    if (authentication !== null) return [[name, token]]
    offer({ kind: 'key', into: 'request_parameter', field: name, token })
    return []
  })
  const path = request.path
    .split('/')
    .map((part) => (isSecretValue(part) || looksRandom(part) ? hide(part, 'path_key') : templateSafe(part)))
    .join('/')
  return {
    method: request.method,
    origin: request.origin,
    path,
    query,
    headers,
    body: openBody(request.body, hide),
    notes:
      request.body?.kind === 'text'
        ? [...request.notes, 'The body is sent as text. Make sure that it contains no secret.']
        : request.notes,
    authentication,
    inputs: [...taken].map(([name, { title }]) => ({ name, title })),
    values: valuesOf((value) => !isPlaceholder(value)),
    placeholders: valuesOf(isPlaceholder),
  }
}

type Hide = (value: string, wished: string) => string

function isSecretHeader(name: string, value: string): boolean {
  if (/^(accept|content-type|user-agent|x-request-id|traceparent)$/i.test(name)) return isSecretValue(value)
  return isInputName(name) || isSecretValue(value) || looksRandom(value)
}

function authorization(value: string, hide: Hide): FoundCredential {
  const [, scheme = '', rest = ''] = /^(\S+)\s+(.*)$/s.exec(value) ?? []
  if (/^bearer$/i.test(scheme)) return { kind: 'bearer', token: hide(rest.trim(), 'api_token') }
  const decoded = /^basic$/i.test(scheme) ? base64Text(rest.trim()) : null
  if (decoded !== null) return basic(decoded, hide)
  // `Token abc`: the word before is how the API wants it, the rest is the secret.
  const isWord = /^[A-Za-z][A-Za-z-]{1,15}$/.test(scheme) && rest !== ''
  const token = isWord ? `${scheme} ${hide(rest, 'api_key')}` : hide(value, 'api_key')
  return { kind: 'key', into: 'header', field: 'Authorization', token }
}

function basic(user: string, hide: Hide): FoundCredential {
  const [, name = '', password = ''] = /^([^:]*):?(.*)$/s.exec(user) ?? []
  return {
    kind: 'basic',
    username: hide(name, 'username'),
    password: password === '' ? '' : hide(password, 'password'),
  }
}

function base64Text(text: string): string | null {
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(atob(text), (char) => char.charCodeAt(0)),
    )
    return decoded.includes(':') ? decoded : null
  } catch {
    return null
  }
}

function openBody(body: GivenRequest['body'], hide: Hide): GivenRequest['body'] {
  if (body === null) return null
  if (body.kind === 'text') return { kind: 'text', text: templateSafe(body.text) }
  if (body.kind === 'json') return { kind: 'json', value: openValue(body.value, '', hide) }
  const pairs = body.pairs.map(([name, value]) => [name, openText(value, name, hide)] as const)
  return { kind: 'form', pairs }
}

function openText(value: string, name: string, hide: Hide): string {
  return isInputName(name) || isSecretValue(value) ? hide(value, name) : templateSafe(value)
}

function openValue(value: unknown, name: string, hide: Hide): unknown {
  if (typeof value === 'string') return openText(value, name, hide)
  if (Array.isArray(value)) return value.map((one) => openValue(one, name, hide))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, openValue(one, key, hide)]))
}

function inputName(text: string): string {
  const name = text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '_')
    .replaceAll(/^_+|_+$|^x_/g, '')
  return /^[a-z]/.test(name) ? name : `key${name === '' ? '' : `_${name}`}`
}

function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/\bapi\b/, 'API')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Text of a request → a template that gives the same text: braces of the API's own stay braces. */
export function templateSafe(text: string): string {
  return text.replaceAll(/\{[{%#]/g, (opening) => `{{ '${opening}' }}`)
}
