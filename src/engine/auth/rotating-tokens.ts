/** Several tokens of one API: the next one is used when nothing is left of the quota of one, and requests wait when nothing is left of any. */
import { ConnectorError } from '../../std/errors.ts'
import { Float } from '../../std/json.ts'
import { valueAt } from '../../std/values/get-at.ts'
import { fixedLengthMs } from '../plan/budget.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { resolveUrl } from '../request/url.ts'
import { matchesRequest } from '../response/budget/budget.ts'
import { responseAddress } from '../response/decode.ts'
import { inItsTurn } from '../response/failure.ts'
import type { HttpResponse, Send } from '../response/http-response.ts'
import { outcomeOf } from '../response/outcome.ts'
import { namedInstant, pause } from '../response/retry.ts'
import type { Run } from '../run/run.ts'
import { type Credentials, evaluateText, evaluateTexts, type Holder } from './credentials.ts'
import { authIdentity, unlessAborted } from './keep-token.ts'
import { type PoolPlan, type RotatingPlan, tokensOf } from './plan/rotating-tokens.ts'
import { authenticate } from './sign-request.ts'
import { decodeTokenResponse, instantOf, tokenSend } from './token-endpoint.ts'
import { countCalls, type Quota, type QuotaReport, type Quotas, type TokenQuotas } from './token-quotas.ts'

/** Airbyte: templates of this authenticator see the config only. */
const noParameters: Holder = { parameters: {} }

/** Airbyte: a reset that is over by the clock here may not be over there, and is not asked about all the time. */
const shortestWaitMs = 5000
/** Airbyte: a shorter wait spreads nothing. */
const leastSpreadMs = 100

/** What all requests of one config share; `asking` is the request under way for what is left. */
type Shared = { readonly calls: TokenQuotas; isKnown: boolean; asking: Promise<void> | null }

export function openRotatingTokens(run: Run, plan: RotatingPlan): Credentials {
  const tokens = tokensOf(plan, (token) => evaluateTexts(token, noParameters, run.config))
  if (tokens.length === 0) {
    const message = 'The config has no token: the list of tokens that take turns is empty.'
    throw new ConnectorError('plan/missing-config', message, { at: plan.at })
  }
  const { placement, reserve } = plan
  const start = (): Shared => ({ calls: countCalls(tokens, reserve), isKnown: false, asking: null })
  const shared = run.tokens.once(authIdentity(plan), start)
  const context: Context = { run, plan, tokens, shared, longestMs: longestWaitMs(run, plan) }
  return { kind: 'rotating', placement, signing: (send) => signWithTurns(send, context) }
}

type Context = {
  readonly run: Run
  readonly plan: RotatingPlan
  readonly tokens: readonly string[]
  readonly shared: Shared
  readonly longestMs: number
}

function longestWaitMs({ config, retry }: Run, { longestWait, at }: RotatingPlan): number {
  const own = fixedLengthMs('max_wait_time', evaluateText(longestWait, noParameters, config), at)
  return Math.min(own, retry.maxWaitMs ?? own)
}

/**
 * A request that is refused because nothing is left of its token is sent again: with another at once, or, where nothing is left of
 * any, with the first that has calls again. After one such wait a refusal is believed.
 */
function signWithTurns(send: Send, context: Context): Send {
  const { plan, tokens, run, shared } = context
  return async (request, signal) => {
    const pool = poolOf(plan, request)
    let hasWaited = false
    for (let attempt = 1; ; attempt++) {
      const token = await takeToken(context, pool, request, signal)
      const response = await send(authenticate(plan.placement, sentAs(plan, token), request), signal)
      const told = reportOf(pool, response, run.now())
      shared.calls.learn(token, pool.name, told)
      const isRefused = [403, 429, ...pool.exhaustedStatuses].includes(response.status)
      const mayTurn = attempt < tokens.length && shared.calls.hasOther(token, pool.name)
      // A refusal for another reason does not say that nothing is left.
      const mayWait = !hasWaited && told.remaining !== null && told.remaining <= 0 && shared.calls.isSpent(pool.name)
      if (!isRefused || !(mayTurn || mayWait)) return response

      response.stream?.discard()
      if (request.isAhead && !mayTurn) throw inItsTurn()
      hasWaited ||= !mayTurn
      const [of, then] = mayTurn ? ['a', 'Another is used'] : ['any', 'The request waits for a reset']
      const reason = `The server responded with ${response.status}: nothing is left of the quota of ${of} token. ${then}.`
      const tries = tokens.length + (hasWaited ? 1 : 0)
      run.report({ kind: 'retry', attempt, tries, waitMs: 0, reason, url: request.url })
    }
  }
}

function sentAs({ scheme }: RotatingPlan, token: string): string {
  return `${scheme} ${token}`
}

/** The first pool that means the request, else the first that means all others, else the first. */
function poolOf({ pools }: RotatingPlan, request: HttpRequest): PoolPlan {
  const own = pools.find(({ matchers }) => matchers.some((matcher) => matchesRequest(matcher, request)))
  return own ?? pools.find(({ matchers }) => matchers.length === 0) ?? pools[0]
}

