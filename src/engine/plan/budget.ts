/** `api_budget` and `concurrency_level` → how many requests the API takes, and how many slices are read at once. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import type { Component } from '../manifest/manifest.ts'
import { parseDuration } from '../template/dates/duration.ts'
import { TimeDelta } from '../template/dates/time-delta.ts'
import { isPattern } from '../template/patterns.ts'
import { pythonText } from '../template/text.ts'
import { componentIn, componentsIn, type Fields, numberIn, type PlanInput, unsupported } from './read-fields.ts'

export type BudgetPlan = {
  /** The first that a request matches counts it; a request that matches none is free. */
  readonly policies: readonly PolicyPlan[]
  /** Lower-case names of the response headers with the time when the quota is reset, and with what is left of it. */
  readonly resetHeader: string
  readonly remainingHeader: string
  /** A response with one of these says that nothing is left. */
  readonly exhaustedStatuses: readonly number[]
}

export type PolicyPlan = {
  /** Each is enough; without any, every request matches. */
  readonly matchers: readonly MatcherPlan[]
} & (
  | { readonly kind: 'unlimited' }
  /** In no stretch of time as long as the interval more calls than the limit, for each of the rates. */
  | { readonly kind: 'moving'; readonly rates: readonly RatePlan[] }
  /** The count starts anew when the API says so, or a period after the first call. */
  | ({ readonly kind: 'fixed' } & RatePlan)
)

export type RatePlan = { readonly limit: number; readonly intervalMs: number }

/** What is null or empty is not compared. */
export type MatcherPlan = {
  readonly method: string | null
  readonly origin: string | null
  /** A regular expression to be found in the path. */
  readonly path: string | null
  readonly query: Readonly<Record<string, string>>
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** How many calls such a request counts for. */
  readonly weight: number
}

/** Null when the manifest has no budget. */
export function planBudget(input: PlanInput): BudgetPlan | null {
  const budget = componentIn(input.manifest.root, 'api_budget')
  if (budget === null) return null
  const statuses = (budget.status_codes_for_ratelimit_hit as readonly number[] | undefined | null) ?? []
  return {
    policies: componentsIn(budget, 'policies').map((policy) => planPolicy(input, policy)),
    resetHeader: headerIn(budget, 'ratelimit_reset_header') ?? 'ratelimit-reset',
    remainingHeader: headerIn(budget, 'ratelimit_remaining_header') ?? 'ratelimit-remaining',
    // Airbyte: an empty list means the default.
    exhaustedStatuses: statuses.length === 0 ? [429] : statuses,
  }
}

function headerIn(budget: Component, field: string): string | null {
  return ((budget[field] as string | undefined | null) || null)?.toLowerCase() ?? null
}

function planPolicy(input: PlanInput, policy: Component): PolicyPlan {
  const matchers = componentsIn(policy, 'matchers').map((matcher) => planMatcher(input, matcher))
  switch (policy.type) {
    case 'UnlimitedCallRatePolicy':
      return { kind: 'unlimited', matchers }
    case 'MovingWindowCallRatePolicy': {
      const rates = componentsIn(policy, 'rates').map((rate) => planRate(input, rate, 'limit', 'interval'))
      if (rates.length === 0) throw invalid(input, policy, 'rates', 'It has no rate, so nothing could ever be sent.')
      refuseHeavy(input, policy, matchers, Math.min(...rates.map(({ limit }) => limit)))
      return { kind: 'moving', rates, matchers }
    }
    case 'FixedWindowCallRatePolicy': {
      const rate = planRate(input, policy, 'call_limit', 'period')
      refuseHeavy(input, policy, matchers, rate.limit)
      return { kind: 'fixed', ...rate, matchers }
    }
    default:
      throw unsupported(input, policy)
  }
}

function planRate(input: PlanInput, rate: Component, limitField: string, intervalField: string): RatePlan {
  const limit = Math.trunc(numberIn(input, rate, limitField) ?? 0)
  if (limit < 1) throw invalid(input, rate, limitField, `The limit is ${limit}, so nothing could ever be sent.`)
  return { limit, intervalMs: planInterval(input, rate, intervalField) }
}

function planInterval(input: PlanInput, rate: Component, field: string): number {
  const at = input.manifest.at(rate, field)
  const text = String(rate[field])
  const ms = fixedLengthMs(field, text, at)
  if (ms < 1) throw invalidDuration(field, text, at, 'is zero')
  return ms
}

