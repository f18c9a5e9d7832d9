/** The base class of a connector's own error handler. */
import type { FailureType } from '../../../std/errors.ts'
import { CustomComponent } from '../../custom/component.ts'
import type { ResponseAction } from '../../plan/errors.ts'
import type { AnswerContext } from './answer-context.ts'

/** One of the two is there: an answer, good or bad, or what kept it from coming. */
export type ErrorContext =
  | { readonly response: AnswerContext; readonly error: null }
  | { readonly response: null; readonly error: { readonly code: string; readonly message: string } }

/** What an answer means; for the words see `HttpResponseFilter`, whose actions these are. */
export type Interpretation = {
  readonly action: ResponseAction
  /** For people: why. */
  readonly message?: string
  readonly failureType?: FailureType
  /** How long to wait before the next try; left out, the manifest's `backoff_strategies` tell. */
  readonly waitSeconds?: number
}

/**
 * Extend this in `source_<name>/<package>.ts` beside the manifest. What it has no opinion on is left to the
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
  /** Asked for every answer, good ones among them, and for every failure on the way. Null and undefined: no opinion. */
  abstract interpret(context: ErrorContext): Interpretation | null | undefined

  /** Tries after the first one; null leaves it to `max_retries`. */
  get maxRetries(): number | null {
    return null
  }
}
