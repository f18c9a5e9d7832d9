/** Send → Send that retries, after a wait, as long as the failure may be temporary. */
import { isUrl, originOf } from '../../std/text/is-url.ts'
import { ConnectorError, hasCode } from '../../std/errors.ts'
import type { PageAction } from '../plan/error-handler.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { aborted, inItsTurn, isTransient } from './failure.ts'
import type { HttpResponse, Send } from './http-response.ts'
import type { Notice } from './notice.ts'
import type { SharedPause } from './budget/shared-pause.ts'
import { type FailureOutcome, type ResponseOutcome, type RetryOutcome, outcomeOf as usualOutcome } from './outcome.ts'

export type RetryRules = {
  /** Tries after the first one. */
  maxRetries: number
  /** The longest single wait a server may ask for. */
  maxWaitMs: number
  /** The first wait; each further one is twice as long. */
  baseMs: number
}

const defaultRetryRules: RetryRules = {
  // Airbyte: five, so six tries, with waits of 1, 2, 4, 8 and 16 s.
  maxRetries: 5,
  baseMs: 1000,
  // The longest common rate window; an API that counts by the day asks for a later run, not for a sleeping one.
  maxWaitMs: 3_600_000,
}

export type RetryTools = {
  rules?: Partial<RetryRules>
  /** Rejects as soon as the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** From 0 up to, not including, 1. */
  random: () => number
  /** Milliseconds since 1970. */
  now: () => number
  report: (notice: Notice) => void
  /** What a response means, where a manifest has rules for it. */
  outcomeOf?: (response: HttpResponse, now: number) => ResponseOutcome
  /** What a failure on the way means, where a connector has a class for it; null is another try. */
  outcomeOfFailure?: (error: ConnectorError) => FailureOutcome | null
  /** How long to wait, where a manifest has rules for it; null leaves it to the server and to doubling. */
  waitAfter?: (failed: FailedTry) => ChosenWait | null
  /** Fetches new credentials, where the requester's can be; without it a try that needs them is a plain one. */
  refresh?: () => Promise<void>
  /** Pauses shared with the other requests of the run. */
  shared?: SharedPause
  /** Hosts that responded in this run; without it every host gets the same number of tries. */
  reached?: Reached
  /** Where the manifest names the host, for the hint when it cannot be reached. */
  addressField?: string
}

export type FailedTry = {
  /** 1 is the first. */
  readonly attempt: number
  /** Null when none arrived. */
  readonly response: HttpResponse | null
  readonly now: number
  readonly random: number
}

export type ChosenWait = {
  readonly waitMs: number
  /** The manifest has a limit for it, which replaces ours. */
  readonly hasOwnLimit: boolean
  /** The server named it, in a header that the manifest knows. */
  readonly isFromServer?: true
}

/**
 * Returns accepted responses, and ignored ones marked as such; every other outcome is a ConnectorError.
 * POST is retried too: every request only reads.
 */
export function withRetry(send: Send, tools: RetryTools): Send {
  const usual = { ...defaultRetryRules, ...tools.rules }

  /** Throws where no other try follows. */
  const waitForRetry = async (tried: ToRetry, attempt: number, request: HttpRequest, signal: AbortSignal) => {
    const failed = tried.needsRefresh ? await refreshed(tried, tools) : tried
    const rules = rulesFor(usual, request.url, failed.cause, tools.reached)
    const tries = rules.maxRetries + 1
    if (attempt >= tries) throw gaveUp(attempt, failed, request, tools)
    const { waitMs: alone, ...facts } = nextWait(failed, attempt, rules, rules === usual ? tools : unruled(tools))
    const waitMs = (facts.isRateLimited && tools.shared?.begin(request.url, alone)) || alone
    const unanswered = failed.response === null ? { isUnanswered: true as const } : {}
    const { reason } = failed
    tools.report({ kind: 'retry', attempt, tries, waitMs, reason, url: request.url, ...unanswered, ...facts })
    await pause(waitMs, signal, tools)
  }

  return async (request, signal) => {
    for (let attempt = 1; ; attempt++) {
      const pausedMs = tools.shared?.waitMs(request.url) ?? 0
      if (pausedMs > 0) await waitForOthers(pausedMs, request, signal, tools)
      const tried = await tryOnce(send, tools, request, signal)
      if (tried.response !== null) tools.reached?.add(originOf(request.url))
      if (request.isAhead && tried.kind !== 'accept') throw refusedAhead(tried, request, tools, usual)
      switch (tried.kind) {
        case 'accept':
          return tried.lacksList ? { ...tried.response, lacksList: true } : tried.response
        case 'ignore':
          tools.report({ kind: 'ignored', reason: tried.reason, url: request.url })
          return { ...(tried.response ?? noResponse(request)), isIgnored: true }
        case 'fail': {
          const { code, message, hint, at, failureType } = tried
          throw new ConnectorError(code, message, { hint, at, failureType, status: tried.response?.status })
        }
        case 'reset':
        case 'smaller-page':
        case 'smaller-window': {
          const { kind: action, reason } = tried
          if (!request.mayAsk?.includes(action)) throw askedInVain(action, reason)
          tools.report({ kind: action, reason, url: request.url })
          return { ...(tried.response ?? noResponse(request)), asks: { action, reason } }
        }
        case 'retry':
          await waitForRetry(tried, attempt, request, signal)
      }
    }
  }
}

