/** A try that failed → how long to wait before the next one, or the error that it would be too long. */
import { ConnectorError } from '../../std/errors.ts'
import type { HttpResponse } from './http-response.ts'
import type { RetryOutcome } from './outcome.ts'
import type { ChosenWait, RetryRules, RetryTools } from './retry.ts'

export type FailedAnswer = RetryOutcome & { readonly response: HttpResponse | null }

/** The wait, and what a reader may want to know about it. */
export type NextWait = { readonly waitMs: number; readonly isRateLimited?: true; readonly quotaResetsAt?: number }

/** A class of the connector's own has the first word, then the manifest, then the server, then doubling. */
export function nextWait(failed: FailedAnswer, attempt: number, rules: RetryRules, tools: RetryTools): NextWait {
  const [now, random] = [tools.now(), tools.random()]
  const { response, isRateLimited } = failed
  const chosen = ownWait(failed) ?? tools.waitAfter?.({ attempt, response, now, random }) ?? null
  const waitMs = chosen?.waitMs ?? retryWaitMs(attempt, failed.waitMs, rules.baseMs, random)
  if (waitMs > rules.maxWaitMs && !chosen?.hasOwnLimit) throw waitsTooLong(waitMs, rules, failed.reason, now)
  if (!isRateLimited) return { waitMs }
  const isTold = chosen === null ? waitMs === failed.waitMs : chosen.isTold === true
  return { waitMs, isRateLimited, ...(isTold && { quotaResetsAt: now + waitMs }) }
}

function ownWait({ ownWaitMs }: RetryOutcome): ChosenWait | null {
  return ownWaitMs === undefined ? null : { waitMs: ownWaitMs, hasOwnLimit: false }
}

/**
 * How long to wait after the failed try number `attempt` (1 is the first). What the server told wins; otherwise half of
 * 1, 2, 4, 8, 16 s is certain and half is chance, so that slices which failed together do not come back together.
 *
 * @example retryWaitMs(3, undefined, 1000, 0.5) // 3000
 */
export function retryWaitMs(attempt: number, toldMs: number | undefined, baseMs: number, random: number): number {
  // "Retry after 0 s" (or at a date gone by, when clocks differ) says nothing about when it may work.
  if (toldMs !== undefined && toldMs > 0) return toldMs
  const fullMs = baseMs * 2 ** (attempt - 1)
  return Math.round(fullMs / 2 + (fullMs / 2) * random)
}

function waitsTooLong(waitMs: number, { maxWaitMs }: RetryRules, reason: string, now: number): ConnectorError {
  const until = new Date(now + waitMs)
  const named = Number.isNaN(until.getTime()) ? 'a time beyond all calendars' : until.toISOString()
  const message = `The next try would have to wait until ${named}, longer than the limit of ${maxWaitMs / 1000} s. ${reason}`
  return new ConnectorError('response/gave-up', message, { hint: `Run again after ${named}.` })
}
