/** The answer of a token endpoint → the token in it, and until when it is good. */
import { ConnectorError } from '../../std/errors.ts'
import { Float } from '../../std/json.ts'
import { decodeJson, responseAddress, visible } from '../response/decode.ts'
import type { HttpResponse } from '../response/http-response.ts'
import { parseDate } from '../template/dates/airbyte-format.ts'
import { parseIsoDateTime } from '../template/dates/iso.ts'

/** The JSON of an answer that may hold a token. Unlike a page's, it is not quoted when it is none. */
export function decodeTokenAnswer(response: HttpResponse): unknown {
  try {
    return decodeJson(response).value
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    const message = `The answer of ${responseAddress(response)} (status ${response.status}) is not JSON: no token can be read from it.`
    throw new ConnectorError('response/no-token', message)
  }
}

export function noToken(response: HttpResponse, name: string, body: unknown): ConnectorError {
  const said = whatTheEndpointSays(body)
  const message = `The answer of ${responseAddress(response)} (status ${response.status}) holds no \`${name}\``
  return new ConnectorError('response/no-token', `${message}${said === null ? '.' : ` and says: ${said}`}`)
}

/** RFC 6749 §5.2: `error` and `error_description`. Nothing else of the body is quoted, since tokens stand there too. */
export function whatTheEndpointSays(body: unknown): string | null {
  const said = ['error', 'error_description'].map((name) => findValue(body, name, 1))
  const texts = said.filter((text) => typeof text === 'string' && text !== '')
  return texts.length === 0 ? null : visible(texts.join(': ').slice(0, 300))
}

/** How deep Airbyte looks for a name. */
const deepest = 5

/** The value of the first member of this name: the answer's own before those of what it holds. */
export function findValue(body: unknown, name: string, depth = deepest): unknown {
  if (typeof body !== 'object' || body === null || depth < 0) return undefined
  if (!Array.isArray(body) && Object.hasOwn(body, name)) return (body as Record<string, unknown>)[name]
  for (const member of Object.values(body)) {
    const found = findValue(member, name, depth - 1)
    if (found !== undefined && found !== null) return found
  }
  return undefined
}

/** A count of seconds beyond this would be thirty years: it is a time since 1970. */
const longestLifeSeconds = 1e9

export type ExpiryClues = {
  /** The answer names the time of expiry in this format; null: how many seconds are left. */
  readonly format: string | null
  /** Our clock, when the token was asked for. */
  readonly askedAt: number
  /** How far the server's clock is ahead of ours. */
  readonly skewMs: number
}

/** When the token ends by our clock, in milliseconds since 1970; null when the answer does not say. */
export function expiryOf(value: unknown, { format, askedAt, skewMs }: ExpiryClues): number | null {
  if (value === undefined || value === null || value === '') return null
  const seconds = secondsIn(value)
  if (format === null && seconds !== null && seconds < longestLifeSeconds) return askedAt + Math.trunc(seconds) * 1000
  const ends = format === null ? instantOf(value) : (formatted(value, format) ?? instantOf(value))
  return ends === null ? null : ends - skewMs
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

/** What cannot be read as a date tells nothing, and no more. */
function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** How far the clock of the server is ahead of ours, by the date of its answer; that one has no milliseconds. */
export function skewOf({ headers }: HttpResponse, now: number): number {
  const date = Date.parse(headers.date ?? '')
  return Number.isNaN(date) || Math.abs(date - now) < 2000 ? 0 : date - now
}

/** Airbyte: a token whose life is not told lives an hour. */
export const usualLifeMs = 3_600_000

/** A token is renewed a minute before it ends, or after nine tenths of a life shorter than ten minutes. */
export function renewalBefore(expiresAt: number, obtainedAt: number): number {
  return expiresAt - Math.min(60_000, Math.max(0, expiresAt - obtainedAt) / 10)
}
