/** `RateLimitedMultipleTokenAuthenticator` → the tokens that take turns, and how it is known what is left of each. */
import { ConnectorError, type SourceLocation } from '../../../std/errors.ts'
import type { Component } from '../../manifest/manifest.ts'
import { type MatcherPlan, planMatcher } from '../../plan/budget.ts'
import type { Placement } from '../../plan/plan.ts'
import {
  compileAt,
  componentsIn,
  numberIn,
  type PlanInput,
  requiredComponentIn,
  requiredTemplateIn,
  templateIn,
} from '../../plan/read-fields.ts'
import { compileTemplate, type Template } from '../../template/template.ts'

export type RotatingPlan = {
  readonly kind: 'rotating'
  readonly at: SourceLocation
  readonly tokens: readonly Template[]
  /** Separates the tokens that one template gives; null where each template gives one. */
  readonly delimiter: string | null
  /** What is sent before a token. */
  readonly scheme: string
  readonly placement: Placement
  readonly status: QuotaStatusPlan
  /** At least one. */
  readonly pools: readonly [PoolPlan, ...PoolPlan[]]
  /** ISO 8601: how long a request may wait for a quota to be reset. */
  readonly longestWait: Template
  /** Where no token has more left than this, requests are spread over the time until the reset. */
  readonly reserve: { readonly fraction: number; readonly least: number }
}

/** Where the API tells what is left of a token. */
export type QuotaStatusPlan = {
  readonly url: Template
  readonly at: SourceLocation
  readonly method: string
  readonly headers: readonly { readonly name: string; readonly value: Template }[]
  /** With one of these it says that it counts no calls. */
  readonly uncountedStatuses: readonly number[]
}

/** Calls that an API counts together. */
export type PoolPlan = {
  readonly name: string
  /** Each is enough; a pool without any takes the requests that no other means. */
  readonly matchers: readonly MatcherPlan[]
  /** Paths in the status response. */
  readonly paths: { readonly remaining: Path; readonly reset: Path; readonly limit: Path | null }
  /** Lower-case names of headers in every response; null where they do not say it. */
  readonly headers: {
    readonly remaining: string | null
    readonly reset: string | null
    readonly limit: string | null
  }
  /** A response with one of these says that nothing is left. */
  readonly exhaustedStatuses: readonly number[]
}

type Path = readonly string[]

export function planRotatingTokens(input: PlanInput, auth: Component): RotatingPlan {
  const at = input.manifest.at(auth)
  const { tokens } = auth
  const [first, ...others] = componentsIn(auth, 'quotas').map((quota) => planPool(input, quota))
  if (first === undefined) throw withoutQuotas(input, auth)
  return {
    kind: 'rotating',
    at,
    tokens: [tokens].flat().map((token) => compileAt(token, input.manifest.at(auth, 'tokens'))),
    delimiter: Array.isArray(tokens) ? null : textOr(auth.token_delimiter, ','),
    scheme: textOr(auth.auth_method, 'Bearer'),
    placement: { into: 'header', name: textOr(auth.header, 'Authorization') },
    status: planStatus(input, requiredComponentIn(input, auth, 'quota_status_source')),
    pools: [first, ...others],
    longestWait: templateIn(input, auth, 'max_wait_time') ?? compileTemplate('PT2H'),
    reserve: {
      fraction: numberIn(input, auth, 'budget_reserve_fraction') ?? 0.1,
      least: numberIn(input, auth, 'budget_min_reserve') ?? 50,
    },
  }
}

function withoutQuotas({ manifest }: PlanInput, auth: Component): ConnectorError {
  const message = `\`quotas\` of ${auth.type} is empty; it needs at least one.`
  return new ConnectorError('manifest/invalid-value', message, {
    at: manifest.at(auth, 'quotas'),
    hint: 'Add a quota that says what is left of a token, or use another authenticator.',
  })
}

function planStatus(input: PlanInput, source: Component): QuotaStatusPlan {
  const at = input.manifest.at(source, 'request_headers')
  const headers = Object.entries((source.request_headers as Record<string, unknown> | undefined | null) ?? {})
  return {
    url: requiredTemplateIn(input, source, 'url'),
    at: input.manifest.at(source, 'url'),
    method: textOr(source.http_method, 'GET'),
    headers: headers.map(([name, value]) => ({ name, value: compileAt(value, at) })),
    uncountedStatuses: numbersIn(source, 'unavailable_status_codes'),
  }
}

function planPool(input: PlanInput, quota: Component): PoolPlan {
  const header = (field: string) => textOr(quota[field], '').toLowerCase() || null
  return {
    name: String(quota.name),
    matchers: componentsIn(quota, 'matchers').map((matcher) => planMatcher(input, matcher)),
    paths: {
      remaining: quota.remaining_path as Path,
      reset: quota.reset_path as Path,
      limit: (quota.limit_path as Path | undefined | null) ?? null,
    },
    headers: {
      remaining: header('remaining_header'),
      reset: header('reset_header'),
      limit: header('limit_header'),
    },
    exhaustedStatuses: numbersIn(quota, 'exhaustion_status_codes'),
  }
}

/** Airbyte: an empty text means the default. */
function textOr(value: unknown, usual: string): string {
  return (value as string | undefined | null) || usual
}

function numbersIn(component: Component, field: string): readonly number[] {
  return (component[field] as readonly number[] | undefined | null) ?? []
}

/** The tokens that the templates give, each once. Of a list that a template gives, each member is one. */
export function tokensOf(
  { tokens, delimiter }: RotatingPlan,
  evaluate: (token: Template) => string | readonly string[],
): string[] {
  const texts = tokens.flatMap((token) => {
    const given = evaluate(token)
    return typeof given === 'string' && delimiter !== null ? given.split(delimiter) : given
  })
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))]
}
