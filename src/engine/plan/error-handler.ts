/** `error_handler` → what responses mean, how often to retry, how long to wait. */
import { ConnectorError, type FailureType, type SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Component } from '../manifest/manifest.ts'
import { isPattern } from '../template/patterns.ts'
import type { Template } from '../template/template.ts'
import type { Parameters } from './plan.ts'
import {
  componentIn,
  componentsIn,
  numberIn,
  parametersOf,
  planCustom,
  type PlanInput,
  requiredTemplateIn,
  templateIn,
  textIn,
  evaluatedText,
  unsupported,
} from './read-fields.ts'

/** What responses mean, how often to retry, and how long to wait before. */
export type ErrorPlan = {
  readonly rules: ErrorRules
  /** Attempts after the first one. */
  readonly maxRetries: number
  /** The first strategy that knows a wait is followed, whatever the failure; when none does, what the server says counts. */
  readonly waits: readonly WaitPlan[]
}

export type ErrorRules =
  /** The first filter that matches decides; when none does, the status. */
  | { readonly kind: 'filters'; readonly filters: readonly ResponseFilter[] }
  /** The class decides first; where it has no opinion, its filters decide. */
  | { readonly kind: 'custom'; readonly custom: CustomPlan; readonly otherwise: ErrorRules }
  /** One after the other, until one accepts, ignores or retries; otherwise the last one decides. */
  | { readonly kind: 'in-turn'; readonly members: readonly ErrorRules[] }

/** `refresh`: a new token is fetched before the next try. */
export type ResponseAction = 'accept' | 'ignore' | 'retry' | 'rate-limited' | 'refresh' | PageAction | 'fail'

/** The pages of the slice start again, the page is requested with fewer records, or the slice in two halves. */
export type PageAction = 'reset' | 'smaller-page' | 'smaller-window'

export type ResponseFilter = {
  readonly action: ResponseAction
  /** Each of the three is enough to match. */
  readonly statuses: readonly number[]
  readonly when: Template | null
  readonly saying: string | null

  readonly message: Template | null
  readonly failureType: FailureType | null
  readonly parameters: Parameters
  readonly at: SourceLocation
}

export type WaitPlan =
  | { readonly kind: 'constant'; readonly seconds: number; readonly jitterSeconds: number }
  /** Doubled with every try: twice the factor after the first. */
  | { readonly kind: 'exponential'; readonly factor: number; readonly jitterSeconds: number }
  /** The header holds seconds to wait. */
  | ({ readonly kind: 'for-header' } & WaitHeader)
  /** The header holds seconds since 1970. */
  | ({ readonly kind: 'until-header'; readonly minSeconds: number | null } & WaitHeader)
  /** The template, which may use the response, gives the seconds to wait. */
  | {
      readonly kind: 'from-response'
      readonly seconds: Template
      readonly parameters: Parameters
      /** A wait this long or longer ends the read. */
      readonly maxSeconds: number | null
    }
  | { readonly kind: 'custom'; readonly custom: CustomPlan }

export type WaitHeader = {
  readonly header: string
  /** What the header starts with, if this matches, is the number. */
  readonly pattern: string | null
  /** A wait this long or longer ends the read. */
  readonly maxSeconds: number | null
}

/** Airbyte: five, so six tries. */
const usualRetries = 5

/** The custom classes that judge responses. */
export function classesIn(rules: ErrorRules): CustomPlan[] {
  if (rules.kind === 'in-turn') return rules.members.flatMap(classesIn)
  return rules.kind === 'custom' ? [rules.custom] : []
}

export function planErrors(input: PlanInput, requester: Component): ErrorPlan {
  const handler = componentIn(requester, 'error_handler')
  if (handler === null) return { rules: { kind: 'filters', filters: [] }, maxRetries: usualRetries, waits: [] }
  return { rules: planRules(input, handler), maxRetries: planRetries(input, handler), waits: planWaits(input, handler) }
}

function planRules(input: PlanInput, handler: Component): ErrorRules {
  switch (handler.type) {
    case 'DefaultErrorHandler':
      return planFilters(input, handler)
    case 'CustomErrorHandler':
      return { kind: 'custom', custom: planCustom(input, handler), otherwise: planFilters(input, handler) }
    case 'CompositeErrorHandler':
      return { kind: 'in-turn', members: membersOf(handler).map((member) => planRules(input, member)) }
    default:
      throw unsupported(input, handler)
  }
}

function planFilters(input: PlanInput, handler: Component): ErrorRules {
  const filters = componentsIn(handler, 'response_filters').flatMap((filter) => planFilter(input, filter) ?? [])
  return { kind: 'filters', filters }
}

