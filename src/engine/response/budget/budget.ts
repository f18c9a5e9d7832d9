/** Send → Send that stays within the number of requests an API takes. */
import type { BudgetPlan, MatcherPlan, PolicyPlan, RatePlan } from '../../plan/budget.ts'
import type { SharedBudget } from '../../plan/shared-budget.ts'
import type { HttpRequest } from '../../request/http-request.ts'
import type { HttpResponse, Send } from '../http-response.ts'
import type { Notice } from '../notice.ts'
import { type CallWindow, fixedWindow, movingWindow, reportedPauseMs } from './call-window.ts'
import { createLeasedLine } from './leased-line.ts'
import type { SteadyClock } from './steady-clock.ts'
import { type ReportedQuota, reportedQuota } from './reported-quota.ts'
import { createRequestQueue } from './request-queue.ts'
import { hasMatch } from '../../template/patterns.ts'

type BudgetTools = {
  readonly clock: SteadyClock
  /** Milliseconds since 1970, to understand moments that answers name. */
  readonly now: () => number
  readonly report: (notice: Notice) => void
  /** Counts the calls of other processes as well. */
  readonly shared?: SharedBudget | undefined
}

/**
 * One budget for all that is wrapped by it: wrap the network itself, so that logins, parents and every hop of a redirect
 * count. Requests of one policy leave in the order they came; a request that no policy means leaves at once.
 */
export function withBudget(send: Send, plan: BudgetPlan, tools: BudgetTools): Send {
  const policies = plan.policies.map((policy, index) => openPolicy(policy, tools, `policy ${index}`))
  return async (request, signal) => {
    for (const policy of policies) {
      const weight = weightIn(policy.plan, request)
      if (weight === null) continue
      await policy.acquire(weight, request, signal)
      try {
        const response = await send(request, signal)
        policy.learn(quotaAfter(plan, response, tools.now()))
        return response
      } finally {
        policy.end(weight)
      }
    }
    return send(request, signal)
  }
}

/** How many calls the request counts for; null when the policy does not mean it. */
function weightIn({ matchers }: PolicyPlan, request: HttpRequest): number | null {
  if (matchers.length === 0) return 1
  return matchers.find((matcher) => matchesRequest(matcher, request))?.weight ?? null
}

function openPolicy(plan: PolicyPlan, { clock, report, shared }: BudgetTools, key: string) {
  const windows = windowsOf(plan)
  const rates = ratesOf(plan)
  const line =
    shared === undefined || rates.length === 0
      ? null
      : createLeasedLine({ clock, lease: (wanted, ended) => shared.lease(key, rates, wanted, ended) })
  const queue = createRequestQueue({
    clock,
    waitMs: (weight) => Math.max(0, ...windows.map((window) => window.waitMs(weight, clock.now()))),
    take: (weight) => windows.forEach((window) => window.take(weight, clock.now())),
  })
  return {
    plan,
    async acquire(weight: number, request: HttpRequest, signal: AbortSignal): Promise<void> {
      const onWait = (waitMs: number) => {
        // The request is signed by now: its query may hold a secret.
        const { origin, pathname } = new URL(request.url)
        report({ kind: 'budget', waitMs: Math.ceil(waitMs), url: origin + pathname })
      }
      await queue.wait(weight, signal, onWait)
      await line?.wait(weight, signal, onWait)
    },
    end: (weight: number) => line?.end(weight),
    learn(quota: ReportedQuota) {
      if (quota.left === null && quota.resetsInMs === null) return
      // Nothing is left for any process. If they cannot be told, they find out by themselves.
      if (quota.left === 0 && rates[0] !== undefined)
        void shared?.pause(key, reportedPauseMs(quota.resetsInMs, rates[0])).catch(() => {})
      windows[0]?.learn(quota, clock.now())
      queue.recheck()
    },
  }
}

/** The shortest first: the headers of responses are about that one. */
function windowsOf(plan: PolicyPlan): CallWindow[] {
  switch (plan.kind) {
    case 'unlimited':
      return []
    case 'fixed':
      return [fixedWindow(plan)]
    case 'moving':
      return ratesOf(plan).map(movingWindow)
  }
}

function ratesOf(plan: PolicyPlan): readonly RatePlan[] {
  switch (plan.kind) {
    case 'unlimited':
      return []
    case 'fixed':
      return [plan]
    case 'moving':
      return plan.rates.toSorted((one, other) => one.intervalMs - other.intervalMs)
  }
}

/** Where no header says how much is left, the status may. */
function quotaAfter(plan: BudgetPlan, { status, headers }: HttpResponse, now: number): ReportedQuota {
  const quota = reportedQuota(headers, plan, now)
  const isExhausted = quota.left === null && plan.exhaustedStatuses.includes(status)
  return isExhausted ? { ...quota, left: 0 } : quota
}

/**
 * Whether everything the matcher names is so.
 *
 * @example matchesRequest({ method: 'GET', path: '^/orders', … }, request)
 */
export function matchesRequest(matcher: MatcherPlan, request: HttpRequest): boolean {
  const url = new URL(request.url)
  return (
    (matcher.method === null || matcher.method === request.method.toUpperCase()) &&
    (matcher.origin === null || isOrigin(matcher.origin, url)) &&
    // Airbyte: the path without slashes at its end.
    (matcher.path === null || hasMatch(matcher.path, url.pathname.replace(/\/+$/, ''))) &&
    holds(matcher.query, () => new Map(url.searchParams)) &&
    holds(matcher.headers, () => new Map(lowerCased(request.headers)))
  )
}

/** Airbyte: scheme and host only; with a path, or a template, in it a matcher matches nothing. */
function isOrigin(text: string, { origin }: URL): boolean {
  if (text === origin) return true
  try {
    const wanted = new URL(text)
    return wanted.origin === origin && `${wanted.pathname}${wanted.search}` === '/'
  } catch {
    return false
  }
}

function holds(wanted: Readonly<Record<string, string>>, given: () => ReadonlyMap<string, string>): boolean {
  const pairs = Object.entries(wanted)
  if (pairs.length === 0) return true
  const values = given()
  return pairs.every(([name, value]) => values.get(name) === value)
}

function lowerCased(headers: HttpRequest['headers']): [string, string][] {
  return Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
}
