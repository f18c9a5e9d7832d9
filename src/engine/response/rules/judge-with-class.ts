/** Custom error handlers + a response, or a failed request → what it means. */
import type { ConnectorError, FailureType } from '../../../std/errors.ts'
import { CustomComponent, type CustomPlan, runCustom } from '../../custom/component.ts'
import { atOnce, objectOf, givenText, unfit } from '../../custom/check-returned.ts'
import type { ErrorRules, ResponseAction } from '../../plan/error-handler.ts'
import { visible } from '../decode.ts'
import type { FailureOutcome, RetryOutcome } from '../outcome.ts'
import type { AnswerContext } from './response-context.ts'

/** One for each place of the manifest that names a class. */
export type Handlers = ReadonlyMap<CustomPlan, ErrorHandler>

/** What the class says; null when it has no opinion. */
export function askClass(custom: CustomPlan, handlers: Handlers, context: ErrorContext): Interpretation | null {
  const handler = handlers.get(custom)
  if (handler === undefined) return null
  return runCustom(custom, () => {
    const given = atOnce(handler.interpret(context)) ?? null
    if (given === null) return null
    const { action, message, waitSeconds } = objectOf(given, 'an object with an `action`')
    if (!actions.some((one) => one === action)) {
      throw new TypeError(`\`${String(action)}\` is none of ${actions.join(', ')}`)
    }
    if (message !== undefined) givenText(message, 'a string as its `message`')
    if (waitSeconds !== undefined && !(typeof waitSeconds === 'number' && waitSeconds >= 0)) {
      throw unfit(waitSeconds, 'a number of seconds as its `waitSeconds`')
    }
    return given
  })
}

const lastWords: readonly ResponseAction[] = ['accept', 'ignore', 'retry', 'reset', 'smaller-page', 'smaller-window']
const actions: readonly ResponseAction[] = [...lastWords, 'rate-limited', 'refresh', 'fail']

/** Whether the next rules are skipped. Airbyte: after refusals, rate limits and tokens to refresh they are not. */
export function isLastWord(action: ResponseAction): boolean {
  return lastWords.includes(action)
}

/** The try that an action asks for, on top of what the response itself says. */
export function retryAs(action: ResponseAction, retry: RetryOutcome): RetryOutcome {
  if (action === 'rate-limited') return { ...retry, isRateLimited: true }
  return action === 'refresh' ? { ...retry, needsRefresh: true } : retry
}

/** How long the class itself wants to wait. */
export function waitOf({ waitSeconds }: Interpretation): Pick<RetryOutcome, 'ownWaitMs'> {
  return waitSeconds === undefined ? {} : { ownWaitMs: Math.ceil(waitSeconds * 1000) }
}

/** What failed requests mean to custom classes; null is another try, as without any. */
export function failureOutcomeWith(rules: ErrorRules, handlers: Handlers) {
  return (error: ConnectorError): FailureOutcome | null => judgeFailure(rules, error, handlers).outcome
}

type Judgement = { readonly outcome: FailureOutcome | null; readonly isLastWord: boolean }

/** Airbyte: whatever has no opinion on a failure asks for another try. */
const anotherTry: Judgement = { outcome: null, isLastWord: true }

function judgeFailure(rules: ErrorRules, error: ConnectorError, handlers: Handlers): Judgement {
  switch (rules.kind) {
    case 'filters':
      return anotherTry
    case 'custom': {
      const context = { response: null, error: { code: error.code, message: error.message } }
      const given = askClass(rules.custom, handlers, context)
      if (given === null) return anotherTry
      return { outcome: outcomeFor(given, error, rules.custom.at), isLastWord: isLastWord(given.action) }
    }
    case 'in-turn': {
      let judgement = anotherTry
      for (const member of rules.members) {
        judgement = judgeFailure(member, error, handlers)
        if (judgement.isLastWord) break
      }
      return judgement
    }
  }
}

function outcomeFor(given: Interpretation, error: ConnectorError, at: CustomPlan['at']): FailureOutcome {
  const reason = given.message === undefined ? error.message : `${visible(given.message)} (${error.message})`
  switch (given.action) {
    case 'accept':
    case 'ignore':
      return { kind: 'ignore', reason }
    case 'reset':
    case 'smaller-page':
    case 'smaller-window':
      return { kind: given.action, reason }
    case 'fail': {
      const { failureType } = given
      return { kind: 'fail', code: error.code, message: reason, at, ...(failureType && { failureType }) }
    }
    case 'retry':
    case 'rate-limited':
    case 'refresh':
      return retryAs(given.action, { kind: 'retry', reason, ...waitOf(given) })
  }
}

/** One of the two is there: a response, good or bad, or what kept it from coming. */
export type ErrorContext =
  | { readonly response: AnswerContext; readonly error: null }
  | { readonly response: null; readonly error: { readonly code: string; readonly message: string } }

/** What a response means; for the words see `HttpResponseFilter`, whose actions these are. */
export type Interpretation = {
  readonly action: ResponseAction
  /** For people: why. */
  readonly message?: string
  readonly failureType?: FailureType
  /** How long to wait before the next try; left out, the manifest's `backoff_strategies` decide. */
  readonly waitSeconds?: number
}

/**
 * Extend this in `source_<name>/<package>.ts` next to the manifest. What it has no opinion on is left to the
 * `response_filters` among its own fields, and then to the status.
 *
 * ```ts
 * export class PortalErrors extends ErrorHandler {
 *   interpret({ response }: ErrorContext): Interpretation | null {
 *     return response?.status === 477 ? { action: 'retry', message: 'The portal moves.', waitSeconds: 30 } : null
 *   }
 * }
 * ```
 */
export abstract class ErrorHandler extends CustomComponent {
  /** Called for every response, accepted ones included, and for every failed request. Null and undefined: no opinion. */
  abstract interpret(context: ErrorContext): Interpretation | null | undefined

  /** Tries after the first one; null leaves it to `max_retries`. */
  get maxRetries(): number | null {
    return null
  }
}
