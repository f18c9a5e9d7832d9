/** Hides secrets, and what is derived from them, before anything is shown or logged. */
import { isPlainObject } from '../../std/values/objects.ts'
import { ConnectorError } from '../../std/errors.ts'
import { Float, parseJson, stringifyJson } from '../../std/json.ts'
import { isCredentialName, isSignatureName, mask } from './credential-names.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { type PlacedSecret, type NamedPlace, type SecretPlaces, secretPlaces } from './placed-secrets.ts'
import { secretPattern } from './secret-pattern.ts'

export type Redactor = {
  /** Hides secrets wherever they are in a text: a message, a log line, a URL. */
  text: (text: string) => string
  /** Hides secrets in an address, a short one as a parameter and a user with its password too. */
  url: (url: string) => string
  /** Whether `text` would hide anything. */
  isSecret: (text: string) => boolean
  /** Whether this value of a request holds a piece of a secret, however short, that a template put there. */
  isPlaced: (kind: NamedPlace, name: string, value: string) => boolean
  /** Hides secrets in every string, key and number of a value; the same reference when there is nothing to hide. */
  value: (value: unknown) => unknown
  /** Hides headers that carry credentials by their name, and secrets in all others. */
  headers: (headers: Readonly<Record<string, string>>) => Record<string, string>
  request: (request: HttpRequest) => HttpRequest
  /** The same error without secrets in its words. */
  error: (error: unknown) => unknown
  /** Learns a secret that appeared later, such as an access token or a `user:password` pair. */
  add: (secret: string) => void
  /** Unlearns one that no longer opens anything: a run that signs each request anew would drown in them. */
  forget: (secret: string) => void
}

/** Shorter secrets are hidden only where they are the whole value: as a part, `12` would be hidden in every number. */
const shortestPart = 4

/**
 * Makes a redactor for these secrets. Masks with `****`. Pieces with a place are hidden there: in requests, in addresses
 * within a text, and where a text quotes them.
 *
 * @example createRedactor(['s3cr3t']).text('GET /orders?key=s3cr3t') // 'GET /orders?key=****'
 */
export function createRedactor(secrets: Iterable<string | PlacedSecret>): Redactor {
  const given = [...secrets]
  const places = secretPlaces(given.filter((one) => typeof one !== 'string'))
  const known = new Set<string>(places.wholeValues)
  let finder: Finder | undefined

  const add = (secret: string) => {
    if (secret === '' || known.has(secret)) return
    known.add(secret)
    finder = undefined
  }
  for (const secret of given) if (typeof secret === 'string') add(secret)

  const plain = (shown: string): string => {
    if (known.has(shown)) return mask
    finder ??= finderOf(known)
    return shown.length < finder.shortest ? shown : shown.replace(finder.pattern, mask)
  }
  const text = places.isEmpty
    ? plain
    : (shown: string) => plain(places.words(shown.replace(addresses, (url) => redactUrl(url, plain, places))))
  const value = (shown: unknown): unknown => redactValue(shown, text)
  const headers = (shown: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(shown).map(([name, content]) => [
        name,
        isCredentialName(name) || places.has('header', name) ? mask : text(content),
      ]),
    )
  return {
    text,
    url: (shown) => redactUrl(shown, plain, places),
    isSecret: (shown) => plain(shown) !== shown,
    isPlaced: places.holds,
    value,
    headers,
    request: (shown) => ({
      method: shown.method,
      url: redactUrl(shown.url, plain, places),
      headers: headers(shown.headers),
      body: shown.body === null ? null : redactBody(places.body(shown.body), text),
    }),
    error: (thrown) => redactError(thrown, text),
    add,
    forget(secret) {
      if (known.delete(secret)) finder = undefined
    },
  }
}

/** Causes are kept for developers, who see them in a console: they hide what the error hides. */
function redactError(error: unknown, text: RedactText): unknown {
  if (!(error instanceof ConnectorError)) return error
  const message = text(error.message)
  const hint = text(error.hint)
  const cause = redactCause(error.cause, text)
  const problems = redactProblems(error.problems, text)
  const isClean = problems === error.problems && cause === error.cause
  if (message === error.message && hint === error.hint && isClean) return error
  const { at, failureType, status } = error
  return new ConnectorError(error.code, message, { at, hint, cause, problems, failureType, status })
}

