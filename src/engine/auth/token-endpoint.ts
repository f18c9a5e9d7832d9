/** A run → its way to token endpoints: their errors in their own words, the token in a response, and how long it is valid. */
import { ConnectorError } from '../../std/errors.ts'
import { Float } from '../../std/json.ts'
import { decodeJson, peekJson, responseAddress, visible } from '../response/decode.ts'
import { type HttpResponse, type Send, withPurpose } from '../response/http-response.ts'
import { answeredWith, described, outcomeOf, type ResponseOutcome } from '../response/outcome.ts'
import { withRedirects } from '../response/redirects.ts'
import { withRetry } from '../response/retry.ts'
import type { Run } from '../run/run.ts'
import { parseDate } from '../template/dates/airbyte-format.ts'
import { parseIsoDateTime } from '../template/dates/iso.ts'
import type { RefusalPlan } from './plan/oauth.ts'
import { withSigning } from './with-signing.ts'

const noRefusals: RefusalPlan = { statuses: [], key: '', values: [] }

export type TokenSendOptions = {
  /** Responses that mean: sign in again. */
  readonly refusals?: RefusalPlan
  /** What a response means where it gives no token. */
  readonly judge?: (response: HttpResponse, now: number) => ResponseOutcome
  readonly send?: Send
}

/**
 * What a token request holds goes to the origin of its endpoint and to no other: a redirect elsewhere loses it, and
 * `trustedOrigins` are trusted with the API's credentials, not with what makes them.
 */
export function tokenSend(run: Run, options: TokenSendOptions = {}): Send {
  const { refusals = noRefusals, send = run.network.send } = options
  const { judge = (response, now) => refusal(response, refusals) ?? outcomeOf(response, now) } = options
  const { redactor, report, retry, now, sleep, random, reached } = run
  const bound = withSigning(withPurpose(send, { kind: 'token' }), {
    credentials: { kind: 'none' },
    trusted: [],
    redactor,
    report,
  })
  return withRetry(withRedirects(bound), {
    rules: retry,
    outcomeOf: judge,
    sleep,
    random,
    now,
    report,
    reached,
    addressField: 'the address of the token endpoint',
  })
}

/** A retry would not help: the endpoint wants other credentials. */
function refusal(response: HttpResponse, refusals: RefusalPlan): ResponseOutcome | null {
  const body = peekJson(response)?.value
  const isExpected = isListed(response, body, refusals)
  if (!isExpected && outcomeOf(response, 0).kind !== 'fail') return null
  const said = whatTheEndpointSays(body)
  const what = said === null ? described(response) : `${answeredWith(response)} and says: ${said}`
  return {
    kind: 'fail',
    code: 'request/token-refused',
    message: `No access token was received: ${what}`,
    failureType: 'config_error',
    ...(isExpected && { hint: 'Sign in again: the refresh token has expired or was revoked.' }),
  }
}

function isListed({ status }: HttpResponse, body: unknown, { statuses, key, values }: RefusalPlan): boolean {
  if (!statuses.includes(status) || typeof body !== 'object' || body === null || !Object.hasOwn(body, key)) return false
  return values.includes(String((body as Record<string, unknown>)[key]))
}

/** The JSON of a response that may hold a token. Unlike a page, it is never quoted in an error. */
export function decodeTokenResponse(response: HttpResponse): unknown {
  try {
    return decodeJson(response).value
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    const message = `The response of ${responseAddress(response)} (status ${response.status}) is not JSON, so it gives no token.`
    throw new ConnectorError('response/no-token', message)
  }
}

export function noToken(response: HttpResponse, name: string, body: unknown): ConnectorError {
  const said = whatTheEndpointSays(body)
  const message = `The response of ${responseAddress(response)} (status ${response.status}) has no \`${name}\``
  return new ConnectorError('response/no-token', `${message}${said === null ? '.' : ` and says: ${said}`}`)
}

