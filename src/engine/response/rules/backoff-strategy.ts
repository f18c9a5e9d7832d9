/** The base class of a connector's own way to wait. */
import { CustomComponent } from '../../custom/component.ts'
import type { AnswerContext } from './answer-context.ts'

/** What is known after a try that failed. */
export type BackoffContext = {
  /** 1 is the first. */
  readonly attempt: number
  /** Null when none arrived. */
  readonly response: AnswerContext | null
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Extend this in `source_<name>/<package>.ts` beside the manifest.
 *
 * ```ts
 * export class ByQuota extends BackoffStrategy {
 *   waitSeconds({ response }: BackoffContext) {
 *     const perSecond = Number(response?.headers['x-rate-limit'])
 *     return perSecond > 0 ? 1 / perSecond : null
 *   }
 * }
 * ```
 */
export abstract class BackoffStrategy extends CustomComponent {
  /** Seconds until the next try; null, undefined and 0 leave it to the next strategy, then to the server. */
  abstract waitSeconds(context: BackoffContext): number | null | undefined
}