function redactProblems(problems: ConnectorError['problems'], text: RedactText): ConnectorError['problems'] {
  const shown = problems.map((one) => ({ ...one, message: text(one.message), hint: text(one.hint) }))
  return shown.every(
    ({ message, hint }, index) => message === problems[index]?.message && hint === problems[index]?.hint,
  )
    ? problems
    : shown
}

function redactCause(cause: unknown, text: RedactText): unknown {
  if (cause instanceof ConnectorError) return redactError(cause, text)
  if (!(cause instanceof Error)) return cause
  const isClean = text(cause.message) === cause.message && text(cause.stack ?? '') === (cause.stack ?? '')
  return isClean ? cause : new Error(text(cause.message))
}

/** Finds every form of every secret; in a text shorter than the shortest there is none, which spares most of a page. */
type Finder = { pattern: RegExp; shortest: number }

/** Longest first: where one secret is part of another, the whole is hidden. */
function finderOf(secrets: Iterable<string>): Finder {
  const spelled = new Set([...secrets].flatMap((secret) => [secret, ...asHost(secret)]))
  const parts = [...spelled].filter((secret) => secret.length >= shortestPart).toSorted((a, b) => b.length - a.length)
  const pattern = new RegExp(parts.map(secretPattern).join('|'), 'g')
  return { pattern, shortest: parts.at(-1)?.length ?? Number.POSITIVE_INFINITY }
}

/** A URL spells its host in small letters, whatever a template wrote. */
function asHost(secret: string): string[] {
  const small = secret.toLowerCase()
  return secret.length >= 8 && small !== secret ? [small] : []
}

type RedactText = (text: string) => string

function redactValue(value: unknown, text: RedactText): unknown {
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float)
    return text(String(value)) === mask ? mask : value
  if (Array.isArray(value)) {
    const members = value.map((member) => redactValue(member, text))
    return members.every((member, index) => Object.is(member, value[index])) ? value : members
  }
  // Dates and the like are leaves.
  if (!isPlainObject(value)) return value
  const names = Object.keys(value)
  const members = names.map((name) => redactValue(value[name], text))
  const isClean = names.every((name, index) => text(name) === name && Object.is(members[index], value[name]))
  return isClean ? value : Object.fromEntries(names.map((name, index) => [text(name), members[index]]))
}

const addresses = /https?:\/\/[^\s"'`<>]+/g

/** Keeps the spelling of everything it does not hide. A host is public: only long secrets are masked in it. */
function redactUrl(url: string, text: RedactText, places: SecretPlaces): string {
  const withoutUser = url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, `$1${mask}@`)
  const [, host = '', path = '', query] = /^([a-z]+:\/\/[^/?#]*)?([^?]*)(?:\?(.*))?$/is.exec(withoutUser) ?? []
  const start = text(host + (path === '' ? '' : places.path(path)))
  return query === undefined ? start : `${start}?${redactQuery(query, text, places)}`
}

/** A value that is a secret once decoded, or opens the address by its name, is masked whole; that finds short ones too. */
function redactQuery(query: string, text: RedactText, places: SecretPlaces): string {
  const parts = query.split('&').map((part) => {
    const [, name = '', content = ''] = /^([^=]*=)?(.*)$/s.exec(part) ?? []
    const decoded = new URLSearchParams(`value=${content}`).get('value') ?? ''
    const isOpen = text(decoded) === decoded && !opens(name.slice(0, -1), decoded)
    return isOpen && !places.has('parameter', nameOf(part)) ? part : text(name) + mask
  })
  return text(parts.join('&'))
}

function nameOf(part: string): string {
  const [[name] = ['']] = new URLSearchParams(part)
  return name
}

/** An API may put other credentials into its links. A few digits are a position or a number, not a credential. */
function opens(name: string, value: string): boolean {
  return isSignatureName(name) || (isCredentialName(name) && !/^\d{0,9}$/.test(value))
}

const noPlaces = secretPlaces([])

function redactBody(body: string, text: RedactText): string {
  try {
    const { value } = parseJson(body)
    const shown = redactValue(value, text)
    return shown === value ? body : stringifyJson(shown)
  } catch {
    return redactQuery(body, text, noPlaces)
  }
}
