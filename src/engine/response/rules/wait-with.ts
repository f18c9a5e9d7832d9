/** A manifest's waits + a failed try → how long to wait before the next one. */
import { ConnectorError } from '../../../std/errors.ts'
import { plainNumbers } from '../../../std/json.ts'
import { CustomComponent, type CustomPlan, runCustom } from '../../custom/component.ts'
import { atOnce, unfit } from '../../custom/check-returned.ts'
import type { WaitHeader, WaitPlan } from '../../plan/error-handler.ts'
import type { Config } from '../../plan/plan.ts'
import { HeaderDict } from '../../template/host.ts'
import { matchStart } from '../../template/patterns.ts'
import { peekJson } from '../decode.ts'
import type { HttpResponse } from '../http-response.ts'
import type { ChosenWait, FailedTry } from '../retry.ts'
import { type AnswerContext, answerContext } from './response-context.ts'

/** One for each place of the manifest that names a class. */
type Strategies = ReadonlyMap<CustomPlan, BackoffStrategy>

/**
 * The first wait of the list that is longer than nothing, or null when there is none.
 *
 * @example waitWith([{ kind: 'constant', seconds: 5, jitterSeconds: 0 }])(failed) // { waitMs: 5000, hasOwnLimit: false }
 */
export function waitWith(
  waits: readonly WaitPlan[],
  strategies: Strategies = new Map(),
  config: Config = {},
): (failed: FailedTry) => ChosenWait | null {
  return (failed) => {
    for (const wait of waits) {
      const seconds = secondsOf(wait, failed, strategies, config)
      if (seconds === null || seconds <= 0) continue
      if (!('maxSeconds' in wait)) return { waitMs: ms(seconds), hasOwnLimit: false }
      if (wait.maxSeconds === null) return { waitMs: ms(seconds), hasOwnLimit: false, isFromServer: true }
      // Airbyte: a wait as long as the limit is too long.
      if (seconds >= wait.maxSeconds) throw tooLong(wait, seconds, wait.maxSeconds)
      return { waitMs: ms(seconds), hasOwnLimit: true, isFromServer: true }
    }
    return null
  }
}

function secondsOf(wait: WaitPlan, failed: FailedTry, strategies: Strategies, config: Config): number | null {
  const { attempt, response, now, random } = failed
  switch (wait.kind) {
    case 'constant':
      return wait.seconds + 2 * wait.jitterSeconds * random
    case 'exponential':
      return wait.factor * 2 ** attempt + 2 * wait.jitterSeconds * random
    case 'for-header':
      return response === null ? null : numberFrom(wait, response.headers)
    case 'until-header': {
      const until = response === null ? null : numberFrom(wait, response.headers)
      const left = until ? until - now / 1000 : null
      return wait.minSeconds ? Math.max(left ?? 0, wait.minSeconds) : left
    }
    case 'from-response':
      return secondsFrom(wait, response, config)
    case 'custom':
      return secondsByClass(wait.custom, strategies, { attempt, now, response: response && answerContext(response) })
  }
}

/** Airbyte: what cannot be evaluated on this response, and what is no number, leaves it to the next strategy. */
function secondsFrom(
  { seconds, parameters }: Extract<WaitPlan, { kind: 'from-response' }>,
  response: HttpResponse | null,
  config: Config,
): number | null {
  const body = response === null ? {} : (peekJson(response)?.value ?? {})
  try {
    const value = seconds.evaluate({
      config,
      parameters,
      response: body,
      headers: HeaderDict.fromPlain(response?.headers ?? {}),
    })
    const number = value === null || value === '' ? Number.NaN : Number(plainNumbers(value))
    return Number.isFinite(number) ? number : null
  } catch (error) {
    if (error instanceof ConnectorError) return null
    throw error
  }
}

function secondsByClass(custom: CustomPlan, strategies: Strategies, context: BackoffContext): number | null {
  return runCustom(custom, () => {
    const seconds: unknown = atOnce(strategies.get(custom)?.waitSeconds(context)) ?? null
    if (seconds === null || (typeof seconds === 'number' && Number.isFinite(seconds))) return seconds
    throw unfit(seconds, 'a number of seconds')
  })
}

function ms(seconds: number): number {
  return Math.ceil(seconds * 1000)
}

function tooLong(wait: WaitPlan, seconds: number, maxSeconds: number): ConnectorError {
  const who = 'header' in wait ? `header \`${wait.header}\`` : 'response'
  const message = `The ${who} asks for a wait of ${Math.ceil(seconds)} s; max_waiting_time_in_seconds is ${maxSeconds}.`
  return new ConnectorError('response/gave-up', message, { hint: `Run again in ${Math.ceil(seconds)} s.` })
}

/** Airbyte: where the pattern does not match, the whole header is tried. */
function numberFrom({ header, pattern }: WaitHeader, headers: Readonly<Record<string, string>>): number | null {
  const text = Object.hasOwn(headers, header) ? headers[header] : undefined
  if (text === undefined) return null
  const part = ((pattern === null ? null : matchStart(pattern, text)) ?? text).trim()
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(part) ? Number(part) : null
}

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
 * Extend this in `source_<name>/<package>.ts` next to the manifest.
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
