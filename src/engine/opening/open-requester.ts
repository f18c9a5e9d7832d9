/** A requester's plan → its way to the API: signed, patient, with rules of its own for what answers mean. */
import { authIdentity } from '../auth/keep-token.ts'
import { openCredentials } from '../auth/open-credentials.ts'
import type { OpenRequester } from '../pages/stream.ts'
import type { RequesterPlan } from '../plan/requester.ts'
import { unsignLink } from '../auth/sign-request.ts'
import type { Credentials } from '../auth/credentials.ts'
import { withCookies } from '../response/cookies.ts'
import type { Send } from '../response/http-response.ts'
import { withRedirects } from '../response/redirects.ts'
import { type RetryTools, withRetry } from '../response/retry.ts'
import { withReuse } from '../response/reuse.ts'
import { expectingList } from '../response/rules/expecting-list.ts'
import { withSigning } from '../auth/with-signing.ts'
import type { Run } from '../run/run.ts'
import { openErrors } from './open-errors.ts'
import { openBuild } from './open-build.ts'

export type RequesterOptions = {
  /** Other streams of the run may ask for the same. */
  readonly isShared?: boolean | undefined
  /** Its answers hold lists of records, at this path; null where only the connector's own class knows it. */
  readonly listAt?: readonly string[] | null | undefined
}

export function openRequester(run: Run, plan: RequesterPlan, options: RequesterOptions = {}): OpenRequester {
  const { isShared = false, listAt } = options
  const credentials = openCredentials(run, plan, openRequester)
  const send = openedAtFirst(() => wayToApi(run, plan, credentials, listAt))
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
  listAt: RequesterOptions['listAt'],
): Promise<Send> {
  const { network, redactor, report, now, random, shared, reached, clock } = run
  const errors = await openErrors(run, plan.errors)
  const sign = withSigning(withCookies(network.send, now), {
    credentials,
    trusted: run.trustedOrigins,
    redactor,
    report,
  })
  return withRetry(withRedirects(sign), {
    ...errors,
    outcomeOf: listAt === undefined ? errors.outcomeOf : expectingList(errors.outcomeOf, listAt),
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

/** For rules of the manifest that ask for a new token before the next try. */
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

/** Classes of the connector's own are loaded when the first request leaves. */
function openedAtFirst(open: () => Promise<Send>): Send {
  let opening: Promise<Send> | null = null
  return async (request, signal) => {
    opening ??= open()
    const send = await opening
    return send(request, signal)
  }
}