type ToRetry = OutcomeOf<'retry'> & { response: HttpResponse | null; cause?: unknown }
type Tried =
  | (OutcomeOf<'accept'> & { response: HttpResponse })
  | (OutcomeOf<'ignore' | PageAction | 'fail'> & { response: HttpResponse | null })
  | ToRetry
type OutcomeOf<Kind extends ResponseOutcome['kind']> = Extract<ResponseOutcome, { kind: Kind }>

async function tryOnce(send: Send, tools: RetryTools, request: HttpRequest, signal: AbortSignal): Promise<Tried> {
  try {
    const response = await send(request, signal)
    const outcome = (tools.outcomeOf ?? usualOutcome)(response, tools.now())
    if (outcome.kind !== 'accept') response.stream?.discard()
    return { ...outcome, response }
  } catch (error) {
    if (!isTransient(error)) throw error
    const outcome = tools.outcomeOfFailure?.(error) ?? { kind: 'retry', reason: error.message }
    return outcome.kind === 'retry' ? { ...outcome, response: null, cause: error } : { ...outcome, response: null }
  }
}

/** What a page shows of a request without a response, where a class ignores that. */
function noResponse({ url }: HttpRequest): HttpResponse {
  return { status: 0, url, headers: {}, body: new Uint8Array() }
}

/** What a page ahead brings is decided when its turn comes, by a request of its own. Only a pause that the API asks for counts at once. */
function refusedAhead(
  tried: Exclude<Tried, { kind: 'accept' }>,
  { url }: HttpRequest,
  tools: RetryTools,
  rules: RetryRules,
): ConnectorError {
  if (tried.kind === 'retry' && tried.isRateLimited) {
    const { waitMs } = nextWait(tried, 1, { ...rules, maxWaitMs: Number.POSITIVE_INFINITY }, tools)
    tools.shared?.extend(url, waitMs)
  }
  return inItsTurn()
}

/** Airbyte: without a new token, the next try uses the old one. The reason of the last failure says so. */
async function refreshed(tried: ToRetry, { refresh }: RetryTools): Promise<ToRetry> {
  try {
    await refresh?.()
    return tried
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.code === 'response/aborted') throw error
    return { ...tried, reason: `${tried.reason} No new token was received: ${error.message}` }
  }
}

/** Pauses can follow each other; after this many a request is sent anyway. */
const mostPauses = 20

async function waitForOthers(
  firstMs: number,
  { url }: HttpRequest,
  signal: AbortSignal,
  tools: RetryTools,
): Promise<void> {
  let waitMs = firstMs
  for (let pauses = 1; waitMs > 0; pauses++) {
    await pause(waitMs, signal, tools)
    waitMs = pauses < mostPauses ? (tools.shared?.waitMs(url) ?? 0) : 0
  }
}

/** Waits; a cancelled wait is the same error as a cancelled request. */
export async function pause(waitMs: number, signal: AbortSignal, { sleep }: Pick<RetryTools, 'sleep'>): Promise<void> {
  try {
    await sleep(waitMs, signal)
  } catch (error) {
    throw signal.aborted ? aborted(signal) : error
  }
  if (signal.aborted) throw aborted(signal)
}

/** The manifest's waits are for the API's responses, not for a host that cannot be reached. */
function unruled({ waitAfter: _ofTheManifest, ...tools }: RetryTools): RetryTools {
  return tools
}

function gaveUp(tries: number, failed: ToRetry, { url }: HttpRequest, tools: RetryTools): ConnectorError {
  const { reason, cause, code = 'response/gave-up' } = failed
  const times = tries === 1 ? 'one try' : `${tries} tries`
  const isUnreachable = hasCode(cause, 'response/unreachable')
  const hint = isUnreachable ? unreachableHint(url, tools.addressField ?? '`url_base`') : failed.hint
  return new ConnectorError(code, `Gave up after ${times}. The last one: ${reason}`, { cause, hint })
}

