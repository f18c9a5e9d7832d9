/** A requester's plan → its way to the API: signed, patient, with rules of its own for what answers mean. */
import { authIdentity } from './auth/identity.ts'
import { openCredentials } from './auth/open-credentials.ts'
import { outcomeWith } from './outcome-with.ts'
import type { RequesterPlan } from './plan/plan.ts'
import { unsignLink } from './request/auth.ts'
import type { Credentials } from './request/credentials.ts'
import type { PageToken } from './request/page-token.ts'
import { withCookies } from './response/cookies.ts'
import type { Send } from './response/http-response.ts'
import { withRedirects } from './response/redirects.ts'
import { withReuse } from './response/reuse.ts'
import { type RetryTools, withRetry } from './response/retry.ts'
import { signed } from './response/signed.ts'
import type { Run } from './run.ts'
import { waitWith } from './wait-with.ts'

export type OpenRequester = {
  readonly plan: RequesterPlan
  readonly send: Send
  /** The same link with the mark where it repeats the credential. */
  readonly unsigned: (token: PageToken) => PageToken
}

export function openRequester(run: Run, plan: RequesterPlan, isShared = false): OpenRequester {
  const credentials = openCredentials(run, plan, openRequester)
  const send = wayToApi(run, plan, credentials)
  return {
    plan,
    send: isShared && plan.reuses ? withReuse(send, run.answers, authIdentity(plan.auth)) : send,
    unsigned(token) {
      if (token.url === undefined) return token
      const url = unsignLink(credentials, token.url)
      return url === token.url ? token : { ...token, value: url, url }
    },
  }
}

/** Retries around redirects around signing: each attempt and each hop is signed, or stripped, for its own address. */
function wayToApi(run: Run, { errors }: RequesterPlan, credentials: Credentials): Send {
  const { network, redactor, report, now, sleep, random } = run
  const sign = signed(withCookies(network.send, now), {
    credentials,
    trusted: run.trustedOrigins,
    isSecret: redactor.isSecret,
    report,
  })
  return withRetry(withRedirects(sign), {
    rules: { maxRetries: errors.maxRetries, ...run.retry },
    outcomeOf: outcomeWith(errors.rules, run.config),
    waitAfter: waitWith(errors.waits),
    sleep,
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
