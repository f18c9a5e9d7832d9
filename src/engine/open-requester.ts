/** A requester's plan → its way to the API: signed, patient, with rules of its own for what answers mean. */
import { stringifyJson } from '../json.ts'
import { outcomeWith } from './outcome-with.ts'
import type { RequesterPlan } from './plan/plan.ts'
import { type Credentials, credentialsOf, secretTexts, unsignLink } from './request/auth.ts'
import type { PageToken } from './request/page-token.ts'
import { withCookies } from './response/cookies.ts'
import type { Send } from './response/http-response.ts'
import { withRedirects } from './response/redirects.ts'
import { withReuse } from './response/reuse.ts'
import { withRetry } from './response/retry.ts'
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
  for (const secret of secretTexts(plan.auth, run.config)) run.redactor.add(secret)
  const credentials = credentialsOf(plan.auth, run.config)
  const send = wayToApi(run, plan, credentials)
  return {
    plan,
    send: isShared && plan.reuses ? withReuse(send, run.answers, stringifyJson(plan.auth)) : send,
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
  })
}