function membersOf(handler: Component): readonly Component[] {
  return componentsIn(handler, 'error_handlers')
}

/** Airbyte: of several handlers the first one's number counts for all. */
function planRetries(input: PlanInput, handler: Component): number {
  const [first] = membersOf(handler)
  if (first !== undefined) return planRetries(input, first)
  // Airbyte: a template that gives nothing leaves the usual number.
  if (textIn(input, handler, 'max_retries') === '') return usualRetries
  return Math.max(0, Math.trunc(numberIn(input, handler, 'max_retries') ?? usualRetries))
}

const actions = {
  SUCCESS: 'accept',
  IGNORE: 'ignore',
  RETRY: 'retry',
  RATE_LIMITED: 'rate-limited',
  REFRESH_TOKEN_THEN_RETRY: 'refresh',
  RESET_PAGINATION: 'reset',
  FAIL: 'fail',
  REDUCE_PAGE_SIZE: 'smaller-page',
  SPLIT_REQUEST_WINDOW: 'smaller-window',
} as const satisfies Record<string, ResponseAction>

/** Airbyte: a filter that names no action decides nothing. */
function planFilter(input: PlanInput, filter: Component): ResponseFilter | null {
  const action = filter.action as keyof typeof actions | undefined | null
  if (action === undefined || action === null) return null
  return {
    action: actions[action],
    statuses: (filter.http_codes as readonly number[] | undefined | null) ?? [],
    when: filter.predicate === '' ? null : templateIn(input, filter, 'predicate'),
    saying: (filter.error_message_contains as string | undefined) || null,
    message: templateIn(input, filter, 'error_message'),
    failureType: (filter.failure_type as FailureType | undefined) ?? null,
    parameters: parametersOf(filter),
    at: input.manifest.at(filter),
  }
}

/** Airbyte: the strategies of several handlers form one list, in their order. */
function planWaits(input: PlanInput, handler: Component): WaitPlan[] {
  const own = componentsIn(handler, 'backoff_strategies').map((strategy) => planWait(input, strategy))
  return [...own, ...membersOf(handler).flatMap((member) => planWaits(input, member))]
}

function planWait(input: PlanInput, strategy: Component): WaitPlan {
  if (strategy.type === 'CustomBackoffStrategy') return { kind: 'custom', custom: planCustom(input, strategy) }
  const jitterSeconds = numberIn(input, strategy, 'jitter_range_in_seconds') ?? 0
  switch (strategy.type) {
    case 'ConstantBackoffStrategy':
      return { kind: 'constant', seconds: numberIn(input, strategy, 'backoff_time_in_seconds') ?? 0, jitterSeconds }
    case 'ExponentialBackoffStrategy':
      // Airbyte: a factor of 5, so 10, 20, 40 s.
      return { kind: 'exponential', factor: numberIn(input, strategy, 'factor') ?? 5, jitterSeconds }
    case 'WaitTimeFromHeader':
      return { kind: 'for-header', ...planHeader(input, strategy) }
    case 'WaitUntilTimeFromHeader':
      return {
        kind: 'until-header',
        minSeconds: numberIn(input, strategy, 'min_wait'),
        ...planHeader(input, strategy),
      }
    case 'WaitTimeFromResponse':
      return {
        kind: 'from-response',
        seconds: requiredTemplateIn(input, strategy, 'wait_time_in_seconds'),
        parameters: parametersOf(strategy),
        maxSeconds: numberIn(input, strategy, 'max_waiting_time_in_seconds'),
      }
    default:
      throw unsupported(input, strategy)
  }
}

function planHeader(input: PlanInput, strategy: Component): WaitHeader {
  const header = evaluatedText(input, requiredTemplateIn(input, strategy, 'header'), parametersOf(strategy))
  return {
    header: header.toLowerCase(),
    pattern: planPattern(input, strategy),
    maxSeconds: numberIn(input, strategy, 'max_waiting_time_in_seconds'),
  }
}

function planPattern(input: PlanInput, strategy: Component): string | null {
  const template = templateIn(input, strategy, 'regex')
  if (template === null || template.source === '') return null
  // As it is written: `[0-9]` is a pattern here, not a list.
  const pattern = template.isPlain ? template.source : evaluatedText(input, template, parametersOf(strategy))
  if (isPattern(pattern)) return pattern
  throw new ConnectorError('manifest/invalid-value', `\`${pattern.slice(0, 60)}\` is not a regular expression.`, {
    at: input.manifest.at(strategy, 'regex'),
    hint: 'Write a regular expression without look-ahead and back-references.',
  })
}
