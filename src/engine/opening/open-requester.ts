/** A requester's plan → how its requests are sent: signed, retried, judged by the manifest's rules. */
import { authIdentity } from '../auth/keep-token.ts'
import { openCredentials } from '../auth/open-credentials.ts'
import { unlessCancelled } from '../pages/open-signal.ts'
import type { OpenRequester } from '../pages/stream.ts'
import type { RequesterPlan } from '../plan/requester.ts'
import { unsignLink } from '../auth/sign-request.ts'
import type { Credentials } from '../auth/credentials.ts'
import { withCookies } from '../response/cookies.ts'
import type { Send } from '../response/http-response.ts'
import { withRedirects } from '../response/redirects.ts'
import { type RetryTools, withRetry } from '../response/retry.ts'
import { withReuse } from '../response/reuse.ts'
import { type ExpectedList, expectingList } from '../response/rules/expecting-list.ts'
import { withSmallBodies } from '../response/small-bodies.ts'
import { withSigning } from '../auth/with-signing.ts'
import type { Run } from '../run/run.ts'
import { openBuild } from './open-build.ts'
import { type CustomPlan, instantiate } from '../custom/component.ts'
import { classesIn, type ErrorPlan, type ErrorRules } from '../plan/error-handler.ts'
import { BackoffStrategy, waitWith } from '../response/rules/wait-with.ts'
import { ErrorHandler, failureOutcomeWith } from '../response/rules/judge-with-class.ts'
import { outcomeWith } from '../response/rules/outcome-with.ts'

type RequesterOptions = {
  /** Other streams of the run may send the same requests. */
  readonly isShared?: boolean | undefined
  /** Its responses hold lists of records. */
  readonly expected?: ExpectedList | undefined
}

export function openRequester(run: Run, plan: RequesterPlan, options: RequesterOptions = {}): OpenRequester {
  const { isShared = false, expected } = options
  const credentials = openCredentials(run, plan, openRequester)
  const send = openedAtFirst(() => wayToApi(run, plan, credentials, expected))
  return {
    plan,
    send: isShared && plan.reuses ? withReuse(send, run.answers, authIdentity(plan.auth)) : send,
    build: openBuild(run, plan),
    unsigned(token) {
      if (token.url === undefined) return token
      const url = unsignLink(credentials, token.url)
      return url === token.url ? token : { ...token, value: url, url }
    },
  }
}

/** Retries around redirects around signing: each attempt and each hop is signed, or stripped, for its own address. */
async function wayToApi(
  run: Run,
  plan: RequesterPlan,
  credentials: Credentials,
  expected: RequesterOptions['expected'],
): Promise<Send> {
  const { network, redactor, report, now, random, shared, reached, clock } = run
  const errors = await openErrors(run, plan.errors)
  const sign = withSigning(withCookies(patient(network.send, plan.silenceMs), now), {
    credentials,
    trusted: run.trustedOrigins,
    redactor,
    report,
  })
  const send = withRedirects(sign)
  return withRetry(expected?.format === 'items' ? withSmallBodies(send) : send, {
    ...errors,
    outcomeOf: expected === undefined ? errors.outcomeOf : expectingList(errors.outcomeOf, expected),
    rules: { maxRetries: errors.maxRetries, ...run.retry },
    sleep: clock.sleep,
    shared,
    reached,
    random,
    now,
    report,
    ...refreshing(run, credentials),
  })
}

/** Waits for the server as long as the manifest says. */
function patient(send: Send, silenceMs: number | null): Send {
  return silenceMs === null ? send : (request, signal) => send({ ...request, silenceMs }, signal)
}

/** For rules of the manifest that need a new token before the next try. */
function refreshing({ tokens }: Run, credentials: Credentials): Pick<RetryTools, 'refresh'> {
  const renew =
    credentials.kind === 'placed'
      ? credentials.secret.renew
      : credentials.kind === 'added'
        ? credentials.renew
        : undefined
  if (renew === undefined) return {}
  return { refresh: async () => void (await renew(null, tokens.closing)) }
}

/** Custom classes are loaded when the first request is sent. */
function openedAtFirst(open: () => Promise<Send>): Send {
  let opening: Promise<Send> | null = null
  let send: Send = async (request, signal) => {
    opening ??= open()
    send = await unlessCancelled(opening, signal)
    return send(request, signal)
  }
  return (request, signal) => send(request, signal)
}

type OpenErrors = Required<Pick<RetryTools, 'outcomeOf' | 'outcomeOfFailure' | 'waitAfter'>> & {
  readonly maxRetries: number
}

async function openErrors(run: Run, { rules, waits, maxRetries }: ErrorPlan): Promise<OpenErrors> {
  const handlers = new Map<CustomPlan, ErrorHandler>()
  for (const custom of classesIn(rules)) handlers.set(custom, await instantiate(custom, ErrorHandler, run))
  const strategies = new Map<CustomPlan, BackoffStrategy>()
  for (const wait of waits) {
    if (wait.kind === 'custom') strategies.set(wait.custom, await instantiate(wait.custom, BackoffStrategy, run))
  }
  const first = firstOf(rules)
  const own = first.kind === 'custom' ? handlers.get(first.custom)?.maxRetries : null
  return {
    outcomeOf: outcomeWith(rules, run.config, handlers),
    outcomeOfFailure: failureOutcomeWith(rules, handlers),
    waitAfter: waitWith(waits, strategies, run.config),
    maxRetries: own ?? maxRetries,
  }
}

/** Airbyte: of several handlers the first one's number of tries counts for all. */
function firstOf(rules: ErrorRules): ErrorRules {
  const first = rules.kind === 'in-turn' ? rules.members[0] : undefined
  return first === undefined ? rules : firstOf(first)
}