/** Waits until a token may be used. */
async function takeToken(context: Context, pool: PoolPlan, request: HttpRequest, signal: AbortSignal): Promise<string> {
  const { run, shared, longestMs } = context
  const { clock, now, report } = run
  const wait = async (waitMs: number) => {
    const { origin, pathname } = new URL(request.url)
    report({ kind: 'budget', waitMs: Math.ceil(waitMs), url: origin + pathname })
    await pause(waitMs, signal, clock)
  }
  if (!shared.isKnown) await askForQuotas(context, signal)

  const since = clock.now()
  for (;;) {
    const taken = shared.calls.take(pool.name, now())
    if (taken !== null) {
      const isScarce = taken.waitMs >= leastSpreadMs || shared.calls.isSpent(pool.name)
      if (!isScarce) return taken.token
      try {
        // It may not be wanted: what is left is for the pages whose turn it is.
        if (request.isAhead) throw inItsTurn()
        if (taken.waitMs >= leastSpreadMs) await wait(taken.waitMs)
        return taken.token
      } catch (error) {
        taken.giveBack()
        throw error
      }
    }
    if (request.isAhead) throw inItsTurn()
    const resetsAt = shared.calls.resetsAt(pool.name)
    const [leftMs, resetMs] = [since + longestMs - clock.now(), resetsAt - now()]
    if (leftMs <= 0 || resetMs >= leftMs) throw allSpent(pool, resetsAt, longestMs)
    await wait(Math.min(Math.max(resetMs, shortestWaitMs), leftMs))
    if (shared.calls.isSpent(pool.name)) await askForQuotas(context, signal)
  }
}

function allSpent({ name }: PoolPlan, resetsAt: number, longestMs: number): ConnectorError {
  const until = namedInstant(resetsAt)
  const message = `No token has calls left (quota \`${name}\`), and the next reset, at ${until}, is later than the longest wait of ${longestMs / 1000} s allows.`
  const hint = `Run again after ${until}, add a token, or set a longer \`max_wait_time\`.`
  return new ConnectorError('response/gave-up', message, { hint, failureType: 'transient_error' })
}

/** Of requests that wait together, the first asks for all. A reader that cancels does not wait; the others do. */
async function askForQuotas(context: Context, signal: AbortSignal): Promise<void> {
  const { run, shared } = context
  shared.asking ??= run.tokens.underWay(
    askForEach(context).finally(() => {
      shared.asking = null
    }),
  )
  const { asking } = shared
  await unlessAborted(signal, () => asking)
}

async function askForEach({ run, plan, tokens, shared }: Context): Promise<void> {
  const quotas = await Promise.all(tokens.map(async (token) => [token, await quotasOf(run, plan, token)] as const))
  shared.calls.set(new Map(quotas))
  shared.isKnown = true
}

async function quotasOf(run: Run, plan: RotatingPlan, token: string): Promise<Quotas> {
  const { url: address, at, method, headers, uncountedStatuses } = plan.status
  const url = resolveUrl(evaluateText(address, noParameters, run.config).trim(), undefined, at)
  const own = headers.map(({ name, value }) => [name, evaluateText(value, noParameters, run.config)] as const)
  const request: HttpRequest = { method, url, home: url, headers: Object.fromEntries(own), body: null }
  const isUncounted = ({ status }: HttpResponse) => uncountedStatuses.includes(status)
  const send = tokenSend(run, {
    judge: (response, now) => (isUncounted(response) ? { kind: 'accept' } : outcomeOf(response, now)),
  })
  const response = await send(authenticate(plan.placement, sentAs(plan, token), request), run.tokens.closing)
  if (isUncounted(response)) return null
  const body = decodeTokenResponse(response)
  return new Map(plan.pools.map((pool) => [pool.name, quotaIn(pool, body, response, run.now())]))
}

function quotaIn({ name, paths }: PoolPlan, body: unknown, response: HttpResponse, now: number): Quota {
  const found = <T>(path: readonly string[], read: (value: unknown) => T | null): T => {
    const known = read(valueAt(body, path))
    if (known !== null) return known
    const message = `The response of ${responseAddress(response)} does not say what is left of the quota \`${name}\`: it has no \`${path.join('.')}\` that can be read.`
    const hint = 'Check `remaining_path`, `reset_path` and `limit_path` of the quota, and the `url` of its status.'
    throw new ConnectorError('response/no-token', message, { hint })
  }
  const remaining = found(paths.remaining, countOf)
  return {
    remaining,
    resetsAt: found(paths.reset, (value) => resetOf(value, now)),
    limit: paths.limit === null ? remaining : found(paths.limit, countOf),
  }
}

function reportOf(
  { headers: names, exhaustedStatuses }: PoolPlan,
  { status, headers }: HttpResponse,
  now: number,
): QuotaReport {
  const textOf = (name: string | null) => (name === null ? undefined : headers[name])
  const reset = textOf(names.reset)
  const isRefused = exhaustedStatuses.includes(status)
  return {
    remaining: countOf(textOf(names.remaining)) ?? (isRefused ? 0 : null),
    resetsAt: reset === undefined ? null : resetOf(reset, now),
    limit: countOf(textOf(names.limit)),
    isRefused,
  }
}

/** 2001: no reset is before, so a smaller number is the seconds that are left, as in the budget of a source. */
const earliestResetMs = 1e12

function resetOf(value: unknown, now: number): number | null {
  const instant = instantOf(value)
  return instant !== null && instant < earliestResetMs ? now + instant : instant
}

/** A number, also as text. */
function countOf(value: unknown): number | null {
  const count =
    value instanceof Float ? value.value : typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof count === 'number' && Number.isFinite(count) ? Math.trunc(count) : null
}
