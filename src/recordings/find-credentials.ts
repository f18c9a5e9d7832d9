/** One exchange as it was sent → the credentials in it, found by their names and by their form. */
import { isCredentialName, isSignatureName } from '../engine/secrets/credential-names.ts'
import type { HttpRequest } from '../engine/request/http-request.ts'
import { isList, isObject } from '../std/values/objects.ts'
import { queryDecode, percentDecode } from '../std/text/percent-decode.ts'

type Learn = (secret: string, name: string) => void

/** What the request signs with: whatever made it, a class included, it is in a place with the name of a credential. */
export function learnFromRequest({ url, headers, body }: HttpRequest, learn: Learn): void {
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'cookie') learnCookies(value.split(';'), learn)
    else if (isCredentialName(name)) learnHeader(name, value, learn)
  }
  learnFromText(url, learn)
  const [, user] = /^https?:\/\/([^/?#@]+)@/.exec(url) ?? []
  if (user !== undefined) for (const part of user.split(':')) learnLong(percentDecode(part), 'user', learn)
  if (body === null) return
  learnFromText(body, learn)
  learnFromBody(body, learn)
}

function learnHeader(name: string, value: string, learn: Learn): void {
  const [, scheme = '', credential = value] = /^(\w+)\s+(.+)$/s.exec(value) ?? []
  if (scheme.toLowerCase() === 'basic') {
    const [, ...password] = Buffer.from(credential, 'base64').toString().split(':')
    learnLong(password.join(':'), 'password', learn)
  }
  learnLong(credential, name, learn)
}

export type ReceivedText = {
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
  /** Null where the body is no text. */
  readonly body: string | null
  /** The response to a login, or to a request for a token: every credential in it counts, however short. */
  readonly isToken: boolean
}

export function learnFromResponse({ headers, cookies, body, isToken }: ReceivedText, learn: Learn): void {
  learnCookies(
    cookies.map((line) => line.split(';', 1)[0] ?? ''),
    learn,
  )
  for (const [name, value] of Object.entries(headers)) {
    learnFromText(value, learn)
    if (name !== 'set-cookie' && isCredentialName(name) && looksSecret(name, value)) learn(value, name)
  }
  if (body === null) return
  learnFromText(body, learn)
  learnFromBody(body, learn, isToken)
}

/** `sid=abc` */
function learnCookies(pairs: readonly string[], learn: Learn): void {
  for (const pair of pairs) {
    const [, name = '', value = ''] = /^\s*([^=]+)=(.*?)\s*$/s.exec(pair) ?? []
    learnLong(value, `cookie_${name}`, learn)
  }
}

function learnFromBody(body: string, learn: Learn, isToken = false): void {
  for (const value of jsonValues(body)) learnFromValue('', value, learn, isToken)
}

/** One JSON text, or one on each line. */
function jsonValues(body: string): unknown[] {
  const parsed = parsedOrUndefined(body)
  if (parsed !== undefined) return [parsed]
  if (!/^\s*\{/.test(body)) return []
  return body.split('\n').flatMap((line) => parsedOrUndefined(line) ?? [])
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function learnFromValue(name: string, value: unknown, learn: Learn, isToken: boolean): void {
  if (isList(value)) for (const member of value) learnFromValue(name, member, learn, isToken)
  else if (isObject(value))
    for (const [key, member] of Object.entries(value)) learnFromValue(key, member, learn, isToken)
  else if (typeof value === 'string' && isCredentialName(name)) {
    if (isToken ? value.length >= 4 && !isTokenType(value) : looksSecret(name, value)) learn(value, name)
  }
}

const isTokenType = (value: string) => /^(bearer|basic|token)$/i.test(value)

/** A password is one whatever it looks like. A `key` or `token` may also be the name of a thing: those are short words. */
function looksSecret(name: string, value: string): boolean {
  if (/passw|secret|pwd|passphrase|private/i.test(name)) return value.length >= 4
  return value.length >= 12 && !/\s/.test(value) && !/^https?:/.test(value)
}

const forms: readonly (readonly [name: string, form: RegExp])[] = [
  ['jwt', /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/g],
  ['private_key', /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g],
  ['access_key_id', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ['token', /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|[rs]k_(?:live|test)_\w{10,})/g],
  ['bearer', /(?<=\bBearer )[A-Za-z0-9._~+/-]{20,}=*/g],
]

/** Parameters of addresses within a text, fields of a form, and what has the form of a credential of a well-known service. */
function learnFromText(text: string, learn: Learn): void {
  for (const [, name = '', value = ''] of text.matchAll(/(?:^|[?&;])([\w.[\]-]+)=([^&#\s"'<>\\]+)/g)) {
    if (!isSignatureName(name) && !isCredentialName(name)) continue
    if (/^\d{0,9}$/.test(value)) continue
    learnLong(value, name, learn)
    learnLong(queryDecode(value), name, learn)
  }
  for (const [name, form] of forms) for (const [found] of text.matchAll(form)) learn(found, name)
}

function learnLong(value: string, name: string, learn: Learn): void {
  if (value.length >= 4) learn(value, name)
}