/** RFC 6749 §5.2: `error` and `error_description`. Nothing else of the body is quoted, since it has tokens too. */
function whatTheEndpointSays(body: unknown): string | null {
  const said = ['error', 'error_description'].map((name) => findValue(body, name, 1))
  const texts = said.filter((text) => typeof text === 'string' && text !== '')
  return texts.length === 0 ? null : visible(texts.join(': ').slice(0, 300))
}

/** A token as text; null for what is none, such as the `false` or the empty string of a login that failed. */
export function tokenText(found: unknown): string | null {
  const isText = typeof found === 'string' ? found !== '' : typeof found === 'number' || typeof found === 'bigint'
  return isText ? String(found) : null
}

/** How deep Airbyte searches for a name. */
const deepest = 5

/** The value of the first member of this name: members of the response before nested ones. */
export function findValue(body: unknown, name: string, depth = deepest): unknown {
  if (typeof body !== 'object' || body === null || depth < 0) return undefined
  if (!Array.isArray(body) && Object.hasOwn(body, name)) return (body as Record<string, unknown>)[name]
  for (const member of Object.values(body)) {
    const found = findValue(member, name, depth - 1)
    if (found !== undefined && found !== null) return found
  }
  return undefined
}

/** A count of seconds beyond this would be thirty years: it is a time since 1970, unless that is over. */
const longestLifeSeconds = 1e9

export type ExpiryClues = {
  /** The response has the time of expiry in this format; null: how many seconds are left. */
  readonly format: string | null
  /** Our clock, when the token was requested. */
  readonly askedAt: number
  /** How far the clock of the server is ahead of ours. */
  readonly skewMs: number
}

/**
 * When the token ends by our clock, in milliseconds since 1970; null when the response does not say. No token is over when it
 * is given: such a time has another zone, or means that the token never ends.
 */
export function expiryOf(value: unknown, { format, askedAt, skewMs }: ExpiryClues): number | null {
  if (value === undefined || value === null || value === '') return null
  const instant = (format === null ? null : formatted(value, format)) ?? instantOf(value)
  const ends = instant === null || instant - skewMs <= askedAt ? null : instant - skewMs
  const seconds = format === null ? secondsIn(value) : null
  if (seconds === null || (seconds >= longestLifeSeconds && ends !== null)) return ends
  return seconds < 1 ? null : askedAt + Math.trunc(seconds) * 1000
}

/** A date as Airbyte reads one: seconds since 1970, or ISO 8601; without a zone it is UTC. */
export function instantOf(value: unknown): number | null {
  const seconds = secondsIn(value)
  // Thirteen digits are milliseconds.
  if (seconds !== null) return seconds < 1e11 ? seconds * 1000 : seconds
  return attempt(() => parseIsoDateTime(String(value).trim()).epochSeconds * 1000)
}

function formatted(value: unknown, format: string): number | null {
  return attempt(() => parseDate(String(value), format).epochSeconds * 1000)
}

function secondsIn(value: unknown): number | null {
  const number = value instanceof Float ? value.value : typeof value === 'boolean' ? Number.NaN : Number(value)
  return Number.isFinite(number) && String(value).trim() !== '' ? number : null
}

/** A value that is no date is ignored. */
function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** How far the clock of the server is ahead of ours, by the date of its response, which has no milliseconds. */
export function skewOf({ headers }: HttpResponse, now: number): number {
  const date = Date.parse(headers.date ?? '')
  return Number.isNaN(date) || Math.abs(date - now) < 2000 ? 0 : date - now
}

/** Airbyte: a token without a lifetime is valid for an hour. */
export const usualLifeMs = 3_600_000

/** A token is renewed a minute before it ends, or after nine tenths of a life shorter than ten minutes. */
export function renewalBefore(expiresAt: number, obtainedAt: number): number {
  return expiresAt - Math.min(60_000, Math.max(0, expiresAt - obtainedAt) / 10)
}
