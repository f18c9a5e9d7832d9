/** Status and body → what the response means: accept it, ignore it, retry, read the pages in another way, or fail. */
import type { ErrorCode, FailureType, SourceLocation } from '../../std/errors.ts'
import { reasonPhrase } from '../../std/text/reason-phrases.ts'
import type { PageAction } from '../plan/error-handler.ts'
import { reportedQuota } from './budget/reported-quota.ts'
import type { HttpResponse } from './http-response.ts'
import { responseAddress } from './decode.ts'
import { whatTheBodySays } from './body-message.ts'

export type ResponseOutcome =
  /** `byRule`: a rule of the manifest says so; `lacksList`: to ignore it, or although the list of records is not there. */
  | { kind: 'accept'; byRule?: true; lacksList?: true }
  /** A page without records, the last of its slice. */
  | { kind: 'ignore'; reason: string }
  /** `waitMs` is how long the server asks us to wait, `ownWaitMs` how long a class of the connector's; `needsRefresh`: with a new token. */
  | {
      kind: 'retry'
      reason: string
      waitMs?: number
      ownWaitMs?: number
      isRateLimited?: true
      needsRefresh?: true
      /** What the failure is called, and what to do about it, when no try succeeds. */
      code?: ErrorCode
      hint?: string
    }
  /** What only the reader of the pages can do. */
  | { kind: PageAction; reason: string }
  | { kind: 'fail'; code: ErrorCode; message: string; hint?: string; at?: SourceLocation; failureType?: FailureType }

/** 408 and 425 ask for another try, 429 for a later one; every 5xx may be temporary. */
const passing: readonly number[] = [408, 425, 429]

/**
 * What a response means when the manifest does not say otherwise.
 *
 * @example outcomeOf({ status: 429, headers: { 'retry-after': '7' }, … }, now) // { kind: 'retry', waitMs: 7000, … }
 */
export function outcomeOf(response: HttpResponse, now: number): ResponseOutcome {
  const { status } = response
  if (status < 400) return carriesList(response) ? { kind: 'accept' } : unusable(response, now)
  if (status >= 500 || passing.includes(status)) {
    const outcome = retryOutcome(response, now, described(response))
    return status === 429 ? { ...outcome, isRateLimited: true } : outcome
  }
  const advice = status === 403 ? quotaAdvice(response, now) : adviceOn(status)
  return {
    kind: 'fail',
    code: 'response/rejected',
    message: described(response),
    ...(advice && { hint: advice }),
    ...(refusesCredentials(status) && { failureType: 'config_error' }),
  }
}

/**
 * Not part of a body, not "nothing changed", not a redirect that leads nowhere. PostgREST and Heroku answer 206 with a page whose
 * `Content-Range` counts records: that is a list.
 */
function carriesList({ status, headers }: HttpResponse): boolean {
  if (status === 206) return /^\s*(?!bytes\b)\S/i.test(headers['content-range'] ?? 'bytes')
  return status < 300
}

function unusable(response: HttpResponse, now: number): RetryOutcome {
  const said = response.status === 206 ? 'only a part of the body' : 'no body that could hold a list of records'
  return {
    ...retryOutcome(response, now, `${answeredWith(response)}, which carries ${said}.`),
    code: 'response/unusable-status',
    hint: `Check the headers of the request and \`url_base\`. To read the response anyway, add a response filter: \`{ type: HttpResponseFilter, action: IGNORE, http_codes: [${response.status}] }\`.`,
  }
}

export type RetryOutcome = Extract<ResponseOutcome, { kind: 'retry' }>

/** Of a try without a response. */
export type FailureOutcome = Exclude<ResponseOutcome, { kind: 'accept' }>

/** Another try, after the wait that the server asks for. */
export function retryOutcome({ headers }: HttpResponse, now: number, reason: string): RetryOutcome {
  const waitMs = retryAfterMs(headers['retry-after'], serverTime(headers.date) ?? now)
  return { kind: 'retry', reason, ...(waitMs !== undefined && { waitMs }) }
}

/** `Retry-After` in seconds or as a date → milliseconds from now; undefined when it is absent or makes no sense. */
export function retryAfterMs(retryAfter: string | undefined, now: number): number | undefined {
  const text = retryAfter?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000)
  // Date.parse takes nearly anything for a date; an HTTP date starts with a weekday.
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** A date from a server is by the server's clock, which may be hours off ours. */
function serverTime(date: string | undefined): number | null {
  const time = Date.parse(date ?? '')
  return Number.isNaN(time) ? null : time
}

/** Which address returned which status, and what the body says about it. */
export function described(response: HttpResponse): string {
  const said = whatTheBodySays(response)
  const blamed = blame(response.status)
  return `${answeredWith(response)}${blamed}${said === null ? '.' : `, and says: ${said}`}`
}

/** `https://api.shop/orders answered 404 Not Found` */
export function answeredWith(response: HttpResponse): string {
  const status = `${response.status} ${reasonPhrase(response.status)}`.trim()
  return `${responseAddress(response)} answered ${status}`
}

function refusesCredentials(status: number): boolean {
  return status === 401 || status === 403
}

function blame(status: number): string {
  switch (status) {
    case 401:
      return ': the credentials are missing or not accepted'
    case 403:
      return ': the credentials do not grant access'
    case 404:
      return ': there is nothing at this path'
    default:
      return ''
  }
}

/** How APIs name the headers about their quota. */
const quotaPrefixes = ['x-ratelimit', 'ratelimit', 'x-rate-limit'] as const

/** GitHub and others answer 403 where the quota is used up; undefined where no header says so. */
function quotaAdvice({ headers }: HttpResponse, now: number): string | undefined {
  for (const prefix of quotaPrefixes) {
    const names = { remainingHeader: `${prefix}-remaining`, resetHeader: `${prefix}-reset` }
    const { left, resetsInMs } = reportedQuota(headers, names, now)
    if (left !== 0) continue
    const waitMs = resetsInMs ?? retryAfterMs(headers['retry-after'], serverTime(headers.date) ?? now)
    const until = waitMs === undefined ? null : new Date(now + waitMs)
    const isKnown = until !== null && !Number.isNaN(until.getTime())
    const [reset, when] = isKnown ? [` It resets at ${until.toISOString()}.`, 'after that'] : ['', 'later']
    return `The rate limit of the API is used up (\`${names.remainingHeader}: 0\`).${reset} Run again ${when}; or let the read wait, with a response filter (\`action: RATE_LIMITED\`, \`http_codes: [403]\`) and a backoff strategy.`
  }
  return undefined
}

function adviceOn(status: number): string | undefined {
  switch (status) {
    case 401:
      return 'Check the `authenticator` of the requester, and the values of the config that it sends.'
    case 404:
      return 'Check `url_base` and `path`: the server has nothing at this address.'
    case 405:
      return 'Check `http_method`: the server does not allow it at this address.'
    default:
      return 'Check the parameters, headers and body of the request against the documentation of the API.'
  }
}
