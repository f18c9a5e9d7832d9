/** Send → Send that asks again, after a while, as long as the failure may pass. */
import { ConnectorError } from '../../errors.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { aborted, isTransient } from './failure.ts'
import type { HttpResponse, Send } from './http-response.ts'
import type { Notice } from './notice.ts'
import { outcomeOf as usualOutcome, type Outcome } from './outcome.ts'

export type RetryRules = {
  /** Tries after the first one. */
  maxRetries: number
  /** The longest single wait a server may ask for. */
  maxWaitMs: number
  /** The first wait; each further one is twice as long. */
  baseMs: number
}

const defaultRetryRules: RetryRules = {
  // Airbyte: five, so six tries, with waits of 1, 2, 4, 8 and 16 s.
  maxRetries: 5,
  baseMs: 1000,
  // The longest common rate window; an API that counts by the day asks for a later run, not for a sleeping one.
  maxWaitMs: 3_600_000,
}

export type RetryTools = {
  rules?: Partial<RetryRules>
  /** Rejects as soon as the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** From 0 up to, not including, 1. */
  random: () => number
  /** Milliseconds since 1970. */
  now: () => number
  report: (notice: Notice) => void
  /** What a response means, where a manifest has rules of its own. */
  outcomeOf?: (response: HttpResponse, now: number) => Outcome
  /** How long to wait, where a manifest has rules of its own; null leaves it to the server and to doubling. */
  waitAfter?: (failed: FailedTry) => ChosenWait | null
}

export type FailedTry = {
  /** 1 is the first. */
  readonly attempt: number
  /** Null when none arrived. */
  readonly response: HttpResponse | null
  readonly now: number
  readonly random: number
}

export type ChosenWait = {
  readonly waitMs: number
  /** The manifest has a limit for it, which stands in place of ours. */
  readonly hasOwnLimit: boolean
}

/**
 * Returns accepted answers, and ignored ones marked as such; every other ending is a ConnectorError.
 * Asks POST again too: what we send are reads.
 */
export function withRetry(send: Send, tools: RetryTools): Send {
  const rules = { ...defaultRetryRules, ...tools.rules }

  return async (request, signal) => {
    for (let attempt = 1; ; attempt++) {
      const tried = await tryOnce(send, tools, request, signal)
      switch (tried.kind) {
        case 'accept':
          return tried.response
        case 'ignore':
          tools.report({ kind: 'ignored', reason: tried.reason, url: request.url })
          return { ...tried.response, isIgnored: true }
        case 'fail': {
          const { code, message, hint, at, failureType } = tried
          throw new ConnectorError(code, message, { hint, at, failureType })
        }
        case 'retry': {
          if (attempt > rules.maxRetries) throw gaveUp(attempt, tried)
          const [now, random] = [tools.now(), tools.random()]
          const chosen = tools.waitAfter?.({ attempt, response: tried.response, now, random }) ?? null
          const waitMs = chosen?.waitMs ?? retryWaitMs(attempt, tried.waitMs, rules.baseMs, random)
          if (waitMs > rules.maxWaitMs && !chosen?.hasOwnLimit) throw waitsTooLong(waitMs, rules, tried, now)
          tools.report({ kind: 'retry', attempt, waitMs, reason: tried.reason, url: request.url })
          await pause(waitMs, signal, tools)
        }
      }
    }
  }
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

type ToRetry = OutcomeOf<'retry'> & { response: HttpResponse | null; cause?: unknown }
type Tried = (OutcomeOf<'accept' | 'ignore' | 'fail'> & { response: HttpResponse }) | ToRetry
type OutcomeOf<Kind extends Outcome['kind']> = Extract<Outcome, { kind: Kind }>

async function tryOnce(send: Send, tools: RetryTools, request: HttpRequest, signal: AbortSignal): Promise<Tried> {
  try {
    const response = await send(request, signal)
    const outcome = (tools.outcomeOf ?? usualOutcome)(response, tools.now())
    if (outcome.kind !== 'accept') response.stream?.discard()
    return { ...outcome, response }
  } catch (error) {
    if (!isTransient(error)) throw error
    return { kind: 'retry', reason: error.message, response: null, cause: error }
  }
}

async function pause(waitMs: number, signal: AbortSignal, { sleep }: RetryTools): Promise<void> {
  try {
    await sleep(waitMs, signal)
  } catch (error) {
    throw signal.aborted ? aborted(signal) : error
  }
  if (signal.aborted) throw aborted(signal)
}

function gaveUp(tries: number, { reason, cause }: ToRetry): ConnectorError {
  const times = tries === 1 ? 'one try' : `${tries} tries`
  return new ConnectorError('response/gave-up', `Gave up after ${times}. The last one: ${reason}`, { cause })
}

function waitsTooLong(waitMs: number, { maxWaitMs }: RetryRules, { reason }: ToRetry, now: number): ConnectorError {
  const until = new Date(now + waitMs)
  const named = Number.isNaN(until.getTime()) ? 'a time beyond all calendars' : until.toISOString()
  const message = `The next try would have to wait until ${named}, longer than the limit of ${maxWaitMs / 1000} s. ${reason}`
  return new ConnectorError('response/gave-up', message, { hint: `Run again after ${named}.` })
}