/** Of a request without pages, or of a stream that says nothing about smaller ones. */
function askedInVain(action: PageAction, reason: string): ConnectorError {
  if (action === 'reset')
    return new ConnectorError('pagination/reset-asked', `A response asks to start again. ${reason}`)
  const [name, field] =
    action === 'smaller-page'
      ? ['REDUCE_PAGE_SIZE', 'page_size_reduction']
      : ['SPLIT_REQUEST_WINDOW', 'request_window_splitting']
  const hint = `The manifest answers it with ${name}: add \`${field}\` to the retriever of the stream.`
  return new ConnectorError('response/rejected', reason, { hint })
}

type FailedResponse = RetryOutcome & { readonly response: HttpResponse | null }

/** The wait, and what a reader may want to know about it. */
type NextWait = { readonly waitMs: number; readonly isRateLimited?: true; readonly quotaResetsAt?: number }

/** A custom class decides first, then the manifest, then the server, then doubling. */
function nextWait(failed: FailedResponse, attempt: number, rules: RetryRules, tools: RetryTools): NextWait {
  const [now, random] = [tools.now(), tools.random()]
  const { response, isRateLimited } = failed
  const chosen = ownWait(failed) ?? tools.waitAfter?.({ attempt, response, now, random }) ?? null
  const waitMs = chosen?.waitMs ?? retryWaitMs(attempt, failed.waitMs, rules.baseMs, random)
  if (waitMs > rules.maxWaitMs && !chosen?.hasOwnLimit) throw waitsTooLong(waitMs, rules, failed.reason, now)
  if (!isRateLimited) return { waitMs }
  const isFromServer = chosen === null ? waitMs === failed.waitMs : chosen.isFromServer === true
  return { waitMs, isRateLimited, ...(isFromServer && { quotaResetsAt: now + waitMs }) }
}

function ownWait({ ownWaitMs }: RetryOutcome): ChosenWait | null {
  return ownWaitMs === undefined ? null : { waitMs: ownWaitMs, hasOwnLimit: false }
}

/**
 * How long to wait after the failed try number `attempt` (1 is the first). What the server asks for wins; otherwise half of
 * 1, 2, 4, 8, 16 s is certain and half is chance, so that slices which failed together do not come back together.
 *
 * @example retryWaitMs(3, undefined, 1000, 0.5) // 3000
 */
export function retryWaitMs(attempt: number, serverMs: number | undefined, baseMs: number, random: number): number {
  // "Retry after 0 s" (or a date in the past, when clocks differ) does not say when it may work.
  if (serverMs !== undefined && serverMs > 0) return serverMs
  const fullMs = baseMs * 2 ** (attempt - 1)
  return Math.round(fullMs / 2 + (fullMs / 2) * random)
}

function waitsTooLong(waitMs: number, { maxWaitMs }: RetryRules, reason: string, now: number): ConnectorError {
  const named = namedInstant(now + waitMs)
  const message = `The next try would have to wait until ${named}, longer than the limit of ${maxWaitMs / 1000} s. ${reason}`
  return new ConnectorError('response/gave-up', message, { hint: `Run again after ${named}.` })
}

/** As servers name them, also those that no date can be. */
export function namedInstant(ms: number): string {
  const instant = new Date(ms)
  return Number.isNaN(instant.getTime()) ? 'a date too far in the future' : instant.toISOString()
}

/** Origins that answered, whatever they said. */
export type Reached = Set<string>

/** The name does not resolve, or the port is closed. More often a wrong address than a short outage. */
const absentHostCodes: readonly unknown[] = ['ENOTFOUND', 'ECONNREFUSED']

/** Two quick retries: enough for a server that is starting. */
const mostRetries = 2
const quickMs = 500

/** The rules for a request that failed: fewer and quicker retries where its host is not there and never answered. */
function rulesFor(rules: RetryRules, url: string, cause: unknown, reached: Reached | undefined): RetryRules {
  if (reached === undefined || !isAbsentHost(cause) || reached.has(originOf(url))) return rules
  const { maxRetries, baseMs } = rules
  return { ...rules, maxRetries: Math.min(maxRetries, mostRetries), baseMs: Math.min(baseMs, quickMs) }
}

function isAbsentHost(error: unknown): boolean {
  if (!hasCode(error, 'response/unreachable')) return false
  return absentHostCodes.includes((error.cause as { code?: unknown } | undefined)?.code)
}

/** What to do about a host that cannot be reached. `field` is where the manifest names it. */
function unreachableHint(url: string, field: string): string {
  const host = isUrl(url) ? new URL(url).host : url
  return `Check ${field}: is \`${host}\` the right host and port? If it is, check the network between here and there, then run again.`
}