/** A duration of ISO 8601 that is as long whenever it begins. */
export function fixedLengthMs(field: string, text: string, at: SourceLocation): number {
  const span = durationIn(field, text, at)
  if (span instanceof TimeDelta) return span.days * 86_400_000 + span.micros / 1000
  throw invalidDuration(field, text, at, 'counts months or years, which have no fixed length')
}

function durationIn(field: string, text: string, at: SourceLocation) {
  try {
    return parseDuration(text)
  } catch (cause) {
    throw invalidDuration(field, text, at, 'is not a duration', cause)
  }
}

function invalidDuration(field: string, text: string, at: SourceLocation, why: string, cause?: unknown) {
  return new ConnectorError('plan/invalid-duration', `\`${field}: ${text.slice(0, 60)}\` ${why}.`, { at, cause })
}

export function planMatcher(input: PlanInput, matcher: Component): MatcherPlan {
  const weight = Math.trunc(numberIn(input, matcher, 'weight') ?? 1)
  if (weight < 1) throw invalid(input, matcher, 'weight', `The weight is ${weight}, where at least 1 is needed.`)
  const { method, url_base: base } = matcher as { method?: string | null; url_base?: string | null }
  return {
    method: method ? method.toUpperCase() : null,
    origin: base ? base.replace(/\/+$/, '') : null,
    path: planPath(input, matcher),
    query: textsIn(matcher, 'params', (name) => name),
    headers: textsIn(matcher, 'headers', (name) => name.toLowerCase()),
    weight,
  }
}

function planPath(input: PlanInput, matcher: Component): string | null {
  const pattern = (matcher.url_path_pattern as string | undefined | null) || null
  if (pattern === null || isPattern(pattern)) return pattern
  throw new ConnectorError('manifest/invalid-value', `\`${pattern.slice(0, 60)}\` is not a regular expression.`, {
    at: input.manifest.at(matcher, 'url_path_pattern'),
    hint: 'Write a regular expression without look-ahead and back-references, of at most 1000 characters.',
  })
}

/** Airbyte: names and values are compared as Python writes them. */
function textsIn(matcher: Component, field: string, nameOf: (name: string) => string): Record<string, string> {
  const wanted = Object.entries((matcher[field] as Fields | undefined | null) ?? {})
  return Object.fromEntries(wanted.map(([name, value]) => [nameOf(name), pythonText(value)]))
}

function refuseHeavy(input: PlanInput, policy: Component, matchers: readonly MatcherPlan[], limit: number): void {
  const heavy = matchers.findIndex(({ weight }) => weight > limit)
  const matcher = componentsIn(policy, 'matchers')[heavy]
  if (matcher === undefined) return
  const weight = matchers[heavy]?.weight
  throw invalid(input, matcher, 'weight', `A request counts for ${weight} calls, and the limit is ${limit}.`)
}

function invalid(input: PlanInput, holder: Component, field: string, message: string): ConnectorError {
  return new ConnectorError('plan/invalid-budget', message, { at: input.manifest.at(holder, field) })
}

export type Concurrency = {
  /** How many slices, of all streams together, are read at a time. */
  readonly slices: number
  /** How many requests are under way at a time: a slice may request pages ahead. */
  readonly requests: number
}

/** Airbyte reads two slices where a manifest is silent; four, and a few pages ahead, keep an API busy without crowding it. */
const usual: Concurrency = { slices: 4, requests: 16 }

/** What the manifest, or the caller, says counts for both. */
export function planConcurrency(input: PlanInput, given?: number): Concurrency {
  const said = given ?? declaredConcurrency(input)
  return said === null ? usual : { slices: said, requests: said }
}

function declaredConcurrency(input: PlanInput): number | null {
  const level = componentIn(input.manifest.root, 'concurrency_level')
  if (level === null) return null
  const wanted = numberIn(input, level, 'default_concurrency') ?? usual.slices
  const most = numberIn(input, level, 'max_concurrency') ?? Number.POSITIVE_INFINITY
  const width = Math.floor(Math.min(wanted, most))
  if (width >= 1) return width
  const message = `\`concurrency_level\` gives ${width}; at least one slice must be read at a time.`
  throw new ConnectorError('plan/invalid-number', message, { at: input.manifest.at(level) })
}
